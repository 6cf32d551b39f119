import { isObject } from '../base/json.ts'
import type { Entry } from './entry-values.ts'
import type { ForeignConfig } from './foreign-server.ts'
import { NOTHING, readInputs, readServers, type Twice } from './json-config.ts'
import { readJsonEntry } from './json-entry.ts'

/** Where servers stand in a configuration of whichever host. */
const CONTAINERS = ['mcpServers', 'servers', 'context_servers', 'mcp_servers']
const ADDRESSES = ['command', 'url', 'serverUrl', 'httpUrl']

/** As people copy it: with the comma after it, or without the braces around `"name": {…}`. */
export function wholeJson(text: string): string {
  const trimmed = text.trim().replace(/,$/, '')
  return trimmed.startsWith('"') ? `{${trimmed}}` : trimmed
}

/** Reads JSON of any host: a whole configuration, the inside of one, or one bare entry, which may have no name. Throws ConfigError. */
export function readAnyJson(root: Entry, twice: Twice): ForeignConfig {
  if (ADDRESSES.some((key) => typeof root[key] === 'string')) {
    return readServers({ [typeof root.name === 'string' ? root.name : '']: root }, 'name', entry, twice)
  }
  const inside = (at: Entry) => CONTAINERS.find((key) => isObject(at[key]))
  const top = inside(root) === undefined && isObject(root.mcp) ? root.mcp : root
  const key = inside(top)
  if (key !== undefined) return { ...readServers(top[key], key, entry, twice), inputs: readInputs(top.inputs) }
  const entries = Object.fromEntries(Object.entries(top).filter(([, value]) => isObject(value)))
  const found = readServers(entries, 'name', entry, twice)
  // Anything has objects in it: what holds no server at all is no list of them.
  return found.servers.length > 0 ? found : NOTHING
}

const entry = (name: string, value: unknown) => readJsonEntry(name, value, {})
