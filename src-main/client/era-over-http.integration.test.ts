import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { checkValue } from '../../e2e/support/check-value.ts'
import {
  event,
  eventStream,
  type Handle,
  initializeResult,
  json,
  Loopback,
  reply,
  type Seen,
} from '../../e2e/support/loopback.ts'
import { ManualClock } from '../../e2e/support/manual-clock.ts'
import { until } from '../../e2e/support/until.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import type { EraFound } from '../protocol/era.ts'
import { DEFAULT_LIMITS } from '../protocol/shapes/limits.ts'
import { connectHttp, ModernHttp } from '../transports/http/connect-http.ts'
import { createConnector } from '../transports/http/connector.ts'
import { type ConnectOptions, connectClient } from './connect-client.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const LISTED = { supportedVersions: ['2026-07-28'], capabilities: {}, resultType: 'complete' }
const error = (id: unknown, code: number, data?: unknown) => ({ jsonrpc: '2.0', id, error: { code, message: 'no', data } })

/** Answers what comes after the probe as a server of the handshake does, or as one with the older stream. */
function legacyAfter(
  onProbe: (request: Seen, response: ServerResponse) => void,
  kind: 'streamable' | 'sse' = 'streamable',
): Handle {
  let stream: ServerResponse | undefined
  return (request, response) => {
    const { id, method } = request.body
    if (method === 'server/discover') onProbe(request, response)
    else if (kind === 'streamable') {
      if (request.method !== 'POST') response.writeHead(405).end()
      else if (id === undefined) response.writeHead(202).end()
      else json(response, reply(id, initializeResult()))
    } else if (request.method === 'GET') {
      stream = eventStream(response)
      stream.write('event: endpoint\ndata: /messages\n\n')
    } else if (request.path !== '/messages') response.writeHead(404, { 'content-type': 'text/html' }).end('<p>Not found</p>')
    else {
      response.writeHead(202).end()
      if (id !== undefined) stream?.write(event(reply(id, initializeResult('2024-11-05'))))
    }
  }
}

async function meet(handle: Handle, more: Partial<ConnectOptions> = {}) {
  const server = await Loopback.serve(handle)
  const connector = createConnector({ environment: {} })
  const lifetime = new Lifetime('test')
  cleanups.push(
    () => server.close(),
    () => connector.close(),
    () => lifetime.end(),
  )
  const clock = new ManualClock()
  const found: EraFound[] = []
  const http = {
    url: `${server.origin}/mcp`,
    headers: async () => ({}),
    fetch: connector.request,
    limits: DEFAULT_LIMITS,
    clock,
    signal: lifetime.signal,
  }
  const connecting = connectClient({
    open: (era, known) =>
      era === 'modern' ? new ModernHttp(http) : connectHttp({ ...http, speaksPost: known?.by === 'answer' }),
    features: {},
    clientInfo: { name: 'parley', version: '1' },
    lifetime,
    signal: lifetime.signal,
    checkValue,
    clock,
    requestTimeout: 60_000,
    maxRequestTime: 60_000,
    pingEvery: 0,
    onEra: (era) => found.push(era),
    ...more,
  })
  connecting.catch(() => {}) // judged by the test
  const posted = () => server.seen.map((seen) => `${seen.method} ${seen.body.method ?? ''}`.trim())
  return { server, clock, connecting, found, posted }
}

describe('a subscription at an address', () => {
  it('reopens when its connection drops; its progress and logs are dropped (V26-SUB-10, V26-SUB-15)', async () => {
    const streams: { readonly id: unknown; readonly stream: ServerResponse }[] = []
    const calls: { readonly id: unknown; readonly token: number; readonly stream: ServerResponse }[] = []
    const capabilities = { tools: { listChanged: true }, logging: {} }
    const told = (method: string, params: object) => event({ jsonrpc: '2.0', method, params })
    const { clock, connecting } = await meet(({ body: { id, method } }, response) => {
      if (method === 'server/discover') json(response, reply(id, { ...LISTED, capabilities }))
      else if (method === 'tools/list') json(response, reply(id, { tools: [], resultType: 'complete' }))
      else {
        const stream = eventStream(response)
        if (method === 'tools/call')
          calls.push({ id, token: calls.length + 1, stream }) // tokens of ours are counted
        else {
          streams.push({ id, stream })
          const _meta = { 'io.modelcontextprotocol/subscriptionId': id }
          stream.write(told('notifications/subscriptions/acknowledged', { notifications: { toolsListChanged: true }, _meta }))
        }
      }
    })
    const client = await connecting
    const heard: unknown[] = []
    client.onLog.on(({ data }) => heard.push(data))
    const calling = client.callTool(
      'slow',
      {},
      {
        signal: new AbortController().signal,
        onProgress: ({ message }) => heard.push(message),
      },
    )
    const first = await until(() => streams[0], 'a subscription')
    const call = await until(() => calls[0], 'a call')
    const progress = (message: string, n: number) =>
      told('notifications/progress', { progressToken: call.token, progress: n, message })
    const log = (data: string) => told('notifications/message', { level: 'info', data })
    first.stream.write(progress('of nobody', 1) + log('of nobody'))
    call.stream.write(progress('of the call', 2) + log('of the call'))
    await until(() => heard.length === 2, 'what the call tells')
    call.stream.end(event(reply(call.id, { content: [], resultType: 'complete' })))
    await calling
    expect(heard).toEqual(['of the call', 'of the call'])
    clock.advance(2000)
    first.stream.destroy()
    await until(() => {
      if (clock.pending > 0) clock.advance(100)
      return streams.length === 2
    }, 'another subscription')
    await client.close()
  })
})

describe('the era probe at an address', () => {
  it('posts server/discover first, with the headers of its era, and stays (V26-NEG-16, V26-HTTP-3, V26-HTTP-4)', async () => {
    const { server, connecting, found } = await meet((request, response) => json(response, reply(request.body.id, LISTED)))
    expect((await connecting).hello.protocolVersion).toBe('2026-07-28')
    expect(found).toEqual([{ era: 'modern', by: 'answer' }])
    expect(server.seen.map(({ method, body }) => [method, body.method])).toEqual([['POST', 'server/discover']])
    expect(server.seen[0]?.headers).toMatchObject({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' })
  })

  it.each([200, 400, 404, 500])(
    'takes a well-formed modern refusal with status %i for a modern server (V26-NEG-17, V26-HTTP-26)',
    async (status) => {
      const data = { supported: ['2031-01-01'], requested: '2026-07-28' }
      const { connecting, posted } = await meet((request, response) =>
        json(response, error(request.body.id, -32022, data), {}, status),
      )
      await expect(connecting).rejects.toThrow(/2031-01-01/)
      expect(posted()).toEqual(['POST server/discover'])
    },
  )

  const html = (response: ServerResponse, status: number) =>
    void response.writeHead(status, { 'content-type': 'text/html' }).end('<p>no</p>')
  it.each<[string, (request: Seen, response: ServerResponse) => void]>([
    ['another result', ({ body }, response) => json(response, reply(body.id, {}))],
    ['an error', ({ body }, response) => json(response, error(body.id, -32601))],
    ['404 with -32601', ({ body }, response) => json(response, error(body.id, -32601), {}, 404)],
    ['400 with an error for nobody', (_, response) => json(response, error(null, -32000), {}, 400)],
    ['400 with a malformed modern error', ({ body }, response) => json(response, error(body.id, -32022, {}), {}, 400)],
    ['400 without a body', (_, response) => void response.writeHead(400).end()],
    ['404 with a page', (_, response) => html(response, 404)],
    ['200 with a page', (_, response) => html(response, 200)],
  ])('falls back to the handshake at the same address after %s (V26-NEG-7, V26-NEG-17, V26-NEG-22)', async (_what, onProbe) => {
    const { server, connecting, found, posted } = await meet(legacyAfter(onProbe))
    expect((await connecting).hello.protocolVersion).toBe('2025-11-25')
    expect(found[0]?.era).toBe('legacy')
    expect(posted().slice(0, 2)).toEqual(['POST server/discover', 'POST initialize'])
    const names = server.seen.slice(1).flatMap(({ headers }) => Object.keys(headers))
    expect(names.filter((name) => /^mcp-(?:method|name|param)/.test(name))).toEqual([])
  })

  it.each([400, 404, 405])(
    'asks for the older stream when the handshake is refused after a %i, too (V26-NEG-18)',
    async (status) => {
      const { connecting, posted } = await meet(legacyAfter((_, response) => html(response, status), 'sse'))
      expect((await connecting).hello.protocolVersion).toBe('2024-11-05')
      expect(posted().slice(0, 4)).toEqual(['POST server/discover', 'POST initialize', 'GET', 'POST initialize'])
    },
  )

  it('never asks for the older stream where JSON-RPC answered the probe (V26-NEG-18, V26-DEPR-3)', async () => {
    const { connecting, posted } = await meet((request, response) =>
      request.body.method === 'server/discover'
        ? json(response, error(request.body.id, -32601), {}, 404)
        : void response.writeHead(404).end(),
    )
    await expect(connecting).rejects.toMatchObject({ details: { status: 404 } })
    expect(posted()).toEqual(['POST server/discover', 'POST initialize'])
  })

  it.each([401, 403, 500, 502, 503])('concludes nothing from a %i (V26-NEG-19)', async (status) => {
    const { connecting, found, posted } = await meet((_, response) => void response.writeHead(status).end())
    await expect(connecting).rejects.toMatchObject({ details: { status } })
    expect(posted()).toEqual(['POST server/discover'])
    expect(found).toEqual([])
  })

  it.each([401, 403, 503])('concludes nothing from a %i with a JSON-RPC body (V26-NEG-19)', async (status) => {
    const { connecting, found, posted } = await meet(({ body }, response) => json(response, error(body.id, -32000), {}, status))
    await expect(connecting).rejects.toMatchObject({ details: { status } })
    expect(posted()).toEqual(['POST server/discover'])
    expect(found).toEqual([])
  })

  it('waits as long as a 429 asks, and tries again (V26-NEG-19)', async () => {
    const times: number[] = []
    const { clock, connecting, posted } = await meet((request, response) => {
      times.push(clock.now())
      if (times.length === 1) json(response, error(request.body.id, -32000), { 'retry-after': '3' }, 429)
      else json(response, reply(request.body.id, LISTED))
    })
    await until(() => {
      if (clock.pending > 0) clock.advance(100)
      return times.length === 2
    })
    await connecting
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(3000)
    expect(posted()).toEqual(['POST server/discover', 'POST server/discover'])
  })

  it('concludes nothing from silence, and fails at its deadline (V26-NEG-19)', async () => {
    const { clock, connecting, found, server } = await meet(() => {})
    await until(() => server.seen.length === 1)
    clock.advance(30_000)
    await expect(connecting).rejects.toBeInstanceOf(Error)
    expect(found).toEqual([])
  })
})
