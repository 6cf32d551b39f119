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
const inMilliseconds = { key: 'timeout', milliseconds: 1 }
const inSeconds = { key: 'timeout', milliseconds: 1000 }
const TYPED = { remote: { type: 'http' }, local: { type: 'stdio' } }

/** Most hosts have JSON with `mcpServers`, and the address under `url`. */
const json = (fileName: string, others: Partial<ExportShape> = {}): ExportShape => ({
  format: 'json',
  fileName,
  under: 'mcpServers',
  address: 'url',
  ...others,
})

export const EXPORT_SHAPES: Readonly<Record<OtherHost, ExportShape>> = {
  'claude-desktop': json('claude_desktop_config.json'),
  'claude-code': json('.claude.json', { ...TYPED, secret: inBraces, timeout: inMilliseconds }),
  vscode: json('mcp.json', { ...TYPED, under: 'servers', secret: (name) => `\${input:${name}}` }),
  cursor: json('mcp.json', { secret: fromEnv }),
  windsurf: json('mcp_config.json', { address: 'serverUrl', secret: fromEnv, off: 'disabled', hidden: 'disabledTools' }),
  cline: json('cline_mcp_settings.json', {
    remote: { type: 'streamableHttp' },
    secret: fromEnv,
    off: 'disabled',
    timeout: inSeconds,
  }),
  zed: json('settings.json', { under: 'context_servers', off: 'enabled', timeout: inSeconds }),
  'lm-studio': json('mcp.json', { secret: fromEnv, timeout: inMilliseconds }),
  goose: {
    format: 'yaml',
    fileName: 'config.yaml',
    under: 'extensions',
    address: 'uri',
    remote: { type: 'streamable_http' },
    local: { type: 'stdio' },
    secret: inBraces,
    off: 'enabled',
    timeout: inSeconds,
  },
  'gemini-cli': json('settings.json', {
    address: 'httpUrl',
    secret: inBraces,
    timeout: inMilliseconds,
    hidden: 'excludeTools',
  }),
  codex: {
    format: 'toml',
    fileName: 'config.toml',
    under: 'mcp_servers',
    address: 'url',
    secret: inBraces,
    off: 'enabled',
    timeout: { key: 'tool_timeout_sec', milliseconds: 1000 },
    hidden: 'disabled_tools',
  },
  project: json('.mcp.json', { ...TYPED, secret: inBraces, timeout: inMilliseconds }),
}
