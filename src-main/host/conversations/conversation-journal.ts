import type { ConversationHead } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import type { ConversationEvent } from '../../../src-shared/contract/topics.ts'
import { type ConversationStore, type ConversationWrite, StorageError, type UnplacedHead } from '../../storage/base/storage.ts'
import type { HostCore } from '../core/host-core.ts'

/** Milliseconds that changes are gathered before they are written. */
const BATCH = 25
/** Milliseconds until what could not be written is tried again. */
const RETRY = 5_000

interface JournalParts extends Pick<HostCore, 'clock'> {
  readonly store: Pick<ConversationStore, 'write' | 'writeWithHead'>
  /** Written: now it may be shown. */
  readonly onWritten: (id: ConversationId, events: readonly ConversationEvent[]) => void
  /** Could not be written: what produces more must stop. */
  readonly onFailed: (id: ConversationId, error: unknown) => void
}

interface Stuck {
  writes: readonly ConversationWrite[]
  error: unknown
}

/**
 * The one way into a conversation: a change is written first, one transaction per batch, and shown only then.
 * Events that a full disk refuses are kept in order and tried again; they are not shown before.
 */
export class ConversationJournal {
  readonly #parts: JournalParts
  #queue: ConversationWrite[] = []
  /** Events that could not be written, kept apart, so that they do not hold up other conversations. */
  readonly #stuck = new Map<ConversationId, Stuck>()
  #chain: Promise<void> = Promise.resolve()
  #cancelBatch: (() => void) | undefined
  #cancelRetry: (() => void) | undefined

  constructor(parts: JournalParts) {
    this.#parts = parts
  }

  /** Queues a change; it is written and shown within a moment. */
  push(write: ConversationWrite): void {
    const stuck = this.#stuck.get(write.conversationId)
    if (stuck) {
      stuck.writes = [...stuck.writes, write]
      return
    }
    this.#queue = appended(this.#queue, write)
    this.#cancelBatch ??= this.#parts.clock.after(BATCH, () => {
      this.#cancelBatch = undefined
      void this.#exclusively(() => this.#writeQueue())
    })
  }

  /** Resolves when all that was pushed to this conversation is written and shown; rejects when it could not be. */
  flush(id: ConversationId): Promise<void> {
    return this.#exclusively(async () => {
      await this.#writeQueue()
      const stuck = this.#stuck.get(id)
      if (stuck) throw stuck.error
    })
  }

  /** Writes these of one conversation now, after what is queued, all or none: nothing is kept when it fails. */
  write(id: ConversationId, events: readonly ConversationEvent[]): Promise<void> {
    return this.#writeNow(id, events, (writes) => this.#parts.store.write(writes))
  }

  /** The same with the head, in one transaction; `kept` hears of it before it is shown. */
  writeWithHead(head: UnplacedHead, events: readonly ConversationEvent[], kept: () => void): Promise<ConversationHead> {
    return this.#writeNow(head.id, events, async (writes) => {
      const placed = await this.#parts.store.writeWithHead(head, writes)
      kept()
      return placed
    })
  }

  /** Runs between two batches, so that what it reads is exactly what was shown. */
  between<T>(run: () => Promise<T>): Promise<T> {
    return this.#exclusively(run)
  }

  /** Drops what waits for a conversation that is no more. */
  forget(id: ConversationId): void {
    this.#queue = this.#queue.filter((write) => write.conversationId !== id)
    this.#stuck.delete(id)
  }

  /** The last attempt; no timer is left. */
  end(): Promise<void> {
    return this.#exclusively(async () => {
      await this.#writeQueue()
      for (const id of [...this.#stuck.keys()]) await this.#unstick(id)
      this.#cancelRetry?.()
      this.#cancelRetry = undefined
    })
  }

  #exclusively<T>(run: () => Promise<T>): Promise<T> {
    const result = this.#chain.then(run)
    this.#chain = result.then(
      () => {},
      () => {},
    )
    return result
  }

  #writeNow<T>(
    id: ConversationId,
    events: readonly ConversationEvent[],
    write: (writes: readonly ConversationWrite[]) => Promise<T>,
  ): Promise<T> {
    return this.#exclusively(async () => {
      await this.#writeQueue()
      if (!(await this.#unstick(id))) throw this.#stuck.get(id)?.error
      const writes = events.map((event) => ({ conversationId: id, event }))
      const written = await write(writes)
      this.#show(writes)
      return written
    })
  }

  async #writeQueue(): Promise<void> {
    this.#cancelBatch?.()
    this.#cancelBatch = undefined
    const batch = this.#queue
    if (batch.length === 0) return
    this.#queue = []
    const error = await this.#refused(batch)
    if (!error) return this.#show(batch)
    const ids = new Set(batch.map((write) => write.conversationId))
    for (const id of ids) {
      const writes = batch.filter((write) => write.conversationId === id)
      const alone = ids.size === 1 ? error : await this.#refused(writes)
      if (alone) this.#stick(id, writes, alone.reason)
      else this.#show(writes)
    }
  }

  /** Why storage did not take them; undefined when it did. */
  async #refused(writes: readonly ConversationWrite[]): Promise<{ readonly reason: unknown } | undefined> {
    try {
      await this.#parts.store.write(writes)
      return undefined
    } catch (reason) {
      return { reason }
    }
  }

  #stick(id: ConversationId, writes: readonly ConversationWrite[], error: unknown): void {
    if (mayPass(error)) {
      // Events that were pushed during the write belong behind it.
      const later = this.#queue.filter((write) => write.conversationId === id)
      this.#queue = this.#queue.filter((write) => write.conversationId !== id)
      this.#stuck.set(id, { writes: [...writes, ...later], error })
      this.#retryLater()
    }
    this.#parts.onFailed(id, error)
  }

  /** True when nothing of this conversation waits any more. */
  async #unstick(id: ConversationId): Promise<boolean> {
    for (let stuck = this.#stuck.get(id); stuck; stuck = this.#stuck.get(id)) {
      const { writes } = stuck
      const refused = await this.#refused(writes)
      if (refused) {
        stuck.error = refused.reason
        return false
      }
      this.#show(writes)
      // More may have been pushed behind them meanwhile.
      stuck.writes = stuck.writes.slice(writes.length)
      if (stuck.writes.length === 0) this.#stuck.delete(id)
    }
    return true
  }

  #retryLater(): void {
    this.#cancelRetry ??= this.#parts.clock.after(RETRY, () => {
      this.#cancelRetry = undefined
      void this.#exclusively(async () => {
        for (const id of [...this.#stuck.keys()]) await this.#unstick(id)
        if (this.#stuck.size > 0) this.#retryLater()
      })
    })
  }

  #show(writes: readonly ConversationWrite[]): void {
    for (const id of new Set(writes.map((write) => write.conversationId))) {
      const events = writes.filter((write) => write.conversationId === id).map((write) => write.event)
      this.#parts.onWritten(id, events)
    }
  }
}

/** Trying again makes sense: the disk may be emptied, the folder made writable. */
function mayPass(error: unknown): boolean {
  return error instanceof StorageError && (error.code === 'full' || error.code === 'read-only' || error.code === 'io')
}

/** Streamed text joins the text before it, so that a batch holds one growth per message. */
function appended(queue: ConversationWrite[], write: ConversationWrite): ConversationWrite[] {
  const last = queue.at(-1)
  const { event } = write
  const joins =
    event.type === 'message.grew' &&
    last?.event.type === 'message.grew' &&
    last.conversationId === write.conversationId &&
    last.event.id === event.id &&
    last.event.part === event.part
  if (!joins) queue.push(write)
  else queue[queue.length - 1] = { ...last, event: { ...event, text: last.event.text + event.text } }
  return queue
}
