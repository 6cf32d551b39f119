import type { Clock } from '../../../src-shared/base/clock.ts'
import type { Overdue } from '../../../src-shared/contract/conversations.ts'
import type { ToolCallId } from '../../../src-shared/contract/ids.ts'
import type { OnOverdue } from '../../protocol/peer/overdue-notice.ts'

/** How a call says that it is overdue, and under which id more time can be granted. */
export interface OverdueWatch {
  readonly id: ToolCallId
  /** Undefined as soon as it is not overdue any more; nothing is told when it ends. */
  readonly show: (overdue: Overdue | undefined) => void
}

/** Calls that are past their deadline, a model's and those by hand, until somebody wants to wait or they end. */
export class OverdueCalls {
  readonly #clock: Clock
  readonly #keepWaiting = new Map<ToolCallId, () => void>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The options of a call's request. */
  watch({ id, show }: OverdueWatch): OnOverdue {
    let since: number | undefined
    return (notice) => {
      if (!notice) {
        if (since === undefined) return
        since = undefined
        this.forget(id)
        show(undefined)
        return
      }
      since ??= this.#clock.now()
      this.#keepWaiting.set(id, () => notice.keepWaiting())
      const { why, after, endsAt } = notice
      show({ since, why: why === 'idle' ? 'silent' : 'maximum', after, ...(endsAt !== undefined && { endsAt }) })
    }
  }

  /** It has ended. */
  forget(id: ToolCallId): void {
    this.#keepWaiting.delete(id)
  }

  /** Gives it the time that has passed once more; false when it is not overdue, or not any more. */
  keepWaiting(id: ToolCallId): boolean {
    const keep = this.#keepWaiting.get(id)
    keep?.()
    return keep !== undefined
  }
}
