import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { CASES, Draw } from '../../../e2e/test-hosts/drawn-case.ts'
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

/** Each case looks at folders on the disk. */
const MOST = Math.min(CASES, 20_000)

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

  it('is recognized wherever nothing may change what runs, and nowhere else', async () => {
    const plain = ['README.md', 'notes.txt', 'src', 'data.csv', '.git', 'Makefile', 'npmrc', 'package.json.bak'] as const
    const deciding = [
      ...(['node_modules', 'package.json', 'deno.json', '.npmrc', '.yarnrc', '.yarnrc.yml', '.yarn', 'bunfig.toml'] as const),
      ...(['.pnpmfile.cjs', 'pnpm-workspace.yaml', 'uv.toml', 'pyproject.toml', 'pip.conf', '.env', '.env.local'] as const),
      ...([
        '.tool-versions',
        'mise.toml',
        '.mise.local.toml',
        '.nvmrc',
        '.node-version',
        '.python-version',
        '.pnpmfile.mjs',
        '.mise/config.toml',
        '.config/mise.toml',
        '.prototools',
        '.envrc',
        'Package.JSON',
      ] as const),
    ] as const
    const trees = await Promise.all(
      [...plain, ...deciding].map(async (name, n) => {
        const depth = ['', 'in/', 'in/here/'][n % 3] ?? ''
        await mkdir(join(home, `tree-${n}/in/here`), { recursive: true })
        await file(`tree-${n}/${depth}${name}`)
        await symlink(join(home, `tree-${n}/in`), join(home, `link-${n}`))
        return { n, depth, decides: !(plain as readonly string[]).includes(name) }
      }),
    )
    const harmless = ['API_TOKEN', 'GITHUB_TOKEN', 'LOG_LEVEL', 'TZ', 'DB_PASSWORD', 'AWS_REGION', 'slack_team_id'] as const
    const core = { environment: { HOME: home }, platform: { os: process.platform } as never }
    const found = { known: 0, unknown: 0 }
    for (let nth = 0; nth < MOST; nth++) {
      const draw = new Draw(nth)
      const { n, depth, decides } = draw.of(trees as unknown as readonly [(typeof trees)[0]])
      const below = draw.of(['', 'in/', 'in/here/'])
      const linked = below !== '' && draw.chance(0.3)
      const cwd = join(home, linked ? `link-${n}/${below.slice(3)}` : `tree-${n}/${below}`)
      const start = draw.of(['', 'NODE_', 'npm_config_', 'UV_', 'LD_', 'GIT_', 'PYTHON', 'XX_'])
      const variable = draw.chance(0.7)
        ? draw.of(harmless)
        : draw.chance(0.2)
          ? draw.of(['PATH', 'HOME', 'NODE_OPTIONS', 'npm_config_registry', 'HTTPS_PROXY'])
          : `${start}${draw.word(['A', 'B', 'E', 'H', 'T'], 2, 6)}${draw.of(['_PATH', '_OPTIONS', '_URL', 'PROXY', '_HOST', 'X'])}`
      const isHarmless = (harmless as readonly string[]).includes(variable)
      const program = draw.chance(0.9) ? { path: join(home, 'system/bin/npx'), cwd } : undefined
      const launch: Launch = {
        ...{ type: 'local', command: 'npx', args: ['-y', FILES], cwd },
        env: draw.chance(0.6) ? {} : { [variable]: draw.chance(0.5) ? { text: 'x' } : { secret: 'x' } },
      }
      const given = Object.keys(launch.env).length === 0 || isHarmless
      const may = program !== undefined && given && !(decides && below.startsWith(depth))
      const name = await publishedLaunch(launch, program, core)
      found[name === undefined ? 'unknown' : 'known'] += 1
      if (name !== (may ? FILES : undefined)) expect({ cwd, env: launch.env, program, name }).toBe(may ? 'known' : 'not known')
    }
    expect(Math.min(found.known, found.unknown)).toBeGreaterThan(MOST / 20)
  })
})
