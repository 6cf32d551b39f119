import { redactUnknown } from '../../../src-shared/base/secrets.ts'
import { HostError, type Problem } from '../../../src-shared/contract/errors.ts'
import type { Launch } from '../../../src-shared/contract/servers.ts'
import { HandshakeError } from '../../protocol/handshake-error.ts'
import { TransportError } from '../../protocol/peer/transport.ts'
import { ProtocolError, RequestError } from '../../protocol/shapes/json-rpc.ts'
import { StorageError } from '../../storage/base/storage.ts'
import type { Redact } from '../core/redact.ts'

/** A server could not even be tried: the problem is in its configuration or on this computer. */
export class LaunchError extends HostError {
  readonly problem: Problem

  constructor(problem: Problem) {
    super('unavailable', `${problem.what} ${problem.todo ?? ''}`.trim())
    this.name = 'LaunchError'
    this.problem = problem
  }
}

interface FailedServer {
  readonly name: string
  readonly launch: Launch
  /** The last lines of its stderr, already redacted, oldest first. */
  readonly stderr: readonly string[]
  /** What was odd about it in the host's words, oldest first. */
  readonly oddities?: readonly string[]
  readonly redact?: Redact
}

/** Characters of what a server said that a problem carries. */
const SAID_LIMIT = 1000

/** Why a connection failed or ended, for the person: what failed, what it said, what to do. */
export function explainFailure(error: unknown, server: FailedServer): Problem {
  const redact = server.redact ?? redactUnknown
  const said = (text: string | undefined) => {
    const clean = text && redact(text).trim()
    return clean ? { said: clean.length > SAID_LIMIT ? `${clean.slice(0, SAID_LIMIT)}…` : clean } : {}
  }
  if (error instanceof LaunchError) return error.problem
  if (error instanceof HandshakeError) return explainHandshake(error, server, said)
  if (error instanceof TransportError) return explainTransport(error, server, said)
  if (error instanceof ProtocolError) {
    return {
      code: 'refused-by-server',
      what: `“${server.name}” answered the handshake with error ${error.code}.`,
      ...said(error.message),
      todo: 'Look at its log; it may need settings that are missing, or another version of itself.',
    }
  }
  if (error instanceof RequestError) {
    // A request fails because its connection did: that is what there is to say.
    if (error.cause instanceof TransportError) return explainTransport(error.cause, server, said)
    return {
      code: error.code === 'timeout' ? 'no-answer' : error.code,
      what: `“${server.name}” did not complete the handshake.`,
      ...said(error.message),
      todo: 'Look at its log, then start it again.',
    }
  }
  if (error instanceof StorageError) return { code: `storage-${error.code}`, what: error.message }
  if (error === undefined) {
    return {
      code: 'ended',
      what: `“${server.name}” ended the connection.`,
      ...said(server.stderr.slice(-5).join('\n')),
      todo: 'Start it again; its log may tell why it left.',
    }
  }
  return {
    code: 'failed',
    what: `“${server.name}” could not be started.`,
    ...said(error instanceof Error ? error.message : String(error)),
    todo: 'Look at its log, then start it again.',
  }
}

type Said = (text: string | undefined) => { said?: string }

function explainHandshake(error: HandshakeError, server: FailedServer, said: Said): Problem {
  const stderr = server.stderr.slice(-5).join('\n')
  switch (error.code) {
    case 'version':
      return {
        code: 'version',
        what: `“${server.name}” speaks a revision of the protocol that Parley does not know.`,
        ...said(error.message),
        todo: 'Update the server, or Parley, so that both know a common revision.',
      }
    case 'timeout':
      return {
        code: 'no-answer',
        what: `“${server.name}” was started and never answered the handshake.`,
        ...said([...(server.oddities ?? []).slice(-3), stderr].filter(Boolean).join('\n')),
        todo:
          server.launch.type === 'local'
            ? 'Check that the command is an MCP server that speaks over its standard output, and that its arguments are right.'
            : 'Check that the address is an MCP endpoint, then start it again.',
      }
    default:
      return {
        code: 'malformed',
        what: `“${server.name}” answered the handshake with something that is no MCP.`,
        ...said(error.message),
        todo: 'Check that the command or address is an MCP server, and that it prints nothing else to its standard output.',
      }
  }
}

function explainTransport(error: TransportError, server: FailedServer, said: Said): Problem {
  const { details } = error
  const stderr = (server.stderr.length > 0 ? server.stderr : (details.stderr ?? [])).slice(-5).join('\n')
  const { name } = server
  switch (error.code) {
    case 'spawn-failed':
      return {
        code: 'spawn-failed',
        what: error.message,
        todo: 'Correct the command or the working folder in “Edit server”, then start it again.',
      }
    case 'exited':
    case 'closed': {
      const how =
        details.exitSignal != null
          ? `was ended by signal ${details.exitSignal}`
          : details.exitCode != null
            ? `exited with code ${details.exitCode}`
            : 'closed the connection'
      return {
        code: 'exited',
        what: `“${name}” ${how}.`,
        ...said(stderr || undefined),
        todo: stderr
          ? 'What it printed last stands above; correct what it complains about and start it again.'
          : 'It printed nothing on stderr. Run its command in a terminal to see what it needs.',
      }
    }
    case 'http':
      return explainStatus(details.status ?? 0, name, said(details.body || error.message))
    case 'unreachable':
      return {
        code: 'unreachable',
        what: `“${name}” could not be reached${details.errno ? ` (${details.errno})` : ''}.`,
        ...said(error.message),
        todo: 'Check the address and the network, and that the server is running.',
      }
    case 'malformed':
      return {
        code: 'malformed',
        what: `What “${name}” sent is no MCP.`,
        ...said(error.message),
        todo: 'Check that the command or address is an MCP server, and that it prints nothing else to its standard output.',
      }
    case 'too-large':
      return {
        code: 'too-large',
        what: `“${name}” keeps sending messages above the limit and was disconnected.`,
        ...said(error.message),
        todo: 'Start it again and ask it for less at a time.',
      }
    case 'session-lost':
      return {
        code: 'session-lost',
        what: `“${name}” forgot our session.`,
        ...said(undefined),
        todo: 'A call that was in flight may have run; nothing is repeated by itself.',
      }
    case 'timeout':
      return {
        code: 'no-answer',
        what: `“${name}” did not answer in time.`,
        ...said(error.message),
        todo: 'Check that it is running, then start it again.',
      }
    case 'unauthorized':
      return {
        code: 'sign-in',
        what: `“${name}” lets in only those who are signed in.`,
        ...said(error.message),
        todo: 'Sign in.',
      }
    case 'refused':
      return { code: 'refused', what: error.message, todo: 'Correct the address in “Edit server”.' }
  }
}

function explainStatus(status: number, name: string, said: { said?: string }): Problem {
  const code = `http-${status}`
  if (status === 401) {
    return {
      code,
      what: `“${name}” wants to know who asks (401).`,
      ...said,
      todo: 'Add its token as the header Authorization in “Edit server”.',
    }
  }
  if (status === 403) {
    return {
      code,
      what: `“${name}” refused us (403).`,
      ...said,
      todo: 'Check that the token in its headers may use this server.',
    }
  }
  if (status === 404 || status === 405) {
    return {
      code,
      what: `There is no MCP endpoint at the address of “${name}” (${status}).`,
      ...said,
      todo: 'Check the path of the address; it often ends in /mcp or /sse.',
    }
  }
  if (status === 407)
    return { code, what: 'The proxy wants a sign-in (407).', ...said, todo: 'Check the proxy settings of this computer.' }
  if (status === 429)
    return { code, what: `“${name}” has had too many requests (429).`, ...said, todo: 'Wait a while, then start it again.' }
  if (status >= 500)
    return { code, what: `“${name}” failed on its side (${status}).`, ...said, todo: 'Try again later, or tell who runs it.' }
  return {
    code,
    what: `“${name}” answered with HTTP status ${status}.`,
    ...said,
    todo: 'Check its address and headers in “Edit server”.',
  }
}

/** Whether authorization is what is missing. */
export function needsAuthorization(error: unknown): boolean {
  return error instanceof TransportError && error.code === 'unauthorized'
}

/** Whether trying again by itself can help: what ended or could not be reached, not what is configured wrongly. */
export function isPassing(error: unknown): boolean {
  if (error === undefined) return true
  if (error instanceof HandshakeError) return error.code === 'timeout'
  if (error instanceof RequestError) return error.code === 'closed' || error.code === 'timeout' || error.code === 'session-lost'
  if (!(error instanceof TransportError)) return false
  if (error.code === 'http') return [408, 425, 429].includes(error.details.status ?? 0) || (error.details.status ?? 0) >= 500
  return ['exited', 'closed', 'unreachable', 'timeout', 'session-lost', 'too-large'].includes(error.code)
}
