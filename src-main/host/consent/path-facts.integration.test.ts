import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { pathFacts } from './path-facts.ts'

let folder: string
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-paths-')))
  await mkdir(join(folder, 'shop'))
  await writeFile(join(folder, 'keys'), 'x')
  await symlink(join(folder, 'keys'), join(folder, 'shop', 'today.log'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it('finds where the names of a command lead, from the folder in which it runs', async () => {
  const cwd = join(folder, 'shop')
  const { resolved } = await pathFacts({ command: "cat 'today.log' sub/../today.log --file=other.log", cwd }, '/srv')
  expect(resolved.get(join(cwd, 'today.log'))).toBe(join(folder, 'keys'))
  expect(resolved.get(join(cwd, 'other.log'))).toBe(join(cwd, 'other.log'))
  expect((await pathFacts({ command: 'cat today.log' }, cwd)).resolved.size).toBe(0)
})

it('looks at no more than two hundred paths, those in the folder of a command among them', async () => {
  const paths = Array.from({ length: 300 }, (_, n) => `/p/${n}`)
  const command = Array.from({ length: 60 }, (_, n) => `f${n}`).join(' ')
  expect((await pathFacts({ paths, command, cwd: folder }, undefined)).resolved.size).toBe(200)
})
