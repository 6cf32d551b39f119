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
