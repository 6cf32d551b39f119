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

interface HostFormat {
  readonly format: ConfigurationFormat
  readonly syntaxes: readonly Syntax[]
  /** Characters, for a host whose files are larger. */
  readonly most?: number
  /** Throws ConfigError. */
  readonly read: (root: Entry, text: ConfigurationText) => ForeignConfig
}

const SECONDS = 1000
const MILLISECONDS = 1

function underKey(key: string, timeout?: number): HostFormat['read'] {
  return (root, text) =>
    readServers(
      root[key],
      key,
      (name, value) => readJsonEntry(name, value, { ...(timeout !== undefined && { timeout }) }),
      text.duplicateKeys,
    )
}

const json = (read: HostFormat['read'], ...syntaxes: Syntax[]): HostFormat => ({ format: 'json', syntaxes, read })

/** Formats by each host's documentation, which the README of the fixtures names. */
export const HOST_FORMATS: Readonly<Record<OtherHost, HostFormat>> = {
  'claude-desktop': json(underKey('mcpServers')),
  // The file also holds its conversations.
  'claude-code': { ...json(readClaudeCode, 'braces'), most: 16 * 1024 * 1024 },
  vscode: json(readVsCode, 'code'),
  cursor: json(underKey('mcpServers'), 'code'),
  windsurf: json(underKey('mcpServers'), 'env'),
  cline: json(underKey('mcpServers', SECONDS), 'env'),
  zed: json(underKey('context_servers', SECONDS)),
  // LM Studio follows Cursor's notation.
  'lm-studio': json(underKey('mcpServers', MILLISECONDS), 'code'),
  goose: { format: 'yaml', syntaxes: [], read: readGoose },
  'gemini-cli': json(underKey('mcpServers', MILLISECONDS), 'braces', 'dollar'),
  codex: { format: 'toml', syntaxes: [], read: readCodex },
  project: json(underKey('mcpServers', MILLISECONDS), 'braces'),
}

export function configurationRoot({ value }: ConfigurationText): Entry {
  if (!isObject(value)) throw new ConfigError('It must hold an object.')
  return value
}

/** The person's servers, and those of each project by its folder. */
function readClaudeCode(root: Entry, text: ConfigurationText): ForeignConfig {
  const own = underKey('mcpServers', MILLISECONDS)
  const projects = isObject(root.projects) ? Object.entries(root.projects) : []
  const inProjects = projects.flatMap(([project, settings]) => {
    if (!isObject(settings)) return []
    const { servers, ...rest } = own(settings, text)
    return [{ ...rest, servers: servers.map((server) => ({ ...server, project })) }]
  })
  return mergedConfigs([own(root, text), ...inProjects])
}

/** `mcp.json` has its servers at the top, settings.json below `mcp`. */
function readVsCode(root: Entry, text: ConfigurationText): ForeignConfig {
  const top = isObject(root.mcp) ? root.mcp : root
  return { ...underKey('servers')(top, text), inputs: readInputs(top.inputs) }
}
