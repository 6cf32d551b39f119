import { Emitter } from '../../../src-shared/base/emitter.ts'
import { InTurn } from '../../../src-shared/base/in-turn.ts'
import type { JsonObject } from '../../../src-shared/base/json.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import type { ConversationEvent } from '../../../src-shared/contract/topics.ts'
import { type ConversationStore, type ConversationWrite, StorageError } from '../../storage/base/storage.ts'
import type { HostCore } from '../core/host-core.ts'

/** Milliseconds for which changes are collected into one write. */
const BATCH_DELAY = 25
/** Milliseconds after which a failed write is tried again. */
const RETRY_DELAY = 5_000

interface JournalParts extends Pick<HostCore, 'clock'> {
  readonly id: ConversationId
  readonly store: Pick<ConversationStore, 'write'>
}

/**
 * The only way to change a conversation, and its only queue. A change is written first, one transaction per batch, and shown only then.
 * Events that a full disk refuses are kept in order and written later.
 */
export class ConversationJournal {
  /** Fires with events that are written and can be shown. */
  readonly onWritten = new Emitter<readonly ConversationEvent[]>()
  /** Fires when events could not be written, so that their producer stops. */
  readonly onFailed = new Emitter<unknown>()
  readonly #parts: JournalParts
  readonly #queue = new InTurn()
  #pushed: ConversationWrite[] = []
  /** Set while the disk refuses the pushed events. */
  #refusal: { readonly reason: unknown } | undefined
  #cancelBatch: (() => void) | undefined
  #cancelRetry: (() => void) | undefined

  constructor(parts: JournalParts) {
    this.#parts = parts
  }

  get idle(): boolean {
    return this.#pushed.length === 0
  }

  /** Runs `work` in its turn between two batches, so that it reads exactly what was shown. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run(work)
  }

  /** Queues a change, which is written and shown soon. */
  push(event: ConversationEvent, extras?: JsonObject): void {
    append(this.#pushed, { conversationId: this.#parts.id, event, ...(extras && { extras }) })
    if (this.#refusal) return
    this.#cancelBatch ??= this.#parts.clock.after(BATCH_DELAY, () => {
      this.#cancelBatch = undefined
      void this.run(() => this.#writePushed())
    })
  }

  /** Resolves when all pushed events are written and shown; rejects when they could not be. */
  flush(): Promise<void> {
    return this.run(async () => {
      if (!this.#refusal) await this.#writePushed()
      if (this.#refusal) throw this.#refusal.reason
    })
  }

  /** Writes pushed events, then saves by `keep`, then shows the events that it returns, unless one of them fails. Only within `run`. */
  async write(keep: () => Promise<readonly ConversationEvent[]>): Promise<void> {
    await this.#writePushed()
    if (this.#refusal) throw this.#refusal.reason
    const events = await keep()
    if (events.length > 0) this.onWritten.fire(events)
  }

  /** Tries one last write, and leaves no timer. */
  end(): Promise<void> {
    return this.run(async () => {
      await this.#writePushed()
      this.#cancelRetry?.()
      this.#cancelRetry = undefined
    })
  }

  async #writePushed(): Promise<void> {
    this.#cancelBatch?.()
    this.#cancelBatch = undefined
    while (this.#pushed.length > 0) {
      const batch = this.#pushed
      this.#pushed = []
      try {
        await this.#parts.store.write(batch)
      } catch (reason) {
        return this.#refused(batch, reason)
      }
      this.#refusal = undefined
      this.onWritten.fire(batch.map(({ event }) => event))
    }
  }

  #refused(batch: ConversationWrite[], reason: unknown): void {
    const known = this.#refusal !== undefined
    if (mayPass(reason)) {
      // Events pushed during the write come after this batch.
      this.#pushed = [...batch, ...this.#pushed]
      this.#refusal = { reason }
      this.#retryLater()
    } else this.#refusal = undefined
    if (!known) this.onFailed.fire(reason)
  }

  #retryLater(): void {
    this.#cancelRetry ??= this.#parts.clock.after(RETRY_DELAY, () => {
      this.#cancelRetry = undefined
      void this.run(() => this.#writePushed())
    })
  }
}

/** True if a later write can succeed: the disk may get space, or the folder be made writable. */
function mayPass(error: unknown): boolean {
  return error instanceof StorageError && (error.code === 'full' || error.code === 'read-only' || error.code === 'io')
}

/** Joins streamed text with the event before it, so that a batch holds one growth per message. */
function append(queue: ConversationWrite[], write: ConversationWrite): void {
  const last = queue.at(-1)
  const { event } = write
  const joins =
    event.type === 'message.grew' &&
    last?.event.type === 'message.grew' &&
    last.event.id === event.id &&
    last.event.part === event.part
  if (!joins) queue.push(write)
  else queue[queue.length - 1] = { ...last, event: { ...event, text: last.event.text + event.text } }
}
