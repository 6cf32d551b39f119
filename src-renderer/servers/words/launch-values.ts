import { type ConfigValue, IN_THE_CLEAR, type Launch } from '../../../src-shared/contract/servers.ts'

/** Its variables or headers. */
export function valuesOf(launch: Launch): Readonly<Record<string, ConfigValue>> {
  switch (launch.type) {
    case 'local':
      return launch.env
    case 'remote':
      return launch.headers
    case 'built-in':
      return {}
  }
}

/** A value that looks secret and yet stands in mcp.json; its text never reaches the page. */
export function standsInTheClear(value: ConfigValue): boolean {
  return 'secret' in value && value.secret.startsWith(IN_THE_CLEAR)
}

/** The names of such values. */
export function inTheClear(launch: Launch): readonly string[] {
  return Object.entries(valuesOf(launch)).flatMap(([name, value]) => (standsInTheClear(value) ? [name] : []))
}
