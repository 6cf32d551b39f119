import { useMemo, useState } from 'react'
import { isObject, type JsonValue } from '../../src-shared/base/json.ts'
import type { BoundedJson, BoundedText } from '../../src-shared/contract/blobs.ts'
import { useWholeText } from '../state/read-text.ts'
import { bytes } from '../ui/amounts.ts'
import { Button } from '../ui/Button.tsx'
import { EmphasisedText } from './text/EmphasisedText.tsx'
import { firstLines, hides } from './text/first-lines.ts'
import { LongText } from './text/LongText.tsx'
import { EditDiffs } from './viewers/EditDiffs.tsx'
import { JsonTree } from './viewers/JsonTree.tsx'
import { jsonText, parseShownJson } from './viewers/shown-json.ts'
import { type EditsFound, editsIn, isComparable } from './viewers/text-edits.ts'

const OPEN_LINES = 8
const OPEN_CHARS = 800
/** Longer values, in characters, are built piece by piece. */
const LONG = 20_000
/** Larger arguments, in bytes, are shown as JSON only. */
const MAX_TABLE_BYTES = 256 * 1024

interface ArgumentsTableProps {
  readonly json: BoundedJson
  /** Paths of arguments that a warning mentions. */
  readonly marked?: readonly string[]
  /** Names of the arguments to show first, in this order. */
  readonly order?: readonly string[]
  /** Set while the person decides about the call: nothing is folded, and JSON is shown elsewhere. */
  readonly open?: boolean
}

/** The arguments of a call, as a table or as the JSON that is sent. */
export function ArgumentsTable({ json, marked = [], order = NO_ORDER, open = false }: ArgumentsTableProps) {
  const [raw, setRaw] = useState(false)
  const all = useWholeText(jsonText(json), MAX_TABLE_BYTES)
  const { parsed, table, changes } = useMemo(() => readArguments(all, order), [all, order])
  const covered = isComparable(changes.edits) ? changes.names : []
  const rows = table?.filter(([name]) => !open || !covered.includes(name) || isMarked(name, marked)) ?? []
  if (table?.length === 0 && !raw) return <p className="soft">No arguments.</p>
  return (
    <div className="content-arguments column-1">
      {raw || !table ? (
        <LongText open={open} content={formatted(json, parsed)} />
      ) : (
        <>
          <table className="content-table small" hidden={rows.length === 0}>
            <tbody>
              {rows.map(([name, value]) => (
                <tr key={name} className={isMarked(name, marked) ? 'content-marked' : undefined}>
                  <th scope="row">
                    <EmphasisedText text={name} />
                    {isMarked(name, marked) ? <span className="chip chip-wait content-mark">Warning</span> : null}
                  </th>
                  <td>{covered.includes(name) ? <Covered value={value} /> : <ArgumentValue value={value} open={open} />}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {changes.edits.length > 0 ? <EditDiffs edits={changes.edits} /> : null}
        </>
      )}
      {table && !open ? (
        <Button size="small" variant="quiet" aria-pressed={raw} onClick={() => setRaw(!raw)}>
          {raw ? 'As a table' : 'As JSON'}
        </Button>
      ) : null}
    </div>
  )
}

/** The arguments of a call as the JSON that is sent. */
export function ArgumentsJson({ json }: { readonly json: BoundedJson }) {
  return <LongText content={formatted(json, parseShownJson(json.json))} />
}

const NO_CHANGES: EditsFound = { edits: [], names: [] }
const NO_ORDER: readonly string[] = []

function readArguments(json: string | undefined | null, order: readonly string[]) {
  const parsed = typeof json === 'string' ? parseShownJson(json) : undefined
  if (parsed === undefined || !isObject(parsed)) return { parsed, table: undefined, changes: NO_CHANGES }
  const args = parsed as Record<string, JsonValue>
  const at = new Map(order.map((name, index) => [name, index]))
  const place = ([name]: [string, JsonValue]) => at.get(name) ?? order.length
  return { parsed, table: Object.entries(args).sort((a, b) => place(a) - place(b)), changes: editsIn(args) }
}

/** Arguments that the diff below shows already. */
function Covered({ value }: { readonly value: JsonValue }) {
  const [open, setOpen] = useState(false)
  if (open) return <ArgumentValue value={value} />
  return (
    <span className="content-argument">
      <span className="soft">Shown below.</span>{' '}
      <Button size="small" variant="quiet" onClick={() => setOpen(true)}>
        Show as sent
      </Button>
    </span>
  )
}

/** `files` for `files`, `files[2]` and `files[2].path`. */
const isMarked = (name: string, marked: readonly string[]) =>
  marked.some((argument) => argument === name || argument.startsWith(`${name}.`) || argument.startsWith(`${name}[`))

function formatted(json: BoundedJson, parsed: JsonValue | undefined): BoundedText {
  return json.whole || parsed === undefined ? jsonText(json) : { text: JSON.stringify(parsed, null, 2) }
}

/** `open`: the whole value, not folded. */
export function ArgumentValue({ value, open: unfolded = false }: { readonly value: JsonValue; readonly open?: boolean }) {
  const [open, setOpen] = useState(false)
  if (unfolded && Array.isArray(value) && value.length === 0) return <span className="soft">empty list</span>
  if (unfolded && isPlainList(value)) return <PlainList items={value} />
  if (typeof value === 'object' && value !== null) return <JsonTree open={unfolded} value={{ json: JSON.stringify(value) }} />
  const text = String(value)
  if (text.length > LONG) return <LongText open={unfolded} content={{ text }} />
  const head = unfolded ? text : firstLines(text, OPEN_LINES, OPEN_CHARS)
  return (
    <span className="content-argument">
      {text === '' ? <span className="soft">empty text</span> : <EmphasisedText text={open ? text : head} />}
      {hides(text, head) ? (
        <Button size="small" variant="quiet" onClick={() => setOpen(!open)}>
          {open ? 'Fold' : `… Show all (${bytes(text.length)})`}
        </Button>
      ) : null}
    </span>
  )
}

/** Longest list that is shown line by line. */
const MAX_LIST_ITEMS = 1000

function isPlainList(value: JsonValue): value is (string | number | boolean)[] {
  return (
    Array.isArray(value) && value.length > 0 && value.length <= MAX_LIST_ITEMS && value.every((one) => typeof one !== 'object')
  )
}

function PlainList({ items }: { readonly items: readonly (string | number | boolean)[] }) {
  return (
    <ul className="content-argument content-argument-list">
      {items.map((item, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is what is sent; it never changes
        <li key={at}>
          <EmphasisedText text={String(item)} />
        </li>
      ))}
    </ul>
  )
}
