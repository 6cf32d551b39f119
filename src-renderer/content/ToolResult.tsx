import { memo } from 'react'
import type { ContentView } from '../../src-shared/contract/blobs.ts'
import type { ToolCallResult } from '../../src-shared/contract/conversations.ts'
import './media.css'
import { Disclosure } from '../ui/Disclosure.tsx'
import { WarningIcon } from '../ui/icons.tsx'
import { onDemand } from '../ui/on-demand.tsx'
import { ContentBlockView } from './ContentBlockView.tsx'
import type { ResultSource, StructuredContentProps } from './StructuredContent.tsx'
import { parseShownJson } from './viewers/shown-json.ts'

const StructuredContent = onDemand<StructuredContentProps>(() =>
  import('./StructuredContent.tsx').then((module) => module.StructuredContent),
)

/** Most servers repeat structured content in a text block. */
function repeatsText({ content, structured }: ToolCallResult): boolean {
  if (!structured || structured.whole) return false
  const value = parseShownJson(structured.json)
  return content.some(
    (block) => block.type === 'text' && !block.whole && JSON.stringify(parseShownJson(block.text)) === JSON.stringify(value),
  )
}

interface ToolResultProps {
  readonly result: ToolCallResult
  readonly from?: ResultSource | undefined
}

/** True for pictures, sounds and links, which stay visible when a result is folded. */
export function isMedia(block: ContentView): boolean {
  if (block.type !== 'resource') return block.type === 'image' || block.type === 'audio' || block.type === 'resource_link'
  return 'blob' in block.content && /^(?:image|audio)\//.test(block.content.mimeType)
}

/** Media shown of a folded result. */
const MAX_MEDIA = 4

export function ResultMedia({ result, from }: ToolResultProps) {
  const media = result.content.filter(isMedia)
  const more = media.length - MAX_MEDIA
  return (
    <div className="content-result column-0 content-media from-server">
      {media.slice(0, MAX_MEDIA).map((content, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks of a result never move
        <ContentBlockView key={index} content={content} serverId={from?.serverId} />
      ))}
      {more > 0 ? <p className="soft">and {more} more</p> : null}
    </div>
  )
}

export const ToolResult = memo(function ToolResult({ result, from }: ToolResultProps) {
  return (
    <div
      className={
        result.isError ? 'content-result column-0 from-server content-result-error' : 'content-result column-0 from-server'
      }
    >
      {result.isError ? (
        <p className="content-error small">
          <WarningIcon /> The tool reports an error
        </p>
      ) : null}
      {result.content.length === 0 && !result.structured ? <p className="soft">Empty result.</p> : null}
      {result.content.map((content, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks of a result never move
        <ContentBlockView key={index} content={content} serverId={from?.serverId} />
      ))}
      {result.structured ? (
        <Disclosure
          summary={`Structured content${repeatsText(result) ? ', the same as the text' : ''}`}
          className="content-structured small"
          open={result.content.length === 0}
        >
          <StructuredContent value={result.structured} from={from} />
        </Disclosure>
      ) : null}
      {result.warnings.map((warning) => (
        <p className="content-warning small" key={warning}>
          <WarningIcon /> {warning}
        </p>
      ))}
    </div>
  )
})
