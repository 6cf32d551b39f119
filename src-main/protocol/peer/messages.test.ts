import { describe, expect, it } from 'vitest'
import { connectScripted, scripted, settled } from '../../../e2e/servers/linked/connect-scripted.ts'
import type { Wire } from '../../../e2e/servers/linked/scripted-server.ts'
import { until } from '../../../e2e/support/until.ts'
import { ProtocolError, RequestError } from '../shapes/json-rpc.ts'
import type { ClientFeatures } from './client-features.ts'

const TOOLS = { capabilities: { tools: {} } }
const OK = { content: [] }

/** Roots that answer when they are let. */
function slowRoots() {
  const open: (() => void)[] = []
  let asked = 0
  const features: ClientFeatures = {
    roots: {
      list: () => {
        asked++
        return new Promise((resolve) => open.push(() => resolve({ roots: [] })))
      },
    },
  }
  return { features, asked: () => asked, release: () => open.splice(0).forEach((run) => void run()) }
}

function shapeOf(message: Wire): string {
  if (message.method !== undefined) return message.id === undefined ? 'notification' : 'request'
  return 'result' in message && 'error' in message ? 'both' : 'result' in message ? 'result' : 'error'
}

describe('our messages', () => {
  it('are all JSON-RPC 2.0 with an integer id on requests alone (MSG-01, MSG-02, MSG-09)', async () => {
    const tools = { tools: [] }
    await using session = await connectScripted({ ...TOOLS, replies: { 'tools/list': () => tools, 'tools/call': () => OK } })
    await session.client.catalog.load(session.options.signal)
    await session.client.callTool('a', {}, session.options)
    session.server.send({ jsonrpc: '2.0', id: 1, method: 'ping' })
    await session.server.answerTo(1)
    for (const message of session.server.received) {
      expect(message.jsonrpc).toBe('2.0')
      if (shapeOf(message) === 'request') expect(Number.isInteger(message.id)).toBe(true)
      if (shapeOf(message) === 'notification') expect('id' in message).toBe(false)
    }
    expect(new Set(session.server.received.map(shapeOf))).toEqual(new Set(['request', 'notification', 'result']))
  })

  it('never use an id twice, whatever happened to the request (MSG-03, MSG-04, CANC-14)', async () => {
    await using session = await connectScripted({
      ...TOOLS,
      replies: { 'tools/call': ({ name }) => (name === 'mute' ? undefined : OK) },
    })
    for (let at = 0; at < 300; at++) {
      const controller = new AbortController()
      const call = session.client.callTool(at % 3 === 0 ? 'mute' : 'quick', {}, { signal: controller.signal })
      if (at % 3 === 0) {
        await settled()
        controller.abort()
        await expect(call).rejects.toThrow()
      } else await call
    }
    const ids = session.server.received.filter((message) => shapeOf(message) === 'request').map(({ id }) => id)
    expect(ids).toHaveLength(301)
    expect(new Set(ids).size).toBe(301)
    expect(ids).not.toContain(null)
  })

  it('repeat the id of a request in value and type (MSG-05, TRAP-09)', async () => {
    await using session = await connectScripted()
    session.server.send({ jsonrpc: '2.0', id: '7', method: 'ping' })
    session.server.send({ jsonrpc: '2.0', id: 7, method: 'ping' })
    await session.server.answerTo(7)
    expect(session.server.received.filter(({ method }) => method === undefined)).toEqual([
      { jsonrpc: '2.0', id: '7', result: {} },
      { jsonrpc: '2.0', id: 7, result: {} },
    ])
  })

  it('answer with exactly one of result and error, and errors have an integer code and one short sentence (MSG-06, MSG-07, MSG-08)', async () => {
    const features: ClientFeatures = { roots: { list: () => Promise.reject(new Error('disk on fire at /home/secret')) } }
    await using session = await connectScripted({ features })
    const answers = [
      await session.server.ask('ping', undefined, 1),
      await session.server.ask('foo/bar', undefined, 2),
      await session.server.ask('roots/list', undefined, 3),
      await session.server.ask('roots/list', [], 4),
    ]
    expect(answers.map(shapeOf)).toEqual(['result', 'error', 'error', 'error'])
    for (const { error } of answers.slice(1)) {
      expect(Number.isInteger(error?.code)).toBe(true)
      expect(error?.message).toMatch(/^[^.]{3,80}\.?$/)
    }
    expect(JSON.stringify(answers)).not.toContain('secret')
  })

  it('carry params as an object, or none (MSG-11)', async () => {
    await using session = await connectScripted({ ...TOOLS, replies: { 'tools/list': () => ({ tools: [] }) } })
    await session.client.catalog.load(session.options.signal)
    await session.client.ping(session.options).catch(() => {})
    for (const { params } of session.server.received) {
      expect(params === undefined || (typeof params === 'object' && !Array.isArray(params))).toBe(true)
    }
    expect(session.server.got('tools/list')[0]).not.toHaveProperty('params')
  })

  it('are never batched (MSG-27, MSG-32)', async () => {
    await using session = await connectScripted({ ...TOOLS, speaks: '2025-03-26', replies: { 'tools/call': () => OK } })
    await Promise.all([1, 2, 3].map(() => session.client.callTool('a', {}, session.options)))
    expect(session.server.received.some((message) => Array.isArray(message))).toBe(false)
  })
})

describe('the answer to a wrong message', () => {
  it('is -32601 for an unknown method (MSG-12)', async () => {
    await using session = await connectScripted()
    expect((await session.server.ask('foo/bar', {}, 1)).error?.code).toBe(-32601)
  })

  it('is -32601 for a method named like an inherited property', async () => {
    await using session = await connectScripted()
    expect((await session.server.ask('constructor', {}, 1)).error).toEqual({ code: -32601, message: 'Method not found' })
  })

  it('is -32602 for array params, and -32603 for a failing feature (MSG-11, MSG-13)', async () => {
    const features: ClientFeatures = { roots: { list: () => Promise.reject(new Error('broken')) } }
    await using session = await connectScripted({ features })
    expect((await session.server.ask('roots/list', [1], 1)).error?.code).toBe(-32602)
    expect((await session.server.ask('roots/list', undefined, 2)).error?.code).toBe(-32603)
  })

  it('is -32600 for an object with an id that is no request, and nothing without a usable id (MSG-14)', async () => {
    await using session = await connectScripted()
    expect((await session.server.ask(12 as never, {}, 1)).error?.code).toBe(-32600)
    session.server.send({ id: 2, method: 'ping' })
    expect((await session.server.answerTo(2)).error?.code).toBe(-32600)
    const before = session.server.received.length
    for (const id of [null, 1.5, true, {}, [1], 2 ** 60]) session.server.send({ jsonrpc: '2.0', id, method: 'ping' })
    for (const junk of [null, 5, 'text', {}, { jsonrpc: '2.0' }]) session.server.send(junk)
    await settled()
    expect(session.server.received).toHaveLength(before)
    expect(session.remarks.length).toBeGreaterThanOrEqual(11)
  })

  it('is never given to notifications, however wrong (MSG-10, MSG-15, TRAP-11)', async () => {
    await using session = await connectScripted()
    const before = session.server.received.length
    session.server.notify('notifications/xyz', {})
    session.server.notify('notifications/cancelled', {})
    session.server.notify('notifications/message', [1])
    session.server.send({ jsonrpc: '2.0', method: 5 })
    await settled()
    expect(session.server.received).toHaveLength(before)
    expect(session.remarks).toHaveLength(4)
  })

  it('is not given to a second request with an id in flight, and that is noted (MSG-18, TRAP-09)', async () => {
    const roots = slowRoots()
    await using session = await connectScripted({ features: roots.features })
    session.server.send({ jsonrpc: '2.0', id: 5, method: 'roots/list' })
    session.server.send({ jsonrpc: '2.0', id: 5, method: 'roots/list' })
    session.server.send({ jsonrpc: '2.0', id: 5, method: 'ping' })
    await settled()
    expect(roots.asked()).toBe(1)
    roots.release()
    await session.server.answerTo(5)
    await settled()
    expect(session.server.received.filter(({ id, method }) => id === 5 && method === undefined)).toHaveLength(1)
    expect(session.remarks).toEqual(Array(2).fill(expect.stringContaining('still open')))
  })

  it('is -32600 for an id that was answered before, with a note (MSG-19)', async () => {
    await using session = await connectScripted()
    await session.server.ask('ping', undefined, 9)
    for (const method of ['ping', 'roots/list', 'sampling/createMessage']) session.server.send({ jsonrpc: '2.0', id: 9, method })
    await settled()
    const answers = session.server.received.filter(({ id, method }) => id === 9 && method === undefined)
    expect(answers.map(({ error }) => error?.code)).toEqual([undefined, -32600, -32600, -32600])
    expect(session.remarks).toEqual(Array(3).fill(expect.stringContaining('answered request')))
  })

  it('is not affected by ids of ours (MSG-20)', async () => {
    const roots = slowRoots()
    await using session = await connectScripted({
      ...TOOLS,
      features: roots.features,
      replies: { 'tools/call': () => undefined },
    })
    let ours: string | number = ''
    const call = session.client.callTool('a', {}, { ...session.options, onSent: (id) => (ours = id) })
    await session.server.waitFor('tools/call')
    session.server.send({ jsonrpc: '2.0', id: ours, method: 'roots/list' })
    await until(roots.asked)
    session.server.send({ jsonrpc: '2.0', id: ours, result: OK })
    expect(await call).toEqual({ ...OK, warnings: [] })
    roots.release()
    expect((await session.server.answerTo(ours)).result).toEqual({ roots: [] })
  })

  it('is a refusal beyond the limit of open requests, except for a ping', async () => {
    const roots = slowRoots()
    await using session = await connectScripted({ features: roots.features })
    for (let id = 1; id <= 32; id++) session.server.send({ jsonrpc: '2.0', id, method: 'roots/list' })
    expect((await session.server.ask('roots/list', undefined, 33)).error?.code).toBe(-32603)
    expect((await session.server.ask('ping', undefined, 34)).result).toEqual({})
    roots.release()
  })
})

describe('answers of the server', () => {
  const silent = { ...TOOLS, replies: { 'tools/call': () => undefined } }

  it('are matched by id alone, in any order (MSG-21)', async () => {
    await using session = await connectScripted(silent)
    const calls = ['a', 'b', 'c'].map((name) => session.client.callTool(name, {}, session.options))
    const asked = await session.server.waitFor('tools/call', 3)
    for (const { id, params } of [...asked].reverse()) {
      session.server.send({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: params.name }] } })
    }
    const texts = (await Promise.all(calls)).map(({ content }) => content[0])
    expect(texts).toEqual(['a', 'b', 'c'].map((text) => ({ type: 'text', text })))
  })

  it('without a request of ours settle nothing (MSG-16, MSG-25)', async () => {
    await using session = await connectScripted(silent)
    const call = session.client.callTool('a', {}, session.options)
    const [{ id } = {}] = await session.server.waitFor('tools/call')
    for (const stray of [999, String(id), null, undefined]) session.server.send({ jsonrpc: '2.0', id: stray, result: OK })
    session.server.send({ jsonrpc: '2.0', error: { code: -32000, message: 'no id' } })
    session.server.send({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'right' }] } })
    session.server.send({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'again' }] } })
    expect((await call).content).toEqual([{ type: 'text', text: 'right' }])
    await settled()
    expect(session.remarks).toHaveLength(6)
  })

  it.each([
    ['both', { result: OK, error: { code: 1, message: 'x' } }],
    ['neither', {}],
    ['a result that is no object', { result: [] }],
    ['an error without a code', { error: { message: 'x' } }],
    ['another version of JSON-RPC', { jsonrpc: '1.0', result: OK }],
  ])('with %s fail that request as a protocol error (MSG-17)', async (_, body) => {
    await using session = await connectScripted(silent)
    const call = session.client.callTool('a', {}, session.options)
    const [{ id } = {}] = await session.server.waitFor('tools/call')
    session.server.send({ jsonrpc: '2.0', id, ...body })
    await expect(call).rejects.toMatchObject({ name: 'RequestError', code: 'invalid-result' })
  })

  it('without result and error are noted', async () => {
    await using session = await connectScripted(silent)
    const call = session.client.callTool('a', {}, session.options)
    const [{ id } = {}] = await session.server.waitFor('tools/call')
    session.server.send({ jsonrpc: '2.0', id })
    await expect(call).rejects.toThrow('no result object')
    expect(session.remarks).toEqual(['The server answered a request with neither a result nor an error.'])
    await settled()
    expect(session.server.received.filter(({ error }) => error)).toEqual([])
  })

  it('that are errors reach the caller with code, message and data (MSG-24, TOOL-22)', async () => {
    const error = { code: -32602, message: 'Unknown tool: a', data: { hint: ['b'] } }
    const fail = () => {
      throw error
    }
    await using session = await connectScripted({ ...TOOLS, replies: { 'tools/call': fail } })
    const failure = await session.client.callTool('a', {}, session.options).catch((reason: unknown) => reason)
    expect(failure).toBeInstanceOf(ProtocolError)
    expect(failure).toMatchObject(error)
  })

  it('may have unknown members (MSG-23, LIFE-08)', async () => {
    const result = { content: [{ type: 'text', text: 'x', colour: 'red' }], extra: { deep: [1] }, _meta: { 'a.b/c': 1 } }
    await using session = await connectScripted({ ...TOOLS, replies: { 'tools/call': () => result } })
    expect(await session.client.callTool('a', {}, session.options)).toEqual({ ...result, warnings: [] })
  })

  it('are read even while the server’s own request comes between (MSG-22, SAMP-31, TRAP-12)', async () => {
    const createMessage = async () => ({ role: 'assistant', content: { type: 'text', text: '4' }, model: 'm' }) as const
    const features: ClientFeatures = { sampling: { tools: false, context: false, createMessage } }
    await using session = await connectScripted({ ...silent, features })
    const call = session.client.callTool('a', {}, session.options)
    const [{ id } = {}] = await session.server.waitFor('tools/call')
    const messages = [{ role: 'user', content: { type: 'text', text: '2+2' } }]
    const answer = await session.server.ask('sampling/createMessage', { messages, maxTokens: 5 }, 'nested')
    session.server.send({ jsonrpc: '2.0', id, result: { content: [answer.result.content] } })
    expect((await call).content).toEqual([{ type: 'text', text: '4' }])
  })
})

describe('batches', () => {
  const march = { ...TOOLS, speaks: '2025-03-26', replies: { 'tools/call': () => undefined } }

  it('are received in 2025-03-26, each member with its own outcome (MSG-26, MSG-30)', async () => {
    await using session = await connectScripted(march)
    session.server.send([
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: 2, method: 7 },
      { jsonrpc: '2.0', id: 3, method: 'foo/bar' },
      'junk',
      [],
      { jsonrpc: '2.0', method: 'notifications/xyz' },
    ])
    expect((await session.server.answerTo(1)).result).toEqual({})
    expect((await session.server.answerTo(2)).error?.code).toBe(-32600)
    expect((await session.server.answerTo(3)).error?.code).toBe(-32601)
    await settled()
    expect(session.server.received.filter(({ method }) => method === undefined)).toHaveLength(3)
  })

  it('of responses settle each request (MSG-29, TRAP-08)', async () => {
    await using session = await connectScripted(march)
    const calls = ['a', 'b'].map((name) => session.client.callTool(name, {}, session.options))
    const asked = await session.server.waitFor('tools/call', 2)
    session.server.send(asked.map(({ id }) => ({ jsonrpc: '2.0', id, result: OK })))
    expect(await Promise.all(calls)).toHaveLength(2)
  })

  it('are answered one by one, so that a ping does not wait for a person (MSG-36)', async () => {
    const roots = slowRoots()
    await using session = await connectScripted({ ...march, features: roots.features })
    session.server.send([
      { jsonrpc: '2.0', id: 1, method: 'roots/list' },
      { jsonrpc: '2.0', id: 2, method: 'ping' },
    ])
    expect((await session.server.answerTo(2)).result).toEqual({})
    expect(session.server.received.some(({ id, method }) => id === 1 && method === undefined)).toBe(false)
    roots.release()
    await session.server.answerTo(1)
  })

  it('that are empty, or hold notifications alone, get no answer (MSG-30, MSG-31)', async () => {
    await using session = await connectScripted(march)
    const before = session.server.received.length
    session.server.send([])
    session.server.send([{ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 1 } }])
    await settled()
    expect(session.server.received).toHaveLength(before)
    expect(session.remarks).toEqual(['The server sent a batch of 0 messages; it was dropped.'])
  })

  it.each(['2025-06-18', '2025-11-25'])('are dropped in %s (MSG-32, TRAP-06)', async (protocolVersion) => {
    await using session = await connectScripted({ speaks: protocolVersion })
    session.server.send([{ jsonrpc: '2.0', id: 1, method: 'ping' }])
    await settled()
    expect(session.server.received.some(({ id, method }) => id === 1 && method === undefined)).toBe(false)
    expect(session.remarks[0]).toContain('batch')
  })

  it('are dropped and noted in 2024-11-05, requests and replies alike (MSG-33, TRAP-07)', async () => {
    await using session = await connectScripted({ ...march, speaks: '2024-11-05' })
    const call = session.client.callTool('a', {}, session.options)
    const [asked] = await session.server.waitFor('tools/call')
    session.server.send([{ jsonrpc: '2.0', id: 1, method: 'ping' }])
    session.server.send([{ jsonrpc: '2.0', id: asked?.id, result: { content: [{ type: 'text', text: 'batched' }] } }])
    await settled()
    expect(session.server.received.some(({ id, method }) => id === 1 && method === undefined)).toBe(false)
    expect(session.remarks).toEqual(Array(2).fill(expect.stringContaining('batch')))
    session.server.send({ jsonrpc: '2.0', id: asked?.id, result: OK })
    expect((await call).content).toEqual([])
  })

  it('are dropped before the revision is agreed, and initialize is never in one (MSG-28, MSG-34)', async () => {
    await using session = scripted({ replies: { initialize: () => undefined } })
    const connecting = session.connect()
    const [first] = await session.server.waitFor('initialize')
    session.server.send([{ jsonrpc: '2.0', id: 1, method: 'ping' }])
    await settled()
    expect(session.server.received).toEqual([first])
    const introduction = { protocolVersion: '2025-03-26', capabilities: {}, serverInfo: { name: 's', version: '1' } }
    session.server.send({ jsonrpc: '2.0', id: first?.id, result: introduction })
    await connecting
  })

  it('are understood directly after the answer that agrees on 2025-03-26 (MSG-26)', async () => {
    await using session = scripted({ replies: { initialize: () => undefined } })
    const connecting = session.connect()
    const [first] = await session.server.waitFor('initialize')
    const introduction = { protocolVersion: '2025-03-26', capabilities: {}, serverInfo: { name: 's', version: '1' } }
    session.server.send({ jsonrpc: '2.0', id: first?.id, result: introduction })
    session.server.send([{ jsonrpc: '2.0', id: 1, method: 'ping' }])
    expect((await session.server.answerTo(1)).result).toEqual({})
    await connecting
  })
})

describe('limits', () => {
  it('refuse another request of ours when too many are waiting', async () => {
    const replies = { 'tools/call': () => undefined }
    const { DEFAULT_LIMITS } = await import('../shapes/limits.ts')
    const limits = { ...DEFAULT_LIMITS, maxPendingRequests: 2 }
    await using session = await connectScripted({ ...TOOLS, replies, limits })
    const waiting = [1, 2].map(() => session.client.callTool('a', {}, session.options).catch((error: unknown) => error))
    const refused = await session.client.callTool('a', {}, session.options).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'too-many-pending', cause: { name: 'LimitError', limit: 'maxPendingRequests' } })
    await session.client.close()
    for (const failure of await Promise.all(waiting)) expect(failure).toBeInstanceOf(RequestError)
  })

  it('drop a flood of log entries and say so, but no change of a list (LOG-09, SEC-24, V26-LOG-4)', async () => {
    await using session = await connectScripted({
      capabilities: { logging: {}, tools: {} },
      replies: { 'tools/list': () => ({ tools: [] }) },
    })
    let heard = 0
    session.client.onLog.on(() => heard++)
    for (let at = 0; at < 1000; at++) session.server.notify('notifications/message', { level: 'info', data: at })
    session.server.notify('notifications/tools/list_changed')
    await settled()
    expect(heard).toBe(500)
    expect(session.remarks).toContain('The server sends too many notifications; 1 were dropped.')
    session.clock.advance(100)
    await session.server.waitFor('tools/list')
  })

  it('fail only the request whose answer is too large, and keep the connection (SEC-23)', async () => {
    const { DEFAULT_LIMITS } = await import('../shapes/limits.ts')
    const limits = { ...DEFAULT_LIMITS, maxItems: 3 }
    const many = { content: [1, 2, 3, 4].map((at) => ({ type: 'text', text: String(at) })) }
    await using session = await connectScripted({
      ...TOOLS,
      limits,
      replies: { 'tools/call': ({ name }) => (name === 'many' ? many : OK) },
    })
    await expect(session.client.callTool('many', {}, session.options)).rejects.toMatchObject({
      code: 'too-large',
      cause: { limit: 'maxItems', allowed: 3 },
    })
    expect((await session.client.callTool('few', {}, session.options)).content).toEqual([])
  })
})
