import type { ExportedConfig, OtherHost } from '../../../src-shared/contract/imports.ts'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { configuredValues } from '../launch/launch-values.ts'

/** Servers in another host's words; a secret becomes what that host asks for or takes from the environment. */
export function exportServers(_host: OtherHost, servers: readonly ServerRecord[]): ExportedConfig {
  const mcpServers = Object.fromEntries(
    servers.map(({ name, launch }) => {
      const values = Object.fromEntries(
        Object.entries(configuredValues(launch)).map(([key, value]) => [key, 'secret' in value ? `\${${key}}` : value.text]),
      )
      if (launch.type === 'local') return [name, { command: launch.command, args: launch.args, env: values }]
      return [name, launch.type === 'remote' ? { url: launch.url, headers: values } : {}]
    }),
  )
  return { text: `${JSON.stringify({ mcpServers }, undefined, 2)}\n`, fileName: 'claude_desktop_config.json', notes: [] }
}
