import { useEffect, useRef, useState } from 'react'
import type { BoundedText } from '../../../src-shared/contract/blobs.ts'
import { LongText } from '../../content/text/LongText.tsx'
import { MarkdownText } from '../../content/text/MarkdownText.tsx'
import { readWhole } from '../../state/read-text.ts'

/** Bytes of a reply that is still built as Markdown. */
const MOST = 256 * 1024

/** What a model said, as Markdown, however little of it travelled: the whole of a long reply is read when it is built. */
export function ReplyText({ content }: { readonly content: BoundedText }) {
  const { text, whole } = content
  // One that was just streamed is known whole.
  const streamed = useRef(text)
  if (!whole) streamed.current = text
  const [read, setRead] = useState<{ readonly of: string; readonly text?: string }>()
  const known = whole && new TextEncoder().encode(streamed.current).length === whole.bytes
  const wanted = whole && !known && whole.bytes <= MOST ? whole.blob : undefined
  const latest = useRef(content)
  latest.current = content
  useEffect(() => {
    if (wanted === undefined) return
    const giveUp = new AbortController()
    readWhole([latest.current], giveUp.signal).then(
      (all) => setRead({ of: wanted, text: all }),
      () => giveUp.signal.aborted || setRead({ of: wanted }),
    )
    return () => giveUp.abort()
  }, [wanted])
  const mine = wanted !== undefined && read?.of === wanted ? read : undefined
  if (whole && (whole.bytes > MOST || (mine && mine.text === undefined))) return <LongText content={content} />
  return (
    <div dir="auto">
      <MarkdownText text={known ? streamed.current : (mine?.text ?? text)} />
    </div>
  )
}
