import { isObject } from '../base/json.ts'
import type { ServerOptions } from '../contract/servers.ts'
import { type Entry, namesIn, someText, textsByName, textsIn, timeoutOptions } from './entry-values.ts'
import { EntryError, type ForeignLaunch, type ForeignServer } from './foreign-server.ts'

/** The differences among hosts that write `"name": { "command": … }`. */
interface Dialect {
  /** Milliseconds of one of its “timeout”; absent where that is not known. */
  readonly timeout?: number
}

const REMOTE_TYPES: readonly unknown[] = ['http', 'sse', 'streamable-http', 'streamableHttp', 'streamable_http', 'remote']

/** Throws EntryError with a sentence. */
export function readJsonEntry(name: string, value: unknown, { timeout }: Dialect): ForeignServer {
  if (!isObject(value)) throw new EntryError('It must be an object.')
  return {
    name,
    launch: readLaunch(value),
    options: {
      ...(off(value) && { enabled: false }),
      ...(timeout !== undefined && timeoutOptions(value.timeout, timeout)),
      ...hiddenTools([...namesIn(value.excludeTools), ...namesIn(value.disabledTools)]),
    },
    notTaken: notTaken(value, timeout === undefined),
  }
}

export function hiddenTools(names: readonly string[]): Partial<ServerOptions> {
  return names.length > 0 ? { hiddenTools: [...new Set(names)] } : {}
}

/** Why its own way to let tools run is not ours. */
export function unasked(tools: readonly string[] | 'all'): string {
  const which =
    tools === 'all'
      ? 'All of its tools run'
      : tools.length === 1
        ? `“${tools[0]?.slice(0, 100)}” runs`
        : `${tools.length} of its tools run`
  return `${which} there without a question. Here you are asked.`
}

export function onlySome(tools: readonly string[]): string {
  const named = tools
    .slice(0, 5)
    .map((tool) => tool.slice(0, 100))
    .join(', ')
  return `Only some of its tools are used there: ${named}${tools.length > 5 ? ', …' : ''}. Here all are; hide others on its page.`
}

const off = (entry: Entry) => entry.disabled === true || entry.enabled === false

function readLaunch(entry: Entry): ForeignLaunch {
  // Zed once had the whole command in an object, with `path` for the program.
  const { command } = entry
  if (isObject(command)) return localLaunch({ ...entry, ...command, command: command.path ?? command.command }, 'path')
  const address = ['url', 'serverUrl', 'httpUrl'].find((key) => typeof entry[key] === 'string')
  if (command !== undefined && command !== null) {
    if (address) throw new EntryError(`It has both “command” and “${address}”; only one of them can be meant.`)
    if (REMOTE_TYPES.includes(entry.type)) throw new EntryError(`Its “type” is “${String(entry.type)}”, yet it has a “command”.`)
    return localLaunch(entry, 'command')
  }
  if (entry.type === 'ws' || entry.type === 'websocket')
    throw new EntryError('It is reached by a WebSocket, which is none of the transports of MCP.')
  if (!address) {
    if (entry.source === 'extension' || entry.settings !== undefined)
      throw new EntryError('An extension of Zed starts it, and the file does not say how.')
    throw new EntryError('It has neither “command” nor “url”.')
  }
  return { type: 'remote', url: someText(entry[address], address), headers: textsByName(entry.headers, 'headers') }
}

function localLaunch(entry: Entry, program: string): ForeignLaunch {
  return {
    type: 'local',
    command: someText(entry.command, program),
    args: textsIn(entry.args, 'args'),
    env: textsByName(entry.env, 'env'),
    ...(typeof entry.cwd === 'string' && entry.cwd !== '' && { cwd: someText(entry.cwd, 'cwd') }),
  }
}

function notTaken(entry: Entry, unknownTimeout: boolean): string[] {
  const said: string[] = []
  const allowed = [...namesIn(entry.autoApprove), ...namesIn(entry.alwaysAllow)]
  if (entry.trust === true) said.push(unasked('all'))
  else if (allowed.length > 0) said.push(unasked(allowed))
  const only = namesIn(entry.includeTools)
  if (only.length > 0) said.push(onlySome(only))
  if (typeof entry.envFile === 'string')
    said.push(`It reads variables from the file ${entry.envFile.slice(0, 300)}. Add the ones it needs.`)
  if (typeof entry.headersHelper === 'string') said.push('There, a program creates its headers. Add the ones it needs.')
  if (isObject(entry.oauth) || isObject(entry.auth)) said.push('How it signs in is not taken over. Sign in again here.')
  if (unknownTimeout && entry.timeout !== undefined)
    said.push('Its time limit is not taken over: it does not say in which unit it is.')
  return said
}
