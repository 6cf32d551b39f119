import { createSocket } from 'node:dgram'
import { existsSync } from 'node:fs'
import { mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fenceHere } from '../../../e2e/support/fence-here.ts'
import { until } from '../../../e2e/support/until.ts'
import { watchHere } from '../../../e2e/support/watch-here.ts'
import { ServerHost, small, temporaryFolder } from '../../../e2e/test-hosts/server-host.ts'
import { systemClock } from '../../../src-shared/base/clock.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { WatchedReach } from '../../../src-shared/contract/servers.ts'
import { findWatch } from './watch.ts'

const here = await watchHere()
const canFence = await fenceHere()

async function computer() {
  const home = await realpath(await temporaryFolder())
  for (const folder of ['.ssh', 'shop', 'notes', '.config/gh']) await mkdir(join(home, folder), { recursive: true })
  for (const file of ['.ssh/id', 'shop/list.txt', 'notes/diary.txt', '.config/gh/hosts.yml']) {
    await writeFile(join(home, file), 'secret')
  }
  return { home, parley: await ServerHost.open({ environment: { ...process.env, HOME: home } }) }
}

async function listening(): Promise<number> {
  const services = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => services.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void services.close())
  const address = services.address()
  return typeof address === 'object' && address ? address.port : 0
}

const report = (parley: ServerHost, id: ServerId) => {
  const { launch, record } = parley.host.servers.configured.own(id)
  return parley.host.servers.watches.about(id, launch, record.folders ?? [], record.options.fence)
}
const byPath = (reaches: readonly WatchedReach[]) =>
  Object.fromEntries(
    reaches.flatMap(({ kind, ...one }) => ('use' in one ? [[one.path, (({ path: _, ...rest }) => rest)(one)]] : [])),
  )
const attempt = (parley: ServerHost, id: ServerId, name: string, place: object) =>
  parley.call(id, 'try', { attempt: name, place: JSON.stringify(place) })

describe.skipIf(!here)('a watched server', () => {
  it('works as before, and is proposed what the person named and nothing else', async () => {
    const { home, parley } = await computer()
    const port = await listening()
    await mkdir(join(home, 'disk'))
    await writeFile(join(home, 'disk/photo.txt'), 'secret')
    await symlink(join(home, 'disk'), join(home, 'photos'))
    const launch = small('reach.mjs', [join(home, 'shop'), join(home, 'photos')])
    const id = await parley.ready('one', launch, { watchedSince: 1 })
    for (const path of ['shop/list.txt', 'photos/photo.txt', 'notes/diary.txt', '.ssh/id', '.config/gh/hosts.yml']) {
      expect(await attempt(parley, id, 'read', { path: join(home, path) })).toBe('reached: secret')
    }
    await attempt(parley, id, 'write', { path: join(home, 'notes/new.txt') })
    await attempt(parley, id, 'open a port', { host: '127.0.0.1', port })
    await attempt(parley, id, 'list', { path: parley.folder })
    // The last lines of the log may still be on their way.
    const { reaches, missed } = await until(async () => {
      const now = await report(parley, id)
      return now.reaches.some((one) => one.kind === 'folder' && one.path === parley.folder) ? now : undefined
    }, 'the log to be read')
    expect(byPath(reaches)).toEqual({
      [join(home, 'shop')]: { use: 'read', proposal: 'change' },
      // A link to a folder is one line with it.
      [join(home, 'photos')]: { use: 'read', proposal: 'change' },
      [parley.folder]: { use: 'read', proposal: 'out', why: 'it holds Parley’s own data' },
      [join(home, '.ssh')]: { use: 'read', proposal: 'out', why: expect.stringContaining('keys and passwords') },
      [join(home, '.config/gh')]: { use: 'read', proposal: 'out', why: expect.stringContaining('keys and passwords') },
      [join(home, 'notes')]: { use: 'changed', proposal: 'out' },
    })
    expect(reaches).toContainEqual({ kind: 'host', host: `127.0.0.1:${port}`, reached: true, proposal: false })
    expect(missed).toBe(0)
    expect(parley.record(id).watched).toBeGreaterThan(0)
  })
})

describe('a computer where nothing can be watched', () => {
  it('starts the server and says why it is not watched', async () => {
    const empty = await temporaryFolder()
    const parley = await ServerHost.open({ environment: { ...process.env, PATH: empty } })
    const id = await parley.ready('ok', small('ok.mjs'), { watchedSince: 1 })
    const { problem } = await report(parley, id)
    expect(problem).toMatchObject({ code: 'no-watch', what: 'Watching needs strace, which is not installed.' })
    const line = 'host: It is not watched: Watching needs strace, which is not installed.'
    await until(async () => (await parley.log(id)).includes(line), 'its log to say so')
  })

  it.skipIf(!here)('is recognised where the system forbids to trace', async () => {
    const folder = await temporaryFolder()
    // A traced program can trace no other.
    const script = '#!/bin/sh\nexec /usr/bin/strace -f -o /dev/null /usr/bin/strace "$@"\n'
    await writeFile(join(folder, 'strace'), script, { mode: 0o755 })
    const environment = { ...process.env, PATH: `${folder}:${process.env.PATH}` }
    expect(await findWatch({ os: 'linux', environment, clock: systemClock })).toMatchObject({
      none: {
        code: 'no-watch',
        what: 'strace is not allowed to watch programs on this system.',
        said: expect.stringContaining('not permitted'),
      },
    })
  })
})

describe.skipIf(!here)('a watched server that means harm', () => {
  it('cannot forge a line by its names, nor make more lines than are shown', async () => {
    const { home, parley } = await computer()
    const other = join(home, 'other')
    await mkdir(other)
    const id = await parley.ready('nasty', small('watched.mjs'), { watchedSince: 1 })
    expect(await parley.call(id, 'confuse', { folder: other })).toBe('confused')
    for (let n = 0; n < 40; n++) {
      await mkdir(join(home, `many-${n}/a/b`), { recursive: true })
      await parley.call(id, 'flood', { folder: join(home, `many-${n}/a/b`), count: '1' })
    }
    expect(await parley.call(id, 'flood', { folder: join(home, 'shop'), count: '10000' })).toBe('flooded')
    const { reaches, more } = await until(async () => {
      const now = await report(parley, id)
      return now.missed > 8_000 ? now : undefined
    }, 'the flood to be counted')
    expect(reaches.length).toBeLessThanOrEqual(12)
    expect(more).toBeGreaterThan(0)
    const strange = reaches.filter((one) => 'path' in one && one.kind === 'folder' && !one.path.startsWith(`${home}/`))
    expect(strange).toEqual([])
    for (const one of reaches) if ('proposal' in one) expect([false, 'out']).toContain(one.proposal)
  }, 120_000)

  it('leaves nothing at work behind when Parley ends, and is watched again after its next start and under its new name', async () => {
    const { home, parley } = await computer()
    const beat = join(home, 'beat')
    const id = await parley.ready('leaver', small('reach.mjs'), { watchedSince: 1, keepRunning: true })
    await attempt(parley, id, 'read', { path: join(home, 'notes/diary.txt') })
    await attempt(parley, id, 'leave a process behind', { path: beat })
    await until(() => existsSync(beat), 'the process to live')
    await until(async () => byPath((await report(parley, id)).reaches)[join(home, 'notes')], 'the log to be read')
    await parley.end()
    const last = await readFile(beat, 'utf8')
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await readFile(beat, 'utf8')).toBe(last)

    const again = await ServerHost.open({ environment: { ...process.env, HOME: home }, folder: parley.folder })
    await again.until(id, 'ready')
    await attempt(again, id, 'read', { path: join(home, 'shop/list.txt') })
    await until(async () => byPath((await report(again, id)).reaches)[join(home, 'shop')], 'the log to be read')
    expect(Object.keys(byPath((await report(again, id)).reaches))).toEqual(
      expect.arrayContaining([join(home, 'notes'), join(home, 'shop')]),
    )
    const { serverId: renamed } = await again.host.servers.edits.change(id, { name: 'renamed', launch: small('reach.mjs') })
    await again.answer(renamed, 'allow')
    await again.until(renamed, 'ready')
    expect(Object.keys(byPath((await report(again, renamed)).reaches))).toEqual(
      expect.arrayContaining([join(home, 'notes'), join(home, 'shop')]),
    )
    await again.host.servers.controls.setOptions(renamed, { watchedSince: null })
    await again.until(renamed, 'ready')
    expect((await report(again, renamed)).reaches).toEqual([])
  })

  it('is shown by the names that it asked for', async () => {
    const { parley } = await computer()
    const names = createSocket('udp4')
    // Any question is answered with 127.0.0.1.
    names.on('message', (question, { port, address }) => {
      const answer = Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 9, 0, 4, 127, 0, 0, 1])
      const message = Buffer.concat([question.subarray(0, 12 + question.subarray(12).indexOf(0) + 5), answer])
      message.writeUInt16BE(0x8180, 2)
      for (const [count, at] of [1, 1, 0, 0].entries()) message.writeUInt16BE(at, 4 + count * 2)
      names.send(message, port, address)
    })
    await new Promise<void>((resolve) => names.bind(0, '127.0.0.1', resolve))
    onTestFinished(() => void names.close())
    const port = await listening()
    const id = await parley.ready('asker', small('watched.mjs'), { watchedSince: 1 })
    const asked = { names: String(names.address().port), name: 'api.example.com', port: String(port) }
    expect(await parley.call(id, 'connect', asked)).toBe('127.0.0.1')
    const { reaches } = await until(async () => {
      const now = await report(parley, id)
      return now.reaches.some(({ kind }) => kind === 'host') ? now : undefined
    }, 'the log to be read')
    expect(reaches).toContainEqual({ kind: 'host', host: `api.example.com:${port}`, reached: true, proposal: false })
  })

  it('exits as it would without the watch', async () => {
    const { parley } = await computer()
    const id = await parley.ready('ok', small('ok.mjs'), { watchedSince: 1 })
    await parley.call(id, 'crash').catch(() => {})
    await until(async () => (await parley.log(id)).some((line) => line.includes('code 3')), 'its exit to be told')
  })
})

describe.skipIf(!(here && canFence))('a fenced server that is watched', () => {
  it('tells what its fence hid and what it may only read, and not its way to named hosts', async () => {
    const { home, parley } = await computer()
    const fence = { network: { hosts: ['api.example.com'] }, folders: [{ path: join(home, 'shop'), write: false }] }
    const id = await parley.ready('one', small('reach.mjs'), { watchedSince: 1, fence })
    const tries = [
      ['read', 'shop/list.txt', 'reached'],
      ['write', 'shop/new.txt', 'refused'],
      ['read', '.config/gh/hosts.yml', 'refused'],
      ['read', 'notes/diary.txt', 'refused'],
      ['read', 'notes/nowhere.txt', 'refused'],
      ['write', 'own.txt', 'reached'],
    ] as const
    for (const [name, path, said] of tries) {
      expect(await attempt(parley, id, name, { path: join(home, path) })).toContain(said)
    }
    expect(await attempt(parley, id, 'open a tunnel', { authority: 'other.example.com:443' })).toBe('reached: 403')
    await attempt(parley, id, 'open a port', { host: '192.0.2.1', port: 80 })
    const { reaches } = await until(async () => {
      const now = await report(parley, id)
      return now.reaches.some((one) => one.kind === 'host' && one.host === '192.0.2.1') ? now : undefined
    }, 'the log to be read')
    expect(byPath(reaches)).toEqual({
      [join(home, 'shop')]: { use: 'refused', proposal: 'read' },
      [join(home, '.config/gh')]: { use: 'looked', proposal: 'out', why: expect.stringContaining('keys and passwords') },
      [join(home, 'notes')]: { use: 'looked', proposal: 'out' },
    })
    const hosts = reaches.filter(({ kind }) => kind === 'host')
    expect(hosts).toEqual([{ kind: 'host', host: '192.0.2.1', reached: false, proposal: false }])
  })
})
