import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { HostCore } from '../core/host-core.ts'
import type { Platform } from '../core/platform.ts'
import { findProgram } from './find-program.ts'

let home: string
/** PATH of the login shell. */
let terminal: string | undefined

beforeEach(async () => {
  terminal = undefined
  home = await mkdtemp(join(tmpdir(), 'parley-program-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
})

async function program(path: string, text = '#!/bin/sh\n'): Promise<string> {
  await mkdir(join(home, path, '..'), { recursive: true })
  await writeFile(join(home, path), text)
  await chmod(join(home, path), 0o755)
  return join(home, path)
}

const find = (command: string, args: readonly string[] = [], path = '', cwd?: string) =>
  findProgram(
    { type: 'local', command, args, env: {}, ...(cwd !== undefined && { cwd }) },
    {},
    {
      environment: { PATH: path, HOME: home },
      platform: { os: process.platform } as Platform,
      storage: { folder: home } as HostCore['storage'],
    },
    async () => terminal,
  )

describe('the program of a launch (SEC-22)', () => {
  it('changes as soon as another one of its name comes first on PATH', async () => {
    const real = await program('real/tool')
    expect(await find('tool', [], `${home}/early:${home}/real`)).toMatchObject({ path: real })
    const early = await program('early/tool')
    expect(await find('tool', [], `${home}/early:${home}/real`)).toMatchObject({ path: early })
  })

  it('is absolute, with its folder, wherever Parley itself was started', async () => {
    const script = await program('project/run.sh')
    expect(await find('./run.sh', [], '', 'project')).toMatchObject({ path: script, cwd: join(home, 'project') })
  })

  it('includes what its script holds, even if it is named by a path', async () => {
    await program('bin/node')
    await writeFile(join(home, 'server.js'), 'one')
    const before = await find('node', ['server.js'], join(home, 'bin'))
    expect(before.code).toEqual([{ file: join(home, 'server.js'), hash: expect.stringMatching(/^[0-9a-f]{64}$/) }])
    await writeFile(join(home, 'server.js'), 'two')
    expect((await find('node', ['server.js'], join(home, 'bin'))).code).not.toEqual(before.code)
    const own = await program('own/server')
    expect((await find('./own/server')).code).toEqual([{ file: own, hash: expect.any(String) }])
  })

  it('names what cannot be known, and where a missing one was searched', async () => {
    await program('bin/node')
    expect(await find('node', ['missing.js'], join(home, 'bin'))).toMatchObject({
      code: [{ hash: null }],
      open: expect.stringContaining('could not be read'),
    })
    const gone = await find('gone', [], join(home, 'bin'))
    expect(gone.path).toBeUndefined()
    expect(gone.searched).toContain(join(home, 'bin'))
  })

  it('is found where the login shell finds it, after the other places', async () => {
    await program('bin/tool')
    terminal = `${home}/shell`
    await program('shell/tool')
    expect(await find('tool', [], `${home}/bin`)).toMatchObject({ path: join(home, 'bin/tool') })
    const npx = await program('shell/npx')
    expect(await find('npx', [], `${home}/bin`)).toMatchObject({ path: npx, search: `${home}/bin:${home}/shell` })
  })

  it('gets the login shell’s PATH when its script needs an interpreter found only there', async () => {
    const script = await program('bin/tool', '#!/usr/bin/env rare-interpreter\n')
    terminal = `${home}/shell`
    await program('shell/rare-interpreter')
    expect(await find('tool', [], `${home}/bin`)).toMatchObject({ path: script, search: `${home}/bin:${home}/shell` })
  })
})
