import { isOfModel, type ToolCall, type Turn } from './conversations.ts'

/** Messages that can wait in one conversation. */
export const QUEUE_LIMIT = 20

/** Why the messages that wait are not sent by themselves after a turn; undefined after one that ended well (decision 0048). */
export function whyHeld(turn: Turn, calls: Iterable<ToolCall>): 'failed' | 'stopped' | 'interrupted' | 'denied' | undefined {
  if (turn.status === 'failed' || turn.status === 'stopped' || turn.status === 'interrupted') return turn.status
  for (const call of calls) if (call.turnId === turn.id && isOfModel(call) && call.status === 'declined') return 'denied'
  return undefined
}
