import type { Clock } from '../../../src-shared/base/clock.ts'
import { orAborted } from '../../../src-shared/base/or-aborted.ts'
import type { Overdue } from '../../../src-shared/contract/conversations.ts'
import type { ToolCallId } from '../../../src-shared/contract/ids.ts'
import type { OnOverdue } from '../../protocol/peer/overdue-notice.ts'

/** A call by the id under which it can be granted more time. */
export interface OverdueWatch {
  readonly id: ToolCallId
  /** Receives undefined when the call is no longer overdue; not called when the call ends. */
  readonly show: (overdue: Overdue | undefined) => void
}

/** Calls past their deadline, until a person grants more time or they end. */
export class OverdueCalls {
  readonly #clock: Clock
  readonly #keepWaiting = new Map<ToolCallId, () => void>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

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

  /** Resolves once the person lets a server go on that has asked `times` during the call (TASK-18). Rejects when aborted. */
  async mayAskOn({ id, show }: OverdueWatch, times: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#keepWaiting.set(id, resolve)
    show({ since: this.#clock.now(), why: 'asks', times })
    await orAborted(promise, signal).finally(() => {
      this.forget(id)
      show(undefined)
    })
  }

  forget(id: ToolCallId): void {
    this.#keepWaiting.delete(id)
  }

  /** Grants as much time as has passed; false when the call is not overdue. */
  keepWaiting(id: ToolCallId): boolean {
    const keep = this.#keepWaiting.get(id)
    keep?.()
    return keep !== undefined
  }
}
