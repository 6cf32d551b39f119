import { afterEach, describe, expect, it } from 'vitest'
import {
  event,
  eventStream,
  type Handle,
  initializeResult,
  json,
  Loopback,
  reply,
  type Seen,
} from '../../../e2e/support/loopback.ts'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { RecordingSink } from '../../../e2e/support/recording-sink.ts'
import { until } from '../../../e2e/support/until.ts'
import { type Clock, systemClock } from '../../../src-shared/base/clock.ts'
import type { TransportError } from '../../protocol/peer/transport.ts'
import { createConnector } from './connector.ts'
import type { SessionHold } from './session-hold.ts'
import { StreamableHttp } from './streamable-http.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

interface Options {
  readonly clock?: Clock
  readonly maxMessageBytes?: number
  readonly headers?: Record<string, string>
  readonly session?: SessionHold
}

/** A plain server: JSON to `initialize`, 202 to notifications, no stream of its own, and `handle` for the rest. */
function plain(handle: Handle, headers: Record<string, string> = {}): Handle {
  return (request, response) => {
    if (request.body.method === 'initialize') json(response, reply(request.body.id, initializeResult()), headers)
    else if (request.body.method?.startsWith('notifications/')) response.writeHead(202).end()
    else if (request.method === 'GET' && request.headers['last-event-id'] === undefined) response.writeHead(405).end()
    else if (request.method === 'DELETE') response.writeHead(200).end()
    else handle(request, response)
  }
}

async function contact(handle: Handle, { clock = systemClock, maxMessageBytes = 1 << 20, headers = {}, session }: Options = {}) {
  const server = await Loopback.serve(handle)
  const connector = createConnector({ environment: {} })
  const sink = new RecordingSink()
  const traffic: string[] = []
  const transport = new StreamableHttp({
    url: `${server.origin}/mcp`,
    headers: async () => headers,
    fetch: connector.request,
    limits: { maxMessageBytes },
    clock,
    onTraffic: ({ direction, text }) => traffic.push(`${direction} ${text}`),
    ...(session && { session }),
    signal: new AbortController().signal,
  })
  cleanups.push(
    () => server.close(),
    () => connector.close(),
    () => transport.close(),
  )
  await transport.start(sink)
  const ask = (id: number, method = 'tools/call', params: Record<string, unknown> = {}, controller?: AbortController) =>
    transport.send({ jsonrpc: '2.0', id, method, params }, controller && { controller })
  const tell = (method: string, params?: Record<string, unknown>) =>
    transport.send({ jsonrpc: '2.0', method, ...(params && { params }) })
  return { server, sink, transport, traffic, ask, tell }
}

async function connect(handle: Handle, options: Options & { protocolVersion?: string } = {}) {
  const contacted = await contact(handle, options)
  await contacted.ask(0, 'initialize')
  await contacted.sink.reply(0)
  contacted.transport.negotiated(options.protocolVersion ?? '2025-11-25')
  await contacted.tell('notifications/initialized')
  return contacted
}

const failure = (sending: Promise<unknown>): Promise<TransportError> =>
  sending.then(
    () => {
      throw new Error('was not refused')
    },
    (error: TransportError) => error,
  )
const isStream = (seen: Seen) => seen.method === 'GET'

describe('posting — 2025-11-25 basic/transports#sending-messages-to-the-server', () => {
  it('posts each message alone to the one endpoint (TRAN-22, TRAN-25, TRAN-26)', async () => {
    const { server, ask, sink } = await connect(plain((request, response) => json(response, reply(request.body.id))))
    await Promise.all([ask(1), ask(2)])
    await Promise.all([sink.reply(1), sink.reply(2)])
    const posts = server.seen.filter((seen) => seen.method === 'POST')
    expect(posts.map((seen) => [seen.path, Array.isArray(seen.body)])).toEqual(posts.map(() => ['/mcp', false]))
    expect(posts.map((seen) => seen.body.method).slice(0, 2)).toEqual(['initialize', 'notifications/initialized'])
  })

  it('tells pings from their answers in the traffic', async () => {
    const { ask, sink, transport, traffic } = await connect(
      plain(({ body }, response) => (body.method ? json(response, reply(body.id)) : response.writeHead(202).end())),
    )
    await ask(1, 'ping')
    await ask(2)
    await Promise.all([sink.reply(1), sink.reply(2)])
    await transport.send({ jsonrpc: '2.0', id: 'theirs', result: {} })
    await transport.send({ jsonrpc: '2.0', id: 'other', result: { roots: [] } })
    const http = traffic.filter((line) => line.startsWith('http ')).slice(-4)
    expect(http.map((line) => line.replace(/http:\S+/, '').trimEnd())).toEqual([
      'http POST  (ping) → 200 application/json',
      'http POST  → 200 application/json',
      'http POST  (ping) → 202',
      'http POST  → 202',
    ])
  })

  it('names what it accepts and sends, and looks like no browser (TRAN-23, TRAN-24, TRAN-71)', async () => {
    const { server } = await connect(plain(() => {}))
    for (const { headers } of server.seen.filter((seen) => seen.method === 'POST')) {
      expect(headers.accept).toBe('application/json, text/event-stream')
      expect(headers['content-type']).toBe('application/json')
      expect(headers.origin).toBeUndefined()
    }
  })

  it.each([
    [200, ''],
    [200, '{}'],
    [200, '{"jsonrpc":"2.0","id":1,"result":{}}'],
    [202, ''],
    [202, 'Accepted'],
    [204, ''],
  ])('takes a %i with the body %j for the acceptance of a notification or reply (TRAN-27, TRAP-32)', async (status, body) => {
    const { tell, transport, sink } = await contact((_, response) =>
      response.writeHead(status, { 'content-type': body.startsWith('{') ? 'application/json' : 'text/plain' }).end(body),
    )
    await expect(tell('notifications/x')).resolves.toBeUndefined()
    await expect(transport.send({ jsonrpc: '2.0', id: 'theirs', result: {} })).resolves.toBeUndefined()
    expect(sink.messages).toEqual([])
  })

  it.each([400, 403, 404, 409, 422, 500, 503])(
    'reports a %i to a notification or reply, and matches its body to no request (TRAN-28, TRAP-10)',
    async (status) => {
      const body = { jsonrpc: '2.0', error: { code: -32600, message: 'not like this' } }
      const held = Promise.withResolvers<() => void>()
      const { transport, tell, sink, ask } = await connect((request, response) => {
        const { id, method } = request.body
        const refuse = method === undefined || method === 'notifications/x'
        if (request.method === 'POST' && refuse) json(response, body, {}, status)
        else if (method === 'tools/call') held.resolve(() => json(response, reply(id)))
        else plain(() => {})(request, response)
      })
      const asked = ask(1)
      const answer = await held.promise
      for (const refused of [transport.send({ jsonrpc: '2.0', id: 'theirs', result: {} }), tell('notifications/x')]) {
        const error = await failure(refused)
        expect([error.code, error.details.status]).toEqual(['http', status])
        expect(error.message).toContain('not like this')
      }
      answer()
      await asked
      await sink.reply(1)
      expect([sink.losses, sink.ends]).toEqual([[], []])
    },
  )

  it('takes a reply as JSON, with parameters in its type and in any case (TRAN-29, TRAN-31)', async () => {
    const { ask, sink } = await connect(
      plain((request, response) => {
        response
          .writeHead(200, { 'content-type': 'Application/JSON; charset=utf-8' })
          .end(JSON.stringify(reply(request.body.id, { a: 'ü' })))
      }),
    )
    await ask(1)
    expect((await sink.reply(1)).result).toEqual({ a: 'ü' })
    expect(sink.messages.at(-1)?.arrival).toEqual({ requestId: 1 })
  })

  it.each([
    [202, undefined],
    [204, undefined],
    [200, 'text/html'],
    [200, undefined],
  ])('fails a request that is answered with %i and %s (TRAN-31)', async (status, type) => {
    const { ask } = await connect(
      plain((_, response) => response.writeHead(status, type ? { 'content-type': type } : {}).end(status === 200 ? '<p>' : '')),
    )
    expect(await failure(ask(1))).toMatchObject({ code: 'malformed', details: { status } })
  })

  it('takes a reply as a stream, with the server’s messages before it, and knows their call (TRAN-30, TRAN-32, TRAN-76)', async () => {
    const { ask, sink } = await connect(
      plain((request, response) => {
        eventStream(response).write(event({ jsonrpc: '2.0', id: `s${request.body.id}`, method: 'sampling/createMessage' }))
        response.end(event(reply(request.body.id)))
      }),
    )
    await Promise.all([ask(1), ask(2)])
    await Promise.all([sink.reply(1), sink.reply(2)])
    const causes = sink.messages.flatMap(({ value, arrival }) => {
      const { id, method } = value as { id: unknown; method?: string }
      return method ? [[id, arrival?.requestId]] : []
    })
    expect(new Map(causes as [string, number][])).toEqual(
      new Map([
        ['s1', 1],
        ['s2', 2],
      ]),
    )
  })

  it('passes a batch on in one piece, as JSON and as an event, and finds the reply in it (TRAN-33, TRAN-09)', async () => {
    const { ask, sink } = await connect(
      plain((request, response) => {
        const batch = [{ jsonrpc: '2.0', method: 'notifications/x' }, reply(request.body.id)]
        if (request.body.id === 1) json(response, batch)
        else eventStream(response).end(event(batch))
      }),
      { protocolVersion: '2025-03-26' },
    )
    await Promise.all([ask(1), ask(2)])
    await until(() => sink.values.filter(Array.isArray).length === 2)
    expect(sink.losses).toEqual([])
  })

  it.each([200, 500])('takes a reply at HTTP %i whose JSON begins with a byte order mark', async (status) => {
    const { ask, sink } = await connect(
      plain(({ body }, response) => {
        response.writeHead(status, { 'content-type': 'application/json' })
        const error = { jsonrpc: '2.0', id: body.id, error: { code: 1, message: 'ü' } }
        response.end(`\ufeff${JSON.stringify(status === 200 ? reply(body.id, { a: 'ü' }) : error)}`)
      }),
    )
    await ask(1)
    expect(await sink.reply(1)).toMatchObject(status === 200 ? { result: { a: 'ü' } } : { error: { message: 'ü' } })
    expect([sink.losses, sink.remarks]).toEqual([[], []])
  })

  it('fails a request whose JSON is cut off, is no JSON, or is no reply to it', async () => {
    const { ask, sink } = await connect(
      plain((request, response) => {
        const { id } = request.body
        response.writeHead(200, { 'content-type': 'application/json', ...(id === 1 && { 'content-length': '500' }) })
        response.write(id === 3 ? JSON.stringify(reply('3')) : '{"jsonrpc":')
        if (id === 1) setImmediate(() => response.destroy())
        else response.end()
      }),
    )
    await Promise.all([ask(1), ask(2), ask(3)])
    await until(() => sink.losses.length === 3)
    expect(Object.fromEntries(sink.losses.map(({ id, error }) => [String(id), error.code]))).toEqual({
      1: 'closed',
      2: 'malformed',
      3: 'malformed',
    })
  })

  it('delivers an error status whose body is the reply to this very request', async () => {
    const { ask, sink } = await connect(
      plain((request, response) =>
        json(response, { jsonrpc: '2.0', id: request.body.id, error: { code: -32602, message: 'no' } }, {}, 400),
      ),
    )
    await ask(1)
    expect((await sink.reply(1)).error).toEqual({ code: -32602, message: 'no' })
  })

  it('reports 401 and 403 with all that authorization needs', async () => {
    const { ask } = await connect(
      plain((request, response) =>
        response.writeHead(request.body.id === 1 ? 401 : 403, { 'www-authenticate': 'Bearer scope="a"' }).end('who?'),
      ),
    )
    const [first, second] = await Promise.all([failure(ask(1)), failure(ask(2))])
    expect([first.code, first.details]).toMatchObject([
      'http',
      { status: 401, headers: { 'www-authenticate': 'Bearer scope="a"' }, body: 'who?' },
    ])
    expect(second.details.status).toBe(403)
  })

  it('takes large replies, as JSON and as an event, and keeps what follows one in a stream', async () => {
    const big = { t: 'ä"\n'.repeat(600_000), rows: Array.from({ length: 20_000 }, (_, n) => ({ n })) }
    const { ask, sink } = await connect(
      plain(({ body }, response) => {
        if (body.id === 1) json(response, reply(1, big))
        else
          eventStream(response).end(
            `${event({ jsonrpc: '2.0', method: 'a' })}${event(reply(2, big))}${event({ jsonrpc: '2.0', method: 'b' })}`,
          )
      }),
      { maxMessageBytes: 16 << 20 },
    )
    await Promise.all([ask(1), ask(2)])
    expect((await sink.reply(1)).result).toEqual(big)
    await until(() => sink.values.some((value) => (value as { method?: string }).method === 'b'))
    const streamed = sink.messages.filter(({ arrival }) => arrival?.requestId === 2).map(({ value }) => value)
    expect(streamed).toEqual([{ jsonrpc: '2.0', method: 'a' }, reply(2, big), { jsonrpc: '2.0', method: 'b' }])
  })

  it('fails only the request whose reply is too large, as JSON or as an event', async () => {
    const { ask, sink } = await connect(
      plain((request, response) => {
        const big = reply(request.body.id, { t: 'x'.repeat(5000) })
        if (request.body.id === 1) json(response, big)
        else if (request.body.id === 2) eventStream(response).end(event(big, 'e'))
        else json(response, reply(request.body.id))
      }),
      { maxMessageBytes: 1000 },
    )
    await Promise.all([ask(1), ask(2)])
    await until(() => sink.losses.length === 2)
    expect(sink.losses.map(({ id, error }) => [id, error.code]).sort()).toEqual([1, 2].map((id) => [id, 'too-large']))
    await ask(3)
    await sink.reply(3)
  })

  it('keeps parallel streams apart (TRAN-44)', async () => {
    const held = new Map<number, import('node:http').ServerResponse>()
    const { ask, sink } = await connect(
      plain((request, response) => void held.set(Number(request.body.id), eventStream(response))),
    )
    await Promise.all([ask(1), ask(2), ask(3)])
    await until(() => held.size === 3)
    for (const id of [3, 1, 2]) {
      held.get(id)?.end(event(reply(id)))
      await sink.reply(id)
    }
    expect(sink.messages.slice(1).map(({ arrival }) => arrival?.requestId)).toEqual([3, 1, 2])
  })

  it('lets nothing overtake `initialized`, and no cancellation its request (TRAN-72, TRAP-34)', async () => {
    let accept = () => {}
    const { server, ask, tell, transport, sink } = await contact((request, response) => {
      if (request.body.method === 'notifications/initialized') accept = () => response.writeHead(202).end()
      else if (request.body.method === 'initialize') json(response, reply(request.body.id, initializeResult()))
      else if (request.method === 'GET') response.writeHead(405).end()
      else if (request.body.id === undefined || request.body.method === undefined) response.writeHead(202).end()
      else json(response, reply(request.body.id))
    })
    await ask(0, 'initialize')
    transport.negotiated('2025-11-25')
    const introduced = tell('notifications/initialized')
    const called = ask(1)
    await transport.send({ jsonrpc: '2.0', id: 'theirs', result: {} })
    await until(() => server.of('notifications/initialized').length === 1)
    expect(server.of('tools/call')).toEqual([])
    accept()
    await Promise.all([introduced, called])
    await sink.reply(1)
    await tell('notifications/cancelled', { requestId: 99 })
  })
})

describe('streams — 2025-11-25 basic/transports#resumability-and-redelivery', () => {
  it('takes the end of a stream after its reply for normal, and requests no more (TRAN-34)', async () => {
    const { ask, sink, server } = await connect(
      plain((request, response) => eventStream(response).end(event(reply(request.body.id), 'e1'))),
    )
    await ask(1)
    await sink.reply(1)
    await ask(2)
    await sink.reply(2)
    expect(server.seen.filter(isStream).length).toBe(1) // the one that was refused with 405
    expect(sink.losses).toEqual([])
  })

  it('resumes an interrupted stream with its last event id, and takes that for no cancellation (TRAN-35, TRAN-37, TRAN-46)', async () => {
    const clock = new ManualClock()
    const { ask, sink, server } = await connect(
      plain((request, response) => {
        if (request.method === 'POST') {
          eventStream(response).write(event({ jsonrpc: '2.0', method: 'notifications/progress' }, 'p1'))
          setImmediate(() => response.destroy())
        } else eventStream(response).end(event(reply(1), 'p2'))
      }),
      { clock },
    )
    await ask(1)
    await until(() => {
      clock.advance(500)
      return sink.values.some((value) => (value as { id?: unknown }).id === 1)
    })
    const resumed = server.seen.filter(isStream).at(-1)
    expect(resumed?.headers['last-event-id']).toBe('p1')
    expect(resumed?.headers.accept).toBe('text/event-stream')
    expect(sink.messages.at(-1)?.arrival).toEqual({ requestId: 1 })
    expect(server.of('tools/call').length).toBe(1)
    expect(server.of('notifications/cancelled')).toEqual([])
  })

  it('resumes after the last of several numbered events, and an empty id resets that (TRAN-46)', async () => {
    const clock = new ManualClock()
    const note = { jsonrpc: '2.0', method: 'notifications/progress' }
    const { ask, sink, server } = await connect(
      plain((request, response) => {
        const stream = eventStream(response)
        if (request.method === 'POST') stream.end(event(note, 'p1') + event(note, 'p2') + event(note))
        else stream.end(request.headers['last-event-id'] === 'p2' ? event(note, 'p3') + event(note, 'p4') : event(note, ''))
      }),
      { clock },
    )
    await ask(1)
    await until(() => {
      clock.advance(500)
      return sink.losses.length > 0
    })
    expect(sink.losses).toMatchObject([{ id: 1, error: { code: 'closed' } }])
    const resumed = server.seen.filter(isStream).flatMap(({ headers }) => headers['last-event-id'] ?? [])
    expect(resumed).toEqual(['p2', 'p4'])
  })

  it('fails a request as lost when its stream ends and nothing was numbered (TRAN-37)', async () => {
    const { ask, sink } = await connect(
      plain((_, response) => eventStream(response).end(event({ jsonrpc: '2.0', method: 'notifications/x' }))),
    )
    await ask(1)
    await until(() => sink.losses.length === 1)
    expect(sink.losses[0]).toMatchObject({ id: 1, error: { code: 'closed' } })
    expect(sink.ends).toEqual([])
  })

  it('returns at the time the server asked for when it closes to be polled, and not before (V11-37, V11-38, V11-39)', async () => {
    const clock = new ManualClock()
    const times: number[] = []
    const { ask, sink } = await connect(
      plain((request, response) => {
        times.push(clock.now())
        if (request.method === 'POST') eventStream(response).end(`retry: 3000\n${event('', 'q0')}`)
        else if (times.length < 4) eventStream(response).end(event('', `q${times.length}`))
        else eventStream(response).end(event(reply(1), 'q9'))
      }),
      { clock },
    )
    await ask(1)
    await until(() => {
      if (clock.pending > 0) clock.advance(100)
      return times.length === 4
    })
    for (const [index, at] of times.slice(1).entries()) expect(at - (times[index] ?? 0)).toBeGreaterThanOrEqual(3000)
    await sink.reply(1)
    expect(sink.losses).toEqual([])
  })

  it('respects a pause longer than a minute, however often the server closes, and tells the peer (V11-38)', async () => {
    const clock = new ManualClock()
    const times: number[] = []
    const { ask, sink } = await connect(
      plain((request, response) => {
        times.push(clock.now())
        if (request.method === 'POST') eventStream(response).end(`retry: 4000000\n${event('', 'q0')}`)
        else if (times.length < 3) eventStream(response).end('')
        else eventStream(response).end(event(reply(1), 'q9'))
      }),
      { clock },
    )
    await ask(1)
    await until(() => {
      if (clock.pending > 0) clock.advance(500_000)
      return times.length === 3
    })
    for (const [index, at] of times.slice(1).entries()) expect(at - (times[index] ?? 0)).toBeGreaterThanOrEqual(4_000_000)
    await sink.reply(1)
    expect(sink.waits[0]).toEqual({ id: 1, ms: 4_000_000 })
  })

  it('keeps one cursor per stream (TRAN-45, TRAP-24)', async () => {
    const clock = new ManualClock()
    const { ask, sink, server } = await connect(
      plain((request, response) => {
        const last = request.headers['last-event-id']
        if (last !== undefined) eventStream(response).end(event(reply(Number(String(last).slice(1)))))
        else eventStream(response).end(event('', `c${request.body.id}`))
      }),
      { clock },
    )
    await Promise.all([ask(1), ask(2)])
    await until(() => {
      clock.advance(500)
      return sink.values.length === 3
    })
    expect(
      server.seen
        .map((seen) => seen.headers['last-event-id'])
        .filter(Boolean)
        .sort(),
    ).toEqual(['c1', 'c2'])
  })

  it('drops what a resumed stream repeats (TRAN-47)', async () => {
    const clock = new ManualClock()
    const note = (n: number) => ({ jsonrpc: '2.0', method: `notifications/${n}` })
    const { ask, sink } = await connect(
      plain((request, response) => {
        const stream = eventStream(response)
        stream.write(event(note(1), 'e1'))
        stream.write(event(note(2), 'e2'))
        stream.end(request.method === 'GET' ? event(reply(1), 'e3') : '')
      }),
      { clock },
    )
    await ask(1)
    await until(() => {
      clock.advance(500)
      return sink.values.length >= 4
    })
    expect(sink.values.slice(1)).toEqual([note(1), note(2), reply(1)])
  })

  it('gives up a request when resuming brings nothing repeatedly, or is refused (TRAN-48)', async () => {
    const clock = new ManualClock()
    const { ask, sink, server } = await connect(
      plain((request, response) => {
        if (request.method === 'POST') eventStream(response).end(event('', String(request.body.id)))
        else if (request.headers['last-event-id'] === '1') eventStream(response).end()
        else response.writeHead(400).end()
      }),
      { clock },
    )
    await Promise.all([ask(1), ask(2)])
    await until(() => {
      clock.advance(5000)
      return sink.losses.length === 2
    })
    expect(new Map(sink.losses.map(({ id, error }) => [id, error.code]))).toEqual(
      new Map([
        [2, 'http'],
        [1, 'closed'],
      ]),
    )
    expect(server.seen.filter(isStream).length).toBeLessThan(12)
  })

  it('closes the stream of a cancelled request only after the server received the cancellation (TRAN-36, TRAP-25)', async () => {
    const order: string[] = []
    let take = () => {}
    const { ask, tell } = await connect((request, response) => {
      if (request.body.method === 'notifications/cancelled') {
        order.push('told')
        take = () => response.writeHead(202).end()
      } else if (request.body.method === 'tools/call') {
        eventStream(response).write(': working\n\n')
        response.on('close', () => order.push('closed'))
      } else plain(() => {})(request, response)
    })
    const controller = new AbortController()
    await ask(1, 'tools/call', {}, controller)
    controller.abort()
    const told = tell('notifications/cancelled', { requestId: 1 })
    await until(() => order.length > 0)
    // A round trip later the stream still stands, because the cancel is not answered yet.
    await tell('notifications/other')
    expect(order).toEqual(['told'])
    take()
    await told
    await until(() => order.length === 2)
    expect(order).toEqual(['told', 'closed'])
  })

  it('opens a stream for the server’s own messages after initialization, and serves requests on it (TRAN-38, TRAN-39, TRAN-41)', async () => {
    const { server, sink } = await connect((request, response) => {
      if (request.method === 'GET') eventStream(response).write(event({ jsonrpc: '2.0', id: 9, method: 'roots/list' }))
      else plain(() => {})(request, response)
    })
    await until(() => sink.values.length === 2)
    expect(sink.messages[1]).toEqual({ value: { jsonrpc: '2.0', id: 9, method: 'roots/list' }, arrival: undefined })
    expect(server.seen.map((seen) => seen.body.method ?? seen.method)).toEqual(['initialize', 'notifications/initialized', 'GET'])
    expect(server.seen.at(-1)?.headers.accept).toBe('text/event-stream')
  })

  it('continues without that stream when the server has none (TRAN-40, TRAP-28)', async () => {
    const { server, sink, ask } = await connect(plain((request, response) => json(response, reply(request.body.id))))
    await until(() => server.seen.some(isStream))
    await ask(1)
    await sink.reply(1)
    expect([sink.remarks, sink.ends, server.seen.filter(isStream).length]).toEqual([[], [], 1])
  })

  it('keeps its session when GET is answered with 404, and fails only the reply that cannot be resumed by it (TRAN-40)', async () => {
    const { server, sink, ask } = await connect((request, response) => {
      if (request.method === 'GET') response.writeHead(404).end('Cannot GET /mcp')
      else
        plain(
          ({ body }, answer) => {
            if (body.id === 2) eventStream(answer).end('id: 7\ndata:\nretry: 1\n\n')
            else json(answer, reply(body.id))
          },
          { 'mcp-session-id': 'abc' },
        )(request, response)
    })
    await until(() => server.seen.some(isStream))
    await ask(1)
    await sink.reply(1)
    await ask(2)
    await until(() => sink.losses.length > 0)
    expect(sink.losses).toMatchObject([{ id: 2, error: { code: 'http', details: { status: 404 } } }])
    await ask(3)
    await sink.reply(3)
    expect([sink.ends, server.of('initialize').length, server.seen.filter(isStream).length]).toEqual([[], 1, 2])
  })

  it('takes a 404 for a lost session once the server had opened that stream (TRAN-53)', async () => {
    let gets = 0
    const { sink } = await connect((request, response) => {
      if (request.method !== 'GET') plain(() => {}, { 'mcp-session-id': 'abc' })(request, response)
      else if (gets++ === 0) eventStream(response).end('retry: 1\n\n')
      else response.writeHead(404).end()
    })
    expect((await sink.end())?.code).toBe('session-lost')
  })

  it('tolerates a server that delays the request for that stream, or fails it repeatedly', async () => {
    for (const hangs of [true, false]) {
      const clock = new ManualClock()
      const { server, sink, ask } = await connect(
        (request, response) => {
          if (request.method !== 'GET') plain((call, answer) => json(answer, reply(call.body.id)))(request, response)
          else if (!hangs) response.writeHead(503).end()
        },
        { clock },
      )
      await until(() => {
        clock.advance(10_000)
        return hangs ? clock.now() > 1_000_000 : sink.remarks.length > 0
      })
      await ask(1)
      await sink.reply(1)
      expect(sink.ends).toEqual([])
      expect(server.seen.filter(isStream).length).toBe(hangs ? 1 : 6)
    }
  })

  it('ends when the server cannot be reached any more for its stream', async () => {
    const clock = new ManualClock()
    const open: import('node:http').ServerResponse[] = []
    const { server, sink } = await connect(
      (request, response) => {
        if (request.method === 'GET') open.push(eventStream(response))
        else plain(() => {})(request, response)
      },
      { clock },
    )
    await until(() => open.length === 1)
    await server.close()
    cleanups.shift()
    await until(() => {
      clock.advance(10_000)
      return sink.ends.length > 0
    })
    expect((await sink.end())?.code).toBe('unreachable')
  })

  it('passes on a reply that comes on the server’s stream, with a remark (TRAN-42, TRAP-29)', async () => {
    const { sink } = await connect((request, response) => {
      if (request.method === 'GET') eventStream(response).write(event(reply(77)))
      else plain(() => {})(request, response)
    })
    await sink.reply(77)
    expect(sink.remarks.length).toBe(1)
  })

  it('reopens the server’s stream after it closed, more and more slowly while it brings nothing (TRAN-43)', async () => {
    const clock = new ManualClock()
    const opened: number[] = []
    await connect(
      (request, response) => {
        if (request.method !== 'GET') return plain(() => {})(request, response)
        opened.push(clock.now())
        eventStream(response).end()
      },
      { clock },
    )
    await until(() => {
      if (clock.pending > 0) clock.advance(100)
      return opened.length === 5
    })
    const gaps = opened.slice(1).map((at, index) => at - (opened[index] ?? 0))
    expect(gaps).toEqual([...gaps].sort((a, b) => a - b))
    expect(gaps.at(-1)).toBeGreaterThan((gaps[0] ?? 0) * 4)
  })
})

describe('sessions — 2025-11-25 basic/transports#session-management', () => {
  const withSession = { 'mcp-session-id': 'se55ion~!' }

  it.each(['JSON', 'a stream'])(
    'reads the session id from the answer to initialize as %s and sends it on every request (TRAN-49, TRAN-50, TRAP-27)',
    async (how) => {
      const { server, transport, ask, sink } = await connect((request, response) => {
        if (request.body.method === 'initialize' && how === 'a stream') {
          eventStream(response, withSession).end(event(reply(0, initializeResult())))
        } else plain((other, answer) => json(answer, reply(other.body.id)), withSession)(request, response)
      })
      await ask(1)
      await sink.reply(1)
      await transport.close()
      const ids = server.seen.map((seen) => [seen.body.method ?? seen.method, seen.headers['mcp-session-id']])
      expect(ids.shift()).toEqual(['initialize', undefined])
      expect(new Map(ids as [string, string][])).toEqual(
        new Map(['notifications/initialized', 'GET', 'tools/call', 'DELETE'].map((verb) => [verb, 'se55ion~!'])),
      )
    },
  )

  it('runs without a session when none is given, and deletes none (TRAN-51)', async () => {
    const { server, transport } = await connect(plain(() => {}))
    await transport.close()
    expect(server.seen.some((seen) => 'mcp-session-id' in seen.headers)).toBe(false)
    expect(server.of('DELETE')).toEqual([])
  })

  it.each(['with space', 'tab\tbed', 'ümlaut'])('rejects a session id like %j (TRAN-52)', async (id) => {
    const { ask } = await contact(plain(() => {}, { 'mcp-session-id': Buffer.from(id).toString('latin1') }))
    expect((await failure(ask(0, 'initialize'))).code).toBe('malformed')
  })

  it('ends as session-lost at a 404, fails what is pending and repeats nothing (TRAN-53, TRAN-54, TRAP-35)', async () => {
    const { server, ask, sink } = await connect(
      plain((request, response) => {
        if (request.body.id === 1) eventStream(response).write(': working\n\n')
        else response.writeHead(404).end()
      }, withSession),
    )
    await ask(1)
    expect((await failure(ask(2))).code).toBe('session-lost')
    expect((await sink.end())?.code).toBe('session-lost')
    expect(server.of('tools/call').length).toBe(2)
    expect((await failure(ask(3))).code).toBe('closed')
    expect(server.of('DELETE')).toEqual([]) // there is nothing left to delete
  })

  it('fails only the request at a 404 without a session', async () => {
    const { ask, sink } = await connect(plain((_, response) => response.writeHead(404).end()))
    expect(await failure(ask(1))).toMatchObject({ code: 'http', details: { status: 404 } })
    expect(sink.ends).toEqual([])
  })

  it.each([405, 500])('accepts a %i to its DELETE (TRAN-56)', async (status) => {
    const { transport, sink, server } = await connect((request, response) => {
      if (request.method === 'DELETE') response.writeHead(status).end()
      else plain(() => {}, withSession)(request, response)
    })
    await transport.close()
    expect(server.of('DELETE').length).toBe(1)
    expect(sink.ends).toEqual([undefined])
  })

  it('takes a 400 that names no request for a lost session, once the session had worked (TRAN-57)', async () => {
    const nobody = { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Bad Request: No valid session ID provided' } }
    const { ask, sink } = await connect(plain((_, response) => json(response, nobody, {}, 400), withSession))
    expect((await failure(ask(1))).code).toBe('session-lost')
    expect((await sink.end())?.details.status).toBe(400)
  })

  it('ignores another session id in mid-session, with a remark', async () => {
    const { ask, sink, server } = await connect(
      plain((request, response) => json(response, reply(request.body.id), { 'mcp-session-id': 'other' }), withSession),
    )
    await ask(1)
    await ask(2)
    await sink.reply(2)
    expect(server.of('tools/call').map((seen) => seen.headers['mcp-session-id'])).toEqual(['se55ion~!', 'se55ion~!'])
    expect(sink.remarks.length).toBe(2)
  })

  it.each([
    { known: true, methods: ['ping', 'tools/call'], lost: 0 },
    { known: false, methods: ['ping', 'initialize', 'notifications/initialized', 'tools/call'], lost: 1 },
  ])(
    'continues a stored session that the server knows: $known, and leaves it alive (TASK-20)',
    async ({ known, methods, lost }) => {
      let losses = 0
      const begun: string[] = []
      const session: SessionHold = {
        resumed: { id: 'held', introduction: initializeResult() },
        held: true,
        began: ({ id }) => void begun.push(id),
        lost: () => void losses++,
      }
      const handle = plain((request, response) => json(response, reply(request.body.id, {})), withSession)
      const { server, transport, sink, ask } = await connect(
        (request, response) => {
          if (!known && request.headers['mcp-session-id'] === 'held') response.writeHead(404).end()
          else handle(request, response)
        },
        { session },
      )
      await ask(1)
      await sink.reply(1)
      expect(server.of('POST').map(({ body }) => body.method)).toEqual(methods)
      expect(server.of('POST').at(-1)?.headers['mcp-session-id']).toBe(known ? 'held' : 'se55ion~!')
      await transport.close()
      expect(server.of('DELETE')).toEqual([])
      expect([losses, begun]).toEqual([lost, known ? [] : ['se55ion~!']])
    },
  )

  it('ends within its time although the server never answers the DELETE, and closes its sockets (LIFE-37, TRAN-55)', async () => {
    const clock = new ManualClock()
    const { transport, server, sink, ask } = await connect(
      (request, response) => {
        if (request.method === 'DELETE') return
        plain((_, open) => void eventStream(open).write(': open\n\n'), withSession)(request, response)
      },
      { clock },
    )
    await ask(1)
    const closing = transport.close()
    await until(() => server.of('DELETE').length === 1)
    clock.advance(2000)
    await closing
    expect(sink.ends).toEqual([undefined])
    await until(() => server.sockets.size <= 1) // at most one idle connection is kept for reuse
  })

  it('never shows the session id in its traffic', async () => {
    const { traffic, ask, sink } = await connect(
      plain((request, response) => json(response, reply(request.body.id)), withSession),
    )
    await ask(1)
    await sink.reply(1)
    expect(traffic.some((line) => line.startsWith('http POST http://127.0.0.1'))).toBe(true)
    expect(traffic.join('\n')).not.toContain('se55ion')
  })
})

describe('the version header — 2025-11-25 basic/transports#protocol-version-header', () => {
  it.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])(
    'has the negotiated version (%s) after initialize, and not on it (TRAN-58, TRAN-60, TRAN-62)',
    async (protocolVersion) => {
      const { server, transport, ask, sink } = await connect(
        plain((request, response) => json(response, reply(request.body.id)), { 'mcp-session-id': 's' }),
        { protocolVersion },
      )
      await ask(1)
      await sink.reply(1)
      await transport.close()
      const versions = server.seen.map((seen) => seen.headers['mcp-protocol-version'])
      expect(versions).toEqual([undefined, ...versions.slice(1).map(() => protocolVersion)])
      expect(server.seen.map((seen) => seen.body.method ?? seen.method)).toContain('DELETE')
    },
  )

  it('has the negotiated version, not our newest (TRAN-59, TRAP-26)', async () => {
    const { server } = await connect(
      plain(() => {}),
      { protocolVersion: '2025-03-26' },
    )
    expect(server.of('notifications/initialized')[0]?.headers['mcp-protocol-version']).toBe('2025-03-26')
  })

  it('ends the connection and names the version when the server refuses the first message with it (TRAN-61)', async () => {
    const { ask, transport, tell, sink } = await contact((request, response) => {
      if (request.headers['mcp-protocol-version']) response.writeHead(400).end('Unsupported protocol version')
      else json(response, reply(request.body.id, initializeResult()))
    })
    await ask(0, 'initialize')
    await sink.reply(0)
    transport.negotiated('2025-11-25')
    const error = await failure(tell('notifications/initialized'))
    expect([error.code, error.details.status]).toEqual(['refused', 400])
    expect(error.message).toContain('2025-11-25')
    expect((await sink.end())?.code).toBe('refused')
  })
})

describe('addresses and headers', () => {
  it('include the configured headers, which replace none of ours, on the stream too (TRAP-30)', async () => {
    const { server } = await connect(
      plain(() => {}),
      { headers: { 'X-Key': 'k', Accept: 'nonsense', 'Mcp-Session-Id': 'forged' } },
    )
    expect(server.seen[0]?.headers).toMatchObject({ 'x-key': 'k', accept: 'application/json, text/event-stream' })
    expect(server.seen[0]?.headers['mcp-session-id']).toBeUndefined()
    await until(() => server.seen.some(isStream))
    expect(server.seen.map((seen) => seen.headers['x-key'])).toEqual(['k', 'k', 'k'])
  })

  it.each(['http://example.com/mcp', 'ftp://127.0.0.1/', 'file:///etc/passwd', 'not an address'])(
    'are refused for %s (TRAN-70)',
    (url) => {
      const make = () =>
        new StreamableHttp({
          url,
          headers: async () => ({}),
          fetch: () => Promise.reject(new Error('must not be asked')),
          limits: { maxMessageBytes: 1 },
          clock: systemClock,
          signal: new AbortController().signal,
        })
      expect(make).toThrow(expect.objectContaining({ code: 'refused' }))
    },
  )
})
