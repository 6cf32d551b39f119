import { readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type InstalledTarball, installTarball, NODE_PACKAGE } from '../shells/installed-tarball.ts'
import { root, ShellProcess } from '../shells/shell-process.ts'
import { until } from '../support/until.ts'

const LINK = /http:\/\/127\.0\.0\.1:\d+\/#t=[\w-]+/
/** The Node that starts it is an old one: run before the script. */
const oldNode = (version: string) => `Object.defineProperty(process.versions, 'node', { value: '${version}' })`
let tarball: InstalledTarball

beforeAll(async () => {
  tarball = await installTarball()
})
afterAll(() => tarball.remove())

function parley(args: readonly string[], before = ''): ShellProcess {
  const preload = `data:text/javascript,${encodeURIComponent(before)}`
  return new ShellProcess(process.execPath, ['--import', preload, tarball.script, ...args], {})
}

describe('the packed tarball', () => {
  it('contains the built web shell and its launcher; nothing else', () => {
    const paths = tarball.files.map(({ path }) => path)
    for (const path of ['out/main/web.js', 'out/main/photon.wasm', 'out/renderer/index.html', 'out/THIRD-PARTY-NOTICES.txt'])
      expect(paths).toContain(path)
    const known =
      /^(package\.json|LICENSE|README\.md|src-main\/(parley|node-24)\.mjs|out\/((main|renderer)\/.*|THIRD-PARTY-NOTICES\.txt|sbom\.cdx\.json))$/
    expect(paths.filter((path) => !known.test(path) || /\.(ts|tsx|map)$/.test(path))).toEqual([])
    expect(tarball.size).toBeLessThan(12_000_000)
  })

  it('installs nothing but Node where the system lacks it: all else is bundled', async () => {
    const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Record<string, Record<string, string>>
    expect(manifest.dependencies).toBeUndefined()
    expect(Object.keys(manifest.optionalDependencies ?? {}).filter((name) => !/^node-(linux|win)-/.test(name))).toEqual([])
  })

  it.skipIf(process.platform !== 'linux')(
    'starts on Node 20 by the Node that npm installed with it, and serves the page',
    async () => {
      const data = join(tarball.folder, 'data')
      const noOther = `${oldNode('20.19.0')}; process.execPath = '/nowhere/node'; process.env.PATH = ''`
      const shell = parley(['--no-open', '--data', data], noOther)
      const [link] = await shell.printed(LINK)
      expect(await (await fetch(new URL(link).origin)).text()).toContain('<script type="module"')
      expect(await shell.stop()).toBe(0)
    },
  )
})

describe('the command parley', () => {
  it('prints its usage and its version', async () => {
    const help = parley(['--help'])
    expect(await help.ended()).toBe(0)
    for (const option of ['--data', '--port', '--no-open', '--version', '--help']) expect(help.output()).toContain(option)
    const version = parley(['--version'])
    expect(await version.ended()).toBe(0)
    const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
    expect(version.output()).toBe(`${manifest.version}\n`)
  })

  it('names an unknown option and a port in use, and ends with 1', async () => {
    const wrong = parley(['--colour'])
    expect(await wrong.ended()).toBe(1)
    expect(wrong.output()).toMatch(/^Unknown option '--colour'\.\n\nUsage: parley/)
    const taken = createServer().listen(0, '127.0.0.1')
    await until(() => taken.listening)
    const { port } = taken.address() as { port: number }
    const shell = parley(['--no-open', '--data', join(tarball.folder, 'taken'), '--port', String(port)])
    expect(await shell.ended()).toBe(1)
    expect(shell.output()).toContain(`port ${port} is taken by another program`)
    await new Promise((resolve) => taken.close(resolve))
  })

  it.skipIf(process.platform !== 'linux')('says which Node it needs where there is none', async () => {
    const older = parley([], oldNode('18.20.8'))
    expect(await older.ended()).toBe(1)
    expect(older.output()).toBe('Parley needs Node 20.19 or newer to start; this is Node 18.20.8.\n')
    await rm(join(tarball.folder, 'node_modules', NODE_PACKAGE))
    const alone = parley([], `${oldNode('20.19.0')}; process.execPath = '/nowhere/node'; process.env.PATH = ''`)
    expect(await alone.ended()).toBe(1)
    expect(alone.output()).toMatch(/^Parley needs Node 24; this is Node 20\.19\.0, .*Install Node 24\.\n$/)
  })
})
