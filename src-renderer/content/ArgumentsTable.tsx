import { useMemo, useState } from 'react'
import { isObject, type JsonValue } from '../../src-shared/base/json.ts'
import type { BoundedJson } from '../../src-shared/contract/blobs.ts'
import { useWholeText } from '../state/read-text.ts'
import { bytes } from '../ui/amounts.ts'
import { Button } from '../ui/Button.tsx'
import { EmphasisedText } from './text/EmphasisedText.tsx'
import { firstLines } from './text/first-lines.ts'
import { LongText } from './text/LongText.tsx'
import { EditDiffs } from './viewers/EditDiffs.tsx'
import { JsonTree, parseJson } from './viewers/JsonTree.tsx'
import { type EditsFound, editsIn, fits } from './viewers/text-edits.ts'

const OPEN_LINES = 8
const OPEN_CHARS = 800
/** Characters of one that is no longer built at once. */
const LONG = 20_000
/** Bytes of arguments that are still made a table of. */
const MOST = 256 * 1024

export interface ArgumentsTableProps {
  readonly json: BoundedJson
  /** Arguments, or places in them, that a warning speaks of. */
  readonly marked?: readonly string[]
}

/** The arguments of a call: as a readable table, and exactly as they are sent. */
export function ArgumentsTable({ json, marked = [] }: ArgumentsTableProps) {
  const [raw, setRaw] = useState(false)
  const all = useWholeText({ text: json.json, ...(json.whole && { whole: json.whole }) }, MOST)
  const { parsed, table, changes } = useMemo(() => readArguments(all), [all])
  const covered = fits(changes.edits) ? changes.names : []
  if (table?.length === 0 && !raw) return <p className="soft">No arguments.</p>
  return (
    <div className="content-arguments">
      {raw || !table ? (
        <LongText content={json.whole ? { text: json.json, whole: json.whole } : { text: pretty(parsed, json.json) }} />
      ) : (
        <>
          {changes.edits.length > 0 ? <EditDiffs edits={changes.edits} /> : null}
          <table className="content-table">
            <tbody>
              {table.map(([name, value]) => (
                <tr key={name} className={isMarked(name, marked) ? 'content-marked' : undefined}>
                  <th scope="row">
                    <EmphasisedText text={name} />
                    {isMarked(name, marked) ? <span className="chip chip-wait content-mark">Warning</span> : null}
                  </th>
                  <td>{covered.includes(name) ? <Covered value={value} /> : <ArgumentValue value={value} />}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      {table ? (
        <Button size="small" variant="quiet" aria-pressed={raw} onClick={() => setRaw(!raw)}>
          {raw ? 'As a table' : 'As JSON'}
        </Button>
      ) : null}
    </div>
  )
}

const NO_CHANGES: EditsFound = { edits: [], names: [] }

function readArguments(json: string | undefined | null) {
  const parsed = typeof json === 'string' ? parseJson(json) : undefined
  if (parsed === undefined || !isObject(parsed)) return { parsed, table: undefined, changes: NO_CHANGES }
  const args = parsed as Record<string, JsonValue>
  return { parsed, table: Object.entries(args), changes: editsIn(args) }
}

/** Arguments that the diff above already shows; unfolded by a click. */
function Covered({ value }: { readonly value: JsonValue }) {
  const [open, setOpen] = useState(false)
  if (open) return <ArgumentValue value={value} />
  return (
    <span className="content-argument">
      <span className="soft">Shown above.</span>{' '}
      <Button size="small" variant="quiet" onClick={() => setOpen(true)}>
        Show as sent
      </Button>
    </span>
  )
}

/** `files` for `files`, `files[2]` and `files[2].path`. */
const isMarked = (name: string, marked: readonly string[]) =>
  marked.some((argument) => argument === name || argument.startsWith(`${name}.`) || argument.startsWith(`${name}[`))

function pretty(parsed: JsonValue | undefined, json: string): string {
  return parsed === undefined ? json : JSON.stringify(parsed, null, 2)
}

function ArgumentValue({ value }: { readonly value: JsonValue }) {
  const [open, setOpen] = useState(false)
  if (typeof value === 'object' && value !== null) return <JsonTree value={{ json: JSON.stringify(value) }} />
  const text = String(value)
  if (text.length > LONG) return <LongText content={{ text }} />
  const head = firstLines(text, OPEN_LINES, OPEN_CHARS)
  return (
    <span className="content-argument">
      {text === '' ? <span className="soft">empty text</span> : <EmphasisedText text={open ? text : head} />}
      {head.length < text.length ? (
        <Button size="small" variant="quiet" onClick={() => setOpen(!open)}>
          {open ? 'Fold' : `… Show all (${bytes(text.length)})`}
        </Button>
      ) : null}
    </span>
  )
}
