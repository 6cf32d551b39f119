import { describe, expect, it } from 'vitest'
import { connectScripted, type ScriptedOptions, scripted, settled } from '../../e2e/servers/linked/connect-scripted.ts'
import type { Wire } from '../../e2e/servers/linked/scripted-server.ts'
import { until } from '../../e2e/support/until.ts'
import type { EraFound } from './era.ts'

const VERSION = 'io.modelcontextprotocol/protocolVersion'
const LISTED = { supportedVersions: ['2026-07-28'], capabilities: {} }

const refuse = (code: number, data?: unknown) => () => {
  throw { code, message: 'no', ...(data !== undefined && { data }) }
}
const methods = (received: readonly Wire[]) => received.map(({ method }) => method)

/** A server whose era nobody knows. */
function unknown(options: ScriptedOptions = {}) {
  const found: EraFound[] = []
  const parts = scripted({ known: undefined, onEra: (era) => found.push(era), ...options })
  return Object.assign(parts, { found })
}

describe('the era probe on a pipe', () => {
  it('asks server/discover before anything else, naming the version that it prefers (V26-NEG-6, V26-DISC-1)', async () => {
    await using session = unknown({ modern: true })
    await session.connect()
    const [first] = session.server.received
    expect(first).toMatchObject({ method: 'server/discover', params: { _meta: { [VERSION]: '2026-07-28' } } })
    expect(methods(session.server.received)).toEqual(['server/discover'])
  })

  it('takes an answer for the modern era, and sends no handshake there (V26-NEG-1, V26-NEG-7, V26-DISC-2)', async () => {
    await using session = unknown({ modern: true, capabilities: { tools: {} }, replies: { 'tools/list': () => ({ tools: [] }) } })
    const client = await session.connect()
    await client.catalog.load(session.controller.signal)
    expect(client.hello.protocolVersion).toBe('2026-07-28')
    expect(session.found).toEqual([{ era: 'modern', by: 'answer' }])
    expect(methods(session.server.received)).toEqual(['server/discover', 'tools/list'])
    expect(session.server.received.every(({ params }) => params._meta[VERSION] === '2026-07-28')).toBe(true)
  })

  it.each([-32601, -32602, -32600, -32000, -32603, 7])(
    'shakes hands on the same pipe when the answer is error %i (V26-NEG-7, V26-NEG-8)',
    async (code) => {
      await using session = unknown({ replies: { 'server/discover': refuse(code) } })
      const client = await session.connect()
      expect(client.hello.protocolVersion).toBe('2025-11-25')
      expect(session.found).toEqual([{ era: 'legacy', by: 'answer' }])
      expect(methods(session.server.received)).toEqual(['server/discover', 'initialize', 'notifications/initialized'])
    },
  )

  it.each([
    ['a list of versions that is none', -32022, { supported: 'all' }],
    ['no list of versions', -32022, undefined],
    ['a list of versions with one that is no text', -32022, { supported: ['2031-01-01', 1] }],
    ['no capabilities', -32021, { requiredCapabilities: 'sampling' }],
    ['a header mismatch, where there are no headers', -32020, undefined],
  ])('treats a modern error with %s like any other error (V26-NEG-9)', async (_what, code, data) => {
    await using session = unknown({ replies: { 'server/discover': refuse(code, data) } })
    expect((await session.connect()).hello.protocolVersion).toBe('2025-11-25')
  })

  it('takes a well-formed demand for a capability for a modern server, and offers no handshake (V26-NEG-9)', async () => {
    await using session = unknown({ replies: { 'server/discover': refuse(-32021, { requiredCapabilities: { sampling: {} } }) } })
    await expect(session.connect()).rejects.toMatchObject({ code: -32021 })
    expect(session.server.got('initialize')).toHaveLength(0)
  })

  it.each([{}, { supportedVersions: '2026-07-28' }, { tools: [] }, { resultType: 'complete' }])(
    'takes the answer %j of a server that answers everything for the legacy era (V26-NEG-10)',
    async (answer) => {
      await using session = unknown({ replies: { 'server/discover': () => answer } })
      expect((await session.connect()).hello.protocolVersion).toBe('2025-11-25')
    },
  )

  it('sends the handshake as well when the probe has no answer for 10 s (V26-NEG-11, V26-NEG-13)', async () => {
    await using session = unknown({ replies: { 'server/discover': () => undefined } })
    const connecting = session.connect()
    await session.server.waitFor('server/discover')
    session.clock.advance(9_999)
    await settled()
    expect(session.server.got('initialize')).toHaveLength(0)
    session.clock.advance(1)
    expect((await connecting).hello.protocolVersion).toBe('2025-11-25')
    expect(session.found).toEqual([{ era: 'legacy', by: 'silence' }])
    // The probe is no request of this session: nothing is cancelled.
    expect(session.server.got('notifications/cancelled')).toHaveLength(0)
  })

  it('waits for the handshake’s answer when the probe’s comes second, and lets it decide (V26-NEG-11)', async () => {
    await using session = unknown({ replies: { 'server/discover': () => undefined, initialize: () => undefined } })
    const connecting = session.connect()
    const [probe] = await session.server.waitFor('server/discover')
    session.clock.advance(10_000)
    const [hello] = await session.server.waitFor('initialize')
    session.server.send({ jsonrpc: '2.0', id: probe?.id, result: LISTED })
    await settled()
    expect(session.found).toEqual([])
    const introduction = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } }
    session.server.send({ jsonrpc: '2.0', id: hello?.id, result: introduction })
    expect((await connecting).hello.protocolVersion).toBe('2025-11-25')
  })

  it('takes a late answer to the probe when the handshake is refused (V26-NEG-11)', async () => {
    const refused = refuse(-32022, { supported: ['2026-07-28'], requested: '2025-11-25' })
    await using session = unknown({ replies: { 'server/discover': () => undefined, initialize: refused } })
    const connecting = session.connect()
    const [probe] = await session.server.waitFor('server/discover')
    session.clock.advance(10_000)
    await session.server.waitFor('initialize')
    await settled()
    session.server.send({ jsonrpc: '2.0', id: probe?.id, result: LISTED })
    expect((await connecting).hello.protocolVersion).toBe('2026-07-28')
    expect(session.found).toEqual([{ era: 'modern', by: 'answer' }])
  })

  it('gives up after the time of the whole opening, not ten seconds later, and says how long that was (V26-NEG-13)', async () => {
    const silent = () => undefined
    await using session = unknown({ replies: { 'server/discover': silent, initialize: silent }, handshakeTimeout: 30_000 })
    const connecting = session.connect()
    const message = 'The server did not introduce itself within 30 s.'
    const failure = expect(connecting).rejects.toMatchObject({ code: 'timeout', message })
    await session.server.waitFor('server/discover')
    session.clock.advance(10_000)
    await session.server.waitFor('initialize')
    session.clock.advance(20_000)
    await failure
  })

  it('answers a ping before the era is known, and no request after it is (V26-STDIO-2, V26-STDIO-3)', async () => {
    await using session = unknown({ modern: true, replies: { 'server/discover': () => undefined } })
    const connecting = session.connect()
    const [probe] = await session.server.waitFor('server/discover')
    expect((await session.server.ask('ping', undefined, 'early')).result).toEqual({})
    session.server.send({ jsonrpc: '2.0', id: probe?.id, result: LISTED })
    await connecting
    session.server.send({ jsonrpc: '2.0', id: 'late', method: 'ping' })
    session.server.send({ jsonrpc: '2.0', id: 'roots', method: 'roots/list' })
    await until(() => session.remarks.filter((text) => /sent a request/.test(text)).length === 2)
    expect(session.server.received.filter(({ id }) => id === 'late' || id === 'roots')).toEqual([])
  })
})

describe('versions of the modern era', () => {
  it('are requested once more when the server names the very version it refused, and not a third time (V26-NEG-2, V26-NEG-3)', async () => {
    const supported = { supported: ['2026-07-28'], requested: '2026-07-28' }
    await using session = unknown({ replies: { 'server/discover': refuse(-32022, supported) } })
    await expect(session.connect()).rejects.toMatchObject({ code: 'version' })
    const asked = session.server.got('server/discover')
    expect(asked).toHaveLength(2)
    expect(asked[0]?.id).not.toBe(asked[1]?.id)
    expect(session.server.got('initialize')).toHaveLength(0)
  })

  it.each([
    ['refuses and names', { 'server/discover': refuse(-32022, { supported: ['2025-06-18', '2024-11-05'] }) }],
    ['answers and names', { 'server/discover': () => ({ supportedVersions: ['2025-06-18', '2024-11-05'], capabilities: {} }) }],
  ])('include a handshake with our newest revision that a server %s (V26-NEG-4)', async (_how, replies) => {
    await using session = unknown({ speaks: '2025-06-18', replies })
    const client = await session.connect()
    expect(session.server.got('initialize')[0]?.params.protocolVersion).toBe('2025-06-18')
    expect(client.hello.protocolVersion).toBe('2025-06-18')
  })

  it.each([
    ['refusal', { 'server/discover': refuse(-32022, { supported: ['2031-01-01'] }) }],
    ['list', { 'server/discover': () => ({ supportedVersions: ['2031-01-01'], capabilities: {} }) }],
  ])(
    'are named on both sides when a %s has none in common, without a handshake (V26-NEG-2, V26-NEG-5)',
    async (_what, replies) => {
      await using session = unknown({ replies })
      await expect(session.connect()).rejects.toThrow(/2031-01-01.*2026-07-28.*2025-11-25/)
      expect(session.server.got('initialize')).toHaveLength(0)
    },
  )

  it('never include 2026-07-28 in a handshake, and an answer with it is a failure (V26-NEG-20)', async () => {
    await using session = unknown({ speaks: '2026-07-28', replies: { 'server/discover': refuse(-32601) } })
    await expect(session.connect()).rejects.toMatchObject({ code: 'version' })
    expect(session.server.got('initialize')[0]?.params.protocolVersion).toBe('2025-11-25')
  })

  it('are probed on the same pipe when a remembered handshake meets a modern error (V26-NEG-21)', async () => {
    const refused = refuse(-32022, { supported: ['2026-07-28'], requested: '2025-11-25' })
    await using session = unknown({
      known: { era: 'legacy', by: 'memory' },
      modern: true,
      replies: { initialize: refused },
    })
    expect((await session.connect()).hello.protocolVersion).toBe('2026-07-28')
    expect(methods(session.server.received)).toEqual(['initialize', 'server/discover'])
  })

  it('are in no request of a session, nor is the client’s name (V26-NEG-22)', async () => {
    const replies = {
      'server/discover': refuse(-32601),
      'tools/list': () => ({ tools: [] }),
      'tools/call': () => ({ content: [] }),
    }
    await using session = unknown({ capabilities: { tools: {} }, replies })
    const client = await session.connect()
    const { signal } = session.controller
    await client.catalog.load(signal)
    await client.callTool('a', {}, { signal, onProgress: () => {} })
    const [, ...ofSession] = session.server.received
    expect(methods(ofSession)).toEqual(['initialize', 'notifications/initialized', 'tools/list', 'tools/call'])
    expect(ofSession.map(({ params }) => Object.keys(params?._meta ?? {}))).toEqual([[], [], [], ['progressToken']])
  })

  it('are not probed where the person chose the era, and a wrong choice is reported (V26-NEG-24)', async () => {
    await using handshake = unknown({ known: { era: 'legacy', by: 'choice' } })
    await handshake.connect()
    expect(handshake.server.got('server/discover')).toHaveLength(0)
    await using modern = unknown({ known: { era: 'modern', by: 'choice' } })
    await expect(modern.connect()).rejects.toThrow(/2026-07-28/)
    expect(modern.server.got('initialize')).toHaveLength(0)
  })
})

describe('a connection without a session', () => {
  const capabilities = { tools: {}, resources: { subscribe: true }, prompts: {}, logging: {}, completions: {} }
  const features = {
    roots: { list: async () => ({ roots: [] }) },
    elicitation: { url: true, elicit: async () => ({ action: 'decline' }) as const },
  }

  it('uses nothing that the modern era removed (V26-NEG-22, V26-ROOT-2)', async () => {
    await using session = await connectScripted({ modern: true, capabilities, features, pingEvery: 10 })
    const { client, options, server, clock } = session
    await expect(client.ping(options)).rejects.toMatchObject({ code: 'not-negotiated' })
    await client.setLogLevel('info', options)
    client.rootsChanged()
    clock.advance(60_000)
    await settled()
    expect(methods(server.received)).toEqual(['server/discover'])
  })

  it('names its version, client and capabilities in each request (V26-META-1, V26-META-2, V26-META-3)', async () => {
    const replies = { 'tools/call': () => ({ content: [] }) }
    const now: { roots?: (typeof features)['roots'] } = { roots: features.roots }
    await using session = await connectScripted({ modern: true, capabilities, features: now, replies })
    await session.client.callTool('a', {}, { ...session.options, onProgress: () => {} })
    delete now.roots
    await session.client.callTool('a', {}, session.options)
    const [first, second] = session.server.got('tools/call').map(({ params }) => params._meta)
    expect(first).toEqual({
      [VERSION]: '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'parley', version: '0.1.0' },
      'io.modelcontextprotocol/clientCapabilities': { roots: {} },
      progressToken: 1,
    })
    expect(second['io.modelcontextprotocol/clientCapabilities']).toEqual({})
  })

  it('declares roots without listChanged, and nothing that is switched off (V26-META-4, V26-META-5, V26-META-6)', async () => {
    await using session = await connectScripted({ modern: true, features })
    const [{ params } = {} as Wire] = session.server.got('server/discover')
    expect(params._meta['io.modelcontextprotocol/clientCapabilities']).toEqual({
      roots: {},
      elicitation: { form: {}, url: {} },
    })
  })
})

describe('a version refused in the middle of a connection', () => {
  const capabilities = { tools: {} }
  const data = { supported: ['2026-07-28'], requested: '2026-07-28' }

  it('leads to a new discovery, and the request is repeated under another id (V26-NEG-23, V26-NEG-2)', async () => {
    let refused = false
    const refuseOnce = () => {
      if (refused) return { content: [] }
      refused = true
      throw { code: -32022, message: 'no', data }
    }
    await using session = await connectScripted({ modern: true, capabilities, replies: { 'tools/call': refuseOnce } })
    await session.client.callTool('a', {}, session.options)
    expect(methods(session.server.received)).toEqual(['server/discover', 'tools/call', 'server/discover', 'tools/call'])
    const ids = session.server.received.map(({ id }) => id)
    expect(new Set(ids).size).toBe(4)
  })

  it('is followed by a discovery with version and capabilities, like every request (V26-META-1)', async () => {
    let refused = false
    const refuseOnce = () => {
      if (refused) return { content: [] }
      refused = true
      throw { code: -32022, message: 'no', data }
    }
    const replies = { 'tools/call': refuseOnce, 'subscriptions/listen': () => undefined }
    const features = { roots: { list: async () => ({ roots: [] }) } }
    const listening = { tools: { listChanged: true } }
    await using session = await connectScripted({ modern: true, capabilities: listening, features, replies })
    await session.client.callTool('a', {}, session.options)
    const { received } = session.server
    expect(methods(received).filter((method) => method === 'server/discover')).toHaveLength(2)
    for (const { method, params } of received.filter(({ id }) => id !== undefined)) {
      expect(params?._meta?.[VERSION], method).toBe('2026-07-28')
      expect(params?._meta?.['io.modelcontextprotocol/clientCapabilities'], method).toMatchObject({ roots: {} })
    }
  })

  it('is final when it is refused again (V26-NEG-3, V26-NEG-23)', async () => {
    const replies = { 'tools/call': refuse(-32022, data) }
    await using session = await connectScripted({ modern: true, capabilities, replies })
    await expect(session.client.callTool('a', {}, session.options)).rejects.toMatchObject({ code: -32022 })
    expect(session.server.got('tools/call')).toHaveLength(2)
  })

  it('ends the connection when none is left in common: the next begins with the probe (V26-NEG-23)', async () => {
    let asked = 0
    const LEFT = { supportedVersions: ['2031-01-01'], capabilities: {} }
    await using session = await connectScripted({
      modern: true,
      capabilities,
      replies: {
        'server/discover': () => (asked++ === 0 ? { ...LISTED, capabilities } : LEFT),
        'tools/call': refuse(-32022, data),
      },
    })
    const calling = session.client.callTool('a', {}, session.options)
    await expect(calling).rejects.toMatchObject({ code: -32022 })
    expect(await session.client.closed).toMatchObject({ code: 'closed', message: expect.stringContaining('2026-07-28') })
  })

  it('is told apart from other errors, which are reported and not repeated (V26-NEG-23)', async () => {
    const replies = { 'tools/call': refuse(-32602) }
    await using session = await connectScripted({ modern: true, capabilities, replies })
    await expect(session.client.callTool('a', {}, session.options)).rejects.toMatchObject({ code: -32602 })
    expect(methods(session.server.received)).toEqual(['server/discover', 'tools/call'])
  })
})

describe('a program that does more than answer', () => {
  it('gets no declared extension, since none is built (V26-NEG-25)', async () => {
    await using session = await connectScripted({ modern: true })
    const [{ params } = {} as Wire] = session.server.got('server/discover')
    expect(params._meta['io.modelcontextprotocol/clientCapabilities']).not.toHaveProperty('extensions')
    expect(params._meta['io.modelcontextprotocol/clientCapabilities']).not.toHaveProperty('experimental')
  })
})
