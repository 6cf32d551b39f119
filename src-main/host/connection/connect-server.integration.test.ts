import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { SseServer } from '../../../e2e/servers/small/sse-server.ts'
import { json, Loopback } from '../../../e2e/support/loopback.ts'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { until } from '../../../e2e/support/until.ts'
import { ServerHost, type ServerHostOptions, small, temporaryFolder } from '../../../e2e/test-hosts/server-host.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'

const FILE = join(import.meta.dirname, '../../../e2e/servers/modern.mjs')
/** A multiple of three, since they are of three kinds. */
const MANY = process.env.PARLEY_LONG === '1' ? 30 : 9
const byHand = (mode: string) => ({ type: 'local' as const, command: process.execPath, args: [FILE, mode], env: {} })
/** Messages to the server, oldest first, over all its starts. */
const asked = (parley: ServerHost, id: string) =>
  (parley.host.servers.configured.find(id as ServerId)?.traffic.read().entries ?? []).flatMap(({ direction, method }) =>
    direction === 'sent' && method ? [method] : [],
  )
const restart = async (parley: ServerHost, id: ServerId) => {
  await parley.host.servers.controls.stop(id)
  await parley.host.servers.controls.start(id)
  await parley.until(id, 'ready')
}

describe('the era of a server', () => {
  it('is asked for once more, handshake first, after an exit on the probe, and then no more (V26-NEG-12, V26-NEG-15)', async () => {
    const folder = await temporaryFolder()
    const parley = await ServerHost.open({ folder })
    const id = await parley.ready('old', byHand('exits-on-the-probe'))
    const first = ['server/discover', 'initialize', 'notifications/initialized', 'tools/list']
    expect(asked(parley, 'old')).toEqual(first)
    await restart(parley, id)
    expect(asked(parley, 'old')).toEqual([...first, ...first.slice(1)])
    await parley.end()
    const again = await ServerHost.open({ folder })
    await again.host.servers.configured.get(id).clients.started(new AbortController().signal)
    expect(asked(again, 'old')).toEqual(first.slice(1))
  })

  it('is not remembered of a server that exits twice, which fails as usual (V26-NEG-12)', async () => {
    const parley = await ServerHost.open()
    await parley.host.servers.edits.add({ name: 'bad', launch: byHand('exits-on-anything') })
    await parley.answer('bad', 'allow')
    expect((await parley.until('bad', 'failed')).problem.code).toBe('exited')
    expect(asked(parley, 'bad')).toEqual(['server/discover', 'initialize'])
    expect(await parley.storage.records.all('found-era')).toEqual(new Map())
  })

  it('is waited for only once at a silent server, not at every start (V26-NEG-11, V26-NEG-15)', async () => {
    const clock = new ManualClock(1_000_000)
    const prepare = async ({ records }: Parameters<NonNullable<ServerHostOptions['prepare']>>[0]) => void vi.spyOn(records, 'put')
    const parley = await ServerHost.open({ clock, prepare })
    const { serverId: id } = await parley.host.servers.edits.add({ name: 'mute', launch: byHand('silent') })
    await parley.answer('mute', 'allow')
    await until(() => asked(parley, 'mute').includes('server/discover'))
    clock.advance(10_000)
    await parley.until('mute', 'ready')
    const started = vi.mocked(parley.storage.records.put).mock.calls.filter(([collection]) => collection === 'process')
    expect(started).toHaveLength(1)
    await restart(parley, id)
    expect(asked(parley, 'mute').filter((method) => method === 'server/discover')).toHaveLength(1)
  })

  it('is waited for as long as Settings or the server’s own options say', async () => {
    const clock = new ManualClock(1_000_000)
    const parley = await ServerHost.open({ clock })
    await parley.host.settings.change({
      serverTimeouts: { requestTimeout: 60_000, maxRequestTime: 60_000, startTimeout: 7_000 },
    })
    const args = [join(import.meta.dirname, '../../../e2e/servers/small/silent.mjs')]
    const launch = { type: 'local' as const, command: process.execPath, args, env: {} }
    for (const [name, options, time] of [
      ['all', {}, 7_000],
      ['own', { startTimeout: 3_000 }, 3_000],
    ] as const) {
      await parley.host.servers.edits.add({ name, launch, options: { era: 'legacy', ...options } })
      await parley.answer(name, 'allow')
      await until(() => asked(parley, name).includes('initialize'))
      clock.advance(time)
      expect((await parley.until(name, 'failed')).problem.code).toBe('no-answer')
    }
  })

  it('is asked for again once the remembered one failed (V26-NEG-15)', async () => {
    const parley = await ServerHost.open()
    const server = await SseServer.listen()
    const id = await parley.ready('far', { type: 'remote', url: server.url, headers: {} })
    expect([...(await parley.storage.records.all('found-era')).values()]).toMatchObject([{ by: 'http-sse' }])
    await parley.host.servers.controls.stop(id)
    await server.close()
    await parley.host.servers.controls.start(id)
    await parley.until('far', 'failed')
    expect(await parley.storage.records.all('found-era')).toEqual(new Map())
  })

  it('is the person’s choice from the next connection on (V26-NEG-24)', async () => {
    const parley = await ServerHost.open()
    const id = await parley.ready('both', byHand('good'))
    expect(parley.record('both').hello?.revision).toBe('2026-07-28')
    await parley.host.servers.controls.setOptions(id, { era: 'legacy' })
    const { problem } = await parley.until('both', 'failed')
    expect(problem.todo).toMatch(/Automatic/)
    await parley.host.servers.controls.setOptions(id, { era: 'modern' })
    await parley.until('both', 'ready')
    expect(asked(parley, 'both').filter((method) => method === 'initialize')).toHaveLength(1)
  })

  it(`costs ${MANY} servers of both eras one start each (V26-NEG-11)`, async () => {
    const prepare = async ({ records }: Parameters<NonNullable<ServerHostOptions['prepare']>>[0]) => void vi.spyOn(records, 'put')
    const parley = await ServerHost.open({ prepare })
    const names = Array.from({ length: MANY }, (_, n) => `server-${n}`)
    for (const [n, name] of names.entries()) {
      const launch = byHand(['good', 'malformed-refusal', 'catch-all-but-initialize'][n % 3] ?? 'good')
      await parley.host.servers.edits.add({ name, launch })
      await parley.answer(name, 'allow')
    }
    for (const name of names) await parley.until(name, 'ready')
    // Every process is noted when it is started.
    const noted = vi.mocked(parley.storage.records.put).mock.calls.filter(([collection]) => collection === 'process')
    expect(new Set(noted.map(([, pid]) => pid)).size).toBe(MANY)
    expect(noted).toHaveLength(MANY)
    for (const [n, name] of names.entries()) {
      expect(parley.record(name).hello?.revision).toBe(n % 3 === 0 ? '2026-07-28' : '2025-11-25')
      expect(asked(parley, name).filter((method) => method === 'server/discover')).toHaveLength(1)
    }
  })

  it('is noted once per connection where something deprecated is used (V26-DEPR-1, V26-DEPR-3)', async () => {
    const server = await SseServer.listen()
    onTestFinished(() => server.close())
    const parley = await ServerHost.open()
    const id = await parley.ready('far', { type: 'remote', url: server.url, headers: {} })
    expect(parley.record('far').deprecated).toEqual(['http-sse'])
    const told = async () => (await parley.log(id)).filter((line) => line.includes('deprecated: http-sse'))
    await until(async () => (await told()).length > 0)
    expect(await told()).toHaveLength(1)
    const modern = await parley.ready('both', byHand('logs'))
    expect(parley.record('both').deprecated).toEqual(['logging'])
    await parley.host.servers.controls.stop(modern)
    await parley.host.servers.controls.setOptions(modern, { era: 'modern' })
    await parley.host.servers.controls.start(modern)
    await parley.until(modern, 'ready')
    expect(parley.record('both').deprecated).toEqual(['logging'])
  })
})

describe('a program that requires a sign-in', () => {
  it('gets none: its keys come from its environment, and nobody is asked or contacted (V26-STDIO-11)', async () => {
    const metadata = await Loopback.serve((_, response) => json(response, {}))
    onTestFinished(() => metadata.close())
    const parley = await ServerHost.open()
    const id = await parley.ready('local', small('modern.mjs', [], { API_KEY: { text: 'from the environment' } }))
    const refused = parley.call(id, 'echo', { metadata: `${metadata.origin}/.well-known/oauth-protected-resource` })
    await expect(refused).rejects.toThrow(/Unauthorized/)
    await expect(parley.host.servers.controls.authorize(id)).rejects.toMatchObject({ code: 'refused' })
    expect(parley.host.state.snapshot.interactions).toEqual([])
    expect(parley.record('local').state.is).toBe('ready')
    expect(metadata.seen).toEqual([])
  })
})
