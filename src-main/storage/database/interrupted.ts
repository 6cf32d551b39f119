import type { Message, ToolCall, Turn } from '../../../src-shared/contract/conversations.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'
import { interruptedWait } from '../../../src-shared/contract/interrupted-wait.ts'

export function interruptedMessage(message: Message): Message {
  return { ...message, status: 'interrupted' }
}

export function interruptedCall(toolCall: ToolCall, now: number): ToolCall {
  const { cancelling: _cancelling, progress: _progress, overdue: _overdue, ...kept } = toolCall
  return { ...kept, status: 'interrupted', finishedAt: now, problem: { code: 'interrupted', ...interruptionOf(toolCall) } }
}

function interruptionOf(call: ToolCall): Pick<Problem, 'what' | 'todo'> {
  const { status, paused, received } = call
  if (status !== 'running' && !received) {
    return { what: 'Parley ended before this call was made.', todo: 'Nothing was sent to the server.' }
  }
  const waited = interruptedWait(call)
  if (waited) return waited
  if (paused) {
    return {
      what: 'Parley ended while the server waited for your answer.',
      todo: 'Continue repeats the call; the server asks again.',
    }
  }
  return {
    what: 'Parley ended while this call was running.',
    todo: 'It may have taken effect: check before you try again.',
  }
}

export function interruptedTurn(turn: Turn, now: number): Turn {
  const { waiting: _waiting, ...kept } = turn
  return { ...kept, status: 'interrupted', finishedAt: now }
}
