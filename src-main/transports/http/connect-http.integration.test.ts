import { afterEach, describe, expect, it } from 'vitest'
import { event, eventStream, type Handle, initializeResult, json, Loopback, reply } from '../../../e2e/support/loopback.ts'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { RecordingSink } from '../../../e2e/support/recording-sink.ts'
import { until } from '../../../e2e/support/until.ts'
import { type Clock, systemClock } from '../../../src-shared/base/clock.ts'
import type { TransportError } from '../../protocol/peer/transport.ts'
import { connectHttp, type HttpKind } from './connect-http.ts'
import { createConnector } from './connector.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

interface Options {
  readonly clock?: Clock
  readonly remembered?: Map<string, HttpKind>
  readonly path?: string
  readonly headers?: Record<string, string>
}

async function contact(server: Loopback, { clock = systemClock, remembered, path = '/mcp', headers = {} }: Options = {}) {
  const connector = createConnector({ environment: {} })
  const sink = new RecordingSink()
  const traffic: string[] = []
  const transport = connectHttp({
    url: `${server.origin}${path}`,
    headers: async () => headers,
    fetch: connector.request,
    limits: { maxMessageBytes: 1 << 20 },
    clock,
    onTraffic: ({ direction, text }) => traffic.push(`${direction} ${text}`),
    signal: new AbortController().signal,
    ...(remembered && { remembered }),
  })
  cleanups.push(
    () => connector.close(),
    () => transport.close(),
  )
  await transport.start(sink)
  const ask = (id: number, method = 'initialize') => transport.send({ jsonrpc: '2.0', id, method })
  return { sink, transport, traffic, ask }
}

async function serve(handle: Handle) {
  const server = await Loopback.serve(handle)
  cleanups.push(() => server.close())
  return server
}

/** A server of 2024-11-05: a stream that names where to post. `onStream` gets it. */
function legacy(endpoint = '/messages?s=1', refusal = 405): Handle {
  let stream: import('node:http').ServerResponse | undefined
  return (request, response) => {
    if (request.method === 'GET') {
      stream = eventStream(response)
      stream.write(`event: endpoint\ndata: ${endpoint}\n\n`)
    } else if (!request.path.startsWith('/messages')) response.writeHead(refusal).end()
    else {
      response.writeHead(request.body.method === 'ping' ? 200 : 202).end('Accepted, ignore me {')
      const { id, method } = request.body
      if (id !== undefined) stream?.write(event(reply(id, method === 'initialize' ? initializeResult('2024-11-05') : {})))
    }
  }
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('was not refused'),
    (error: TransportError) => error,
  )

it('the server’s stream opens even if the version is agreed while its reply is still being delivered (TRAN-38)', async () => {
  const server = await serve((request, response) => {
    if (request.method === 'GET') eventStream(response)
    else if (request.body.id === undefined) response.writeHead(202).end()
    else json(response, reply(request.body.id, initializeResult()))
  })
  const { sink, transport, ask } = await contact(server)
  const message = sink.message.bind(sink)
  sink.message = (...said) => {
    transport.negotiated?.('2025-11-25')
    message(...said)
  }
  await ask(0)
  await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  const stream = await until(() => server.seen.find(({ method }) => method === 'GET'), 'the request for the stream')
  expect(stream.headers['mcp-protocol-version']).toBe('2025-11-25')
})

describe('one address for either kind — 2025-11-25 basic/transports#backwards-compatibility', () => {
  it('posts initialize first, accepts both kinds of reply, and stays with the one that answers (TRAN-63, TRAN-64)', async () => {
    const server = await serve((request, response) => json(response, reply(request.body.id, initializeResult())))
    const { transport, ask, sink } = await contact(server)
    await ask(0)
    await sink.reply(0)
    expect(server.seen[0]).toMatchObject({
      method: 'POST',
      body: { method: 'initialize' },
      headers: { accept: 'application/json, text/event-stream' },
    })
    expect(transport.kind).toBe('streamable-http')
  })

  it.each([400, 404, 405])(
    'asks for the older stream after a %i, and posts everything to its endpoint (TRAN-63, TRAN-65, TRAN-66)',
    async (status) => {
      const server = await serve(legacy('/messages?s=1', status))
      const { transport, ask, sink, traffic } = await contact(server)
      await ask(0)
      await sink.reply(0)
      await ask(1, 'ping')
      await sink.reply(1)
      expect(traffic.filter((line) => line.startsWith('http ')).at(-1)).toMatch(/\/messages \(ping\) → 200$/)
      expect(transport.kind).toBe('http-sse')
      expect(server.seen.map((seen) => `${seen.method} ${seen.path}`)).toEqual([
        'POST /mcp',
        'GET /mcp',
        'POST /messages?s=1',
        'POST /messages?s=1',
      ])
    },
  )

  it.each([401, 403, 406, 410, 415, 500, 502, 503])(
    'does not try the older stream after a %i, and reports it (TRAN-67, TRAP-23, V26-NEG-18)',
    async (status) => {
      const server = await serve((_, response) => response.writeHead(status).end())
      const { ask } = await contact(server)
      expect((await failure(ask(0))).details.status).toBe(status)
      expect(server.of('GET')).toEqual([])
    },
  )

  it('does not try it when the server cannot be reached (TRAN-67)', async () => {
    const server = await serve(() => {})
    const { ask } = await contact(server)
    await server.close()
    cleanups.shift()
    expect((await failure(ask(0))).code).toBe('unreachable')
  })

  it('waits as long as a 429 asks and posts again, a few times (TRAN-67)', async () => {
    const clock = new ManualClock()
    const times: number[] = []
    const server = await serve((request, response) => {
      times.push(clock.now())
      if (times.length < 3) response.writeHead(429, { 'retry-after': '3' }).end()
      else json(response, reply(request.body.id, initializeResult()))
    })
    const { ask, sink } = await contact(server, { clock })
    const asked = ask(0)
    await until(() => {
      if (clock.pending > 0) clock.advance(100)
      return times.length === 3
    })
    await asked
    await sink.reply(0)
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(3000)
  })

  it('names both attempts in one error when neither works (TRAN-68)', async () => {
    const server = await serve((request, response) => response.writeHead(request.method === 'GET' ? 410 : 404).end())
    const { ask, transport, sink } = await contact(server)
    const error = await failure(ask(0))
    expect(error.code).toBe('http')
    expect(error.message).toMatch(/Streamable HTTP: .*404.* HTTP\+SSE: .*410/)
    await transport.close()
    expect(sink.ends).toEqual([undefined])
  })

  it('remembers what answered, and tries again when that no longer does (TRAN-68)', async () => {
    const remembered = new Map<string, HttpKind>()
    const old = await serve(legacy())
    await (await contact(old, { remembered })).ask(0)
    await (await contact(old, { remembered })).ask(0)
    expect(old.seen.map((seen) => seen.method)).toEqual(['POST', 'GET', 'POST', 'GET', 'POST'])

    const renewed = await serve((request, response) => {
      if (request.method === 'GET') response.writeHead(405).end()
      else json(response, reply(request.body.id, initializeResult()))
    })
    remembered.set(`${renewed.origin}/mcp`, 'http-sse')
    const { transport, ask } = await contact(renewed, { remembered })
    await ask(0)
    expect(transport.kind).toBe('streamable-http')
    expect(remembered.get(`${renewed.origin}/mcp`)).toBe('streamable-http')
  })
})

describe('HTTP+SSE — 2024-11-05 basic/transports#http-with-sse', () => {
  it('sends nothing before the endpoint is named, and names no version (TRAN-14, TRAN-15, TRAN-62)', async () => {
    let name = () => {}
    const handle = legacy()
    const server = await serve((request, response) => {
      if (request.method !== 'GET') return handle(request, response)
      const write = response.write.bind(response)
      response.write = ((chunk: string) => {
        name = () => void write(chunk)
        response.write = write
        return true
      }) as typeof response.write
      handle(request, response)
    })
    const { ask, transport, sink } = await contact(server)
    const asked = ask(0)
    await until(() => server.of('GET').length === 1)
    expect(server.seen.map((seen) => `${seen.method} ${seen.headers.accept}`)).toEqual([
      'POST application/json, text/event-stream',
      'GET text/event-stream',
    ])
    name()
    await asked
    await sink.reply(0)
    transport.negotiated?.('2024-11-05')
    await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect(server.seen.some((seen) => 'mcp-protocol-version' in seen.headers)).toBe(false)
  })

  it('posts to a relative address or a full one of the same origin, with the person’s headers (TRAN-16, TRAN-17, TRAP-31)', async () => {
    for (const absolute of [false, true]) {
      let origin = ''
      const server = await serve((request, response) => legacyHandle(request, response))
      origin = server.origin
      const legacyHandle = legacy(absolute ? `${origin}/messages/a` : 'messages/a')
      const { ask, sink } = await contact(server, { path: absolute ? '/sse' : '/sse', headers: { 'X-Key': 'k' } })
      await ask(0)
      await sink.reply(0)
      expect(server.seen.at(-1)).toMatchObject({ path: '/messages/a', headers: { 'x-key': 'k' } })
    }
  })

  it.each([
    'https://evil.example/messages',
    '//evil.example/x',
    'http://127.0.0.1:1/messages',
    'http://[',
    'javascript:alert(1)',
  ])('refuses an endpoint like %s (TRAN-17)', async (endpoint) => {
    const server = await serve(legacy(endpoint))
    const { ask } = await contact(server)
    expect((await failure(ask(0))).message).toContain('which is not its own origin')
    expect(server.of('initialize').length).toBe(1) // the probe
  })

  it('ignores events of other names, and what is no JSON (TRAN-18)', async () => {
    const handle = legacy()
    const server = await serve((request, response) => {
      handle(request, response)
      if (request.method === 'GET')
        response.write('event: ping\ndata: {}\n\ndata: not json\n\nevent: message\ndata: {"jsonrpc":"2.0","method":"x"}\n\n')
    })
    const { ask, sink } = await contact(server)
    await ask(0)
    await sink.reply(0)
    expect(sink.values[0]).toEqual({ jsonrpc: '2.0', method: 'x' })
    expect(sink.remarks.length).toBe(2)
  })

  it.each([200, 201, 202, 204])('takes a %i for acceptance and ignores its text (TRAN-19)', async (status) => {
    const handle = legacy()
    const server = await serve((request, response) => {
      if (request.body.method === 'ping') response.writeHead(status).end(status === 204 ? undefined : JSON.stringify(reply(1)))
      else handle(request, response)
    })
    const { ask, sink } = await contact(server)
    await ask(0)
    await sink.reply(0)
    await ask(1, 'ping')
    expect(sink.values.length).toBe(1)
  })

  it('ends with its stream, since a new stream is a new session (TRAN-20)', async () => {
    let stream: import('node:http').ServerResponse | undefined
    const handle = legacy()
    const server = await serve((request, response) => {
      if (request.method === 'GET') stream = response
      handle(request, response)
    })
    const { ask, sink } = await contact(server)
    await ask(0)
    await sink.reply(0)
    stream?.end()
    expect((await sink.end())?.code).toBe('closed')
    expect((await failure(ask(1, 'ping'))).code).toBe('closed')
    expect(server.of('GET').length).toBe(1)
  })

  it('fails when no endpoint is named in time, or the stream ends before (TRAN-21)', async () => {
    const clock = new ManualClock()
    const silent = await serve((request, response) => {
      if (request.method === 'GET') eventStream(response).write(': patience\n\n')
      else response.writeHead(405).end()
    })
    const { ask } = await contact(silent, { clock })
    const refused = failure(ask(0))
    await until(() => silent.of('GET').length === 1)
    await until(() => {
      clock.advance(1000)
      return clock.now() > 11_000
    })
    expect((await refused).cause).toMatchObject({ code: 'timeout' })

    const brief = await serve((request, response) => {
      if (request.method === 'GET') eventStream(response).end()
      else response.writeHead(405).end()
    })
    expect((await failure((await contact(brief)).ask(0))).cause).toMatchObject({ code: 'malformed' })
  })

  it('ends when a second endpoint is named (TRAN-21)', async () => {
    const handle = legacy()
    const server = await serve((request, response) => {
      handle(request, response)
      if (request.body.method === 'ping') stream?.write('event: endpoint\ndata: /messages/elsewhere\n\n')
      if (request.method === 'GET') stream = response
    })
    let stream: import('node:http').ServerResponse | undefined
    const { ask, sink } = await contact(server)
    await ask(0)
    await sink.reply(0)
    await ask(1, 'ping')
    expect((await sink.end())?.code).toBe('malformed')
  })

  it('closes its stream when it is closed (LIFE-37)', async () => {
    const server = await serve(legacy())
    const { ask, sink, transport } = await contact(server)
    await ask(0)
    await sink.reply(0)
    await transport.close()
    expect(sink.ends).toEqual([undefined])
    await until(() => server.sockets.size <= 1) // at most one idle connection is kept for reuse
  })
})
