import { isObject } from '../../../src-shared/base/json.ts'
import { type Entry, namesIn, someText, textsByName, textsIn, timeoutOptions } from '../../../src-shared/foreign/entry-values.ts'
import { EntryError, type ForeignConfig, type ForeignServer } from '../../../src-shared/foreign/foreign-server.ts'
import { readServers } from '../../../src-shared/foreign/json-config.ts'
import { onlySomeNote } from '../../../src-shared/foreign/json-entry.ts'
import type { ConfigurationText } from './configuration-text.ts'

/** Types of extensions that are part of Goose itself, and no servers. */
const OWN: readonly unknown[] = ['builtin', 'platform', 'frontend']

/** `extensions:` of Goose. */
export function readGoose(root: Entry, text: ConfigurationText): ForeignConfig {
  const { extensions } = root
  if (!isObject(extensions)) return readServers(extensions, 'extensions', readEntry, text.duplicateKeys)
  const servers = Object.entries(extensions).filter(([, entry]) => !OWN.includes(configOf(entry).type))
  return readServers(Object.fromEntries(servers), 'extensions', readEntry, text.duplicateKeys)
}

/** An older format has all but `enabled` below `config`. */
const configOf = (entry: unknown): Entry => {
  if (!isObject(entry)) return {}
  return isObject(entry.config) ? { ...entry, ...entry.config } : entry
}

function readEntry(key: string, value: unknown): ForeignServer {
  if (!isObject(value)) throw new EntryError('It must be a mapping.')
  const entry = configOf(value)
  const taken = namesIn(entry.env_keys).map((variable) => [variable, { variable }] as const)
  const only = namesIn(entry.available_tools)
  const local = entry.type === 'stdio'
  if (!local && entry.type !== 'streamable_http' && entry.type !== 'sse') {
    throw new EntryError(
      typeof entry.type === 'string'
        ? `Its type “${entry.type.slice(0, 100)}” is not one that Parley can start.`
        : 'It has no type.',
    )
  }
  return {
    name: typeof entry.name === 'string' && entry.name.trim() !== '' ? entry.name : key,
    launch: local
      ? {
          type: 'local',
          command: someText(entry.cmd, 'cmd'),
          args: textsIn(entry.args, 'args'),
          env: textsByName(entry.envs, 'envs'),
        }
      : { type: 'remote', url: someText(entry.uri, 'uri'), headers: textsByName(entry.headers, 'headers') },
    // A remote server's headers name its variables themselves.
    ...(local && taken.length > 0 && { fromEnvironment: Object.fromEntries(taken) }),
    options: { ...(entry.enabled === false && { enabled: false }), ...timeoutOptions(entry.timeout, 1000) },
    notTaken: only.length > 0 ? [onlySomeNote(only)] : [],
  }
}
