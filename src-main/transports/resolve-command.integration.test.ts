import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resolveCommand } from './resolve-command.ts'

describe('the resolution of a command', () => {
  let folder = ''
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'resolve-')))
    await mkdir(path.join(folder, 'a'))
    await mkdir(path.join(folder, 'b'))
    for (const name of ['a/plain', 'b/tool']) await writeFile(path.join(folder, name), '#!/bin/sh\n')
    await chmod(path.join(folder, 'b/tool'), 0o755)
  })
  afterEach(() => rm(folder, { recursive: true }))
  const search = () => ({ PATH: `relative:${folder}/a:${folder}/b` })

  it('finds the first executable file along PATH', async () => {
    await mkdir(path.join(folder, 'a/tool')) // a folder of that name is no command
    expect(await resolveCommand('tool', search(), '/', 'linux')).toEqual({ path: path.join(folder, 'b/tool') })
  })

  it('resolves a path against the folder it will run in', async () => {
    expect(await resolveCommand('./b/tool', {}, folder, 'linux')).toEqual({ path: path.join(folder, 'b/tool') })
    await symlink(path.join(folder, 'b/tool'), path.join(folder, 'link'))
    expect(await resolveCommand('./link', {}, folder, 'linux')).toEqual({ path: path.join(folder, 'link') })
  })

  it('refuses what is not executable, relative folders of PATH and missing commands, and lists where it looked', async () => {
    const searched = [path.join(folder, 'a'), path.join(folder, 'b')]
    expect(await resolveCommand('plain', search(), folder, 'linux')).toEqual({ notFound: true, searched })
    expect(await resolveCommand('missing', {}, folder, 'linux')).toEqual({ notFound: true, searched: [] })
    expect(await resolveCommand('./missing', {}, folder, 'linux')).toEqual({
      notFound: true,
      searched: [path.join(folder, 'missing')],
    })
  })
})
