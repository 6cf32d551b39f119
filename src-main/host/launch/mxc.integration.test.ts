import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fenceHere } from '../../../e2e/support/fence-here.ts'
import { ServerHost, small, temporaryFolder } from '../../../e2e/test-hosts/server-host.ts'
import type { FencePolicy } from '../../../src-shared/contract/servers.ts'
import { withCopied } from './mxc.ts'

const here = process.platform === 'win32' && (await fenceHere())

it('a start of npx copies what was downloaded into the home folder first, and then is that script', async () => {
  const [home, packages] = [await temporaryFolder(), await temporaryFolder()]
  await mkdir(join(packages, 'npm-cache', 'deep'), { recursive: true })
  await writeFile(join(packages, 'npm-cache', 'deep', 'code.js'), 'new')
  await mkdir(join(home, 'npm-cache', 'deep'), { recursive: true })
  await writeFile(join(home, 'npm-cache', 'deep', 'code.js'), 'old')
  await writeFile(join(home, 'npm-cache', 'notes.txt'), 'kept')
  const script = join(packages, 'cli.js')
  await writeFile(script, 'console.log(JSON.stringify(process.argv.slice(1)))')
  const words = withCopied({ command: 'C:\\node\\npx.cmd', args: ['-y', 'pkg'], env: {}, cwd: home }, packages).args
  const args = words.map((word) => (word.endsWith('npx-cli.js') ? script : word))
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, USERPROFILE: home } })
  expect(JSON.parse(stdout)).toEqual([script, '-y', 'pkg'])
  expect(await readFile(join(home, 'npm-cache', 'deep', 'code.js'), 'utf8')).toBe('new')
  expect(await readFile(join(home, 'npm-cache', 'notes.txt'), 'utf8')).toBe('kept')
})

/** Nobody has run these on a computer of their own yet. */
describe.runIf(here)('a server in a container of Windows', () => {
  const policy = (network: FencePolicy['network'], ...folders: FencePolicy['folders']): FencePolicy => ({ network, folders })

  it('reaches its folders and its own home, and nothing else of the computer', async () => {
    const [home, outside] = [await temporaryFolder(), await temporaryFolder()]
    const [reading, writing] = [join(home, 'reading'), join(home, 'writing')]
    for (const folder of [reading, writing, join(home, '.ssh')]) await mkdir(folder)
    const [key, diary, plain, temporary] = [
      join(home, '.ssh', 'id_ed25519'),
      join(home, 'diary.txt'),
      join(reading, 'plain.txt'),
      join(outside, 'host.txt'),
    ]
    for (const file of [key, diary, plain, temporary]) await writeFile(file, 'secret')
    await symlink(join(home, '.ssh'), join(writing, 'way-out'), 'junction')
    const service = createServer((_request, response) => void response.end('served'))
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void service.close().closeAllConnections())
    const { port } = service.address() as AddressInfo
    const parley = await ServerHost.open({ environment: { ...process.env, USERPROFILE: home, PARLEY_SECRET: 'ours' } })
    const fence = policy('none', { path: reading, write: false }, { path: writing, write: true })
    const fenced = await parley.ready('fenced', small('reach.mjs'), { fence })
    const answer = (attempt: string, place: object) => parley.call(fenced, 'try', { attempt, place: JSON.stringify(place) })

    const attempts: readonly (readonly [string, object])[] = [
      ...[key, diary, temporary, parley.storage.serverFile.path, join(writing, 'way-out', 'id_ed25519')].map(
        (path) => ['read', { path }] as const,
      ),
      ...[home, outside, parley.folder, join(parley.folder, 'homes'), 'C:\\Users'].map((path) => ['list', { path }] as const),
      ['read above a folder', { path: diary, folder: writing }],
      ['read through a hard link', { path: diary, folder: writing }],
      ['read through a link', { path: diary, folder: writing }],
      ...[plain, join(reading, 'new.txt'), small('reach.mjs').args[0] ?? '', 'C:\\Windows\\parley-fence.txt'].map(
        (path) => ['write', { path }] as const,
      ),
      ['signal', { pid: process.pid }],
      ['have a variable', { name: 'PARLEY_SECRET' }],
      ['open a port', { host: '127.0.0.1', port }],
      ['open a port', { host: '192.0.2.1', port: 80 }],
      ['look up a name', { name: 'example.com' }],
      ['let a grandchild fetch', { url: `http://127.0.0.1:${port}/` }],
    ]
    const reached: string[] = []
    for (const [attempt, place] of attempts) {
      const said = await answer(attempt, place)
      if (!said.startsWith('refused:')) reached.push(`${attempt} ${JSON.stringify(place)}: ${said}`)
    }
    expect(reached).toEqual([])
    expect(await answer('read', { path: plain })).toBe('reached: secret')
    await answer('write', { path: join(writing, 'new.txt') })
    expect(await readFile(join(writing, 'new.txt'), 'utf8')).toBe('written')
    expect(await answer('write', { path: '~\\notes.txt' })).toContain('reached')
  })

  it('is not let into what a folder leads to', async () => {
    const [home, elsewhere] = [await temporaryFolder(), await temporaryFolder()]
    await symlink(elsewhere, join(home, 'link'), 'junction')
    const parley = await ServerHost.open({ environment: { ...process.env, USERPROFILE: home } })
    const fence = policy('none', { path: join(home, 'link'), write: true })
    await parley.host.servers.edits.add({ name: 'ok', launch: small('ok.mjs'), options: { fence } })
    await parley.answer('ok', 'allow')
    expect((await parley.until('ok', 'failed')).problem?.what).toContain('it leads to')
  })
})
