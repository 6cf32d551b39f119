import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.mjs'

/** Which parts of `npm test` run the tests of a file or below a folder, whose path begins at the root. */
export function partsOf(path) {
  if (!existsSync(join(root, path))) return []
  const folder = statSync(join(root, path)).isDirectory()
  if (!folder && !/\.(test\.tsx?|spec\.ts)$/.test(path)) return []
  if (path.startsWith('e2e/flows')) return ['flows']
  if (/^e2e\/(interop|zoo|chaos|conformance)(\/|$)/.test(path)) return ['interop']
  if (folder) return /^src-/.test(path) ? ['unit', 'integration'] : []
  return path.endsWith('.integration.test.ts') ? ['integration'] : ['unit']
}
