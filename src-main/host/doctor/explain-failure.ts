import { isObject } from '../../../src-shared/base/json.ts'
import { redactUnknown } from '../../../src-shared/base/secrets.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'
import type { Launch, ServerOptions } from '../../../src-shared/contract/servers.ts'
import { MODERN_VERSION } from '../../../src-shared/mcp/primitives.ts'
import { HandshakeError } from '../../protocol/handshake-error.ts'
import { TransportError } from '../../protocol/peer/transport.ts'
import { ErrorCode, ProtocolError, RequestError } from '../../protocol/shapes/json-rpc.ts'
import { StorageError } from '../../storage/base/storage.ts'
import type { Redact } from '../core/redact.ts'
import { LaunchError } from '../launch/launch-error.ts'
import { stderrCause } from './stderr-cause.ts'

interface FailedServer {
  readonly name: string
  readonly launch: Launch
  /** What the person chose that is spoken with it. */
  readonly era?: ServerOptions['era']
  /** What is kept of its stderr, already redacted, oldest first. */
  readonly stderr: readonly string[]
  /** What was odd about it in the host's words, oldest first. */
  readonly oddities?: readonly string[]
  readonly redact?: Redact
}

/** Characters of what a server said that a problem carries. */
const SAID_LIMIT = 1000

const CHECK_IT_IS_MCP =
  'Check that the command or address is an MCP server, and that it prints nothing else to its standard output.'

/** Why a connection failed or ended, for the person: what failed, what it said, what to do. */
export function explainFailure(error: unknown, server: FailedServer): Problem {
  const { name, redact = redactUnknown } = server
  const explain: Explain = (code, what, said, todo) => {
    const clean = said && redact(said).trim()
    const bounded = clean && clean.length > SAID_LIMIT ? `${clean.slice(0, SAID_LIMIT)}…` : clean
    return { code, what, ...(bounded && { said: bounded }), todo }
  }
  if (error instanceof LaunchError) return error.problem
  if (isForChoice(error, server.era)) {
    const what =
      server.era === 'modern'
        ? `“${name}” does not speak 2026-07-28, which is all that is allowed for it.`
        : `“${name}” takes no handshake, which is all that is allowed for it.`
    const said = error instanceof Error ? error.message : String(error)
    return explain('version', what, said, 'Set its protocol version to Automatic in “Edit server”, under Advanced.')
  }
  if (error instanceof HandshakeError) return explainHandshake(error, server, explain)
  if (error instanceof TransportError) return explainTransport(error, server, explain)
  if (error instanceof ProtocolError) {
    const modern = explainModern(error, server, explain)
    if (modern) return modern
    const what = `“${name}” answered the handshake with error ${error.code}.`
    const todo = 'Look at its log; it may need settings that are missing, or another version of itself.'
    return explain('refused-by-server', what, error.message, todo)
  }
  if (error instanceof RequestError) {
    // A request fails because its connection did: that is what there is to say.
    if (error.cause instanceof TransportError) return explainTransport(error.cause, server, explain)
    const code = error.code === 'timeout' ? 'no-answer' : error.code
    return explain(code, `“${name}” did not complete the handshake.`, error.message, 'Look at its log, then start it again.')
  }
  if (error instanceof StorageError) return { code: `storage-${error.code}`, what: error.message }
  if (error === undefined) {
    const { said, todo = 'Start it again; its log may tell why it left.', variable } = stderrCause(server.stderr)
    return {
      ...explain('ended', `“${name}” ended the connection.`, said, todo),
      ...(variable !== undefined && { remedies: [{ is: 'set-variable', name: variable }] }),
    }
  }
  const said = error instanceof Error ? error.message : String(error)
  return explain('failed', `“${name}” could not be started.`, said, 'Look at its log, then start it again.')
}

/** Whether a server cannot be opened because of what the person chose that is spoken with it. */
function isForChoice(error: unknown, era: FailedServer['era']): boolean {
  if (era === 'modern') {
    if (error instanceof HandshakeError) return error.code === 'version'
    if (!(error instanceof TransportError)) return false
    const { status = 0 } = error.details
    return error.code === 'http' && status >= 400 && status < 500 && ![401, 403, 407, 429].includes(status)
  }
  if (era !== 'legacy') return false
  if (error instanceof HandshakeError) return error.code === 'version' && error.details.theirs.includes(MODERN_VERSION)
  return error instanceof ProtocolError
}

const ABILITIES: ReadonlyMap<string, string> = new Map([
  ['sampling', 'asking your model'],
  ['elicitation', 'asking you with forms'],
  ['roots', 'knowing folders'],
])

/** Errors that only servers of 2026-07-28 have. */
function explainModern({ code, data, message }: ProtocolError, { name }: FailedServer, explain: Explain): Problem | undefined {
  if (code === ErrorCode.missingCapability && isObject(data) && isObject(data.requiredCapabilities)) {
    const wanted = Object.keys(data.requiredCapabilities).slice(0, 10)
    const abilities = wanted.map((ability) => ABILITIES.get(ability) ?? ability.slice(0, 50))
    const what = `“${name}” needs an ability that it was not offered: ${abilities.join(', ') || 'it does not say which'}.`
    const todo = wanted.includes('sampling')
      ? 'Allow it to ask your model on its page, under Permissions, then start it again.'
      : 'Parley has no switch for this; another version of the server may do without it.'
    return explain('missing-ability', what, message, todo)
  }
  if (code === ErrorCode.headerMismatch) {
    const what = `“${name}” says that the headers and the body of a request differ.`
    const todo = 'A proxy may have changed the headers; else it is a fault of Parley or of the server. Copy the report.'
    return explain('header-mismatch', what, message, todo)
  }
  return undefined
}

type Explain = (code: string, what: string, said: string | undefined, todo: string) => Problem

function explainHandshake(
  error: HandshakeError,
  { name, launch, stderr, oddities = [] }: FailedServer,
  explain: Explain,
): Problem {
  switch (error.code) {
    case 'version': {
      const what = `“${name}” speaks a revision of the protocol that Parley does not know.`
      const todo = 'Update the server, or Parley, so that both know a common revision.'
      return explain('version', what, error.message, todo)
    }
    case 'timeout': {
      const what = `“${name}” was started and never answered the handshake.`
      const cause = stderrCause(stderr)
      // How it began tells most of what it is.
      const said = [...new Set([...oddities.slice(0, 2), ...oddities.slice(-1), cause.said])].join('\n')
      const todo =
        cause.todo ??
        (launch.type === 'local'
          ? 'Check that the command is an MCP server that speaks over its standard output, and that its arguments are right.'
          : 'Check that the address is an MCP endpoint, then start it again.')
      return explain('no-answer', what, said, todo)
    }
    default: {
      const what = `“${name}” answered the handshake with something that is no MCP.`
      return explain('malformed', what, error.message, CHECK_IT_IS_MCP)
    }
  }
}

function explainTransport(error: TransportError, server: FailedServer, explain: Explain): Problem {
  const { details, message } = error
  const { name } = server
  switch (error.code) {
    case 'spawn-failed': {
      const todo = 'Correct the command or the working folder in “Edit server”, then start it again.'
      return explain('spawn-failed', message, undefined, todo)
    }
    case 'exited':
    case 'closed': {
      const cause = stderrCause(server.stderr.length > 0 ? server.stderr : (details.stderr ?? []))
      const how =
        details.exitSignal != null
          ? `was ended by signal ${details.exitSignal}`
          : details.exitCode != null
            ? `exited with code ${details.exitCode}`
            : 'closed the connection'
      const todo = cause.said
        ? (cause.todo ?? 'Correct what it complains about and start it again; its log has the rest.')
        : 'It printed nothing on stderr. Run its command in a terminal to see what it needs.'
      const { variable } = cause
      return {
        ...explain('exited', `“${name}” ${how}.`, cause.said, todo),
        ...(variable !== undefined && { remedies: [{ is: 'set-variable', name: variable }] }),
      }
    }
    case 'http': {
      const [what, todo] = statusWords(details.status ?? 0, name)
      return explain(`http-${details.status ?? 0}`, what, details.body || message, todo)
    }
    case 'unreachable': {
      const what = `“${name}” could not be reached${details.errno ? ` (${details.errno})` : ''}.`
      return explain('unreachable', what, message, 'Check the address and the network, and that the server is running.')
    }
    case 'malformed':
      return explain('malformed', `What “${name}” sent is no MCP.`, message, CHECK_IT_IS_MCP)
    case 'too-large': {
      const what = `“${name}” keeps sending messages above the limit and was disconnected.`
      return explain('too-large', what, message, 'Start it again and ask it for less at a time.')
    }
    case 'session-lost': {
      const todo = 'A call that was in flight may have run; nothing is repeated by itself.'
      return explain('session-lost', `“${name}” forgot our session.`, undefined, todo)
    }
    case 'timeout': {
      const what = `“${name}” did not answer in time.`
      return explain('no-answer', what, message, 'Check that it is running, then start it again.')
    }
    case 'unauthorized':
      return explain('sign-in', `“${name}” requires sign-in.`, message, 'Sign in.')
    case 'refused':
      return explain('refused', message, undefined, 'Correct the address in “Edit server”.')
  }
}

/** What an HTTP status means to a person, and what they can do. */
function statusWords(status: number, name: string): readonly [what: string, todo: string] {
  switch (status) {
    case 401:
      return [`“${name}” wants to know who asks (401).`, 'Add its token as the header Authorization in “Edit server”.']
    case 403:
      return [`“${name}” refused us (403).`, 'Check that the token in its headers may use this server.']
    case 404:
    case 405: {
      const what = `There is no MCP endpoint at the address of “${name}” (${status}).`
      return [what, 'Check the path of the address; it often ends in /mcp or /sse.']
    }
    case 407:
      return ['The proxy wants a sign-in (407).', 'Check the proxy settings of this computer.']
    case 429:
      return [`“${name}” has had too many requests (429).`, 'Wait a while, then start it again.']
    default:
      if (status >= 500) return [`“${name}” failed on its side (${status}).`, 'Try again later, or tell who runs it.']
      return [`“${name}” answered with HTTP status ${status}.`, 'Check its address and headers in “Edit server”.']
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
