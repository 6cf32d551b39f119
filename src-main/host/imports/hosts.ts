import { isObject } from '../../../src-shared/base/json.ts'
import type { OtherHost } from '../../../src-shared/contract/imports.ts'
import type { Entry } from '../../../src-shared/foreign/entry-values.ts'
import { ConfigError, type ForeignConfig } from '../../../src-shared/foreign/foreign-server.ts'
import { mergedConfigs, readInputs, readServers } from '../../../src-shared/foreign/json-config.ts'
import { readJsonEntry } from '../../../src-shared/foreign/json-entry.ts'
import { readCodex } from './codex.ts'
import type { ConfigurationFormat, ConfigurationText } from './configuration-text.ts'
import { readGoose } from './goose.ts'
import type { Syntax } from './variables.ts'

/** The format of a host's configuration, to read and to write it. Keys are absent for what it cannot express. */
export interface HostFormat {
  readonly format: ConfigurationFormat
  readonly fileName: string
  /** The key that holds the servers. */
  readonly under: string
  readonly timeout?: { readonly key: string; readonly milliseconds: number }
  /** Notations of variables that it replaces. */
  readonly syntaxes: readonly Syntax[]
  /** Characters, for a host whose files are larger. */
  readonly most?: number
  /** Throws ConfigError. */
  readonly read: (root: Entry, text: ConfigurationText, format: HostFormat) => ForeignConfig
  /** The key of a remote server's address, to write it. */
  readonly address: string
  /** Members of every remote or local entry that is written. */
  readonly remote?: Readonly<Record<string, string>>
  readonly local?: Readonly<Record<string, string>>
  /** The placeholder for a value from an environment variable or an input. */
  readonly secret?: (name: string) => string
  readonly off?: 'disabled' | 'enabled'
  readonly hidden?: string
}

const inBraces = (name: string) => `\${${name}}`
const fromEnv = (name: string) => `\${env:${name}}`
const inMilliseconds = { key: 'timeout', milliseconds: 1 }
const inSeconds = { key: 'timeout', milliseconds: 1000 }
const TYPED = { remote: { type: 'http' }, local: { type: 'stdio' } }

/** Most hosts have JSON with `mcpServers`, and the address under `url`. */
const json = (fileName: string, others: Partial<HostFormat> = {}): HostFormat => ({
  format: 'json',
  fileName,
  under: 'mcpServers',
  syntaxes: [],
  read: readUnderKey,
  address: 'url',
  ...others,
})

/** Formats by each host's documentation, which the README of the fixtures names. */
export const HOST_FORMATS: Readonly<Record<OtherHost, HostFormat>> = {
  'claude-desktop': json('claude_desktop_config.json'),
  'claude-code': json('.claude.json', {
    ...TYPED,
    read: readClaudeCode,
    // The file also holds its conversations.
    most: 16 * 1024 * 1024,
    syntaxes: ['braces'],
    secret: inBraces,
    timeout: inMilliseconds,
  }),
  vscode: json('mcp.json', {
    ...TYPED,
    under: 'servers',
    read: readVsCode,
    syntaxes: ['code'],
    secret: (name) => `\${input:${name}}`,
  }),
  cursor: json('mcp.json', { syntaxes: ['code'], secret: fromEnv }),
  windsurf: json('mcp_config.json', {
    address: 'serverUrl',
    syntaxes: ['env'],
    secret: fromEnv,
    off: 'disabled',
    hidden: 'disabledTools',
  }),
  cline: json('cline_mcp_settings.json', {
    remote: { type: 'streamableHttp' },
    syntaxes: ['env'],
    secret: fromEnv,
    off: 'disabled',
    timeout: inSeconds,
  }),
  zed: json('settings.json', { under: 'context_servers', off: 'enabled', timeout: inSeconds }),
  // LM Studio follows Cursor's notation.
  'lm-studio': json('mcp.json', { syntaxes: ['code'], secret: fromEnv, timeout: inMilliseconds }),
  goose: {
    format: 'yaml',
    fileName: 'config.yaml',
    under: 'extensions',
    syntaxes: [],
    read: readGoose,
    address: 'uri',
    remote: { type: 'streamable_http' },
    local: { type: 'stdio' },
    secret: inBraces,
    off: 'enabled',
    timeout: inSeconds,
  },
  'gemini-cli': json('settings.json', {
    address: 'httpUrl',
    syntaxes: ['braces', 'dollar'],
    secret: inBraces,
    timeout: inMilliseconds,
    hidden: 'excludeTools',
  }),
  codex: {
    format: 'toml',
    fileName: 'config.toml',
    under: 'mcp_servers',
    syntaxes: [],
    read: readCodex,
    address: 'url',
    secret: inBraces,
    off: 'enabled',
    timeout: { key: 'tool_timeout_sec', milliseconds: 1000 },
    hidden: 'disabled_tools',
  },
  project: json('.mcp.json', { ...TYPED, syntaxes: ['braces'], secret: inBraces, timeout: inMilliseconds }),
}

export function configurationRoot({ value }: ConfigurationText): Entry {
  if (!isObject(value)) throw new ConfigError('It must hold an object.')
  return value
}

function readUnderKey(root: Entry, text: ConfigurationText, { under, timeout }: HostFormat): ForeignConfig {
  const units = { ...(timeout && { timeout: timeout.milliseconds }) }
  return readServers(root[under], under, (name, value) => readJsonEntry(name, value, units), text.duplicateKeys)
}

/** The person's servers, and those of each project by its folder. */
function readClaudeCode(root: Entry, text: ConfigurationText, format: HostFormat): ForeignConfig {
  const projects = isObject(root.projects) ? Object.entries(root.projects) : []
  const inProjects = projects.flatMap(([project, settings]) => {
    if (!isObject(settings)) return []
    const { servers, ...rest } = readUnderKey(settings, text, format)
    return [{ ...rest, servers: servers.map((server) => ({ ...server, project })) }]
  })
  return mergedConfigs([readUnderKey(root, text, format), ...inProjects])
}

/** `mcp.json` has its servers at the top, settings.json below `mcp`. */
function readVsCode(root: Entry, text: ConfigurationText, format: HostFormat): ForeignConfig {
  const top = isObject(root.mcp) ? root.mcp : root
  return { ...readUnderKey(top, text, format), inputs: readInputs(top.inputs) }
}
