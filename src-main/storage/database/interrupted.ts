import type { Message, ToolCall, Turn } from '../../../src-shared/contract/conversations.ts'

/** Work that was interrupted by the end of an earlier host, as it is shown afterwards. */
export function interruptedMessage(message: Message): Message {
  return { ...message, status: 'interrupted' }
}

export function interruptedCall(toolCall: ToolCall, now: number): ToolCall {
  const { cancelling: _cancelling, progress: _progress, overdue: _overdue, ...kept } = toolCall
  const started = toolCall.status === 'running'
  if (started && toolCall.paused) {
    const what = 'Parley ended while the server waited for your answer.'
    return {
      ...kept,
      status: 'interrupted',
      finishedAt: now,
      problem: { code: 'interrupted', what, todo: 'Continue repeats the call; the server asks again.' },
    }
  }
  return {
    ...kept,
    status: 'interrupted',
    finishedAt: now,
    problem: {
      code: 'interrupted',
      what: started ? 'Parley ended while this call was running.' : 'Parley ended before this call was made.',
      todo: started ? 'It may have taken effect: check before you try again.' : 'Nothing was sent to the server.',
    },
  }
}

export function interruptedTurn(turn: Turn, now: number): Turn {
  const { waiting: _waiting, ...kept } = turn
  return { ...kept, status: 'interrupted', finishedAt: now }
}
