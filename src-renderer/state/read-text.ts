import { useEffect, useRef, useState } from 'react'
import type { BoundedText } from '../../src-shared/contract/blobs.ts'
import { ask } from './ask.ts'

/** One page of a long text; `next` is the offset of the following page, absent at the end. */
export interface TextPage {
  readonly text: string
  readonly next?: number
}

/** Reads a text that the host keeps, page by page. */
export async function* textPages(blob: string, signal?: AbortSignal): AsyncGenerator<TextPage> {
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const page: TextPage = await ask('blob.text', { blob, offset }, signal)
    signal?.throwIfAborted()
    yield page
    offset = page.next
  }
}

/** Joins these texts in full. */
export async function readWhole(texts: readonly BoundedText[], signal?: AbortSignal): Promise<string> {
  let all = ''
  for (const { text, whole } of texts) {
    if (!whole) all += text
    else for await (const page of textPages(whole.blob, signal)) all += page.text
  }
  return all
}

/** The full text if it has at most `most` bytes: undefined while it loads, null when it is longer or cannot be read. */
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
