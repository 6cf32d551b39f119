import type { ToolCall } from '../../../src-shared/contract/conversations.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'
import { interruptedWait } from '../../../src-shared/contract/interrupted-wait.ts'

/** A person stopped the turn or the call, or their `limit` did. */
export class StoppedByPerson extends Error {
  readonly limit: Problem | undefined

  constructor(limit?: Problem) {
    super(limit?.what ?? 'You stopped it.')
    this.limit = limit
    this.name = 'StoppedByPerson'
  }
}

/** The turn continues while the server runs the call in the background. */
export class LeftInBackground extends Error {}

/** A call that ends without having been sent, or without a result. */
export class CallEnded extends Error {
  readonly status: 'failed' | 'declined'
  readonly problem: Problem

  constructor(status: 'failed' | 'declined', problem: Problem) {
    super(problem.what)
    this.status = status
    this.problem = problem
  }
}

/** The server does not offer the tool, or is gone. */
export function notOffered(call: ToolCall): Problem {
  return {
    code: 'tool-gone',
    what: `“${call.serverName ?? ''}” does not offer “${call.tool}” now. Nothing was sent.`,
    todo: 'Look at the server’s page: it may have stopped.',
  }
}

export function switchedOff(call: ToolCall): Problem {
  return {
    code: 'tool-off',
    what: `“${call.tool}” is turned off now. Nothing was sent.`,
    todo: 'Turn it on under Tools to let the model call it again.',
  }
}

/** The end of an aborted call; once `started`, it may have taken effect. */
export function abortedCall(
  reason: unknown,
  started: boolean,
  call: Pick<ToolCall, 'task' | 'received'> = {},
): Pick<ToolCall, 'status' | 'problem'> {
  const effect = started
    ? { todo: 'It may have taken effect: check before you try again.' }
    : { todo: 'Nothing was sent to the server.' }
  const waited = reason instanceof StoppedByPerson ? undefined : interruptedWait(call)
  if (waited) return { status: 'interrupted', problem: waited }
  if (call.task?.unconfirmed) {
    const what = 'You asked to stop it. The server has not confirmed.'
    return { status: 'cancelled', problem: { code: 'stopped', what, ...effect } }
  }
  if (reason instanceof StoppedByPerson)
    return { status: 'cancelled', problem: { code: 'stopped', what: reason.limit?.what ?? 'You stopped this call.', ...effect } }
  return { status: 'interrupted', problem: { code: 'interrupted', what: 'This call was interrupted.', ...effect } }
}
