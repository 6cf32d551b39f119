import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { root } from '../shells/shell-process.ts'
import { firstScripts, loadedAtOnce } from '../support/script-graph.ts'

const out = join(root, 'out')
/** Names that zod gives its classes; they survive shortening. */
const ZOD = /"Zod(?:Type|Object|String)"|`Zod(?:Type|Object|String)`/
const withZod = (scripts: ReadonlyMap<string, string>) => [...scripts].filter(([, text]) => ZOD.test(text)).map(([path]) => path)

describe('the build', () => {
  it('lets the page begin with at most 140 kB of script, gzipped, and without zod', () => {
    const scripts = firstScripts(join(out, 'renderer'))
    const sizes = [...scripts.values()].map((text) => gzipSync(text, { level: 9 }).length)
    expect(sizes.length).toBeGreaterThan(0)
    // A file of src-shared/contract built a schema where the page loads it: make it a function, or import only types.
    expect(withZod(scripts)).toEqual([])
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(140_000)
  })

  it('lets the database thread start without zod, which only the host needs', () => {
    expect(withZod(loadedAtOnce([join(out, 'main', 'database-worker.js')]))).toEqual([])
    expect(withZod(loadedAtOnce([join(out, 'main', 'web.js')]))).not.toEqual([])
  })
})
