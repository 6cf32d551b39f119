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
    return {
      code: 'protocol-error',
      what: `${server} refused the call with error ${error.code}.`,
      said: cut(error.message, SAID_LIMIT),
      todo: 'The server may need other arguments, or an update.',
    }
  }
  if (error instanceof RoundError) return roundProblem(error, server)
  if (error instanceof RequestError) {
    const said = { said: cut(error.message, SAID_LIMIT) }
    if (error.code === 'timeout') {
      return {
        code: 'no-answer',
        what: `${server} did not answer in time.`,
        ...said,
        todo: 'Raise the time limit in “Edit server”, or try again.',
      }
    }
    if (error.code === 'not-sent') {
      return {
        code: 'invalid-arguments',
        what: `The call to ${server} was not made.`,
        ...said,
        todo: 'Call the tool again with other arguments.',
      }
    }
    if (error.code === 'task-lost') return taskLost(server, error.message)
    if (error.code === 'task-cancelled') return { code: error.code, what: `${server} stopped the call.`, ...said }
    if (error.code === 'closed' || error.code === 'session-lost') return gone(server, error.message)
    return {
      code: error.code,
      what: `The answer of ${server} could not be used.`,
      ...said,
      todo: 'See the server’s traffic for what it sent.',
    }
  }
  if (error instanceof TransportError) {
    if (error.code === 'unauthorized') return notSignedIn(server, error)
    return isRefusal(error) ? notTaken(server, error) : gone(server, error.message)
  }
  if (error instanceof ToolChanged) {
    return { code: 'tool-changed', what: error.message, todo: 'Look at the tool as it is now before you call it again.' }
  }
  if (error instanceof HostError) {
    return {
      code: error.code,
      what: `The call to ${server} was not made.`,
      said: cut(error.message, SAID_LIMIT),
      todo: 'Look at the server’s page.',
    }
  }
  if (error instanceof StorageError) return storageProblem(error)
  return {
    code: 'internal',
    what: `The call to ${server} failed inside Parley.`,
    todo: 'Try again. If it happens again, report it.',
  }
}

function roundProblem({ code, message }: RoundError, server: string): Problem {
  const said = { said: cut(message, SAID_LIMIT) }
  switch (code) {
    case 'declined':
      return { code: 'round-declined', what: `${server} asked for something first and did not get it.`, ...said }
    case 'limit':
      return {
        code: 'round-limit',
        what: `${server} asked for something first that Parley did not allow.`,
        ...said,
        todo: 'Wait a moment and try again, or look at the server’s page.',
      }
    case 'asked-wrongly':
      return {
        code: 'round-wrong',
        what: `${server} asked for something in a way that is not allowed. You were not asked.`,
        ...said,
        todo: 'The server needs an update.',
      }
  }
}

function notSignedIn(server: string, error: TransportError): Problem {
  return {
    code: 'sign-in',
    what: `${server} did not run the call: it requires sign-in.`,
    said: cut(error.message, SAID_LIMIT),
    todo: 'Sign in on the server’s page, then try again.',
  }
}

/** True for a status of 4xx, with which the call did not run. */
function isRefusal({ code, details: { status = 0 } }: TransportError): boolean {
  return code === 'http' && status >= 400 && status < 500
}

function notTaken(server: string, { message, details: { status } }: TransportError): Problem {
  return {
    code: 'refused',
    what: `${server} did not take the call.`,
    said: cut(message, SAID_LIMIT),
    todo: status === 413 || status === 431 ? 'Call the tool again with shorter arguments.' : 'Look at the server’s page.',
  }
}

function taskLost(server: string, said: string): Problem {
  return {
    code: 'task-lost',
    what: `${server} ran this call in the background, and its result is lost.`,
    said: cut(said, SAID_LIMIT),
    todo: 'It may have taken effect: check before you try again.',
  }
}

function gone(server: string, said: string): Problem {
  return {
    code: 'server-gone',
    what: `The connection to ${server} was lost during this call.`,
    said: cut(said, SAID_LIMIT),
    todo: 'It may have taken effect: check before you try again. The server’s page says why it ended.',
  }
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
