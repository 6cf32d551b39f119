import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { checkCommitSubjects } from '../scripts/commit-subjects.mjs'

let cwd: string
const git = (...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=Ana', '-c', 'user.email=ana@parley.example', ...args], { cwd, stdio: 'ignore' })
const commit = (subject: string) => git('commit', '--allow-empty', '-m', subject)

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'parley-subjects-'))
  git('init', '--initial-branch', 'main')
  commit(`An old one ${'x'.repeat(80)}`)
  git('checkout', '-b', 'work')
})
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

it('a subject of 72 characters ahead of main passes, and those of main are not checked', async () => {
  commit('é'.repeat(72))
  expect((await checkCommitSubjects({ cwd })).code).toBe(0)
})

it('a subject of 73 characters ahead of main fails the check and is named', async () => {
  commit('x'.repeat(73))
  const { code, output } = await checkCommitSubjects({ cwd })
  expect(code).toBe(1)
  expect(output).toContain('x'.repeat(73))
})

it('a folder without git passes', async () => {
  rmSync(join(cwd, '.git'), { recursive: true })
  expect((await checkCommitSubjects({ cwd })).code).toBe(0)
})
