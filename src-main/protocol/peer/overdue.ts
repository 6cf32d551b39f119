import type { Clock } from '../../../src-shared/base/clock.ts'
import type { Deadlines } from './deadline.ts'
import type { OverdueNotice } from './overdue-notice.ts'
import type { PendingRequest } from './pending-request.ts'

interface OverdueParts {
  readonly deadlines: Deadlines
  readonly clock: Clock
  readonly remark: (text: string) => void
}

/**
 * Requests whose deadline passed but whose caller has patience. Nobody has to answer: a notice stands for one idle time at most,
 * then its request ends as every other does, so that the maximum stays a maximum (LIFE-32). Progress ends only a notice about
 * silence.
 */
export class OverdueRequests {
  readonly #parts: OverdueParts
  readonly #notices = new Map<PendingRequest, Pick<OverdueNotice, 'why' | 'after'>>()

  constructor(parts: OverdueParts) {
    this.#parts = parts
  }

  /** False when it is to be given up: nobody has patience, or its notice has stood long enough. */
  begin(request: PendingRequest, why: OverdueNotice['why']): boolean {
    if (!request.options.onOverdue || this.#notices.has(request)) return false
    this.#notices.set(request, { why, after: lasted(request, why) })
    this.#parts.deadlines.extend(request, request.idle)
    this.#tell(request)
    return true
  }

  /** It gave a sign of life. */
  heard(request: PendingRequest): void {
    if (this.#notices.get(request)?.why === 'idle') this.#withdraw(request)
  }

  forget(request: PendingRequest): void {
    this.#notices.delete(request)
  }

  /** Time stopped, or goes on. */
  timeChanged(): void {
    for (const request of this.#notices.keys()) this.#tell(request)
  }

  #keepWaiting(request: PendingRequest): void {
    const { timeout, maxTime } = request.options
    const maximum = this.#notices.get(request)?.why === 'maximum'
    this.#parts.deadlines.extend(request, timeout, maximum ? maxTime : 0)
    this.#withdraw(request)
  }

  #withdraw(request: PendingRequest): void {
    this.#notices.delete(request)
    this.#tell(request)
  }

  #tell(request: PendingRequest): void {
    const { deadlines, clock, remark } = this.#parts
    const known = this.#notices.get(request)
    const notice: OverdueNotice | undefined = known && {
      ...known,
      ...(!deadlines.held && { endsAt: clock.now() + deadlines.remaining(request) }),
      keepWaiting: () => {
        if (this.#notices.get(request) === known) this.#keepWaiting(request)
      },
    }
    try {
      request.options.onOverdue?.(notice)
    } catch (error) {
      remark(`That a request is overdue could not be told: ${String(error)}`)
    }
  }
}

/** Milliseconds until the deadline that passed, from the last sign of life or from the start. */
export function lasted(request: PendingRequest, why: OverdueNotice['why']): number {
  return why === 'idle' ? request.idleAt - request.heardAt : request.hardAt - request.startedAt
}
