import { BoundedThread, type ThreadFailure, type ThreadParts, threadSource } from '../threads/bounded-thread.ts'
import type { PageText } from './page-text.ts'

const JOB_TIME = 15_000
const IDLE_TIME = 10_000
const QUEUE_LIMIT = 12
const RESOURCES = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }

export interface PageJob {
  readonly html: string
}

export type ReadPage = (PageText & { readonly is: 'text' }) | { readonly is: 'unread'; readonly why: ThreadFailure }

/** Reads the text of web pages in a thread, since their authors decide what reading costs. */
export class PageTexts {
  readonly #thread: BoundedThread<PageJob, PageText>

  constructor(parts: ThreadParts) {
    this.#thread = new BoundedThread({
      ...parts,
      name: 'web pages',
      source: threadSource(import.meta.url, 'document-worker'),
      resources: RESOURCES,
      jobTime: JOB_TIME,
      idleTime: IDLE_TIME,
      queueLimit: QUEUE_LIMIT,
    })
  }

  /** Never rejects. */
  async read(html: string): Promise<ReadPage> {
    const outcome = await this.#thread.run(() => ({ html }))
    return outcome.is === 'failed' ? { is: 'unread', why: outcome.why } : { is: 'text', ...outcome.answer }
  }
}
