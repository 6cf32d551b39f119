import type { OtherHost } from '../../../src-shared/contract/imports.ts'
import type { ConfigurationFormat } from './configuration-text.ts'

/** The keys by which a host writes an entry; absent for what it cannot express. */
export interface ExportShape {
  readonly format: ConfigurationFormat
  readonly fileName: string
  /** The key that holds the servers. */
  readonly under: string
  readonly address: string
  /** Members of every remote or local entry. */
  readonly remote?: Readonly<Record<string, string>>
  readonly local?: Readonly<Record<string, string>>
  /** The placeholder for a value from an environment variable or an input. */
  readonly secret?: (name: string) => string
  readonly off?: 'disabled' | 'enabled'
  readonly timeout?: { readonly key: string; readonly milliseconds: number }
  readonly hidden?: string
}

const inBraces = (name: string) => `\${${name}}`
const fromEnv = (name: string) => `\${env:${name}}`
const SECONDS = 1000

export const EXPORT_SHAPES: Readonly<Record<OtherHost, ExportShape>> = {
  'claude-desktop': { format: 'json', fileName: 'claude_desktop_config.json', under: 'mcpServers', address: 'url' },
  'claude-code': {
    ...{ format: 'json', fileName: '.claude.json', under: 'mcpServers', address: 'url', remote: { type: 'http' } },
    ...{ local: { type: 'stdio' }, secret: inBraces, timeout: { key: 'timeout', milliseconds: 1 } },
  },
  vscode: {
    ...{
      format: 'json',
      fileName: 'mcp.json',
      under: 'servers',
      address: 'url',
      remote: { type: 'http' },
      local: { type: 'stdio' },
    },
    secret: (name) => `\${input:${name}}`,
  },
  cursor: { format: 'json', fileName: 'mcp.json', under: 'mcpServers', address: 'url', secret: fromEnv },
  windsurf: {
    ...{ format: 'json', fileName: 'mcp_config.json', under: 'mcpServers', address: 'serverUrl', secret: fromEnv },
    ...{ off: 'disabled', hidden: 'disabledTools' },
  },
  cline: {
    ...{ format: 'json', fileName: 'cline_mcp_settings.json', under: 'mcpServers', address: 'url' },
    ...{ remote: { type: 'streamableHttp' }, secret: fromEnv, off: 'disabled' },
    timeout: { key: 'timeout', milliseconds: SECONDS },
  },
  zed: {
    ...{ format: 'json', fileName: 'settings.json', under: 'context_servers', address: 'url', off: 'enabled' },
    timeout: { key: 'timeout', milliseconds: SECONDS },
  },
  'lm-studio': {
    ...{ format: 'json', fileName: 'mcp.json', under: 'mcpServers', address: 'url', secret: fromEnv },
    timeout: { key: 'timeout', milliseconds: 1 },
  },
  goose: {
    ...{ format: 'yaml', fileName: 'config.yaml', under: 'extensions', address: 'uri', remote: { type: 'streamable_http' } },
    ...{ local: { type: 'stdio' }, secret: inBraces, off: 'enabled', timeout: { key: 'timeout', milliseconds: SECONDS } },
  },
  'gemini-cli': {
    ...{ format: 'json', fileName: 'settings.json', under: 'mcpServers', address: 'httpUrl', secret: inBraces },
    ...{ timeout: { key: 'timeout', milliseconds: 1 }, hidden: 'excludeTools' },
  },
  codex: {
    ...{ format: 'toml', fileName: 'config.toml', under: 'mcp_servers', address: 'url', secret: inBraces, off: 'enabled' },
    ...{ timeout: { key: 'tool_timeout_sec', milliseconds: SECONDS }, hidden: 'disabled_tools' },
  },
  project: {
    ...{ format: 'json', fileName: '.mcp.json', under: 'mcpServers', address: 'url', remote: { type: 'http' } },
    ...{ local: { type: 'stdio' }, secret: inBraces, timeout: { key: 'timeout', milliseconds: 1 } },
  },
}
