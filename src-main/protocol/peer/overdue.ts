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
 * Requests past their deadline whose callers get a notice. Without an answer the request ends one idle time later, so that the maximum
 * stays a maximum (LIFE-32). Progress withdraws only a notice about idleness.
 */
export class OverdueRequests {
  readonly #parts: OverdueParts
  readonly #notices = new Map<PendingRequest, Pick<OverdueNotice, 'why' | 'after'>>()

  constructor(parts: OverdueParts) {
    this.#parts = parts
  }

  /** False when the request must end: its caller wants no notice, or has had one. */
  begin(request: PendingRequest, why: OverdueNotice['why']): boolean {
    if (!request.options.onOverdue || this.#notices.has(request)) return false
    this.#notices.set(request, { why, after: lasted(request, why) })
    this.#parts.deadlines.extend(request, request.idle)
    this.#tell(request)
    return true
  }

  heard(request: PendingRequest): void {
    if (this.#notices.get(request)?.why === 'idle') this.#withdraw(request)
  }

  forget(request: PendingRequest): void {
    this.#notices.delete(request)
  }

  /** Called when deadlines pause or resume. */
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
      remark(`An overdue request could not be reported: ${String(error)}`)
    }
  }
}

/** Milliseconds until the deadline that passed, from the last sign of life or from the start. */
export function lasted(request: PendingRequest, why: OverdueNotice['why']): number {
  return why === 'idle' ? request.idleAt - request.heardAt : request.hardAt - request.startedAt
}
