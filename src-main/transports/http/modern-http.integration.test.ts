import { afterEach, describe, expect, it } from 'vitest'
import { checkValue } from '../../../e2e/support/check-value.ts'
import { event, eventStream, type Handle, json, Loopback, reply, type Seen } from '../../../e2e/support/loopback.ts'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { RecordingSink } from '../../../e2e/support/recording-sink.ts'
import { until } from '../../../e2e/support/until.ts'
import { type Clock, systemClock } from '../../../src-shared/base/clock.ts'
import { Lifetime } from '../../../src-shared/base/lifetime.ts'
import type { Progress } from '../../../src-shared/mcp/primitives.ts'
import { connectClient } from '../../client/connect-client.ts'
import type { ClientFeatures } from '../../protocol/peer/client-features.ts'
import { DEFAULT_LIMITS } from '../../protocol/shapes/limits.ts'
import { createConnector } from './connector.ts'
import type { HttpRequest } from './http-fetch.ts'
import { ModernHttp } from './modern-http.ts'

const META = 'io.modelcontextprotocol/'
const NO_ID = { jsonrpc: '2.0', error: { code: -32603, message: 'it broke' } }

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

interface Options {
  readonly clock?: Clock
  readonly headers?: Record<string, string>
  readonly features?: ClientFeatures
}

async function open(handle: Handle, { clock = systemClock, headers = {} }: Options = {}) {
  const server = await Loopback.serve(handle)
  const connector = createConnector({ environment: {} })
  const traffic: string[] = []
  const transport = new ModernHttp({
    url: `${server.origin}/mcp`,
    headers: async () => headers,
    fetch: connector.request,
    limits: DEFAULT_LIMITS,
    clock,
    onTraffic: ({ direction, text }) => traffic.push(`${direction} ${text}`),
    signal: new AbortController().signal,
  })
  cleanups.push(
    () => server.close(),
    () => connector.close(),
    () => transport.close(),
  )
  return { server, transport, traffic }
}

/** The transport alone. */
async function contact(handle: Handle, options: Options = {}) {
  const opened = await open(handle, options)
  const sink = new RecordingSink()
  await opened.transport.start(sink)
  const ask = (id: number, method = 'tools/call', controller?: AbortController) =>
    opened.transport.send({ jsonrpc: '2.0', id, method, params: {} }, controller && { controller })
  return { ...opened, sink, ask }
}

const DISCOVERY = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
}

/** A plain server of the era: its answers to the opening requests, and `handle` for the rest. */
function plain(handle: Handle, headers: Record<string, string> = {}): Handle {
  return (request, response) => {
    if (request.body.method === 'server/discover') json(response, reply(request.body.id, DISCOVERY), headers)
    else handle(request, response)
  }
}

/** A client on the transport. */
async function connect(handle: Handle, options: Options = {}) {
  const opened = await open(plain(handle), options)
  const lifetime = new Lifetime('test')
  cleanups.push(() => lifetime.end())
  const remarks: string[] = []
  const client = await connectClient({
    open: () => opened.transport,
    known: { era: 'modern', by: 'choice' },
    features: options.features ?? {},
    clientInfo: { name: 'parley', version: '0.1.0' },
    lifetime,
    signal: lifetime.signal,
    checkValue,
    clock: options.clock ?? systemClock,
    requestTimeout: 60_000,
    maxRequestTime: 600_000,
    onRemark: (text) => remarks.push(text),
  })
  return { ...opened, client, remarks, waiting: { signal: lifetime.signal } }
}

const done = { resultType: 'complete', content: [] }
const answerTo = (request: Seen) => reply(request.body.id, done)
const metaOf = ({ body }: Seen) => body.params?._meta as Record<string, unknown>

describe('posting', () => {
  it('ignores the case of header names and compares their values (V26-HTTP-21)', async () => {
    const { server, client, waiting } = await connect((request, response) => {
      response.writeHead(200, { 'CONTENT-Type': 'application/json' }).end(JSON.stringify(answerTo(request)))
    })
    await client.callTool('Where_IS', {}, waiting)
    expect(server.of('tools/call')[0]?.headers['mcp-name']).toBe('Where_IS')
  })

  it('is one POST for each request, and nothing else is ever sent (V26-HTTP-1, V26-HTTP-7, V26-HTTP-8)', async () => {
    const replies: Record<string, object> = {
      'resources/read': { resultType: 'complete', contents: [] },
      'prompts/get': { resultType: 'complete', messages: [] },
    }
    const { server, client, waiting } = await connect((request, response) =>
      json(response, reply(request.body.id, replies[request.body.method ?? ''] ?? done), { 'mcp-session-id': 'abc' }),
    )
    await client.callTool('a', {}, waiting)
    await client.readResource('a:b', waiting)
    await client.getPrompt('p', undefined, waiting)
    await client.close()
    expect(server.seen.map(({ method, path }) => `${method} ${path}`)).toEqual(Array(4).fill('POST /mcp'))
    for (const { body, headers } of server.seen) {
      expect(body).toMatchObject({ jsonrpc: '2.0', method: expect.any(String), id: expect.anything() })
      expect(Object.keys(headers)).not.toContain('mcp-session-id')
      expect(Object.keys(headers)).not.toContain('last-event-id')
    }
  })

  it('sends neither notifications nor answers (V26-HTTP-1, V26-CANC-3)', async () => {
    const { server, transport } = await contact((request, response) => json(response, answerTo(request)))
    await transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    await transport.send({ jsonrpc: '2.0', id: 5, result: {} })
    expect(server.seen).toEqual([])
  })

  it('names accepted types, and repeats the body’s facts in headers (V26-HTTP-2, V26-HTTP-3, V26-HTTP-4)', async () => {
    const { server, client, waiting } = await connect((request, response) => json(response, answerTo(request)))
    await client.callTool('größe', {}, waiting)
    for (const seen of server.seen) {
      expect(seen.headers.accept).toBe('application/json, text/event-stream')
      expect(seen.headers['content-type']).toBe('application/json')
      expect(seen.headers['mcp-protocol-version']).toBe(metaOf(seen)[`${META}protocolVersion`])
      expect(seen.headers['mcp-method']).toBe(seen.body.method)
    }
    const encoded = `=?base64?${Buffer.from('größe').toString('base64')}?=`
    expect(server.seen.map(({ headers }) => headers['mcp-name'])).toEqual([undefined, encoded])
  })

  it('names client and capabilities in every request (V26-META-1, V26-META-2, V26-META-4)', async () => {
    let url = true
    const features: ClientFeatures = {
      elicitation: {
        get url() {
          return url
        },
        elicit: async () => ({ action: 'cancel' }),
      },
      roots: { list: async () => ({ roots: [] }) },
    }
    const { server, client, waiting } = await connect((request, response) => json(response, answerTo(request)), { features })
    await client.callTool('a', {}, waiting)
    url = false
    await client.callTool('a', {}, waiting)
    expect(server.seen.map((seen) => metaOf(seen)[`${META}clientCapabilities`])).toEqual([
      { elicitation: { form: {}, url: {} }, roots: {} },
      { elicitation: { form: {}, url: {} }, roots: {} },
      { elicitation: { form: {} }, roots: {} },
    ])
    for (const seen of server.seen) {
      expect(metaOf(seen)).toMatchObject({
        [`${META}protocolVersion`]: '2026-07-28',
        [`${META}clientInfo`]: { name: 'parley', version: '0.1.0' },
      })
    }
  })

  it('does not replace its headers by configured ones, and looks like no browser (V26-HTTP-28)', async () => {
    const headers = {
      ...{ Accept: 'text/html', 'Content-Type': 'text/plain', 'Content-Length': '3', Origin: 'https://evil.example' },
      ...{
        'MCP-Protocol-Version': '1999',
        'Mcp-Method': 'evil',
        'Mcp-Name': 'evil',
        'mcp-param-x': 'evil',
        'Mcp-Session-Id': 'x',
      },
      'X-Mine': 'kept',
    }
    const { server, client, waiting } = await connect((request, response) => json(response, answerTo(request)), { headers })
    await client.callTool('a', {}, waiting)
    const call = server.of('tools/call')[0]
    expect(call?.headers).toMatchObject({
      ...{ accept: 'application/json, text/event-stream', 'content-type': 'application/json', 'x-mine': 'kept' },
      ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'a' },
    })
    expect(Object.keys(call?.headers ?? {})).not.toEqual(expect.arrayContaining(['origin']))
    expect(Object.keys(call?.headers ?? {}).filter((name) => /^mcp-(?:param|session)/.test(name))).toEqual([])
    expect(call?.headers['content-length']).toBe(String(call?.text.length))
  })

  it('keeps mirrored headers out of the traffic log, whose body has the arguments (V26-HTTP-29)', async () => {
    const { transport, traffic, sink } = await contact((request, response) => json(response, answerTo(request)))
    await transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} }, { mirrored: { Region: 'canary' } })
    await sink.reply(1)
    expect(traffic.filter((line) => line.includes('canary'))).toEqual([])
  })

  it('sends an empty header for an empty argument (V26-HTTP-12)', async () => {
    const { server, transport, sink } = await contact((request, response) => json(response, answerTo(request)))
    await transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} }, { mirrored: { Region: '' } })
    await sink.reply(1)
    expect(server.seen[0]?.headers['mcp-param-region']).toBe('')
  })
})

describe('replies', () => {
  it.each([
    ['JSON', (request: Seen, response: Parameters<Handle>[1]) => json(response, answerTo(request))],
    [
      'a stream with comments, ids and retries',
      (request: Seen, response: Parameters<Handle>[1]) =>
        eventStream(response).end(`: hello\n\nretry: 1\nid: 7\n\n:\n${event(answerTo(request), '8')}`),
    ],
  ])('are understood as %s (V26-HTTP-2, V26-HTTP-8, V26-HTTP-22)', async (_, handle) => {
    const { sink, ask, server } = await contact(handle)
    await ask(1)
    expect(await sink.reply(1)).toMatchObject({ result: done })
    expect(sink.remarks).toEqual([])
    expect(server.seen).toHaveLength(1)
  })

  it.each([200, 400, 404, 500])('are errors with our id at HTTP %i (V26-HTTP-26)', async (status) => {
    const said = { code: -32602, message: 'no such tool', data: { a: 1 } }
    const { client, waiting } = await connect((request, response) =>
      json(response, { jsonrpc: '2.0', id: request.body.id, error: said }, {}, status),
    )
    await expect(client.callTool('a', {}, waiting)).rejects.toMatchObject(said)
  })

  it.each([
    ['without an id', 200, NO_ID],
    ['with the id null', 200, { ...NO_ID, id: null }],
    ['without an id', 500, NO_ID],
    ['with the id null', 400, { ...NO_ID, id: null }],
  ])('are errors %s, at HTTP %i, of this POST alone (V26-HTTP-26)', async (_, status, error) => {
    const { client, waiting } = await connect((request, response) => {
      if (request.headers['mcp-name'] === 'bad') json(response, error, {}, status)
      else json(response, answerTo(request))
    })
    const good = client.callTool('good', {}, waiting)
    await expect(client.callTool('bad', {}, waiting)).rejects.toThrow('it broke')
    expect((await good).content).toEqual([])
  })

  it('fail alone when they are a batch (V26-ERR-7)', async () => {
    const { client, waiting, remarks } = await connect((request, response) => json(response, [answerTo(request)]))
    await expect(client.callTool('a', {}, waiting)).rejects.toMatchObject({ code: 'invalid-result' })
    expect(remarks).toContainEqual(expect.stringContaining('batch'))
  })

  it('with another id are ignored (V26-HTTP-27)', async () => {
    const { sink, ask } = await contact((request, response) => {
      eventStream(response).end(event(reply(99)) + event(reply(String(request.body.id))) + event(answerTo(request)))
    })
    await ask(1)
    await sink.reply(1)
    expect(sink.values).toHaveLength(1)
    expect(sink.remarks).toHaveLength(2)
  })

  it('end their stream: nothing after them is read, and within 5 seconds it is closed (V26-HTTP-27)', async () => {
    const clock = new ManualClock(0)
    let closed = false
    const { sink, ask } = await contact(
      (request, response) => {
        response.on('close', () => {
          closed = true
        })
        eventStream(response).write(event(answerTo(request)) + event({ jsonrpc: '2.0', method: 'notifications/message' }))
      },
      { clock },
    )
    await ask(1)
    await sink.reply(1)
    clock.advance(5_000)
    await until(() => closed, 'the end of the stream')
    expect(sink.values).toHaveLength(1)
    expect(sink.losses).toEqual([])
  })

  it('are never requested again when their stream ends before them (V26-HTTP-23, V26-HTTP-7)', async () => {
    const { server, client, waiting } = await connect((_, response) => {
      eventStream(response).end(`retry: 1\n\n${event({ jsonrpc: '2.0', method: 'notifications/message', params: {} }, '5')}`)
    })
    await expect(client.callTool('a', {}, waiting)).rejects.toMatchObject({ code: 'closed' })
    expect(server.seen.map(({ method }) => method)).toEqual(['POST', 'POST'])
    expect(server.of('tools/call')).toHaveLength(1)
  })

  it.each([
    ['413', 413],
    ['431', 431],
  ])('of status %s are reported in plain words (V26-HTTP-20)', async (_, status) => {
    const { client, waiting } = await connect((_, response) => void response.writeHead(status).end('no'))
    await expect(client.callTool('a', {}, waiting)).rejects.toThrow('too large for it')
  })

  it('contain no requests: those are dropped, and the server is told nothing (V26-HTTP-25)', async () => {
    let asked = false
    const features: ClientFeatures = {
      roots: {
        list: async () => {
          asked = true
          return { roots: [] }
        },
      },
    }
    const requests = event({ jsonrpc: '2.0', id: 1, method: 'roots/list' }) + event({ jsonrpc: '2.0', id: 2, method: 'ping' })
    const { server, client, remarks, waiting } = await connect(
      (request, response) => eventStream(response).end(requests + event(answerTo(request))),
      { features },
    )
    await client.callTool('a', {}, waiting)
    expect(server.seen).toHaveLength(2)
    expect(asked).toBe(false)
    expect(remarks).toEqual([expect.stringContaining('roots/list'), expect.stringContaining('ping')])
  })
})

describe('the stream of the first reply', () => {
  it('contains no requests either, while the server is unknown (V26-HTTP-25)', async () => {
    const { server, sink, ask } = await contact((request, response) => {
      const asked = event({ jsonrpc: '2.0', id: 1, method: 'ping' }) + event({ jsonrpc: '2.0', id: 'a', method: 'roots/list' })
      eventStream(response).end(asked + event(reply(request.body.id, DISCOVERY)))
    })
    await ask(7, 'server/discover')
    await sink.reply(7)
    expect(sink.values).toHaveLength(1)
    expect(sink.remarks).toEqual([expect.stringContaining('ping'), expect.stringContaining('roots/list')])
    expect(server.seen).toHaveLength(1)
  })
})

describe('a lost request', () => {
  const lost: Handle = (_, response) => void eventStream(response).end()
  const broken: Handle = (_, response) => void response.socket?.destroy()
  const results: Record<string, object> = {
    'tools/list': { tools: [] },
    'resources/list': { resources: [] },
    'resources/templates/list': { resourceTemplates: [] },
    'prompts/list': { prompts: [] },
    'resources/read': { contents: [] },
    'prompts/get': { messages: [] },
    'completion/complete': { completion: { values: [] } },
  }

  it.each([
    ['its stream ended', lost],
    ['its connection broke', broken],
  ])('is sent once more with a new id where it only reads, when %s (V26-HTTP-24, V26-HTTP-23)', async (_, lose) => {
    const { server, client, waiting } = await connect((request, response) => {
      const { id, method = '' } = request.body
      if (server.of(method).length === 1) lose(request, response)
      else json(response, reply(id, { resultType: 'complete', ...results[method] }))
    })
    await client.catalog.load(waiting.signal)
    await client.readResource('a:b', waiting)
    await client.getPrompt('p', undefined, waiting)
    await client.complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: '' }, undefined, waiting)
    for (const method of Object.keys(results)) {
      const ids = server.of(method).map(({ body }) => body.id)
      expect([method, new Set(ids).size, ids.length]).toEqual([method, 2, 2])
    }
    expect(client.catalog.value.problems).toEqual([])
  })

  it('is not sent a third time (V26-HTTP-24)', async () => {
    const { server, client, waiting } = await connect(lost)
    await expect(client.readResource('a:b', waiting)).rejects.toMatchObject({ code: 'closed' })
    expect(server.of('resources/read')).toHaveLength(2)
  })

  it('is sent once more where it was discovery (V26-HTTP-24)', async () => {
    let discoveries = 0
    const opened = await open((request, response) => {
      if (discoveries++ === 0) lost(request, response)
      else json(response, reply(request.body.id, DISCOVERY))
    })
    const lifetime = new Lifetime('test')
    cleanups.push(() => lifetime.end())
    const more = { checkValue, clock: systemClock, requestTimeout: 60_000, maxRequestTime: 600_000 }
    const client = await connectClient({
      ...{ open: () => opened.transport, features: {}, clientInfo: { name: 'p', version: '1' } },
      ...{ lifetime, signal: lifetime.signal, ...more },
    })
    expect(client.hello.protocolVersion).toBe('2026-07-28')
  })

  it.each([
    ['its stream ended', lost],
    ['its connection broke', broken],
  ])('is not sent again where it is a tool call, when %s (V26-HTTP-24)', async (_, lose) => {
    const { server, client, waiting } = await connect(lose)
    await expect(client.callTool('a', {}, waiting)).rejects.toMatchObject({ name: 'TransportError' })
    expect(server.of('tools/call')).toHaveLength(1)
  })
})

describe('a cancelled request', () => {
  it.each([
    ['before its headers', false],
    ['in the middle of its stream', true],
  ])('closes the stream %s, and posts nothing (V26-CANC-3)', async (_, begun) => {
    let closed = false
    const { server, client, traffic } = await connect((_, response) => {
      response.on('close', () => {
        closed = true
      })
      if (begun) eventStream(response)
    })
    const controller = new AbortController()
    let told: Promise<void> | undefined
    const call = client.callTool('a', {}, { signal: controller.signal, onCancelling: (word) => (told = word) })
    await until(() => server.of('tools/call')[0], 'the call')
    if (begun) await until(() => traffic.some((line) => line.includes('→ 200 text/event-stream')), 'the stream')
    controller.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
    await told
    await until(() => closed, 'the end of the stream')
    expect(server.seen).toHaveLength(2)
    expect(traffic.at(-1)).toMatch(/^http tools\/call \d+ cancelled by closing its stream: enough$/)
  })

  it('passes nothing on that comes later (V26-CANC-4)', async () => {
    let stream: ReturnType<typeof eventStream> | undefined
    const { client, remarks, server } = await connect((_, response) => {
      stream = eventStream(response)
    })
    const controller = new AbortController()
    const call = client.callTool('a', {}, { signal: controller.signal })
    const seen = await until(() => server.of('tools/call')[0], 'the call')
    controller.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
    stream?.end(event(answerTo(seen)))
    expect(remarks).toEqual([])
  })

  it('ends by itself when only comments arrive, which extend no deadline (V26-HTTP-22, V26-CANC-1)', async () => {
    const clock = new ManualClock(0)
    let stream: ReturnType<typeof eventStream> | undefined
    const { client, server, waiting } = await connect(
      (_, response) => {
        stream = eventStream(response)
      },
      { clock },
    )
    const call = client.callTool('a', {}, { ...waiting, timeout: 1_000, onProgress: () => {} })
    const refused = expect(call).rejects.toMatchObject({ code: 'timeout' })
    await until(() => stream, 'the stream')
    await new Promise<void>((resolve) => stream?.write(': still here\n\n', () => resolve()))
    clock.advance(999)
    await new Promise<void>((resolve) => stream?.write(': still here\n\n', () => resolve()))
    clock.advance(1)
    await refused
    expect(server.of('tools/call')).toHaveLength(1)
  })
})

describe('progress', () => {
  it('counts only on the stream of the request that asked for it (V26-PROG-2)', async () => {
    const streams = new Map<unknown, ReturnType<typeof eventStream>>()
    const tokens = new Map<unknown, unknown>()
    const { client, waiting, remarks } = await connect((request, response) => {
      const name = request.headers['mcp-name']
      streams.set(name, eventStream(response))
      tokens.set(name, metaOf(request).progressToken)
    })
    const heard: [string, Progress][] = []
    const call = (name: string) => client.callTool(name, {}, { ...waiting, onProgress: (reached) => heard.push([name, reached]) })
    const calls = [call('a'), call('b')]
    await until(() => streams.size === 2, 'both calls')
    expect(new Set(tokens.values()).size).toBe(2)
    const progress = (token: unknown, reached: number) =>
      event({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: token, progress: reached } })
    streams.get('a')?.write(progress(tokens.get('b'), 50) + progress(tokens.get('a'), 1))
    await until(() => heard.length > 0, 'progress')
    expect(heard).toEqual([['a', { progress: 1 }]])
    expect(remarks).toEqual([expect.stringContaining('another')])
    await client.close()
    await Promise.allSettled(calls)
  })
})

describe('a server without a sign-in', () => {
  it('makes a subscription wait, and a request state is bound to its account; others ask (V26-AUTH-17, V26-MRTR-18)', async () => {
    const asked: HttpRequest[] = []
    const transport = new ModernHttp({
      url: 'http://127.0.0.1:9/mcp',
      headers: async () => ({}),
      fetch: async (request) => {
        asked.push(request)
        throw new Error('There is no network.')
      },
      limits: DEFAULT_LIMITS,
      clock: systemClock,
      signal: new AbortController().signal,
    })
    cleanups.push(() => transport.close())
    await transport.start(new RecordingSink())
    const sent = [
      ['subscriptions/listen', {}],
      ['tools/call', {}],
      ['tools/call', { requestState: '' }],
    ] as const
    for (const [method, params] of sent) {
      await expect(transport.send({ jsonrpc: '2.0', id: method, method, params })).rejects.toThrow()
    }
    expect(asked.map(({ aside, waits, bound }) => [aside, waits, bound])).toEqual([
      [true, true, false],
      [false, false, false],
      [false, false, true],
    ])
  })
})
