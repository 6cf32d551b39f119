import { type ConfigValue, IN_THE_CLEAR, type Launch } from '../../../src-shared/contract/servers.ts'
import { valuesOf } from '../labels/server-labels.ts'

/** A value that looks secret and yet stands in mcp.json; its text never reaches the page. */
export function standsInTheClear(value: ConfigValue): boolean {
  return 'secret' in value && value.secret.startsWith(IN_THE_CLEAR)
}

/** The names of such values. */
export function namesInTheClear(launch: Launch): readonly string[] {
  return Object.entries(valuesOf(launch)).flatMap(([name, value]) => (standsInTheClear(value) ? [name] : []))
}
