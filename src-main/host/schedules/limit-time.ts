import { PausableClock } from '../../../src-shared/base/pausable-clock.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import type { HostCore } from '../core/host-core.ts'

type LimitParts = Pick<HostCore, 'state' | 'clock' | 'lifetime'>

/**
 * Calls `onOver` when the next turn of a conversation has worked for so many minutes, without those in which it asks the person.
 * Returns the undo; the end of the turn does the same.
 */
export function limitTime(
  { state, clock, lifetime }: LimitParts,
  conversation: ConversationId,
  minutes: number,
  onOver: (problem: Problem) => void,
): () => void {
  const working = new PausableClock(clock)
  let isRunning = false
  let release: (() => void) | undefined
  const look = () => {
    const asks = state.snapshot.interactions.some(({ about }) => about.conversationId === conversation)
    if (asks) release ??= working.hold()
    else {
      release?.()
      release = undefined
    }
  }
  const stop = () => {
    cancel()
    undo()
    forget()
  }
  const cancel = working.after(minutes * 60_000, () => {
    stop()
    onOver({
      code: 'time-limit',
      what: `This run worked for ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, which is its limit.`,
      todo: 'Continue, or change the limit in its schedule.',
    })
  })
  const undo = state.onEvent((_seq, event) => {
    look()
    if (event.type !== 'conversation.changed' || event.head.id !== conversation) return
    if (event.head.turn === 'running') isRunning = true
    // Before the turn it is idle as well.
    else if (isRunning) stop()
  })
  const forget = lifetime.onEnd(stop)
  look()
  return stop
}
