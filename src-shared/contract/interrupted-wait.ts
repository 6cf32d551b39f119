import type { ToolCall } from './conversations.ts'
import type { Problem } from './errors.ts'

/** The problem of a call that Continue resumes without repeating it; undefined for any other. */
export function interruptedWait({ task, received }: Pick<ToolCall, 'task' | 'received'>): Problem | undefined {
  if (received)
    return {
      code: 'interrupted',
      what: 'Parley ended while this result waited for you.',
      todo: 'Continue shows it to you again.',
    }
  if (task)
    return {
      code: 'interrupted',
      what: 'Parley ended while the server ran this in the background.',
      todo: 'Parley asks for the result once the server is connected. The call is not repeated.',
    }
  return undefined
}
