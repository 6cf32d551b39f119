import { useState } from 'react'
import { isObject, type JsonValue } from '../../src-shared/base/json.ts'
import type { BoundedJson } from '../../src-shared/contract/blobs.ts'
import { bytes } from '../ui/amounts.ts'
import { Button } from '../ui/Button.tsx'
import { EmphasisedText } from './text/EmphasisedText.tsx'
import { firstLines } from './text/first-lines.ts'
import { LongText } from './text/LongText.tsx'
import { JsonTree, parseJson } from './viewers/JsonTree.tsx'

const OPEN_LINES = 8
const OPEN_CHARS = 800

export interface ArgumentsTableProps {
  readonly json: BoundedJson
  /** Arguments, or places in them, that a warning speaks of. */
  readonly marked?: readonly string[]
}

/** What a tool is called with: a readable table, and exactly as it is sent. */
export function ArgumentsTable({ json, marked = [] }: ArgumentsTableProps) {
  const [raw, setRaw] = useState(false)
  const parsed = json.whole ? undefined : parseJson(json.json)
  const table = parsed !== undefined && isObject(parsed) ? Object.entries(parsed as Record<string, JsonValue>) : undefined
  if (table?.length === 0 && !raw) return <p className="soft">No arguments.</p>
  return (
    <div className="content-arguments">
      {raw || !table ? (
        <LongText content={{ text: pretty(parsed, json.json), ...(json.whole ? { whole: json.whole } : {}) }} />
      ) : (
        <table className="content-table">
          <tbody>
            {table.map(([name, value]) => (
              <tr key={name} className={isMarked(name, marked) ? 'content-marked' : undefined}>
                <th scope="row">
                  <EmphasisedText text={name} />
                  {isMarked(name, marked) ? <span className="chip chip-wait content-mark">Warning</span> : null}
                </th>
                <td>
                  <ArgumentValue value={value} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {table ? (
        <Button size="small" variant="quiet" aria-pressed={raw} onClick={() => setRaw(!raw)}>
          {raw ? 'As a table' : 'As JSON'}
        </Button>
      ) : null}
    </div>
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
