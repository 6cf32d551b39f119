import { randomUUID } from 'node:crypto'
import { Emitter } from '../../../src-shared/base/emitter.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'
import { applyEvent, type HostEvent, type HostSnapshot, type Notice } from '../../../src-shared/contract/events.ts'

/** Past this the oldest notice is dismissed. */
const NOTICE_LIMIT = 20

/** The only place where state changes: an event is applied, numbered and sent to every renderer link, in that order. */
export class HostState {
  /** Differs for every host, so that a window notices a restart. */
  readonly epoch = randomUUID()
  #seq = 0
  #snapshot: HostSnapshot
  readonly #events = new Emitter<{ seq: number; event: HostEvent }>()

  constructor(initial: HostSnapshot) {
    this.#snapshot = initial
  }

  get seq(): number {
    return this.#seq
  }

  get snapshot(): HostSnapshot {
    return this.#snapshot
  }

  emit(event: HostEvent): void {
    this.#snapshot = applyEvent(this.#snapshot, event)
    this.#seq += 1
    this.#events.fire({ seq: this.#seq, event })
  }

  /** Returns the undo. */
  onEvent(listen: (seq: number, event: HostEvent) => void): () => void {
    return this.#events.on(({ seq, event }) => listen(seq, event))
  }

  /** Shows a notice until it is dismissed. It replaces one of the same code, so that a repeating failure does not pile up. */
  notice(level: Notice['level'], problem: Problem, at: number): void {
    this.emit({ type: 'notice.added', notice: { id: problem.code, at, level, problem } })
    const oldest = this.#snapshot.notices[0]
    if (oldest && this.#snapshot.notices.length > NOTICE_LIMIT) this.dismiss(oldest.id)
  }

  dismiss(id: string): void {
    if (this.#snapshot.notices.some((notice) => notice.id === id)) this.emit({ type: 'notice.removed', id })
  }
}
