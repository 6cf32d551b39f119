import { HostError, type Problem } from '../../../src-shared/contract/errors.ts'
import { RoundError } from '../../client/round-error.ts'
import { TransportError } from '../../protocol/peer/transport.ts'
import { ProtocolError, RequestError } from '../../protocol/shapes/json-rpc.ts'
import { StorageError } from '../../storage/base/storage.ts'
import { cut } from '../core/content-views.ts'
import { ToolChanged } from '../servers/server-calls.ts'

const SAID_LIMIT = 600

/** Explains to the person why a call gave no result (TOOL-22). */
export function callProblem(error: unknown, serverName: string): Problem {
  const server = `“${cut(serverName, 80)}”`
  if (error instanceof ProtocolError) {
    const what = `${server} refused the call with error ${error.code}.`
    return problem('protocol-error', what, error.message, 'The server may need other arguments, or an update.')
  }
  if (error instanceof RoundError) return roundProblem(error, server)
  if (error instanceof RequestError) return requestProblem(error, server)
  if (error instanceof TransportError) return transportProblem(error, server)
  if (error instanceof ToolChanged) {
    return { code: 'tool-changed', what: error.message, todo: 'Look at the tool as it is now before you call it again.' }
  }
  if (error instanceof HostError)
    return problem(error.code, `The call to ${server} was not made.`, error.message, 'Look at the server’s page.')
  if (error instanceof StorageError) return storageProblem(error)
  const todo = 'Try again. If it happens again, report it.'
  return { code: 'internal', what: `The call to ${server} failed inside Parley.`, todo }
}

function problem(code: string, what: string, said: string, todo?: string): Problem {
  return { code, what, said: cut(said, SAID_LIMIT), ...(todo && { todo }) }
}

function requestProblem({ code, message }: RequestError, server: string): Problem {
  switch (code) {
    case 'timeout':
      return problem(
        'no-answer',
        `${server} did not answer in time.`,
        message,
        'Raise the time limit in “Edit server”, or try again.',
      )
    case 'not-sent':
      return problem('invalid-arguments', `The call to ${server} was not made.`, message)
    case 'task-lost': {
      const what = `${server} ran this call in the background, and its result is lost.`
      return problem(code, what, message, 'It may have taken effect: check before you try again.')
    }
    case 'task-cancelled':
      return problem(code, `${server} stopped the call.`, message)
    case 'closed':
    case 'session-lost':
      return gone(server, message)
    default:
      return problem(code, `The answer of ${server} could not be used.`, message, 'See the server’s traffic for what it sent.')
  }
}

function roundProblem({ code, message }: RoundError, server: string): Problem {
  switch (code) {
    case 'declined':
      return problem('round-declined', `${server} asked for something first and did not get it.`, message)
    case 'limit': {
      const what = `${server} asked for something first that Parley did not allow.`
      return problem('round-limit', what, message, 'Wait a moment and try again, or look at the server’s page.')
    }
    case 'asked-wrongly': {
      const what = `${server} asked for something in a way that is not allowed. You were not asked.`
      return problem('round-wrong', what, message, 'The server needs an update.')
    }
  }
}

function transportProblem({ code, message, details: { status = 0 } }: TransportError, server: string): Problem {
  if (code === 'unauthorized') {
    const what = `${server} did not run the call: it requires sign-in.`
    return problem('sign-in', what, message, 'Sign in on the server’s page, then try again.')
  }
  // With a status of 4xx the call did not run.
  if (code !== 'http' || status < 400 || status >= 500) return gone(server, message)
  const todo = status === 413 || status === 431 ? 'Call the tool again with shorter arguments.' : 'Look at the server’s page.'
  return problem('refused', `${server} did not accept the call.`, message, todo)
}

function gone(server: string, said: string): Problem {
  const todo = 'It may have taken effect: check before you try again. The server’s page says why it ended.'
  return problem('server-gone', `The connection to ${server} was lost during this call.`, said, todo)
}

export function storageProblem(error: unknown): Problem {
  const known = error instanceof StorageError
  return {
    code: known ? `storage-${error.code}` : 'storage-failed',
    what: 'Parley could not save the conversation.',
    ...(known && { said: cut(error.message, SAID_LIMIT) }),
    todo: 'Make room on the disk and check that the data folder can be written. What could not be saved is tried again.',
  }
}
