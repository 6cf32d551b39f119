import { isObject, type JsonObject, type JsonValue } from '../../../src-shared/base/json.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'
import { HEADER_NAME, serverNameProblem, VARIABLE_NAME } from '../../../src-shared/contract/server-rules.ts'
import type { ConfigValue } from '../../../src-shared/contract/servers.ts'
import type { FileLaunch, ServerFileEntry } from '../base/storage.ts'

const SECRET = /^\$\{secret:([A-Za-z0-9._:/@-]{1,200})\}$/
const REMOTE_TYPES: readonly unknown[] = ['http', 'sse', 'streamable-http', 'streamableHttp']
const LOCAL_KEYS = ['command', 'args', 'env', 'cwd']
const REMOTE_KEYS = ['url', 'serverUrl', 'headers']

class EntryError extends Error {}

/** Reads one entry of `mcpServers`; an invalid one has a problem instead of a launch. One with only an invalid name has both. */
export function readEntry(name: string, value: JsonValue): ServerFileEntry {
  const disabled = isObject(value) && value.disabled === true ? { disabled: true } : {}
  const badName = serverNameProblem(name)
  try {
    if (!isObject(value)) throw new EntryError('it must be an object')
    return { name, launch: readLaunch(value), ...(badName && { problem: entryProblem(name, badName) }), ...disabled }
  } catch (error) {
    if (!(error instanceof EntryError)) throw error
    return { name, problem: entryProblem(name, error.message), ...disabled }
  }
}

export function entryProblem(name: string, wrong: string): Problem {
  return {
    code: 'bad-entry',
    what: `The entry "${name.slice(0, 200)}" in mcp.json cannot be used: ${wrong}.`,
    todo: 'Correct it in mcp.json, or save the server again.',
  }
}

/** The keys to set in order, or to remove (undefined), so that an entry describes this launch. Other keys stay. */
export function entryChanges(
  launch: FileLaunch,
  existing: Readonly<Record<string, unknown>>,
): [key: string, value: JsonValue | undefined][] {
  const unlessEmpty = (key: string, value: JsonValue[] | JsonObject): JsonValue | undefined =>
    Object.keys(value).length > 0 || key in existing ? value : undefined
  const drop = (keys: readonly string[]): [string, undefined][] => keys.map((key) => [key, undefined])
  if (launch.type === 'local') {
    return [
      ['command', launch.command],
      ['args', unlessEmpty('args', [...launch.args])],
      ['env', unlessEmpty('env', writeValues(launch.env))],
      ['cwd', launch.cwd],
      ...drop(REMOTE_KEYS),
      ...(REMOTE_TYPES.includes(existing.type) ? drop(['type']) : []),
    ]
  }
  const address = 'serverUrl' in existing && !('url' in existing) ? 'serverUrl' : 'url'
  return [
    [address, launch.url],
    ['headers', unlessEmpty('headers', writeValues(launch.headers))],
    ...drop(LOCAL_KEYS),
    ...(existing.type === 'stdio' ? drop(['type']) : []),
  ]
}

function readLaunch(entry: Record<string, unknown>): FileLaunch {
  const address = entry.url !== undefined ? 'url' : 'serverUrl'
  if (entry.command !== undefined && entry[address] !== undefined) {
    throw new EntryError(`it has both "command" and "${address}"; only one of them can be meant`)
  }
  if (entry.command !== undefined) {
    if (entry.type !== undefined && entry.type !== 'stdio') throw new EntryError('"type" must be "stdio" with "command"')
    return {
      type: 'local',
      command: text(entry.command, '"command"', true),
      args: list(entry.args, '"args"'),
      env: values(entry.env, '"env"', VARIABLE_NAME),
      ...(entry.cwd !== undefined && { cwd: text(entry.cwd, '"cwd"', true) }),
    }
  }
  if (entry[address] === undefined) throw new EntryError('it needs "command" (a program) or "url" (a remote server)')
  if (entry.type !== undefined && !REMOTE_TYPES.includes(entry.type)) {
    throw new EntryError(`"type" must be "http", "streamable-http" or "sse" with "${address}"`)
  }
  const url = text(entry[address], `"${address}"`, true)
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw new EntryError(`"${address}" must be an http or https address`)
  const headers = values(entry.headers, '"headers"', HEADER_NAME)
  for (const [name, value] of Object.entries(headers)) {
    if ('text' in value && /[\r\n]/.test(value.text)) throw new EntryError(`"${name}" in "headers" must be on one line`)
  }
  return { type: 'remote', url, headers }
}

function text(value: unknown, key: string, needed = false): string {
  if (typeof value !== 'string') throw new EntryError(`${key} must be a text in double quotes, not ${kindOf(value)}`)
  if (needed && value.trim() === '') throw new EntryError(`${key} is empty`)
  if (value.includes('\0')) throw new EntryError(`${key} holds a NUL character`)
  return value
}

function list(value: unknown, key: string): string[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw new EntryError(`${key} must be a list, not ${kindOf(value)}`)
  return value.map((item: unknown, at) => text(item, `item ${at + 1} of ${key}`))
}

function values(value: unknown, key: string, names: RegExp): Record<string, ConfigValue> {
  if (value === undefined) return {}
  if (!isObject(value)) throw new EntryError(`${key} must be an object, not ${kindOf(value)}`)
  return Object.fromEntries(
    Object.entries(value).map(([name, item]): [string, ConfigValue] => {
      if (!names.test(name)) throw new EntryError(`"${name.slice(0, 100)}" in ${key} is not a usable name`)
      const written = text(item, `"${name}" in ${key}`)
      const secret = SECRET.exec(written)?.[1]
      return [name, secret === undefined ? { text: written } : { secret }]
    }),
  )
}

function writeValues(values: Readonly<Record<string, ConfigValue>>): JsonObject {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, 'secret' in value ? `\${secret:${value.secret}}` : value.text]),
  )
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
