import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ManualClock } from '../../e2e/support/manual-clock.ts'
import { zip } from '../../e2e/support/zip-writer.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import { Bundles } from './bundles.ts'
import { isUnchanged, removeUnpacked } from './kept-bundle.ts'

const MANIFEST = JSON.stringify({
  manifest_version: '0.3',
  name: 'notes',
  version: '1.2.0',
  description: 'Reads notes',
  author: { name: 'Ann' },
  server: { type: 'node', entry_point: 'index.js', mcp_config: { command: 'node', args: ['index.js'] } },
})
const BUNDLE = zip([
  { name: 'manifest.json', content: MANIFEST },
  { name: 'lib/a.js', content: 'a' },
])

let home: string
let lifetime: Lifetime
let bundles: Bundles
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'parley-bundles-'))
  lifetime = new Lifetime('test')
  bundles = new Bundles({ clock: new ManualClock(), lifetime, dataFolder: home, os: 'linux' })
})
afterEach(async () => {
  await lifetime.end()
  await removeUnpacked(home)
})

const inFolder = async () => (await readdir(join(home, 'bundles'))).sort()

async function send(bytes: Buffer): Promise<string> {
  const upload = await bundles.receive(bytes.subarray(0, 50))
  return bundles.receive(bytes.subarray(50), upload)
}

it('a bundle that comes in pieces is unpacked to a read-only folder named by its hash (MCPB-7)', async () => {
  const installed = await bundles.install(await send(BUNDLE), 'notes.mcpb')
  expect(installed).toMatchObject({ source: 'notes.mcpb', manifest: { name: 'notes' }, bytes: MANIFEST.length + 1 })
  expect(installed.folder).toBe(join(home, 'bundles', installed.sha256))
  expect((await stat(installed.folder)).mode & 0o777).toBe(0o555)
  expect(await inFolder()).toEqual([installed.sha256, `${installed.sha256}.json`])
  expect(await isUnchanged(home, installed.sha256)).toBe(true)
  expect(await bundles.install(await send(BUNDLE), 'again.mcpb')).toMatchObject({ folder: installed.folder })
})

it('nothing is left of a bundle that is refused, damaged or too new (MCPB-7)', async () => {
  await expect(bundles.install(await send(BUNDLE.subarray(0, -1)), 'x')).rejects.toThrow(/not a bundle/)
  const newer = zip([
    { name: 'manifest.json', content: MANIFEST.replace('0.3', '9.0') },
    { name: 'a/b', content: 'x' },
  ])
  await expect(bundles.install(await send(newer), 'x')).rejects.toThrow(/“9.0”/)
  await expect(bundles.install('another', 'x')).rejects.toThrow(/interrupted/)
  expect(await inFolder()).toEqual([])
})

it('a changed, missing or additional file is noticed, and a new installation repairs it (MCPB-7, MCPB-17)', async () => {
  const { sha256, folder } = await bundles.install(await send(BUNDLE), 'x')
  for (const change of [
    () => writeFile(join(folder, 'lib/a.js'), 'evil'),
    () => writeFile(join(folder, 'lib/b.js'), 'evil'),
    () => rm(join(folder, 'lib/a.js')),
  ]) {
    await chmod(join(folder, 'lib'), 0o755)
    await chmod(join(folder, 'lib/a.js'), 0o644)
    await change()
    expect(await isUnchanged(home, sha256)).toBe(false)
    await bundles.install(await send(BUNDLE), 'x')
    expect(await isUnchanged(home, sha256)).toBe(true)
  }
})

it('bundles that no server uses are removed, with leftovers of an earlier run (MCPB-22)', async () => {
  const { sha256 } = await bundles.install(await send(BUNDLE), 'x')
  await writeFile(join(home, 'bundles', 'left.part'), '')
  await bundles.tidy(new Set([sha256]))
  expect(await inFolder()).toEqual([sha256, `${sha256}.json`])
  await bundles.tidy(new Set())
  expect(await inFolder()).toEqual([])
})
