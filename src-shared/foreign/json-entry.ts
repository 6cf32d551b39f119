import { isObject } from '../base/json.ts'
import type { ServerOptions } from '../contract/servers.ts'
import { type Entry, namesIn, someText, textsByName, textsIn, timeoutOptions } from './entry-values.ts'
import { EntryError, type ForeignLaunch, type ForeignServer } from './foreign-server.ts'

interface Dialect {
  /** The unit of “timeout” in milliseconds; absent where it is unknown. */
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
      ...(isDisabled(value) && { enabled: false }),
      ...(timeout !== undefined && timeoutOptions(value.timeout, timeout)),
      ...hiddenTools([...namesIn(value.excludeTools), ...namesIn(value.disabledTools)]),
    },
    notTaken: notTaken(value, timeout === undefined),
  }
}

export function hiddenTools(names: readonly string[]): Partial<ServerOptions> {
  return names.length > 0 ? { hiddenTools: [...new Set(names)] } : {}
}

export function unaskedNote(tools: readonly string[] | 'all'): string {
  const which =
    tools === 'all'
      ? 'All of its tools run'
      : tools.length === 1
        ? `“${tools[0]?.slice(0, 100)}” runs`
        : `${tools.length} of its tools run`
  return `${which} there without a question. Here you are asked.`
}

export function onlySomeNote(tools: readonly string[]): string {
  const named = tools
    .slice(0, 5)
    .map((tool) => tool.slice(0, 100))
    .join(', ')
  return `Only some of its tools are used there: ${named}${tools.length > 5 ? ', …' : ''}. Here all are. Hide the others on its page.`
}

const isDisabled = (entry: Entry) => entry.disabled === true || entry.enabled === false

function readLaunch(entry: Entry): ForeignLaunch {
  // Older versions of Zed have the command in an object, with `path` for the program.
  const { command } = entry
  if (isObject(command)) return localLaunch({ ...entry, ...command, command: command.path ?? command.command }, 'path')
  const address = ['url', 'serverUrl', 'httpUrl'].find((key) => typeof entry[key] === 'string')
  if (command !== undefined && command !== null) {
    if (address) throw new EntryError(`It has both “command” and “${address}”. Keep one of them.`)
    if (REMOTE_TYPES.includes(entry.type)) throw new EntryError(`Its “type” is “${String(entry.type)}”, but it has a “command”.`)
    return localLaunch(entry, 'command')
  }
  if (entry.type === 'ws' || entry.type === 'websocket') throw new EntryError('It uses WebSocket, which MCP does not support.')
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
  if (entry.trust === true) said.push(unaskedNote('all'))
  else if (allowed.length > 0) said.push(unaskedNote(allowed))
  const only = namesIn(entry.includeTools)
  if (only.length > 0) said.push(onlySomeNote(only))
  if (typeof entry.envFile === 'string')
    said.push(`It reads variables from the file ${entry.envFile.slice(0, 300)}. Add the ones it needs.`)
  if (typeof entry.headersHelper === 'string') said.push('Its headers come from a program. Add the ones it needs.')
  if (isObject(entry.oauth) || isObject(entry.auth)) said.push('Its sign-in is not imported. Sign in here.')
  if (unknownTimeout && entry.timeout !== undefined) said.push('Its time limit is not imported: its unit is unknown.')
  return said
}
