import { BoundedThread, type ThreadFailure, type ThreadParts, threadSource } from '../threads/bounded-thread.ts'
import type { DocumentAnswer, DocumentJob, PdfAnswer, PdfText } from './document-protocol.ts'
import type { PageText } from './page-text.ts'

/** Milliseconds after which the thread stops reading a PDF by itself. */
const READING_TIME = 15_000
const MAX_TEXT = 4_000_000

export type ReadPdf = PdfText | { readonly is: 'unread'; readonly why: 'locked' | ThreadFailure }
export type ReadPage = (PageText & { readonly is: 'text' }) | { readonly is: 'unread'; readonly why: ThreadFailure }

/** Reads the text of PDF files and web pages in a thread, since their authors decide what reading costs. */
export class Documents {
  readonly #thread: BoundedThread<DocumentJob, DocumentAnswer>

  constructor(parts: ThreadParts) {
    this.#thread = new BoundedThread({
      ...parts,
      name: 'documents',
      source: threadSource(import.meta.url, 'document-worker'),
      // bounded-buffers.ts limits buffers.
      heap: 384,
      jobTime: 30_000,
      queueLimit: 12,
    })
  }

  /** Never rejects. */
  async pdf(bytes: Uint8Array, most = MAX_TEXT): Promise<ReadPdf> {
    const outcome = await this.#thread.run(() => ({ bytes, most, time: READING_TIME }))
    return outcome.is === 'failed' ? { is: 'unread', why: outcome.why } : (outcome.answer as PdfAnswer)
  }

  /** Never rejects. */
  async page(html: string): Promise<ReadPage> {
    const outcome = await this.#thread.run(() => ({ html }))
    return outcome.is === 'failed' ? { is: 'unread', why: outcome.why } : { is: 'text', ...(outcome.answer as PageText) }
  }
}
