import { describe, expect, it, onTestFinished } from 'vitest'
import { HttpServer } from '../../../e2e/servers/small/http-server.ts'
import { SseServer } from '../../../e2e/servers/small/sse-server.ts'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { until } from '../../../e2e/support/until.ts'
import { ServerHost } from '../../../e2e/test-hosts/server-host.ts'

async function open(clock?: ManualClock) {
  const server = await HttpServer.listen()
  onTestFinished(() => server.close())
  const parley = await ServerHost.open(clock ? { clock } : {})
  const id = await parley.ready('far', { type: 'remote', url: server.url, headers: {} })
  return { server, parley, id }
}

describe('a remote server', () => {
  it('is called over HTTP, and its session id is in no log or record (SEC-25)', async () => {
    const { server, parley, id } = await open()
    expect(await parley.call(id, 'echo')).toBe('hello from afar')
    const { entries } = parley.host.servers.configured.get(id).traffic.read(undefined)
    expect(entries.map((entry) => entry.method)).toContain('tools/call')
    const everything = JSON.stringify([entries, await parley.log('far'), parley.host.state.snapshot])
    expect(server.session.length).toBeGreaterThan(30)
    expect(everything).not.toContain(server.session)
  })

  it('that lost the session is reconnected at once, and no call is repeated (LIFE-40)', async () => {
    const { server, parley, id } = await open()
    server.forgetSession()
    await expect(parley.call(id, 'echo')).rejects.toMatchObject({ code: 'unavailable' })
    await until(() => server.count('initialize') === 2, 'a new session')
    await parley.until('far', 'ready')
    expect(server.count('tools/call')).toBe(1)
    await until(async () => (await parley.log('far')).join().includes('no longer knows this session'), 'the reason in the log')
    expect(await parley.call(id, 'echo')).toBe('hello from afar')
  })

  it('that loses its session before it is ready gets a new one, once (TRAN-53)', async () => {
    for (const times of [1, 2]) {
      const server = await HttpServer.listen()
      onTestFinished(() => server.close())
      server.forgetful = times
      const parley = await ServerHost.open()
      await parley.host.servers.edits.add({ name: 'far', launch: { type: 'remote', url: server.url, headers: {} } })
      await parley.answer('far', 'allow')
      if (times === 1) await parley.until('far', 'ready')
      else expect((await parley.until('far', 'failed')).problem.code).toBe('session-lost')
      expect(server.count('initialize')).toBe(2)
    }
  })

  it('that fails again after that is retried with back-off, and then given up (LIFE-41)', async () => {
    const clock = new ManualClock()
    const { server, parley, id } = await open(clock)
    server.forgetSession()
    await expect(parley.call(id, 'echo')).rejects.toMatchObject({ code: 'unavailable' })
    server.status = 503
    await until(async () => {
      clock.advance(500)
      return parley.record('far').state.is === 'failed'
    }, 'it to be given up')
    expect(parley.record('far').state).toMatchObject({ problem: { code: 'http-503' } })
    server.status = undefined
    await parley.host.servers.controls.start(id)
    await parley.until('far', 'ready')
  })

  it('of the older transport is asked for its stream at once when started again (TRAN-68)', async () => {
    const server = await SseServer.listen()
    onTestFinished(() => server.close())
    const parley = await ServerHost.open()
    const id = await parley.ready('old', { type: 'remote', url: server.url, headers: {} })
    // The probe, the handshake, and only then the older stream.
    expect(server.reached.slice(0, 4)).toEqual(['POST /sse', 'POST /sse', 'GET /sse', 'POST /messages'])
    await parley.host.servers.controls.stop(id)
    server.reached.length = 0
    await parley.host.servers.controls.start(id)
    await parley.until('old', 'ready')
    expect(server.reached.slice(0, 2)).toEqual(['GET /sse', 'POST /messages'])
  })
})
