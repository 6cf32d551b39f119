import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Launch } from '../../../src-shared/contract/servers.ts'
import { findProgram } from './find-program.ts'
import { publishedLaunch } from './published-launch.ts'

const FILES = '@modelcontextprotocol/server-filesystem'
let home: string

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'parley-published-')))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  for (const name of ['npx', 'node', 'uvx']) await file(`system/bin/${name}`, '#!/bin/sh\n', 0o755)
  await mkdir(join(home, 'work'))
})

async function file(path: string, text = '', mode = 0o644): Promise<string> {
  await mkdir(dirname(join(home, path)), { recursive: true })
  await writeFile(join(home, path), text, { mode })
  return join(home, path)
}

/** As the host looks at it before a start: with the program that is really found. */
async function published(command: string, args: readonly string[], env: Record<string, string> = {}, cwd?: string) {
  const variables = Object.fromEntries(Object.entries(env).map(([name, text]) => [name, { text }]))
  const launch: Extract<Launch, { type: 'local' }> = {
    ...{ type: 'local', command, args, env: variables },
    ...(cwd !== undefined && { cwd }),
  }
  const core = {
    environment: { PATH: join(home, 'system/bin'), HOME: home },
    platform: { os: process.platform, shell: 'web', version: '0' } as never,
    storage: { folder: home } as never,
  }
  return publishedLaunch(launch, await findProgram(launch, env, core, async () => undefined), core)
}

describe.skipIf(process.platform === 'win32')('a published server', () => {
  it('is recognized where the runner on PATH runs it with harmless variables', async () => {
    expect(await published('npx', ['-y', FILES, home])).toBe(FILES)
    expect(await published('npx', ['-y', FILES], { GITHUB_TOKEN: 'x', LOG_LEVEL: 'info' }, join(home, 'work'))).toBe(FILES)
    expect(await published('uvx', ['mcp-server-git'])).toBe('pypi:mcp-server-git')
  })

  it('is not recognized where the runner is named by a path', async () => {
    await file('elsewhere/npx', '#!/bin/sh\n', 0o755)
    expect(await published(join(home, 'elsewhere/npx'), ['-y', FILES])).toBeUndefined()
    expect(await published(join(home, 'system/bin/npx'), ['-y', FILES])).toBeUndefined()
    expect(await published('missing-npx', ['-y', FILES])).toBeUndefined()
  })

  it('is not recognized where PATH is a variable of its own', async () => {
    await file('elsewhere/npx', '#!/bin/sh\n', 0o755)
    expect(await published('npx', ['-y', FILES], { PATH: join(home, 'elsewhere') })).toBeUndefined()
  })

  it.each(['NODE_OPTIONS', 'npm_config_registry', 'HTTPS_PROXY', 'SOMETHING_NEW', 'HOME'])(
    'is not recognized with the variable %s, which may be harmful',
    async (name) => {
      expect(await published('npx', ['-y', FILES], { [name]: 'x' })).toBeUndefined()
    },
  )

  it.each(['node_modules/.bin/x', 'package.json', '.npmrc', '.yarnrc.yml', 'bunfig.toml', '.env'])(
    'is not recognized where the working folder or a parent has %s',
    async (name) => {
      await mkdir(join(home, 'work/in/here'), { recursive: true })
      const made = await file(`work/${name}`)
      for (const cwd of ['work', 'work/in/here']) {
        expect(await published('npx', ['-y', FILES], {}, join(home, cwd)), cwd).toBeUndefined()
      }
      await symlink(join(home, 'work/in'), join(home, 'innocent'))
      expect(await published('npx', ['-y', FILES], {}, join(home, 'innocent'))).toBeUndefined()
      await rm(made)
    },
  )

  it('is recognized despite settings in the home folder, and not with packages there', async () => {
    await file('.npmrc', 'audit=false')
    expect(await published('npx', ['-y', FILES])).toBe(FILES)
    await file('node_modules/.bin/x')
    expect(await published('npx', ['-y', FILES])).toBeUndefined()
  })

  it('is not recognized as a file below another node_modules than this Node’s', async () => {
    const other = await file(`work/node_modules/${FILES}/index.mjs`)
    expect(await published('node', [other])).toBeUndefined()
    const installed = await file(`system/lib/node_modules/${FILES}/dist/index.js`)
    expect(await published('node', [installed, home])).toBe(FILES)
    await mkdir(join(home, 'system/lib/node_modules/@linked'), { recursive: true })
    await symlink(join(home, 'work/node_modules', FILES), join(home, 'system/lib/node_modules/@linked/server'))
    expect(await published('node', [join(home, 'system/lib/node_modules/@linked/server/index.mjs')])).toBeUndefined()
  })
})
