import { BoundedThread, type ThreadFailure, type ThreadParts, threadSource } from '../threads/bounded-thread.ts'
import type { PdfAnswer, PdfJob, PdfText } from './pdf-protocol.ts'

/** Milliseconds before the thread is ended, if reading does not stop by itself after READING_TIME. */
const JOB_TIME = 30_000
const READING_TIME = 15_000
const IDLE_TIME = 10_000
const QUEUE_LIMIT = 12
/** Limits the heap; bounded-buffers.ts limits buffers. */
const RESOURCES = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }
const MAX_TEXT = 4_000_000

export type ReadPdf = PdfText | { readonly is: 'unread'; readonly why: 'locked' | ThreadFailure }

/** Reads the text of PDF files in a thread, since their authors decide what reading costs. */
export class PdfTexts {
  readonly #thread: BoundedThread<PdfJob, PdfAnswer>

  constructor(parts: ThreadParts) {
    this.#thread = new BoundedThread({
      ...parts,
      name: 'pdf texts',
      source: threadSource(import.meta.url, 'document-worker'),
      resources: RESOURCES,
      jobTime: JOB_TIME,
      idleTime: IDLE_TIME,
      queueLimit: QUEUE_LIMIT,
    })
  }

  /** Never rejects. */
  async read(bytes: Uint8Array, most = MAX_TEXT): Promise<ReadPdf> {
    const outcome = await this.#thread.run(() => ({ bytes, most, time: READING_TIME }))
    return outcome.is === 'failed' ? { is: 'unread', why: outcome.why } : outcome.answer
  }
}
