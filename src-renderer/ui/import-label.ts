import { type FoundConfig, OTHER_HOSTS } from '../../src-shared/contract/imports.ts'
import { counted, listed } from './amounts.ts'

/** Apps that a button names. */
const MAX_NAMED = 2

/** "Import 8 servers from Claude Desktop", or "Import servers" where none were found. */
export function importLabel(found: readonly FoundConfig[]): string {
  const count = found.reduce((sum, { servers }) => sum + servers, 0)
  if (count === 0) return 'Import servers'
  const apps = [...new Set(found.flatMap(({ host, servers }) => (servers > 0 ? [OTHER_HOSTS[host]] : [])))]
  const where = apps.length > MAX_NAMED ? counted(apps.length, 'app') : listed(apps)
  return `Import ${counted(count, 'server')} from ${where}`
}
