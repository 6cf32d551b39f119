import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fenceHere } from '../../../e2e/support/fence-here.ts'
import { testConnector } from '../../../e2e/support/test-connector.ts'
import { until } from '../../../e2e/support/until.ts'
import { ServerHost, small, temporaryFolder } from '../../../e2e/test-hosts/server-host.ts'
import { Lifetime } from '../../../src-shared/base/lifetime.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { FencePolicy } from '../../../src-shared/contract/servers.ts'

const here = await fenceHere()

type Place = Readonly<Record<string, string | number>>
interface Attempt {
  readonly attempt: string
  readonly place: Place
  /** False where a program without a fence is refused as well, or would do harm. */
  readonly open?: false
  /** The only system that has what is tried. */
  readonly on?: 'linux' | 'darwin'
}

const os = process.platform
const isLinux = os === 'linux'

/** A computer with secrets, other programs and services, and one folder each that may be read and changed. */
async function computer() {
  const home = await temporaryFolder()
  const outside = await temporaryFolder()
  const [reading, writing] = [join(home, 'reading'), join(home, 'writing')]
  for (const folder of [
    reading,
    writing,
    join(home, '.ssh'),
    join(home, '.config/google-chrome'),
    join(home, 'notes'),
    join(home, 'bin'),
  ]) {
    await mkdir(folder, { recursive: true })
  }
  const secret = (path: string) => writeFile(join(home, path), 'secret').then(() => join(home, path))
  const files = {
    key: await secret('.ssh/id_ed25519'),
    browser: await secret('.config/google-chrome/Cookies'),
    note: await secret('notes/diary.txt'),
    profile: await secret('.bashrc'),
    plain: await secret('reading/plain.txt'),
    draft: await secret('writing/plain.txt'),
    temporary: join(outside, 'host.txt'),
    memory: `/dev/shm/parley-fence-${process.pid}`,
  }
  await writeFile(files.temporary, 'secret')
  if (isLinux) await writeFile(files.memory, 'secret')
  await symlink(files.note, join(writing, 'way-out'))
  const other = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)', `parley-other-${process.pid}`], {
    stdio: 'ignore',
  })
  onTestFinished(() => void other.kill('SIGKILL'))
  const sockets = { path: join(outside, 'agent.sock'), abstract: `parley-fence-${process.pid}` }
  const port = await listening({ host: '127.0.0.1', port: 0 })
  const port6 = await listening({ host: '::1', port: 0 }).catch(() => undefined) // A system without IPv6.
  await listening({ path: sockets.path })
  if (isLinux) await listening({ path: `\0${sockets.abstract}` })
  await chmod(sockets.path, 0o777)
  const datagrams = createSocket('udp4')
  const datagramPort = await new Promise<number>((resolve) =>
    datagrams.bind(0, '127.0.0.1', () => resolve(datagrams.address().port)),
  )
  onTestFinished(() => void datagrams.close())
  return { home, outside, reading, writing, files, other: other.pid ?? 0, sockets, port, port6, datagramPort }
}

/** The port of a service of this computer that answers HTTP. */
async function answering(): Promise<number> {
  const server = createHttpServer((_request, response) => void response.end('served'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  return (server.address() as AddressInfo).port
}

async function listening(options: { readonly host?: string; readonly port?: number; readonly path?: string }): Promise<number> {
  const server: Server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options, resolve)
  })
  onTestFinished(() => void server.close())
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

const policy = (network: FencePolicy['network'], ...folders: FencePolicy['folders']): FencePolicy => ({ network, folders })

// A container of Windows has tests of its own.
describe.skipIf(!here || os === 'win32')('a fenced server', () => {
  it('reaches its folders and its own home, and nothing else of the computer', async () => {
    const { home, outside, reading, writing, files, other, sockets, port, port6, datagramPort } = await computer()
    const environment = { ...process.env, HOME: home, SSH_AUTH_SOCK: sockets.path, PARLEY_SECRET: 'ours' }
    const parley = await ServerHost.open({ environment })
    const fence = policy('none', { path: reading, write: false }, { path: writing, write: true })
    const open = await parley.ready('open', small('reach.mjs'))
    const fenced = await parley.ready('fenced', small('reach.mjs'), { fence })
    const tried: readonly Attempt[] = [
      ...[files.key, files.browser, files.note, files.profile, files.temporary].map((path) => ({
        attempt: 'read',
        place: { path },
      })),
      { attempt: 'read', place: { path: files.memory }, on: 'linux' },
      { attempt: 'read', place: { path: parley.storage.serverFile.path } },
      { attempt: 'list', place: { path: parley.folder } },
      { attempt: 'list', place: { path: join(parley.folder, 'homes') } },
      { attempt: 'list', place: { path: outside } },
      ...['/sys/class/net', '/run', '/var/lib'].map((path) => ({ attempt: 'list', place: { path }, on: 'linux' as const })),
      ...['/Users', '/Applications', '/Library/Preferences', '/private/var/folders', '/private/tmp', '/System/Volumes/Data'].map(
        (path) => ({
          attempt: 'list',
          place: { path },
          on: 'darwin' as const,
        }),
      ),
      { attempt: 'read', place: { path: '/etc/shadow' }, open: false },
      { attempt: 'read', place: { path: '/etc/fstab' }, open: false },
      { attempt: 'read', place: { path: '/private/etc/sudoers' }, open: false },
      { attempt: 'read', place: { path: '/dev/kmsg' }, open: false },
      { attempt: 'read', place: { path: join(writing, 'way-out') } },
      { attempt: 'read through a link', place: { path: files.note, folder: writing } },
      { attempt: 'read through a hard link', place: { path: files.note, folder: writing } },
      { attempt: 'read above a folder', place: { path: files.note, folder: writing } },
      { attempt: 'read above its root', place: { path: files.note }, on: 'linux' },
      { attempt: 'read above the root of another', place: { path: files.note, pid: other }, on: 'linux' },
      { attempt: 'read an environment', place: { pid: other }, on: 'linux' },
      { attempt: 'read a memory', place: { pid: other }, on: 'linux' },
      { attempt: 'see a process', place: { pid: other, name: `parley-other-${process.pid}` }, on: 'linux' },
      { attempt: 'see a process of a Mac', place: { name: `parley-other-${process.pid}` }, on: 'darwin' },
      { attempt: 'open a program', place: {}, open: false, on: 'darwin' },
      { attempt: 'ask another program', place: {}, open: false, on: 'darwin' },
      { attempt: 'signal', place: { pid: other } },
      { attempt: 'signal', place: { pid: process.pid } },
      { attempt: 'write', place: { path: files.plain } },
      { attempt: 'write', place: { path: join(reading, 'new.txt') } },
      { attempt: 'write', place: { path: '/usr/local/parley-fence' }, open: false },
      { attempt: 'write', place: { path: '/etc/hosts' }, open: false },
      { attempt: 'write', place: { path: small('reach.mjs').args[0] ?? '' }, open: false },
      { attempt: 'write through a link', place: { path: files.plain, folder: writing } },
      { attempt: 'change a mode', place: { path: files.plain } },
      { attempt: 'rename', place: { path: join(reading, 'moved.txt'), folder: writing }, open: false },
      { attempt: 'move a folder', place: { path: '~', folder: join(writing, 'home') }, open: false },
      { attempt: 'move a folder', place: { path: writing, folder: '~/moved' }, open: false },
      { attempt: 'make a user namespace', place: {}, open: false },
      { attempt: 'mount', place: {}, open: false },
      { attempt: 'run as another user', place: {}, on: 'linux' },
      { attempt: 'have rights of the system', place: {}, open: false, on: 'linux' },
      { attempt: 'inherit a file', place: {}, open: false, on: 'linux' },
      { attempt: 'have a variable', place: { name: 'SSH_AUTH_SOCK' }, open: false },
      { attempt: 'have a variable', place: { name: 'PARLEY_SECRET' }, open: false },
      { attempt: 'have a variable', place: { name: 'DBUS_SESSION_BUS_ADDRESS' }, open: false },
      { attempt: 'open a socket by path', place: { path: sockets.path } },
      { attempt: 'open a socket by path', place: { path: '/run/docker.sock' }, open: false },
      { attempt: 'open a socket by path', place: { path: '/tmp/.X11-unix/X0' }, open: false },
      { attempt: 'open a socket by path', place: { path: '/private/var/run/mDNSResponder' }, on: 'darwin' },
      { attempt: 'open an abstract socket', place: { name: sockets.abstract }, on: 'linux' },
      { attempt: 'open a port', place: { host: '127.0.0.1', port } },
      { attempt: 'open a port', place: { host: '::ffff:127.0.0.1', port } },
      ...(port6 === undefined ? [] : [{ attempt: 'open a port', place: { host: '::1', port: port6 } }]),
      { attempt: 'open a port', place: { host: '192.0.2.1', port: 80 }, open: false },
      { attempt: 'open a port', place: { host: '2001:db8::1', port: 80 }, open: false },
      { attempt: 'send a datagram', place: { host: '127.0.0.1', port: datagramPort } },
      { attempt: 'send a datagram', place: { host: '192.0.2.1', port: 53 }, open: false },
      { attempt: 'look up a name', place: { name: 'example.com' }, open: false },
      // The system limits the processes of everybody but root.
      ...(process.getuid?.() === 0 ? [] : [{ attempt: 'start many processes', place: {}, open: false, on: 'linux' } as const]),
    ]
    const attempts = tried.filter(({ on }) => on === undefined || on === os)
    const answer = (id: typeof open, { attempt, place }: Attempt) =>
      parley.call(id, 'try', { attempt, place: JSON.stringify(place) })
    const reached: string[] = []
    for (const one of attempts) {
      const said = await answer(fenced, one)
      if (!said.startsWith('refused:')) reached.push(`${one.attempt} ${JSON.stringify(one.place)}: ${said}`)
    }
    expect(reached).toEqual([])
    expect(attempts.length).toBeGreaterThanOrEqual(40)
    // The same attempts without a fence, so that a refusal above is the fence's.
    const kept: string[] = []
    for (const one of attempts.filter(({ open }) => open !== false)) {
      const said = await answer(open, one)
      if (!said.startsWith('reached:')) kept.push(`${one.attempt} ${JSON.stringify(one.place)}: ${said}`)
    }
    expect(kept).toEqual([])

    expect(await answer(fenced, { attempt: 'read', place: { path: join(reading, 'plain.txt') } })).toContain('reached')
    await answer(fenced, { attempt: 'write', place: { path: join(writing, 'new.txt') } })
    expect(await readFile(join(writing, 'new.txt'), 'utf8')).toBe('written')
    expect(await answer(fenced, { attempt: 'write', place: { path: '~/.bashrc' } })).toContain('reached')
    expect(await readFile(files.profile, 'utf8')).toBe('secret')
  })

  it('keeps its own home folder over restarts, and no other server sees it', async () => {
    const home = await temporaryFolder()
    const parley = await ServerHost.open({ environment: { ...process.env, HOME: home } })
    const one = await parley.ready('one', small('reach.mjs'), { fence: policy('none') })
    const other = await parley.ready('other', small('reach.mjs'), { fence: policy('none') })
    const place = JSON.stringify({ path: '~/notes.txt' })
    expect(await parley.call(one, 'try', { attempt: 'write', place })).toContain('reached')
    await parley.host.servers.controls.restart(one)
    await parley.until('one', 'ready')
    expect(await parley.call(one, 'try', { attempt: 'read', place })).toBe('reached: written')
    expect(await parley.call(other, 'try', { attempt: 'read', place })).toContain('refused')
    expect(existsSync(join(home, 'notes.txt'))).toBe(false)
    expect(await readdir(join(parley.folder, 'homes'))).toHaveLength(2)
  })

  it('reads the packages of its workspace that it depends on, and no other', async () => {
    const home = await temporaryFolder()
    const [installed, packages] = [join(home, 'all/node_modules'), join(home, 'all/packages')]
    const write = async (folder: string, file: string, text: string, dependencies = {}) => {
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, file), text)
      const described = { name: basename(folder), type: 'module', exports: `./${file}`, dependencies }
      await writeFile(join(folder, 'package.json'), JSON.stringify(described))
    }
    const [server = ''] = small('reach.mjs').args
    const code = await readFile(server, 'utf8')
    await write(join(packages, 'own'), 'server.mjs', code.replace("'./wire.mjs'", "'linked'"), {
      linked: '*',
      disguised: '*',
      outside: '*',
    })
    await write(join(packages, 'linked'), 'all.mjs', "export * from 'further'", { further: '*' })
    await write(join(packages, 'further'), 'all.mjs', "export * from 'shared'", { shared: '*' })
    await write(join(installed, 'shared'), 'wire.mjs', await readFile(join(dirname(server), 'wire.mjs'), 'utf8'))
    await write(join(packages, 'other'), 'all.mjs', '')
    await write(join(home, 'outside'), 'all.mjs', '')
    for (const name of ['linked', 'further', 'other']) await symlink(join(packages, name), join(installed, name))
    await symlink(join(packages, 'other'), join(installed, 'disguised'))
    await mkdir(join(packages, 'own/node_modules'))
    await symlink(join(home, 'outside'), join(packages, 'own/node_modules/outside'))
    const parley = await ServerHost.open({ environment: { ...process.env, HOME: home } })
    const launch = { type: 'local' as const, command: process.execPath, args: [join(packages, 'own/server.mjs')], env: {} }
    const id = await parley.ready('workspace', launch, { fence: policy('none') })
    for (const folder of [join(packages, 'other'), join(home, 'outside')]) {
      const place = JSON.stringify({ path: join(folder, 'package.json') })
      expect(await parley.call(id, 'try', { attempt: 'read', place })).toContain('refused')
    }
  })

  it('leaves nothing to the download of its next start, which has the network', async () => {
    const [home, bin] = [await temporaryFolder(), await temporaryFolder()]
    const [server = ''] = small('reach.mjs').args
    const lines = [
      '#!/bin/sh',
      `case "$*" in *--package*) echo "home: $(ls -A "$HOME" | grep -vx tmp)" "$(cat "$HOME/.npm/package")" >&2; mkdir -p "$HOME/.npm";`,
      `printf downloaded > "$HOME/.npm/package"; exit;; esac`,
      `exec ${process.execPath} ${server}`,
    ]
    await writeFile(join(bin, 'npx'), lines.join('\n'), { mode: 0o755 })
    const parley = await ServerHost.open({ environment: { ...process.env, HOME: home, PATH: `${bin}:${process.env.PATH}` } })
    const code = [dirname(process.execPath), dirname(server)].map((path) => ({ path, write: false }))
    const launch = { type: 'local' as const, command: 'npx', args: ['-y', 'parley-fenced'], env: {} }
    const id = await parley.ready('packaged', launch, { fence: policy('none', ...code) })
    const attempt = (attempt: string, name: string) =>
      parley.call(id, 'try', { attempt, place: JSON.stringify({ path: `~/${name}` }) })
    expect(await attempt('read', '.npm/package')).toBe('reached: downloaded')
    for (const name of ['.npmrc', '.npm/package']) expect(await attempt('write', name)).toContain('reached')
    const downloads = async () => (await parley.log('packaged')).filter((line) => line.includes('home:'))
    const restart = async () => {
      await parley.host.servers.controls.restart(id)
      await parley.until('packaged', 'ready')
    }
    // A package that was downloaded and starts is not looked up again for a day.
    const homes = join(parley.folder, 'homes')
    const [own = ''] = (await readdir(homes)).filter((name) => name.endsWith('-packages'))
    const noted = join(homes, `${own}.fetched`)
    const isNoted = () => existsSync(noted) && readFileSync(noted, 'utf8') !== ''
    await until(isNoted, 'the download to be noted')
    await restart()
    expect(await downloads()).toHaveLength(1)
    await until(isNoted, 'the download to be noted again')
    await writeFile(noted, '0')
    await restart()
    expect(await downloads()).toHaveLength(2)
    expect((await downloads()).at(-1)).toContain('home: .npm downloaded')
    expect(await attempt('read', '.npmrc')).toBe('reached: written')
  })

  it('says that its package could not be downloaded, not how its start without the network ended', async () => {
    const bin = await temporaryFolder()
    const lines = [
      '#!/bin/sh',
      'case "$*" in *--package*) echo "npm error code ENOTFOUND" >&2; echo "npm error network request to https://packages.example/x failed" >&2;; esac',
      'exit 1',
    ]
    await writeFile(join(bin, 'npx'), lines.join('\n'), { mode: 0o755 })
    const parley = await ServerHost.open({ environment: { ...process.env, PATH: `${bin}:${process.env.PATH}` } })
    const launch = { type: 'local' as const, command: 'npx', args: ['-y', 'parley-fenced'], env: {} }
    await parley.host.servers.edits.add({ name: 'packaged', launch, options: { fence: policy('none') } })
    await parley.answer('packaged', 'allow')
    expect((await parley.until('packaged', 'failed')).problem).toMatchObject({
      code: 'download-failed',
      what: expect.stringContaining('could not be downloaded'),
      said: expect.stringContaining('https://packages.example/x'),
      todo: expect.stringContaining('Its fence allows downloads only before it starts'),
    })
  })

  it.runIf(isLinux)('takes its descendants with it when it stops', async () => {
    const writing = await temporaryFolder()
    const parley = await ServerHost.open()
    const id = await parley.ready('leaver', small('reach.mjs'), { fence: policy('none', { path: writing, write: true }) })
    const beat = join(writing, 'beat')
    await parley.call(id, 'try', { attempt: 'leave a process behind', place: JSON.stringify({ path: beat }) })
    await until(() => existsSync(beat), 'the process to live')
    await parley.host.servers.controls.stop(id)
    const last = await readFile(beat, 'utf8')
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await readFile(beat, 'utf8')).toBe(last)
  })

  it('reaches the network where its fence says so', async () => {
    const parley = await ServerHost.open()
    const port = await listening({ host: '127.0.0.1', port: 0 })
    const id = await parley.ready('sender', small('reach.mjs'), { fence: policy('any') })
    const place = JSON.stringify({ host: '127.0.0.1', port })
    expect(await parley.call(id, 'try', { attempt: 'open a port', place })).toContain('reached')
  })

  it('reaches the hosts that its fence names and no other, with nothing else of the network', async () => {
    const { home, port, port6, datagramPort, sockets } = await computer()
    const web = await answering()
    const named = [`named.localhost:${web}`]
    const lifetime = new Lifetime('names')
    onTestFinished(() => lifetime.end())
    const connector = testConnector(lifetime, { lookup: async () => ['127.0.0.1'] })
    const parley = await ServerHost.open({ connector, environment: { ...process.env, HOME: home } })
    const id = await parley.ready('caller', small('reach.mjs'), { fence: policy({ hosts: named }) })
    const attempt = (name: string, place: Place) => parley.call(id, 'try', { attempt: name, place: JSON.stringify(place) })
    const url = (host: string) => ({ url: `http://${host}:${web}/` })
    expect(await attempt('fetch', url('named.localhost'))).toBe('reached: 200 served')
    expect(await attempt('open a tunnel', { authority: `named.localhost:${web}` })).toBe('reached: 200')
    expect(await attempt('let a grandchild fetch', url('named.localhost'))).toBe('reached: 200 served')
    expect(await attempt('fetch', url('other.localhost'))).toContain('refused')
    expect(await attempt('open a tunnel', { authority: `other.localhost:${web}` })).toBe('reached: 403')
    expect(await attempt('let a grandchild fetch', url('other.localhost'))).toContain('refused')
    const hasCurl = existsSync('/usr/bin/curl')
    if (hasCurl) {
      expect(await attempt('fetch by SOCKS', url('named.localhost'))).toBe('reached: served')
      expect(await attempt('fetch by SOCKS', url('other.localhost'))).toMatch(/^refused:/)
    }
    for (const [name, place] of [
      ['open a port', { host: '127.0.0.1', port: web }],
      ['open a port', { host: '127.0.0.1', port }],
      ...(port6 === undefined ? [] : [['open a port', { host: '::1', port: port6 }] as const]),
      ['open a port', { host: '192.0.2.1', port: 80 }],
      ['send a datagram', { host: '127.0.0.1', port: datagramPort }],
      ['send a datagram', { host: '192.0.2.1', port: 53 }],
      ['look up a name', { name: 'example.com' }],
      ...(isLinux
        ? ([
            ['open an abstract socket', { name: sockets.abstract }],
            ['inherit a file', {}],
          ] as const)
        : []),
      ['list', { path: parley.folder }],
    ] as const) {
      expect([name, place, await attempt(name, place)]).toEqual([name, place, expect.stringMatching(/^refused:/)])
    }
    const other = { kind: 'host', name: `other.localhost:${web}` }
    await until(() => parley.record('caller').blocked !== undefined, 'the refused host to be shown')
    expect(parley.record('caller').blocked).toEqual([other, { kind: 'host', name: 'example.com', guessed: true }])
    const { refusals, record } = parley.host.servers.configured.own(id)
    expect(refusals.reaches.beyond(record.options.fence)[0]).toMatchObject({ ...other, times: hasCurl ? 4 : 3 })
    expect(await parley.log('caller')).toContain(`host: Its fence refused it other.localhost:${web}.`)
    const place = JSON.stringify(url('other.localhost'))
    const { warnings } = await parley.host.byHand.call(id, 'try', { attempt: 'fetch', place }, new AbortController().signal)
    expect(warnings).toEqual([`Its fence kept it from other.localhost:${web}.`])
    await parley.host.servers.controls.setOptions(id, { keptOut: [other.name, 'example.com'] })
    expect(parley.record('caller').blocked).toBeUndefined()
    const quiet = await parley.host.byHand.call(id, 'try', { attempt: 'fetch', place }, new AbortController().signal)
    expect(quiet.warnings).toEqual([])

    // Its own way out is nobody else's.
    const gate = Number((await attempt('have a variable', { name: 'HTTP_PROXY' })).split(':').at(-1))
    const stranger = await parley.ready('other', small('reach.mjs'), { fence: policy({ hosts: [] }) })
    const way = JSON.stringify({ host: '127.0.0.1', port: gate })
    const otherGate = await parley.call(stranger, 'try', { attempt: 'have a variable', place: '{"name":"HTTP_PROXY"}' })
    if (!otherGate.endsWith(`:${gate}`))
      expect(await parley.call(stranger, 'try', { attempt: 'open a port', place: way })).toContain('refused')
    expect(await parley.call(stranger, 'try', { attempt: 'fetch', place: JSON.stringify(url('named.localhost')) })).toContain(
      'refused',
    )
  })

  it('is said to have needed what its errors name and its fence hides, as a guess', async () => {
    const { home, files, reading } = await computer()
    const parley = await ServerHost.open({ environment: { ...process.env, HOME: home } })
    const fence = policy('none', { path: reading, write: false })
    const id = await parley.ready('caller', small('reach.mjs'), { fence })
    const warned = async (attempt: string, place: Place) => {
      const args = { attempt, place: JSON.stringify(place) }
      return (await parley.host.byHand.call(id, 'try', args, new AbortController().signal)).warnings
    }
    const needed = (what: string) => [`It may have needed ${what}, which its fence blocks.`]
    expect(await warned('read', { path: files.note })).toEqual(needed(join(home, 'notes')))
    expect(await warned('read', { path: files.key })).toEqual(needed(files.key))
    expect(await warned('look up a name', { name: 'api.example.com' })).toEqual(needed('api.example.com'))
    expect(await warned('fetch', { url: 'http://192.0.2.1/' })).toEqual(needed('the network'))
    // Nobody has these, so that no fence hides them.
    expect(await warned('read', { path: join(home, '.config/caller/settings.json') })).toEqual([])
    expect(await warned('read', { path: join(reading, 'missing.txt') })).toEqual([])
    // Keys stay out of every fence, so that there is nothing to decide.
    expect(parley.record('caller').blocked?.map(({ name }) => name)).toEqual([join(home, 'notes'), 'api.example.com', '*'])

    const script = `require('node:fs').readFileSync(${JSON.stringify(files.note)})`
    const launch = { type: 'local' as const, command: process.execPath, args: ['--eval', script], env: {} }
    await parley.host.servers.edits.add({ name: 'dying', launch, options: { fence } })
    await parley.answer('dying', 'allow')
    await until(() => parley.record('dying').blocked !== undefined, 'the guess to be shown')
    expect(parley.record('dying').blocked).toEqual([{ kind: 'folder', name: join(home, 'notes'), guessed: true }])
    await parley.host.servers.controls.setOptions('dying' as ServerId, { fence: null })
    expect(parley.record('dying').blocked).toBeUndefined()
  })

  it.runIf(isLinux)('starts behind named hosts as it starts without a fence', async () => {
    const env = { NODE_OPTIONS: { text: '--max-http-header-size=12345' } }
    const parley = await ServerHost.open()
    const start = async (name: string, fence: FencePolicy | null) => {
      const id = await parley.ready(name, small('reach.mjs', ['two words', ''], env), { fence })
      return parley.call(id, 'try', { attempt: 'say how it was started', place: '{}' })
    }
    expect(await start('named', policy({ hosts: ['api.example.com'] }))).toBe(await start('open', null))
  })

  it.runIf(isLinux).each([
    ['there is no Perl', undefined],
    // A Perl of 32 bits does not know Q.
    ['Perl cannot send a socket', '#!/bin/sh\ncase "$*" in *exit*) exit 1 ;; esac\n'],
  ])('does not start behind named hosts where %s, and says what is missing', async (_where, perl) => {
    const bin = await temporaryFolder()
    if (perl) await writeFile(join(bin, 'perl'), perl, { mode: 0o755 })
    const found = (process.env.PATH ?? '').split(':').find((folder) => existsSync(join(folder, 'bwrap')))
    await symlink(join(found ?? '', 'bwrap'), join(bin, 'bwrap'))
    const environment = { ...process.env, PATH: bin }
    const parley = await ServerHost.open({ environment })
    const options = { fence: policy({ hosts: ['api.example.com'] }) }
    await parley.host.servers.edits.add({ name: 'ok', launch: small('ok.mjs'), options })
    await parley.answer('ok', 'allow')
    expect((await parley.until('ok', 'failed')).problem).toMatchObject({
      code: 'no-fence',
      what: expect.stringContaining('needs Perl'),
    })
  })

  it('is read and allowed as before where its network was stored as true', async () => {
    const folder = await temporaryFolder()
    const first = await ServerHost.open({ folder })
    await first.ready('ok', small('ok.mjs'), { fence: policy('any') })
    await first.end()
    const earlier = <T>(value: T): T => JSON.parse(JSON.stringify(value).replace('"network":"any"', '"network":true'))
    const parley = await ServerHost.open({
      folder,
      prepare: async ({ records }) => {
        for (const [key, value] of await records.all('server-options')) await records.put('server-options', key, earlier(value))
        for (const [key, value] of await records.all('trust')) await records.put('trust', key, earlier(value))
      },
    })
    await parley.until('ok', 'idle')
    expect(parley.record('ok').options.fence).toEqual(policy('any'))
  })

  it('is asked about again when its fence is opened, and not when it is closed', async () => {
    const folder = await temporaryFolder()
    const parley = await ServerHost.open()
    const id = await parley.ready('ok', small('ok.mjs'), { fence: policy('none', { path: folder, write: false }) })
    const setFence = (fence: FencePolicy | null) => parley.host.servers.controls.setOptions(id, { fence })
    await setFence(policy('none'))
    await parley.until('ok', 'ready')
    void setFence(policy({ hosts: ['api.example.com'] }))
    expect((await parley.question('ok')).question.changed).toEqual(['It may reach “api.example.com”.'])
    await parley.answer('ok', 'allow')
    await parley.until('ok', 'ready')
    void setFence(policy('none', { path: folder, write: false }))
    expect((await parley.question('ok')).question.changed).toEqual([`It may read files in “${folder}”.`])
    await parley.answer('ok', 'allow')
    await parley.until('ok', 'ready')
    void setFence(policy('any', { path: folder, write: true }))
    const { question } = await parley.question('ok')
    expect(question.changed).toEqual(['It may use the network and send what it has kept.', `It may change files in “${folder}”.`])
    await parley.answer('ok', 'allow')
    await parley.until('ok', 'ready')
    void setFence(null)
    expect((await parley.question('ok')).question.changed).toEqual([
      'Its fence is off: it would run with your full user permissions.',
    ])
    await parley.answer('ok', 'deny')
    expect((await parley.until('ok', 'stopped')).why).toBe('denied')
  })

  it("sees nothing of Parley's data where its project or its working folder holds them", async () => {
    const project = await temporaryFolder()
    await writeFile(join(project, 'package.json'), '{}')
    const file = join(project, 'reach.mjs')
    const servers = join(small('reach.mjs').args[0] ?? '', '..')
    await cp(join(servers, 'reach.mjs'), file)
    await cp(join(servers, 'wire.mjs'), join(project, 'wire.mjs'))
    const parley = await ServerHost.open({ folder: join(project, 'data') })
    const launch = { ...small('reach.mjs'), args: [file], cwd: project }
    await parley.host.servers.edits.add({ name: 'inside', launch, options: { fence: policy('none') } })
    await parley.answer('inside', 'allow')
    await parley.until('inside', 'failed')
    await parley.host.servers.edits.add({
      name: 'beside',
      launch: { ...launch, cwd: parley.folder },
      options: { fence: policy('none') },
    })
    await parley.answer('beside', 'allow')
    await parley.until('beside', 'failed')
  })

  it('does not start where its own home folder leads elsewhere', async () => {
    const parley = await ServerHost.open()
    const id = await parley.ready('ok', small('ok.mjs'), { fence: policy('none') })
    await parley.host.servers.controls.stop(id)
    const homes = join(parley.folder, 'homes')
    const [own = ''] = await readdir(homes)
    await rm(join(homes, own), { recursive: true })
    await symlink(await temporaryFolder(), join(homes, own), 'junction')
    await parley.host.servers.controls.start(id)
    expect((await parley.until('ok', 'failed')).problem).toMatchObject({
      code: 'fence-folder',
      what: expect.stringContaining('leads elsewhere'),
    })
  })

  it('does not start where a folder would undo its fence', async () => {
    const home = await temporaryFolder()
    await mkdir(join(home, '.ssh'))
    await mkdir(join(home, '.config/unknown-app'), { recursive: true })
    const parley = await ServerHost.open({ environment: { ...process.env, HOME: home } })
    const places = [
      '/',
      home,
      join(home, '.ssh'),
      join(home, '.config/unknown-app'),
      join(home, '..'),
      parley.folder,
      join(parley.folder, 'homes'),
      '/etc',
      '/proc/self',
      'here',
    ]
    for (const [at, path] of places.entries()) {
      const name = `server-${at}`
      await parley.host.servers.edits.add({
        name,
        launch: small('ok.mjs'),
        options: { fence: policy('none', { path, write: false }) },
      })
      await parley.answer(name, 'allow')
      expect((await parley.until(name, 'failed')).problem).toMatchObject({
        code: 'fence-folder',
        what: expect.stringContaining(path),
      })
    }
  })
})

describe.skipIf(os === 'darwin')('a computer without a fence', () => {
  it('does not start a fenced server, and says what is missing', async () => {
    const empty = await temporaryFolder()
    const parley = await ServerHost.open({ environment: { ...process.env, PATH: empty, LOCALAPPDATA: empty } })
    await parley.host.servers.edits.add({ name: 'ok', launch: small('ok.mjs'), options: { fence: policy('none') } })
    await parley.answer('ok', 'allow')
    const { problem } = await parley.until('ok', 'failed')
    expect(problem).toMatchObject({
      code: 'no-fence',
      what: `The fence needs ${isLinux ? 'bubblewrap' : 'Microsoft’s MXC'}, which is not installed.`,
    })
  })
})
