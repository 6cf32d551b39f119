import type { Message, ToolCall, Turn } from '../../../src-shared/contract/conversations.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'

export function interruptedMessage(message: Message): Message {
  return { ...message, status: 'interrupted' }
}

export function interruptedCall(toolCall: ToolCall, now: number): ToolCall {
  const { cancelling: _cancelling, progress: _progress, overdue: _overdue, ...kept } = toolCall
  return { ...kept, status: 'interrupted', finishedAt: now, problem: { code: 'interrupted', ...interruptionOf(toolCall) } }
}

function interruptionOf({ status, paused, task, received }: ToolCall): Pick<Problem, 'what' | 'todo'> {
  if (received) {
    return { what: 'Parley ended while this result waited for you.', todo: 'Continue shows it to you again.' }
  }
  if (status !== 'running') {
    return { what: 'Parley ended before this call was made.', todo: 'Nothing was sent to the server.' }
  }
  if (task) {
    return {
      what: 'Parley ended while the server ran this in the background.',
      todo: 'Parley asks for the result once the server is connected. The call is not repeated.',
    }
  }
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
