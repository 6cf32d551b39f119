import { defined } from '../../../src-shared/base/defined.ts'
import { isObject } from '../../../src-shared/base/json.ts'
import { redactUnknown } from '../../../src-shared/base/secrets.ts'
import { MAX_WORDS, type Problem, type Remedy } from '../../../src-shared/contract/errors.ts'
import type { Launch, ServerOptions } from '../../../src-shared/contract/servers.ts'
import { MODERN_VERSION } from '../../../src-shared/mcp/primitives.ts'
import { HandshakeError } from '../../protocol/handshake-error.ts'
import { TransportError } from '../../protocol/peer/transport.ts'
import { ErrorCode, ProtocolError, RequestError } from '../../protocol/shapes/json-rpc.ts'
import { StorageError } from '../../storage/base/storage.ts'
import type { Redact } from '../core/redact.ts'
import { LaunchError } from '../launch/launch-error.ts'
import { packageRunner } from '../launch/package-runner.ts'
import {
  heldBackProblem,
  pageProblem,
  refusedProblem,
  signInProblem,
  statusProblem,
  unreachableProblem,
} from './remote-problems.ts'
import { type StderrCause, stderrCause } from './stderr-cause.ts'

interface FailedServer {
  readonly name: string
  readonly launch: Launch
  /** The protocol version that the person chose. */
  readonly era?: ServerOptions['era']
  /** Its last lines of stderr, already redacted, oldest first. */
  readonly stderr: readonly string[]
  /** The host's remarks about it, oldest first. */
  readonly oddities?: readonly string[]
  readonly redact?: Redact
  /** `process.platform`. */
  readonly os?: string
  /** The problem with its program's file, if it was examined. */
  readonly fault?: Problem
  /** Its last HTTP response began as a stream in which nothing came. */
  readonly heldBack?: boolean
  /** It repeats the messages that it is sent. */
  readonly echo?: boolean
  readonly home?: string
}

/** Characters of a server's message that a problem carries. */
const SAID_LIMIT = 1000

const MAX_REMEDIES = 3
const AGAIN: Remedy = { is: 'start' }
const LOG: Remedy = { is: 'open-log' }
const ARGS: Remedy = { is: 'edit', field: 'args' }
const NETWORK: Remedy = { is: 'open-settings', section: 'network' }
const CHECK_LOG = 'Check its log, then start it again.'
const CHECK_IT_IS_MCP =
  'Check that the command or address is an MCP server, and that it prints nothing else to its standard output.'

/** Explains to the person why a connection failed or ended. */
export function explainFailure(error: unknown, server: FailedServer): Problem {
  const { said, remedies = [], ...rest } = explanationOf(error, server)
  const clean = said && (server.redact ?? redactUnknown)(said).trim()
  const bounded = clean && clean.length > SAID_LIMIT ? `${clean.slice(0, SAID_LIMIT)}…` : clean
  return {
    ...rest,
    ...(bounded && { said: bounded }),
    ...(remedies.length > 0 && { remedies: remedies.slice(0, MAX_REMEDIES) }),
  }
}

/** A problem whose `said` is not redacted or cut yet. */
type Explanation = Omit<Problem, 'said'> & { readonly said?: string | undefined }

function explanationOf(error: unknown, server: FailedServer): Explanation {
  const { name } = server
  if (error instanceof LaunchError) return error.problem
  if (server.echo) {
    const what = `“${name}” only repeats what it is sent: it is not an MCP server.`
    return { code: 'echo', what, todo: 'Enter the server’s program and its arguments.', remedies: [editOf(server)] }
  }
  if (isForChoice(error, server.era)) {
    const what =
      server.era === 'modern'
        ? `“${name}” does not speak 2026-07-28, the only version that its settings allow.`
        : `“${name}” speaks only 2026-07-28, which its settings do not allow.`
    const todo = 'Set its protocol version to Automatic in “Edit server”, under Advanced.'
    return { code: 'version', what, todo, remedies: [{ is: 'automatic-version' }], said: messageOf(error) }
  }
  if (error instanceof HandshakeError) return explainHandshake(error, server)
  if (error instanceof TransportError) return explainTransport(error, server)
  if (error instanceof ProtocolError) {
    const modern = explainModern(error, server)
    if (modern) return modern
    const what = `“${name}” answered the handshake with error ${error.code}.`
    const todo = 'Check its log: it may be missing settings, or you may need another version of it.'
    return { code: 'refused-by-server', what, todo, remedies: [LOG, AGAIN], said: error.message }
  }
  if (error instanceof RequestError) {
    // The request failed because its connection did.
    if (error.cause instanceof TransportError) return explainTransport(error.cause, server)
    if (error.code === 'timeout' && server.heldBack) return heldBackProblem(name)
    const code = error.code === 'timeout' ? 'no-answer' : error.code
    const what = `“${name}” did not complete the handshake.`
    return { code, what, todo: CHECK_LOG, remedies: [AGAIN, LOG], said: error.message }
  }
  if (error instanceof StorageError) return { code: `storage-${error.code}`, what: error.message }
  if (error === undefined) {
    const cause = stderrCause(server.stderr, server.os)
    const todo = 'Start it again. Its log may say why.'
    return withCause({ code: 'ended', what: `“${name}” ended the connection.`, todo, remedies: [AGAIN, LOG] }, cause, name)
  }
  const what = `“${name}” could not be started.`
  return { code: 'failed', what, todo: CHECK_LOG, remedies: [AGAIN, LOG], said: messageOf(error) }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Prefers the known cause in the program's output, which says more than that it ended. */
function withCause(ended: Problem, { said, ...cause }: StderrCause, name: string, exitCode = 0): Explanation {
  const { code, what, todo, remedies } = cause
  if (code === undefined || what === undefined) return { ...ended, said }
  const shown = exitCode === 0 ? what : what.replace(/\.$/, ` (exit code ${exitCode}).`)
  return { code, what: `“${name}” ${shown}`, ...defined({ todo, remedies }), said }
}

/** True if a server cannot be opened because of the protocol version that the person chose. */
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
  ['roots', 'seeing your folders'],
])

/** Errors that only servers of 2026-07-28 have. */
function explainModern({ code, data, message }: ProtocolError, { name }: FailedServer): Explanation | undefined {
  if (code === ErrorCode.missingCapability && isObject(data) && isObject(data.requiredCapabilities)) {
    const wanted = Object.keys(data.requiredCapabilities).slice(0, 10)
    const abilities = wanted.map((ability) => ABILITIES.get(ability) ?? ability.slice(0, 50))
    const what = `“${name}” needs a capability that it was not offered: ${abilities.join(', ') || 'it does not say which'}.`
    const sampling = wanted.includes('sampling')
    const todo = sampling
      ? 'Allow it to ask your model on its page, under Permissions, then start it again.'
      : 'Parley has no switch for this; another version of the server may do without it.'
    return { code: 'missing-ability', what, todo, ...(sampling && { remedies: [{ is: 'allow-sampling' }] }), said: message }
  }
  if (code === ErrorCode.headerMismatch) {
    const what = `“${name}” says that the headers and the body of a request differ.`
    const todo = 'A proxy may have changed the headers. Otherwise it is a fault of Parley or of the server: copy the report.'
    return { code: 'header-mismatch', what, todo, remedies: [NETWORK], said: message }
  }
  return undefined
}

function explainHandshake(error: HandshakeError, server: FailedServer): Explanation {
  const { name } = server
  switch (error.code) {
    case 'version': {
      const what = `“${name}” speaks a revision of the protocol that Parley does not know.`
      const todo = 'Update the server, or Parley, so that both know a common revision.'
      return { code: 'version', what, todo, remedies: server.launch.type === 'local' ? [ARGS] : [AGAIN], said: error.message }
    }
    case 'timeout':
      return explainSilence(server)
    default: {
      const what = `“${name}” answered the handshake with something that is not MCP.`
      return { code: 'malformed', what, todo: CHECK_IT_IS_MCP, remedies: [editOf(server)], said: error.message }
    }
  }
}

/** The problem of a server that is there and never answered. */
function explainSilence(server: FailedServer): Explanation {
  const { name, launch, stderr, oddities = [], heldBack } = server
  if (heldBack) return heldBackProblem(name)
  const { said: printed, todo, remedies } = stderrCause(stderr, server.os)
  // The first remarks say most about what kind of program it is.
  const said = [...new Set([...oddities.slice(0, 2), ...oddities.slice(-1), printed])].join('\n')
  if (launch.type === 'local' && oddities.some((text) => text.startsWith('Not JSON on stdout'))) {
    const what = `“${name}” prints text that is not MCP and never answered the handshake.`
    return { code: 'other-output', what, todo: todo ?? CHECK_IT_IS_MCP, remedies: remedies ?? [ARGS, LOG], said }
  }
  const what = `“${name}” ${launch.type === 'local' ? 'was started and ' : ''}never answered the handshake.`
  const runner = packageRunner(launch)
  if (runner !== undefined && said.trim() === '') {
    const todo = `${runner} has printed nothing: it may be waiting for the package registry. Check the network and its proxy, then start it again.`
    return { code: 'no-answer', what, todo, remedies: [AGAIN, NETWORK, ARGS] }
  }
  const own =
    launch.type === 'local'
      ? 'Check that the command is an MCP server that speaks over its standard output, and that its arguments are right.'
      : 'Check that the address is an MCP endpoint, then start it again.'
  return { code: 'no-answer', what, todo: todo ?? own, remedies: remedies ?? [AGAIN, editOf(server)], said }
}

const editOf = ({ launch }: FailedServer): Remedy => (launch.type === 'remote' ? { is: 'edit', field: 'url' } : ARGS)

function explainTransport(error: TransportError, server: FailedServer): Explanation {
  const { details, message } = error
  const { name, launch, fault } = server
  const url = launch.type === 'remote' ? launch.url : ''
  switch (error.code) {
    case 'spawn-failed': {
      if (fault) return fault
      if (BAD_CPU.test(details.errno ?? '') && server.os === 'darwin') return rosettaProblem(name)
      const todo = 'Correct the command or the working folder in “Edit server”, then start it again.'
      return { code: 'spawn-failed', what: message, todo, remedies: [{ is: 'edit', field: 'command' }] }
    }
    case 'exited':
    case 'closed':
      return explainEnd(error, server)
    case 'http': {
      const headers = launch.type === 'remote' ? Object.keys(launch.headers) : []
      const { body, status = 0 } = details
      // A server of the HTTP+SSE transport refuses the newer one, so it is its stream that was held back.
      if (server.heldBack && (status === 404 || status === 405)) return heldBackProblem(name)
      const page = status < 400 ? pageProblem(error, name) : undefined
      return { ...(page ?? statusProblem(error, name, headers)), said: body || message }
    }
    case 'unreachable':
      return unreachableProblem(error, name, url)
    case 'malformed': {
      const what = `“${name}” sent something that is not MCP.`
      return {
        ...(pageProblem(error, name) ?? { code: 'malformed', what, todo: CHECK_IT_IS_MCP, remedies: [editOf(server)] }),
        said: message,
      }
    }
    case 'too-large': {
      const what = `“${name}” keeps sending messages above the limit and was disconnected.`
      return { code: 'too-large', what, todo: 'Start it again and ask it for less at a time.', remedies: [AGAIN], said: message }
    }
    case 'over-limit':
      return { code: 'over-limit', what: `“${name}” ${message}`, todo: 'Ask it for less at a time.', remedies: [AGAIN, LOG] }
    case 'session-lost': {
      const todo = 'A call under way may have run. It is not repeated.'
      return { code: 'session-lost', what: `“${name}” no longer knows this session.`, todo, remedies: [AGAIN] }
    }
    case 'timeout': {
      if (server.heldBack) return heldBackProblem(name)
      const what = `“${name}” did not answer in time.`
      return { code: 'no-answer', what, todo: 'Check that it is running, then start it again.', remedies: [AGAIN], said: message }
    }
    case 'unauthorized':
      return { ...signInProblem(error, name), said: message }
    case 'refused':
      return refusedProblem(error, url)
  }
}

/** The error number of macOS for a program for another processor, for which Node has no name. */
const BAD_CPU = /EBADARCH|-86\b/

function rosettaProblem(name: string): Problem {
  const what = `“${name}” is a program for Intel processors, and Rosetta is not installed.`
  const remedies: Remedy[] = [
    { is: 'run', command: 'softwareupdate --install-rosetta' },
    { is: 'edit', field: 'command' },
  ]
  return { code: 'wrong-architecture', what, todo: 'Install the one for Apple processors, or Rosetta.', remedies }
}

/** The problem of a program that ended, or of a connection that broke. */
function explainEnd({ details }: TransportError, server: FailedServer): Explanation {
  const { name, fault } = server
  if (details.download !== undefined) return explainDownload(details.download, server)
  const stderr = server.stderr.length > 0 ? server.stderr : (details.stderr ?? [])
  const stdout = (server.oddities ?? []).flatMap((text) => (text.startsWith(NOT_JSON) ? [text.slice(NOT_JSON.length)] : []))
  const cause = stderrCause(stderr.length > 0 ? stderr : stdout, server.os)
  const home = homeProblem(server, cause)
  if (home) return { ...home, said: cause.said }
  // A shell's complaint about a file that it cannot run does not name the reason; the file's fault does.
  if (fault && (fault.code === 'windows-script' || cause.code === undefined || EXPLAINED_BY_FILE.includes(cause.code)))
    return { ...fault, said: cause.said || fault.said }
  const how =
    details.exitSignal != null
      ? `was ended by signal ${details.exitSignal}`
      : details.exitCode != null
        ? `exited with code ${details.exitCode}`
        : 'closed the connection'
  const todo = cause.said
    ? 'Correct the error and start it again. Its log has the rest.'
    : 'It printed nothing. Run its command in a terminal to see what it needs.'
  const ended: Problem = { code: 'exited', what: `“${name}” ${how}.`, todo, remedies: [AGAIN, LOG] }
  return withCause(ended, cause, name, details.exitCode ?? 0)
}

/** The problem of a fenced server whose package is not there: what the download said tells more than the start without the network. */
function explainDownload(said: string, { name, os }: FailedServer): Explanation {
  const what = `“${name}” could not be downloaded.`
  const failed: Problem = {
    code: 'download-failed',
    what,
    todo: 'Check the network, then start it again.',
    remedies: [AGAIN, NETWORK],
  }
  const { todo, ...problem } = withCause(failed, stderrCause(said.split('\n'), os), name)
  return { ...problem, todo: `${todo} Its fence allows downloads only before it starts.` }
}

/** Beginning of the host's remark about a line of stdout. */
const NOT_JSON = 'Not JSON on stdout: '

/** The problem of an argument with `~`, which only a shell would replace. */
function homeProblem({ name, launch, home }: FailedServer, { code }: StderrCause): Problem | undefined {
  if (launch.type !== 'local' || (code !== 'module-missing' && code !== 'file-missing')) return undefined
  const typed = launch.args.find((arg) => /^~[\\/]/.test(arg))
  if (typed === undefined) return undefined
  const args = launch.args.map((arg) => (home !== undefined && /^~[\\/]/.test(arg) ? home + arg.slice(1) : arg))
  const what = `“${name}” was given “${typed}” as it is: “~” is only replaced in a terminal.`
  const whole: Remedy[] =
    home === undefined || args.length > MAX_WORDS ? [] : [{ is: 'use-words', command: launch.command, args }]
  return { code: 'file-missing', what, todo: 'Write the path in full.', remedies: [...whole, ARGS] }
}

const EXPLAINED_BY_FILE = ['wrong-architecture', 'program-missing', 'file-missing', 'runtime-old', 'no-permission']

/** True if authorization is missing. */
export function needsAuthorization(error: unknown): boolean {
  return error instanceof TransportError && error.code === 'unauthorized'
}

/** True if an automatic retry can help: after an end or a lost connection, not with a wrong configuration. */
export function isPassing(error: unknown): boolean {
  if (error === undefined) return true
  if (error instanceof HandshakeError) return error.code === 'timeout'
  if (error instanceof RequestError) return error.code === 'closed' || error.code === 'timeout' || error.code === 'session-lost'
  if (!(error instanceof TransportError)) return false
  if (error.code === 'http') return [408, 425, 429].includes(error.details.status ?? 0) || (error.details.status ?? 0) >= 500
  return ['exited', 'closed', 'unreachable', 'timeout', 'session-lost', 'too-large', 'over-limit'].includes(error.code)
}
