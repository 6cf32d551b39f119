import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createBuilder } from 'vite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hashSources, isBuilt, MADE, stamp, stampBuild } from '../../src-main/build-stamp.mjs'

let project: string

/** A project with a whole build of the sources that it has. */
beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'parley-stamp-'))
  const sources = ['src-main/a.js', 'src-renderer/a.ts', 'src-shared/a.ts', 'vite.config.ts', 'package.json', 'package-lock.json']
  for (const path of [...sources, ...MADE.map((name) => `out/${name}`)]) {
    await mkdir(dirname(join(project, path)), { recursive: true })
    await writeFile(join(project, path), path === 'package.json' ? '{}' : '')
  }
  stampBuild(project, hashSources(project))
})

afterEach(() => rm(project, { recursive: true, force: true }))

/** Vite's own build with the plugin of vite.config.ts; the last bundle ends it half-way when told to. */
async function build(failing: boolean): Promise<void> {
  const builder = await createBuilder({
    root: project,
    configFile: false,
    logLevel: 'silent',
    builder: { buildApp: async (all) => void (await all.build(all.environments.client!)) },
    plugins: [
      stamp(project),
      {
        name: 'half-way',
        writeBundle() {
          if (failing) throw new Error('The disk is full.')
        },
      },
    ],
    build: { outDir: 'out/main', emptyOutDir: false, rolldownOptions: { input: join(project, 'src-main/a.js') } },
  })
  await builder.buildApp()
}

describe('the note of what a build was made from', () => {
  it('goes when a build begins, so that one that ends half-way is not taken as whole', async () => {
    expect(isBuilt(project)).toBe(true)
    await expect(build(true)).rejects.toThrow('The disk is full.')
    expect(isBuilt(project)).toBe(false)
    await build(false)
    expect(isBuilt(project)).toBe(true)
  })
})
