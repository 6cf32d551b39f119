import { memo, useMemo, useState } from 'react'
import type { JsonValue } from '../../../src-shared/base/json.ts'
import type { BoundedJson } from '../../../src-shared/contract/blobs.ts'
import { counted } from '../../ui/amounts.ts'
import { Button } from '../../ui/Button.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { EmphasisedText } from '../text/EmphasisedText.tsx'
import { LongText } from '../text/LongText.tsx'
import { jsonText, parseShownJson } from './shown-json.ts'

const PAGE = 100
/** Entries shown at first when nothing is folded. */
const OPEN_PAGE = 1000
const OPEN_DEPTH = 2
const MAX_DEPTH = 40

/** A JSON value as a folding tree; as text when only its beginning was sent. */
export function JsonTree({ value, open = false }: { readonly value: BoundedJson; readonly open?: boolean }) {
  const parsed = useMemo(() => (value.whole ? undefined : parseShownJson(value.json)), [value])
  if (parsed === undefined) return <LongText content={jsonText(value)} />
  return (
    <div className="code">
      <Node value={parsed} depth={0} openDepth={open ? MAX_DEPTH : OPEN_DEPTH} />
    </div>
  )
}

interface NodeProps {
  readonly name?: string
  readonly value: JsonValue
  readonly depth: number
  /** Deeper nodes start folded. */
  readonly openDepth: number
}

const Node = memo(function Node({ name, value, depth, openDepth }: NodeProps) {
  const [shown, setShown] = useState(openDepth > OPEN_DEPTH ? OPEN_PAGE : PAGE)
  const label =
    name === undefined ? null : (
      <>
        <span className="medium">
          <EmphasisedText text={name} />
        </span>
        {': '}
      </>
    )
  if (typeof value !== 'object' || value === null) {
    return (
      <div>
        {label}
        <Scalar value={value} />
      </div>
    )
  }
  const entries = Array.isArray(value)
    ? value.map((item, index): [string, JsonValue] => [String(index), item])
    : Object.entries(value)
  const size = Array.isArray(value) ? `[${counted(entries.length, 'item')}]` : `{${counted(entries.length, 'field')}}`
  if (entries.length === 0 || depth >= MAX_DEPTH) {
    return (
      <div>
        {label}
        <span className="soft">{size}</span>
        {entries.length === 0 ? null : <LongText content={{ text: JSON.stringify(value) }} />}
      </div>
    )
  }
  return (
    <Disclosure
      summary={
        <>
          {label}
          <span className="soft">{size}</span>
        </>
      }
      row
      open={depth < openDepth}
    >
      {() => (
        <div className="content-json-inside">
          {entries.slice(0, shown).map(([key, item]) => (
            <Node key={key} name={key} value={item} depth={depth + 1} openDepth={openDepth} />
          ))}
          {entries.length > shown ? (
            <Button size="small" variant="quiet" onClick={() => setShown(shown + PAGE)}>
              {counted(entries.length - shown, 'more', 'more')}
            </Button>
          ) : null}
        </div>
      )}
    </Disclosure>
  )
})

function Scalar({ value }: { readonly value: string | number | boolean | null }) {
  if (typeof value === 'string') {
    return (
      <span className="tone-ok pre-wrap">
        “<EmphasisedText text={value} />”
      </span>
    )
  }
  return <span className="content-json-scalar">{String(value)}</span>
}
