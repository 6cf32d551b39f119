import { useEffect, useRef, useState } from 'react'
import type { BoundedText } from '../../src-shared/contract/blobs.ts'
import { ask } from './ask.ts'

/** A stretch of a long text; `next` is where the one after it begins, absent at the end. */
export interface TextPage {
  readonly text: string
  readonly next?: number
}

/** A text that the host keeps, page by page, each read when it is wanted. */
export async function* textPages(blob: string, signal?: AbortSignal): AsyncGenerator<TextPage> {
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const page: TextPage = await ask('blob.text', { blob, offset }, signal)
    signal?.throwIfAborted()
    yield page
    offset = page.next
  }
}

/** All of these texts one after the other, whatever of them travelled. */
export async function readWhole(texts: readonly BoundedText[], signal?: AbortSignal): Promise<string> {
  let all = ''
  for (const { text, whole } of texts) {
    if (!whole) all += text
    else for await (const page of textPages(whole.blob, signal)) all += page.text
  }
  return all
}

/**
 * All of a text of at most `most` bytes, however little of it travelled: undefined while it is on its way, null where it is longer or
 * cannot be read.
 */
export function useWholeText(content: BoundedText, most: number): string | undefined | null {
  const { text, whole } = content
  const [read, setRead] = useState<{ readonly of: string; readonly text: string | null }>()
  const wanted = whole && whole.bytes <= most ? whole.blob : undefined
  const latest = useRef(content)
  latest.current = content
  useEffect(() => {
    if (wanted === undefined) return
    const giveUp = new AbortController()
    readWhole([latest.current], giveUp.signal).then(
      (all) => setRead({ of: wanted, text: all }),
      () => giveUp.signal.aborted || setRead({ of: wanted, text: null }),
    )
    return () => giveUp.abort()
  }, [wanted])
  if (!whole) return text
  if (wanted === undefined) return null
  return read?.of === wanted ? read.text : undefined
}
