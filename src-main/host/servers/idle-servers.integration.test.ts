import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { until } from '../../../e2e/support/until.ts'
import { ServerHost, small, temporaryFolder } from '../../../e2e/test-hosts/server-host.ts'
import { systemClock } from '../../../src-shared/base/clock.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { IDLE_AFTER } from '../../../src-shared/contract/servers.ts'
import { NO_SWITCHES } from '../../../src-shared/contract/settings.ts'
import { serversSettled, unsettledServers } from './settled-servers.ts'

const never = new AbortController().signal
const OK = 'ok' as ServerId

/** A host with a running server that writes its process id to a file. */
async function running() {
  const clock = new ManualClock(systemClock.now())
  const mark = join(await temporaryFolder(), 'mark')
  const parley = await ServerHost.open({ clock })
  await parley.ready('ok', small('ok.mjs', ['--mark', mark]))
  return { clock, mark, parley, pid: () => readFile(mark, 'utf8') }
}

const names = (parley: ServerHost) => parley.host.servers.tools.all().map(({ tool }) => tool.name)

const sent = ({ host }: ServerHost) =>
  host.servers.configured
    .get(OK)
    .traffic.read(0)
    .entries.filter(({ direction, method }) => direction === 'sent' && method === 'tools/call')

describe('a server that is not used', () => {
  it('is stopped after ten minutes, is offered as before, and starts with its next call', async () => {
    const { clock, parley, pid } = await running()
    const first = Number(await pid())
    const offered = names(parley)
    clock.advance(IDLE_AFTER - 1)
    expect(parley.record('ok').state.is).toBe('ready')
    await parley.call(OK, 'echo', { text: 'used' })
    clock.advance(IDLE_AFTER - 1)
    expect(parley.record('ok').state.is).toBe('ready')
    clock.advance(1)
    expect(parley.record('ok')).toMatchObject({ state: { is: 'idle', why: 'unused' }, catalog: { tools: 6 }, hello: {} })
    await until(() => !isAlive(first), 'the process to end')
    expect(names(parley)).toEqual(offered)
    expect(await parley.call(OK, 'echo', { text: 'again' })).toBe('again')
    expect(Number(await pid())).not.toBe(first)
  })

  it('runs on while a call of it runs, and while the person wants it to', async () => {
    const { clock, parley } = await running()
    const release = parley.host.servers.configured.get(OK).hold()
    clock.advance(3 * IDLE_AFTER)
    expect(parley.record('ok').state.is).toBe('ready')
    release()
    await parley.host.servers.controls.setOptions(OK, { keepRunning: true })
    clock.advance(3 * IDLE_AFTER)
    expect(parley.record('ok').state.is).toBe('ready')
    await parley.host.servers.controls.setOptions(OK, { keepRunning: false })
    clock.advance(IDLE_AFTER)
    expect(parley.record('ok').state.is).toBe('idle')
    await parley.host.servers.controls.setOptions(OK, { keepRunning: true })
    await parley.until('ok', 'ready')
  })

  it('gets no call of a tool that changed since it stopped, and its new tools are offered', async () => {
    const { clock, parley } = await running()
    await parley.call(OK, 'grow')
    await until(() => {
      clock.advance(50)
      return names(parley).includes('grown')
    }, 'the changed tools')
    clock.advance(IDLE_AFTER)
    expect(parley.record('ok').state.is).toBe('idle')
    const before = sent(parley).length
    const call = (tool: string) => parley.host.servers.calls.call(OK, tool, { text: 'x' }, { signal: never })
    await expect(call('echo')).rejects.toThrow('“ok” has changed “echo” since it last ran. Nothing was sent.')
    expect(sent(parley).length).toBe(before)
    expect(names(parley)).not.toContain('grown')
    expect(parley.host.servers.catalogs.tool(OK, 'echo').entry.changed).toBe('changed')
    expect((await call('echo')).content).toEqual([{ type: 'text', text: 'x' }])
  })

  it('starts with no call once the person has turned it off', async () => {
    const { clock, parley, mark } = await running()
    clock.advance(IDLE_AFTER)
    await rm(mark)
    await parley.host.servers.controls.stop(OK)
    await expect(parley.call(OK, 'echo', { text: 'x' })).rejects.toThrow('is not running. Start it and try again.')
    expect(names(parley)).toEqual([])
    await expect(readFile(mark)).rejects.toThrow('ENOENT')
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('an app that starts again', () => {
  const COUNT = 20
  const NAMES = Array.from({ length: COUNT }, (_, at) => `s${at}` as ServerId)

  /** A data folder whose servers ran once and wrote their process ids to files, which are gone. */
  async function configured(launches: (mark: string) => ReturnType<typeof small>) {
    const [folder, marks] = await Promise.all([temporaryFolder(), temporaryFolder()])
    const first = await ServerHost.open({ folder })
    const entries = NAMES.map((name) => [name, launches(join(marks, name))] as const)
    await first.storage.serverFile.putAll(new Map(entries))
    const asked = await until(
      () => first.host.state.snapshot.interactions.find((open) => open.kind === 'servers-trust'),
      'a question about all',
    )
    first.host.interactions.answer({ id: asked.id, kind: asked.kind, answer: { decision: 'allow', servers: NAMES } })
    for (const name of NAMES) await first.until(name, 'ready')
    await first.end()
    await Promise.all((await readdir(marks)).map((name) => rm(join(marks, name))))
    return { folder, started: () => readdir(marks) }
  }

  it('starts none of twenty servers, offers all their tools, and starts one with its first call', async () => {
    const { folder, started } = await configured((mark) => small('ok.mjs', ['--mark', mark]))
    const parley = await ServerHost.open({ folder })
    expect(NAMES.map((name) => parley.record(name).state.is)).toEqual(NAMES.map(() => 'idle'))
    expect(names(parley).length).toBe(COUNT * 6)
    const [one] = NAMES
    expect(one && (await parley.call(one, 'echo', { text: 'hello' }))).toBe('hello')
    expect(await started()).toEqual([one])
    expect((await parley.storage.records.all('process')).size).toBe(1)
  })

  it('waits for no server that hangs while it starts: neither another server, nor a turn that goes on', async () => {
    const folder = await temporaryFolder()
    const first = await ServerHost.open({ folder })
    await first.ready('ok', small('ok.mjs'))
    await first.host.servers.edits.add({ name: 'silent', launch: small('silent.mjs') })
    await first.answer('silent', 'allow')
    await first.until('silent', 'starting')
    await first.end()

    const clock = new ManualClock(systemClock.now())
    const parley = await ServerHost.open({ folder, clock })
    expect(parley.record('silent').state.is).toBe('idle')
    const left = new AbortController()
    const beginning = serversSettled(parley.host, NO_SWITCHES, left.signal)
    await parley.until('silent', 'starting')
    expect(await parley.call(OK, 'echo', { text: 'meanwhile' })).toBe('meanwhile')
    left.abort(new Error('left'))
    await expect(beginning).rejects.toThrow('left')
    expect(parley.record('silent').state.is).toBe('starting')
  })

  it('waits for no server that starts while the person is asked about its change', async () => {
    const parley = await ServerHost.open()
    await parley.host.servers.edits.add({ name: 'silent', launch: small('silent.mjs') })
    await parley.answer('silent', 'allow')
    await parley.until('silent', 'starting')
    expect(unsettledServers(parley.host, NO_SWITCHES)).toEqual(['silent'])
    await parley.storage.serverFile.putAll(new Map([['silent', small('silent.mjs', ['--changed'])]]))
    await until(() => parley.host.state.snapshot.interactions.length === 1, 'the question about the change')
    expect(parley.record('silent').state.is).toBe('starting')
    expect(unsettledServers(parley.host, NO_SWITCHES)).toEqual([])
  })

  it('starts no server that is off for a conversation, even if nothing is known of it', async () => {
    const folder = await temporaryFolder()
    const first = await ServerHost.open({ folder })
    await first.ready('ok', small('ok.mjs'))
    await first.end()
    const forgetting = async ({ records }: Pick<ServerHost['storage'], 'records'>) => records.remove('kept-offer', 'ok')
    const parley = await ServerHost.open({ folder, prepare: forgetting })
    expect(parley.record('ok').catalog.tools).toBe(0)
    await serversSettled(parley.host, { ...NO_SWITCHES, servers: [OK] }, never)
    expect(parley.record('ok').state.is).toBe('idle')
    await serversSettled(parley.host, NO_SWITCHES, never)
    expect(names(parley)).toContain('echo')
  })
})
