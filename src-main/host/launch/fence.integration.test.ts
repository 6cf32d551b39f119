import { existsSync } from 'node:fs'
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fenceHere } from '../../../e2e/support/fence-here.ts'
import { until } from '../../../e2e/support/until.ts'
import { guardedComputer, listening, type Place, policy } from '../../../e2e/test-hosts/guarded-computer.ts'
import { ServerHost, small, temporaryFolder } from '../../../e2e/test-hosts/server-host.ts'
import type { FencePolicy } from '../../../src-shared/contract/servers.ts'

const here = await fenceHere()

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

/** The server in a folder of its own: where a fence is broken, an attempt writes over its code. */
async function copiedServer(folder: string) {
  const { args, ...launch } = small('reach.mjs')
  for (const name of ['reach.mjs', 'wire.mjs']) await cp(join(args[0] ?? '', '..', name), join(folder, name))
  return { ...launch, args: [join(folder, 'reach.mjs')] }
}

// A container of Windows has tests of its own.
describe.skipIf(!here || os === 'win32')('a fenced server', () => {
  it('reaches its folders and its own home, and nothing else of the computer', async () => {
    const { home, outside, reading, writing, files, other, sockets, port, port6, datagramPort } = await guardedComputer()
    const environment = { ...process.env, HOME: home, SSH_AUTH_SOCK: sockets.path, PARLEY_SECRET: 'ours' }
    const parley = await ServerHost.open({ environment })
    const fence = policy('none', { path: reading, write: false }, { path: writing, write: true })
    const launch = await copiedServer(await temporaryFolder())
    const open = await parley.ready('open', launch)
    const fenced = await parley.ready('fenced', launch, { fence })
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
      // Not every system lets a program trace one that it did not start.
      { attempt: 'trace', place: { pid: other }, open: false, on: 'linux' },
      { attempt: 'signal', place: { pid: other } },
      { attempt: 'signal', place: { pid: process.pid } },
      { attempt: 'write', place: { path: files.plain } },
      { attempt: 'write', place: { path: join(reading, 'new.txt') } },
      { attempt: 'create', place: { path: '/usr/local/parley-fence' }, open: false },
      { attempt: 'open to write', place: { path: '/etc/hosts' }, open: false },
      { attempt: 'write', place: { path: launch.args[0] ?? '' }, open: false },
      { attempt: 'write through a link', place: { path: files.plain, folder: writing } },
      { attempt: 'write through a hard link', place: { path: files.plain, folder: writing } },
      { attempt: 'write above a folder', place: { path: files.plain, folder: writing } },
      { attempt: 'write above its root', place: { path: files.plain }, on: 'linux' },
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
      { attempt: 'open a socket by path', place: { path: '/run/dbus/system_bus_socket' }, open: false },
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
    // It has shared memory of its own under the same name.
    if (isLinux) await answer(fenced, { attempt: 'write', place: { path: files.memory } })
    if (isLinux) expect(await readFile(files.memory, 'utf8')).toBe('secret')
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
    const parley = await ServerHost.open({ folder: join(project, 'data') })
    const launch = { ...(await copiedServer(project)), cwd: project }
    await parley.host.servers.edits.add({ name: 'inside', launch, options: { fence: policy('none') } })
    await parley.answer('inside', 'allow')
    expect(await parley.started('inside')).toMatchObject({ is: 'failed' })
    await parley.host.servers.edits.add({
      name: 'beside',
      launch: { ...launch, cwd: parley.folder },
      options: { fence: policy('none') },
    })
    await parley.answer('beside', 'allow')
    expect(await parley.started('beside')).toMatchObject({ is: 'failed' })
  })
})

describe.skipIf(os === 'darwin')('a computer without a fence', () => {
  it('does not start a fenced server, and says what is missing', async () => {
    const empty = await temporaryFolder()
    const parley = await ServerHost.open({ environment: { ...process.env, PATH: empty, LOCALAPPDATA: empty } })
    await parley.host.servers.edits.add({ name: 'ok', launch: small('ok.mjs'), options: { fence: policy('none') } })
    await parley.answer('ok', 'allow')
    const what = `The fence needs ${isLinux ? 'bubblewrap' : 'Microsoft’s MXC'}, which is not installed.`
    expect(await parley.started('ok')).toMatchObject({ is: 'failed', problem: { code: 'no-fence', what } })
  })
})
