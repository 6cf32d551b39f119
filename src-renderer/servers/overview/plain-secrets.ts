import { type ConfigValue, IN_THE_CLEAR, type Launch } from '../../../src-shared/contract/servers.ts'
import { valuesOf } from '../labels/server-labels.ts'

/** True for a likely secret in mcp.json. Its text never reaches the page. */
export function isPlainSecret(value: ConfigValue): boolean {
  return 'secret' in value && value.secret.startsWith(IN_THE_CLEAR)
}

export function plainSecretNames(launch: Launch): readonly string[] {
  return Object.entries(valuesOf(launch)).flatMap(([name, value]) => (isPlainSecret(value) ? [name] : []))
}
