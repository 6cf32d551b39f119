import { Emitter } from '../../../src-shared/base/emitter.ts'
import { InTurn } from '../../../src-shared/base/in-turn.ts'
import type { JsonObject } from '../../../src-shared/base/json.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import type { ConversationEvent } from '../../../src-shared/contract/topics.ts'
import { type ConversationStore, type ConversationWrite, StorageError } from '../../storage/base/storage.ts'
import type { HostCore } from '../core/host-core.ts'

/** Milliseconds that changes are gathered before they are written. */
const BATCH = 25
/** Milliseconds until what could not be written is tried again. */
const RETRY = 5_000

interface JournalParts extends Pick<HostCore, 'clock'> {
  readonly id: ConversationId
  readonly store: Pick<ConversationStore, 'write'>
}

/**
 * The one way into a conversation, and its one queue: a change is written first, one transaction per batch, and shown only then.
 * Events that a full disk refuses are kept in order and tried again; they are not shown before.
 */
export class ConversationJournal {
  /** Written: now they may be shown. */
  readonly onWritten = new Emitter<readonly ConversationEvent[]>()
  /** Could not be written: what produces more must stop. */
  readonly onFailed = new Emitter<unknown>()
  readonly #parts: JournalParts
  readonly #queue = new InTurn()
  #pushed: ConversationWrite[] = []
  /** Why the disk does not take what was pushed. */
  #refusal: { readonly reason: unknown } | undefined
  #cancelBatch: (() => void) | undefined
  #cancelRetry: (() => void) | undefined

  constructor(parts: JournalParts) {
    this.#parts = parts
  }

  /** Nothing waits to be written. */
  get idle(): boolean {
    return this.#pushed.length === 0
  }

  /** Runs when all that came before has ended, between two batches: what it reads is exactly what was shown. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run(work)
  }

  /** Queues a change; it is written and shown within a moment. */
  push(event: ConversationEvent, extras?: JsonObject): void {
    append(this.#pushed, { conversationId: this.#parts.id, event, ...(extras && { extras }) })
    if (this.#refusal) return
    this.#cancelBatch ??= this.#parts.clock.after(BATCH, () => {
      this.#cancelBatch = undefined
      void this.run(() => this.#writePushed())
    })
  }

  /** Resolves when all that was pushed is written and shown; rejects when it could not be. */
  flush(): Promise<void> {
    return this.run(async () => {
      if (!this.#refusal) await this.#writePushed()
      if (this.#refusal) throw this.#refusal.reason
    })
  }

  /** Keeps now, after what was pushed, then shows: nothing is shown when it fails. Only within `run`. */
  async write(events: readonly ConversationEvent[], keep: () => Promise<void>): Promise<void> {
    await this.#writePushed()
    if (this.#refusal) throw this.#refusal.reason
    await keep()
    if (events.length > 0) this.onWritten.fire(events)
  }

  /** The last attempt; no timer is left. */
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
      // Events that were pushed during the write belong behind it.
      this.#pushed = [...batch, ...this.#pushed]
      this.#refusal = { reason }
      this.#retryLater()
    } else this.#refusal = undefined
    if (!known) this.onFailed.fire(reason)
  }

  #retryLater(): void {
    this.#cancelRetry ??= this.#parts.clock.after(RETRY, () => {
      this.#cancelRetry = undefined
      void this.run(() => this.#writePushed())
    })
  }
}

/** Trying again makes sense: the disk may be emptied, the folder made writable. */
function mayPass(error: unknown): boolean {
  return error instanceof StorageError && (error.code === 'full' || error.code === 'read-only' || error.code === 'io')
}

/** Streamed text joins the text before it, so that a batch holds one growth per message. */
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
