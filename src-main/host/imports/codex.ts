import { isObject } from '../../../src-shared/base/json.ts'
import { type Entry, namesIn, someText, textsByName, textsIn, timeoutOptions } from '../../../src-shared/foreign/entry-values.ts'
import { EntryError, type ForeignConfig, type ForeignServer, type TakenFrom } from '../../../src-shared/foreign/foreign-server.ts'
import { readServers } from '../../../src-shared/foreign/json-config.ts'
import { hiddenTools, onlySomeNote, unaskedNote } from '../../../src-shared/foreign/json-entry.ts'
import type { ConfigurationText } from './configuration-text.ts'

/** `[mcp_servers.<name>]` of Codex. */
export function readCodex(root: Entry, text: ConfigurationText): ForeignConfig {
  return readServers(root.mcp_servers, 'mcp_servers', readEntry, text.duplicateKeys)
}

function readEntry(name: string, entry: unknown): ForeignServer {
  if (!isObject(entry)) throw new EntryError('It must be a table.')
  if (entry.command !== undefined && entry.url !== undefined) {
    throw new EntryError('It has both “command” and “url”. Keep one of them.')
  }
  const only = namesIn(entry.enabled_tools)
  return {
    name,
    ...(entry.command === undefined ? remote(entry) : local(entry)),
    options: {
      ...(entry.enabled === false && { enabled: false }),
      ...timeoutOptions(entry.tool_timeout_sec, 1000),
      ...hiddenTools(namesIn(entry.disabled_tools)),
    },
    notTaken: [
      ...(only.length > 0 ? [onlySomeNote(only)] : []),
      ...(entry.default_tools_approval_mode === 'approve' ? [unaskedNote('all')] : []),
    ],
  }
}

function local(entry: Entry): Pick<ForeignServer, 'launch' | 'fromEnvironment'> {
  const taken = (Array.isArray(entry.env_vars) ? entry.env_vars : []).flatMap((one: unknown): [string, TakenFrom][] => {
    const variable = isObject(one) ? one.name : one
    return typeof variable === 'string' ? [[variable, { variable }]] : []
  })
  return {
    launch: {
      type: 'local',
      command: someText(entry.command, 'command'),
      args: textsIn(entry.args, 'args'),
      env: textsByName(entry.env, 'env'),
      ...(entry.cwd !== undefined && { cwd: someText(entry.cwd, 'cwd') }),
    },
    ...(taken.length > 0 && { fromEnvironment: Object.fromEntries(taken) }),
  }
}

function remote(entry: Entry): Pick<ForeignServer, 'launch' | 'fromEnvironment'> {
  if (entry.url === undefined) throw new EntryError('It has neither “command” nor “url”.')
  const taken = Object.entries(textsByName(entry.env_http_headers, 'env_http_headers')).map(
    ([header, variable]): [string, TakenFrom] => [header, { variable }],
  )
  if (entry.bearer_token_env_var !== undefined) {
    const variable = someText(entry.bearer_token_env_var, 'bearer_token_env_var')
    taken.push(['Authorization', { variable, after: 'Bearer ' }])
  }
  const replaced = new Set(taken.map(([header]) => header.toLowerCase()))
  const headers = Object.entries(textsByName(entry.http_headers, 'http_headers'))
  return {
    launch: {
      type: 'remote',
      url: someText(entry.url, 'url'),
      headers: Object.fromEntries(headers.filter(([header]) => !replaced.has(header.toLowerCase()))),
    },
    ...(taken.length > 0 && { fromEnvironment: Object.fromEntries(taken) }),
  }
}
