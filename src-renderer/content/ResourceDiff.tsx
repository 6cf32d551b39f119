import type { ResourceItem } from '../../src-shared/contract/attachments.ts'
import { bytes } from '../ui/amounts.ts'
import { EmphasisedText } from './text/EmphasisedText.tsx'
import { cutForDiff } from './text/first-lines.ts'
import { usePagedText } from './text/use-paged-text.ts'
import { DiffView } from './viewers/DiffView.tsx'

interface ResourceDiffProps {
  readonly before: readonly ResourceItem[]
  readonly now: readonly ResourceItem[]
}

const NOTHING = { text: '' }
/** Nobody compares more lines than this by eye. */
const LINES = 4_000
const CHARACTERS = 500_000

/** The differences between two readings of a resource, one for each URI. */
export function ResourceDiff({ before, now }: ResourceDiffProps) {
  const uris = [...new Set([...before, ...now].map((item) => item.uri))]
  return uris.map((uri) => (
    <ItemDiff
      key={uri}
      uri={uri}
      before={before.find((item) => item.uri === uri)}
      now={now.find((item) => item.uri === uri)}
      alone={uris.length === 1}
    />
  ))
}

interface ItemDiffProps {
  readonly uri: string
  readonly before: ResourceItem | undefined
  readonly now: ResourceItem | undefined
  readonly alone: boolean
}

function ItemDiff({ uri, before, now, alone }: ItemDiffProps) {
  const was = usePagedText(textOf(before) ?? NOTHING, true)
  const is = usePagedText(textOf(now) ?? NOTHING, true)
  const loading = was.share !== undefined || is.share !== undefined
  const texts = [before, now].every((item) => item === undefined || textOf(item) !== undefined)
  return (
    <div className="content-item column">
      {alone ? null : (
        <code className="grow">
          <EmphasisedText text={uri} />
        </code>
      )}
      {!texts ? (
        <p className="meta">
          Bytes: {before ? bytes(sizeOf(before)) : 'not there'} before, {now ? bytes(sizeOf(now)) : 'not there'} now.
        </p>
      ) : loading ? (
        <progress aria-label="Loading both texts" />
      ) : was.text === is.text ? (
        <p className="meta">The text is the same.</p>
      ) : (
        <DiffView before={bounded(was.text)} now={bounded(is.text)} />
      )}
    </div>
  )
}

function textOf(item: ResourceItem | undefined) {
  return item && !('blob' in item.content) ? item.content : undefined
}

function sizeOf({ content }: ResourceItem): number {
  return 'blob' in content ? content.bytes : (content.whole?.bytes ?? content.text.length)
}

const bounded = (text: string) => cutForDiff(text, LINES, CHARACTERS)
