import { describe, expect, it } from 'vitest'
import { connectScripted, settled } from '../../e2e/servers/linked/connect-scripted.ts'
import { until } from '../../e2e/support/until.ts'

const ALIVE = { replies: { ping: () => ({}) } }
const TOOLS = { capabilities: { tools: {} } }

describe('a ping of the server', () => {
  it('is answered with an empty result, whatever it contains (PING-01, PING-04)', async () => {
    await using session = await connectScripted()
    expect((await session.server.ask('ping', undefined, 1)).result).toEqual({})
    expect((await session.server.ask('ping', { _meta: { progressToken: 1 } }, 2)).result).toEqual({})
  })

  it('is answered while the person is asked something (PING-01, PING-02)', async () => {
    const features = { roots: { list: () => new Promise<never>(() => {}) } }
    await using session = await connectScripted({ features })
    session.server.send({ jsonrpc: '2.0', id: 1, method: 'roots/list' })
    expect((await session.server.ask('ping', undefined, 2)).result).toEqual({})
  })
})

describe('a ping of ours', () => {
  it('carries no params and resolves with the answer (PING-03, PING-04)', async () => {
    await using session = await connectScripted(ALIVE)
    await session.client.ping(session.options)
    expect(session.server.got('ping')[0]).not.toHaveProperty('params')
  })

  it('is sent again and again to a silent server, at the configured interval (PING-05, PING-06)', async () => {
    await using session = await connectScripted({ ...ALIVE, pingEvery: 1000 })
    for (let count = 1; count <= 3; count++) {
      session.clock.advance(1000)
      await session.server.waitFor('ping', count)
      await settled()
    }
    await using never = await connectScripted({ ...ALIVE, pingEvery: 0 })
    never.clock.advance(3_600_000)
    await settled()
    expect(never.server.got('ping')).toHaveLength(0)
  })

  it('is left out while the server sends anything else (PING-08)', async () => {
    await using session = await connectScripted({ ...ALIVE, ...TOOLS, pingEvery: 1000 })
    for (let at = 0; at < 20; at++) {
      session.clock.advance(500)
      session.server.notify('notifications/message', { level: 'info', data: at })
      await settled()
    }
    expect(session.server.got('ping')).toHaveLength(0)
  })

  it('is left out while a call waits or a person is asked, which have their own deadlines (PING-08)', async () => {
    await using session = await connectScripted({ ...TOOLS, pingEvery: 1000, replies: { 'tools/call': () => undefined } })
    const call = session.client.callTool('a', {}, session.options).catch(() => {})
    session.clock.advance(30_000)
    await settled()
    expect(session.server.got('ping')).toHaveLength(0)
    await session.client.close()
    await call
  })

  it('that is missed twice in a row ends the connection, and each miss is reported (PING-09, PING-10, PING-11)', async () => {
    await using session = await connectScripted({ pingEvery: 10_000, pingTimeout: 2000, replies: { ping: () => undefined } })
    session.clock.advance(10_000)
    await session.server.waitFor('ping')
    session.clock.advance(2000)
    await until(() => session.remarks.length === 1)
    session.clock.advance(2000)
    await session.server.waitFor('ping', 2)
    session.clock.advance(2000)
    expect(await session.client.closed).toMatchObject({ name: 'TransportError', code: 'timeout' })
    expect(session.remarks.filter((text) => text.includes('ping'))).toHaveLength(2)
    await until(() => session.server.closed)
  })

  it.each([
    ['stdio', 15_000],
    ['streamable-http', 30_000],
    ['http-sse', 30_000],
  ] as const)('waits for its answer over %s for %i ms (PING-07)', async (kind, ms) => {
    await using session = await connectScripted({ kind, pingEvery: 60_000, replies: { ping: () => undefined } })
    session.clock.advance(60_000)
    await session.server.waitFor('ping')
    session.clock.advance(ms - 1)
    await settled()
    expect(session.remarks).toEqual([])
    session.clock.advance(1)
    await until(() => session.remarks.length)
  })

  it('waits for its answer as long as configured (PING-07)', async () => {
    await using session = await connectScripted({ pingEvery: 10_000, pingTimeout: 50, replies: { ping: () => undefined } })
    session.clock.advance(10_000)
    await session.server.waitFor('ping')
    session.clock.advance(49)
    await settled()
    expect(session.remarks).toEqual([])
    session.clock.advance(1)
    await until(() => session.remarks.length)
  })

  it('counts as answered when the answer is an error (PING-09)', async () => {
    await using session = await connectScripted({ pingEvery: 1000 })
    for (let count = 1; count <= 4; count++) {
      session.clock.advance(1000)
      await session.server.waitFor('ping', count)
      await settled()
    }
    expect(session.remarks).toEqual([])
    expect(session.server.closed).toBe(false)
  })
})
