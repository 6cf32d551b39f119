import { isObject } from '../../../src-shared/base/json.ts'
import type { OtherHost } from '../../../src-shared/contract/imports.ts'
import { type ConfigurationText, readConfiguration, type TextFormat } from './configuration-text.ts'
import { ConfigError, type ForeignConfig } from './foreign-server.ts'
import { HOST_FORMATS, rootOf } from './hosts.ts'
import { NOTHING, readInputs, readServers } from './json-config.ts'
import { readJsonEntry } from './json-entry.ts'
import type { Syntax } from './variables.ts'

/** What a host, or a text of none that is known, says. */
export interface Configuration extends ForeignConfig {
  readonly host?: OtherHost
  readonly syntaxes: ReadonlySet<Syntax>
}

/** Throws ConfigError with a sentence. */
export async function readHostConfig(host: OtherHost, text: string): Promise<Configuration> {
  const { format, most, syntaxes, read } = HOST_FORMATS[host]
  // VS Code and others make empty files.
  if (text.trim() === '') return { ...NOTHING, host, syntaxes: new Set() }
  const parsed = await readConfiguration(text, format, most)
  return { ...read(rootOf(parsed), parsed), host, syntaxes: new Set(syntaxes) }
}

/** Where servers stand in a configuration of whichever host. */
const CONTAINERS = ['mcpServers', 'servers', 'context_servers', 'mcp_servers', 'mcp']

/**
 * A text that somebody pasted or dropped: a whole configuration of any host, the inside of one, a fragment `"name": {…}` without
 * braces, or one bare entry. Throws ConfigError with a sentence.
 */
export async function readText(text: string): Promise<Configuration> {
  const trimmed = text.trim().replace(/,$/, '')
  const format = formatOf(trimmed)
  const parsed = await readConfiguration(trimmed.startsWith('"') ? `{${trimmed}}` : trimmed, format)
  const host = { json: undefined, yaml: 'goose' as const, toml: 'codex' as const }[format]
  const root = rootOf(parsed)
  const read = host ? HOST_FORMATS[host].read(root, parsed) : anyJson(root, parsed)
  if (read.servers.length === 0 && read.unusable.length === 0) throw new ConfigError('It says nothing of servers.')
  return host ? { ...read, host, syntaxes: new Set(HOST_FORMATS[host].syntaxes) } : { ...read, syntaxes: ANY_SYNTAX }
}

/** What hosts of JSON write for what comes from elsewhere. */
const ANY_SYNTAX: ReadonlySet<Syntax> = new Set(['env', 'braces', 'code'])

function formatOf(text: string): TextFormat {
  if (/^["{]|^\/[/*]/.test(text)) return 'json'
  return /^\s*\[\[?[^\]\n]+\]|^\s*[\w.-]+\s*=/m.test(text) && !/^extensions\s*:/m.test(text) ? 'toml' : 'yaml'
}

function anyJson(root: Record<string, unknown>, text: ConfigurationText): ForeignConfig {
  const bare = ['command', 'url', 'serverUrl', 'httpUrl'].some((key) => typeof root[key] === 'string')
  if (bare) return readServers({ [typeof root.name === 'string' ? root.name : '']: root }, 'name', entry, text)
  for (const key of CONTAINERS) {
    const inside = root[key]
    if (!isObject(inside)) continue
    if (key === 'mcp') return anyJson(inside, text)
    return { ...readServers(inside, key, entry, text), inputs: readInputs(root.inputs) }
  }
  const entries = Object.fromEntries(Object.entries(root).filter(([, value]) => isObject(value)))
  const found = readServers(entries, 'name', entry, text)
  // Anything has objects in it: what holds no server at all is no list of them.
  return found.servers.length > 0 ? found : NOTHING
}

const entry = (name: string, value: unknown) => readJsonEntry(name, value, {})
