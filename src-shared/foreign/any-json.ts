import { isObject } from '../base/json.ts'
import type { Entry } from './entry-values.ts'
import type { ForeignConfig } from './foreign-server.ts'
import { type DuplicateKeys, EMPTY_CONFIG, readInputs, readServers } from './json-config.ts'
import { readJsonEntry } from './json-entry.ts'

/** Keys under which hosts keep their servers. */
const CONTAINERS = ['mcpServers', 'servers', 'context_servers', 'mcp_servers']
const ADDRESSES = ['command', 'url', 'serverUrl', 'httpUrl']

/** Completes JSON as people copy it: with a trailing comma, or without the braces around `"name": {…}`. */
export function completedJson(text: string): string {
  const trimmed = text.trim().replace(/,$/, '')
  return trimmed.startsWith('"') ? `{${trimmed}}` : trimmed
}

/** Reads JSON of any host: a whole configuration, the inside of one, or a single entry with or without a name. Throws ConfigError. */
export function readAnyJson(root: Entry, duplicateKeys: DuplicateKeys): ForeignConfig {
  if (ADDRESSES.some((key) => typeof root[key] === 'string')) {
    return readServers({ [typeof root.name === 'string' ? root.name : '']: root }, 'name', entry, duplicateKeys)
  }
  const inside = (at: Entry) => CONTAINERS.find((key) => isObject(at[key]))
  const top = inside(root) === undefined && isObject(root.mcp) ? root.mcp : root
  const key = inside(top)
  if (key !== undefined) return { ...readServers(top[key], key, entry, duplicateKeys), inputs: readInputs(top.inputs) }
  const entries = Object.fromEntries(Object.entries(top).filter(([, value]) => isObject(value)))
  const found = readServers(entries, 'name', entry, duplicateKeys)
  // Any JSON may contain objects; without a single server it is not a list of servers.
  return found.servers.length > 0 ? found : EMPTY_CONFIG
}

const entry = (name: string, value: unknown) => readJsonEntry(name, value, {})
