import { useRef } from 'react'
import type { BoundedText } from '../../../src-shared/contract/blobs.ts'
import { LongText } from '../../content/text/LongText.tsx'
import { MarkdownText } from '../../content/text/MarkdownText.tsx'
import { useWholeText } from '../../state/read-text.ts'

/** In bytes; a longer reply is not rendered as Markdown. */
const MAX_COUNT = 256 * 1024

/** A model's text as Markdown. Only the start of a long one is sent to the page; the rest is read when it is rendered. */
export function ReplyText({ content }: { readonly content: BoundedText }) {
  const { text, whole } = content
  // The page has the whole text of a reply that it saw streaming.
  const streamed = useRef(text)
  if (!whole) streamed.current = text
  const known = !whole || new TextEncoder().encode(streamed.current).length === whole.bytes
  const all = useWholeText(known ? { text: streamed.current } : content, MAX_COUNT)
  if (all === null) return <LongText content={content} />
  return (
    <div dir="auto">
      <MarkdownText text={all ?? text} />
    </div>
  )
}
