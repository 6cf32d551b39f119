import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { extractFile, listPackage } from '@electron/asar'
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { node, root } from '../support/shell-process.ts'

/** By this mark the fuse tool finds its place in Electron's program. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
const OFF = '0'.charCodeAt(0)
const ON = '1'.charCodeAt(0)

let folder: string
let app: string
let files: string[]

/** What electron-builder expects of an unpacked Electron: names, a version, and a program with fuses, all set to "off". */
async function stubElectron(): Promise<string> {
  const dist = join(folder, 'electron')
  await mkdir(join(dist, 'locales'), { recursive: true })
  await mkdir(join(dist, 'resources'))
  const wire = Buffer.concat([Buffer.from(SENTINEL), Buffer.from([1, 9]), Buffer.from('0'.repeat(9))])
  await writeFile(join(dist, 'electron'), Buffer.concat([Buffer.alloc(64), wire, Buffer.alloc(64)]))
  await chmod(join(dist, 'electron'), 0o755)
  await writeFile(join(dist, 'locales', 'en-US.pak'), '')
  for (const name of ['chrome-sandbox', 'chrome_crashpad_handler', 'LICENSE', 'LICENSES.chromium.html']) {
    await writeFile(join(dist, name), '')
  }
  const { version } = JSON.parse(await readFile(join(root, 'node_modules', 'electron', 'package.json'), 'utf8')) as {
    version: string
  }
  await writeFile(join(dist, 'version'), version)
  return dist
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-package-'))
  const output = join(folder, 'dist')
  const builder = join(root, 'node_modules', 'electron-builder', 'cli.js')
  const config = [`--config.electronDist=${await stubElectron()}`, `--config.directories.output=${output}`]
  await promisify(execFile)(node, [builder, '--linux', 'dir', '--publish', 'never', ...config], { cwd: root })
  app = join(output, 'linux-unpacked')
  files = listPackage(join(app, 'resources', 'app.asar'), { isPack: false }).map((file) => file.replaceAll('\\', '/'))
}, 120_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the package', () => {
  it('holds main, preload, page, the threads and the image codec', () => {
    for (const file of [
      'main/electron.js',
      'main/web.js',
      'main/database-worker.js',
      'main/image-worker.js',
      'main/photon.wasm',
      'main/schema-worker.js',
      'preload/preload.cjs',
      'renderer/index.html',
    ]) {
      expect(files).toContain(`/out/${file}`)
    }
    const manifest = JSON.parse(extractFile(join(app, 'resources', 'app.asar'), 'package.json').toString()) as { main: string }
    expect(files).toContain(`/${manifest.main}`)
  })

  it('brings its licence, those of what it carries and their list, where a person finds them', async () => {
    for (const file of ['LICENSE', 'THIRD-PARTY-NOTICES.txt', 'sbom.cdx.json']) {
      const source = file === 'LICENSE' ? file : join('out', file)
      expect(await readFile(join(app, 'resources', file), 'utf8')).toBe(await readFile(join(root, source), 'utf8'))
    }
  })

  it('holds nothing else: no sources, no tests, no reports, no node_modules, no Node', () => {
    const known = /^\/(package\.json|LICENSE|out(\/(main|preload|renderer)(\/.*)?)?)$/
    expect(files.filter((file) => !known.test(file))).toEqual([])
    expect(files.filter((file) => /\.(tsx?|map|test\.\w+)$/.test(file))).toEqual([])
  })

  it('needs no package that it does not carry', () => {
    const main = files.filter((file) => /^\/out\/main\/.*\.js$/.test(file))
    const optional = ['electron', 'vite', 'bufferutil', 'utf-8-validate']
    for (const file of main) {
      const text = extractFile(join(app, 'resources', 'app.asar'), file.slice(1)).toString()
      const imports = [...text.matchAll(/^(?:import|export)\s(?:[^'"\n]*?\sfrom\s)?["']([^"'\n]+)["'];?$/gm)].map(
        (match) => match[1] as string,
      )
      const foreign = imports.filter((name) => !/^(\.|node:)/.test(name) && !optional.includes(name))
      expect([file, foreign]).toEqual([file, []])
    }
  })

  it('cannot be made to run other code: not as Node, not by options, not from an app beside it (SEC-19)', async () => {
    const wire = await getCurrentFuseWire(join(app, 'parley'))
    expect(wire).toMatchObject({
      [FuseV1Options.RunAsNode]: OFF,
      [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: OFF,
      [FuseV1Options.EnableNodeCliInspectArguments]: OFF,
      [FuseV1Options.GrantFileProtocolExtraPrivileges]: OFF,
      [FuseV1Options.EnableCookieEncryption]: ON,
      [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: ON,
      [FuseV1Options.OnlyLoadAppFromAsar]: ON,
    })
  })
})
