import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../../src-main/client/client.ts'
import { connectClient } from '../../src-main/client/connect-client.ts'
import { type Transport, TransportError } from '../../src-main/protocol/peer/transport.ts'
import { DEFAULT_LIMITS } from '../../src-main/protocol/shapes/limits.ts'
import { OWNER_VARIABLE, processStartTime } from '../../src-main/transports/child-process.ts'
import { connectHttp } from '../../src-main/transports/http/connect-http.ts'
import { createConnector } from '../../src-main/transports/http/connector.ts'
import { startStdio } from '../../src-main/transports/stdio.ts'
import { type Clock, systemClock } from '../../src-shared/base/clock.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import { connections, handlers } from '../servers/hostile/http.mjs'
import { checkValue } from '../support/check-value.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { until } from '../support/until.ts'

/** Small enough that bounds are met in milliseconds. */
const limits = { ...DEFAULT_LIMITS, maxMessageBytes: 1 << 20, maxPages: 20 }
const PATIENCE = 5000

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** The client's time stands still until a test advances it, so that a slow machine makes nobody impatient. */
async function meet(transport: Transport, clock = new ManualClock()): Promise<Client> {
  const lifetime = new Lifetime('zoo')
  cleanups.push(() => lifetime.end())
  return connectClient({
    checkValue,
    open: () => transport,
    known: { era: 'legacy', by: 'choice' },
    features: { roots: { list: async () => ({ roots: [] }) } },
    clientInfo: { name: 'zoo', version: '1' },
    lifetime,
    signal: lifetime.signal,
    clock,
    limits,
    handshakeTimeout: PATIENCE,
    requestTimeout: PATIENCE,
    maxRequestTime: PATIENCE,
  })
}

const signal = new AbortController().signal
const call = (client: Client, name: string) => client.callTool(name, {}, { signal })

/** The code by which the failure is explained to a person: that of the connection, where it is to blame. */
const codeOf = (error: unknown): unknown => {
  const { code, cause } = error as { code: unknown; cause?: unknown }
  return cause instanceof TransportError ? cause.code : code
}
const failure = (promise: Promise<unknown>) =>
  promise.then((value) => `no failure but ${JSON.stringify(value)?.slice(0, 200)}`, codeOf)
const saidBy = async (promise: ReturnType<typeof call>) => {
  const [block] = (await promise).content
  return block?.type === 'text' ? block.text : block?.type
}

describe('misbehaving servers over stdio', () => {
  const pids: number[] = []
  const stderr: string[] = []
  const server = (behaviour: string, clock: Clock = systemClock) =>
    startStdio({
      command: process.execPath,
      args: [fileURLToPath(new URL('../servers/hostile/stdio.mjs', import.meta.url)), behaviour],
      env: { [OWNER_VARIABLE]: 'zoo' },
      cwd: '/',
      limits,
      clock,
      stop: { eofMs: 200, termMs: 200 },
      onStderr: (line) => void stderr.push(line),
      onSpawn: ({ pid }) => void pids.push(pid),
    })
  beforeEach(() => {
    stderr.length = 0
  })

  it.each([
    ['exits-at-once', 'exited'],
    ['exits-at-once-with-0', 'closed'],
    ['exits-at-initialize', 'exited'],
  ])('%s: the handshake fails as %s', async (behaviour, code) => {
    expect(await failure(meet(server(behaviour, new ManualClock())))).toBe(code)
  })

  it.each([
    ['unknown-version', 'version'],
    ['version-is-a-number', 'malformed'],
    ['no-server-info', 'malformed'],
    ['initialize-fails', 'version'],
  ])('%s: the handshake fails as %s', async (behaviour, code) => {
    expect(await failure(meet(server(behaviour)))).toBe(code)
  })

  it('never-answers: the handshake fails as timeout', async () => {
    const clock = new ManualClock()
    const met = failure(meet(server('never-answers'), clock))
    await until(() => stderr.includes('misbehaves'), 'the server to be asked')
    clock.advance(PATIENCE)
    expect(await met).toBe('timeout')
  })

  it.each([
    ['banner-lines', 'done'],
    ['crlf-and-bom', 'done'],
    ['one-byte-at-a-time', 'ü€𝄞'],
    ['proto-keys', 'done'],
    ['invalid-utf8', '\ufffd'.repeat(6)],
    ['answers-twice', 'done'],
    ['answers-to-nothing', 'done'],
    ['odd-values', 'done'],
    ['a-batch-where-there-are-none', 'done'],
    ['reuses-request-ids', 'done'],
    ['wrong-typed-request-ids', 'done'],
    ['wrong-typed-params', 'done'],
    ['cancels-what-is-ours', 'done'],
    ['floods-notifications', 'done'],
    ['floods-progress', 'done'],
    ['floods-changes', 'done'],
    ['floods-requests', 'done'],
    ['floods-stderr', 'done'],
  ])('%s: is survived, the call included', async (behaviour, text) => {
    const client = await meet(server(behaviour))
    expect(await saidBy(call(client, 'hostile'))).toBe(text)
    expect(await saidBy(call(client, 'fine'))).toBe('fine')
    expect(Object.keys(Object.prototype)).toEqual([])
    expect('polluted' in {}).toBe(false)
  })

  it.each([
    ['result-and-error', 'invalid-result'],
    ['result-is-null', 'invalid-result'],
    ['error-code-is-text', 'invalid-result'],
    ['content-is-no-array', 'invalid-result'],
    ['100-mebibytes-in-one-line', 'too-large'],
    ['a-large-line-with-its-id-last', 'too-large'],
    ['deep-nesting', 'too-large'],
  ])('%s: fails the call as %s and nothing else', async (behaviour, code) => {
    const client = await meet(server(behaviour))
    expect(await failure(call(client, 'hostile'))).toBe(code)
    expect(await saidBy(call(client, 'fine'))).toBe('fine')
  })

  it.each(['pretty-printed', 'answers-with-a-text-id', 'answers-with-a-fraction', 'never-answers-a-call'])(
    '%s: fails the call as timeout and nothing else',
    async (behaviour) => {
      const clock = new ManualClock()
      const client = await meet(server(behaviour), clock)
      const failed = failure(call(client, 'hostile'))
      // It comes after whatever was said before.
      expect(await saidBy(call(client, 'fine'))).toBe('fine')
      clock.advance(PATIENCE)
      expect(await failed).toBe('timeout')
      expect(await saidBy(call(client, 'fine'))).toBe('fine')
    },
  )

  it.each(['half-a-line', 'stops-reading'])('%s: fails the call as timeout, and closing still works', async (behaviour) => {
    const clock = new ManualClock()
    const client = await meet(server(behaviour), clock)
    const failed = failure(call(client, 'hostile'))
    await until(() => stderr.includes('misbehaves'), 'the server to be called')
    clock.advance(PATIENCE)
    expect(await failed).toBe('timeout')
    await client.close()
    expect(await client.closed).toBeUndefined()
  })

  it('a-line-without-end: fails the call as too-large, and closing still works', async () => {
    const client = await meet(server('a-line-without-end'))
    expect(await failure(call(client, 'hostile'))).toBe('too-large')
    await client.close()
    expect(await client.closed).toBeUndefined()
  })

  it.each([
    ['exits-in-the-middle', 'exited', new ManualClock()],
    ['kills-itself', 'exited', new ManualClock()],
    ['closes-its-output', 'closed', systemClock],
    ['large-line-after-large-line', 'too-large', systemClock],
  ])('%s: ends the connection as %s and fails what was under way', async (behaviour, code, clock) => {
    const client = await meet(server(behaviour, clock))
    expect(await failure(call(client, 'hostile'))).toBe(code)
    expect((await client.closed)?.code).toBe(code)
    expect(await failure(call(client, 'fine'))).toBe(code)
  })

  it.each(['endless-pages', 'repeating-cursor', 'list-of-nonsense', 'list-is-a-text', 'list-is-refused'])(
    '%s: leaves a catalog that names its problem, and a client that works',
    async (behaviour) => {
      const client = await meet(server(behaviour))
      await client.catalog.load(signal).catch(() => {})
      expect(client.catalog.value.problems.length).toBeGreaterThan(0)
      expect(await saidBy(call(client, 'fine'))).toBe('fine')
    },
  )

  it('ignores-the-end: is killed', async () => {
    const client = await meet(server('ignores-the-end'))
    await until(() => pids.length > 0)
    const pid = pids.at(-1)!
    await client.close()
    await until(async () => (await processStartTime(pid)) === undefined, 'its end')
  })

  it('leaves-a-grandchild: the grandchild ends with it', async () => {
    const client = await meet(server('leaves-a-grandchild'))
    const pid = Number(await saidBy(call(client, 'hostile')))
    expect(await processStartTime(pid)).toBeDefined()
    await client.close()
    await until(async () => (await processStartTime(pid)) === undefined, 'the end of the grandchild')
  })
})

describe('misbehaving servers over HTTP', () => {
  /** Requests to the server, as `POST tools/call`, `GET`, or `GET after 1` where a stream is to go on. */
  const seen: string[] = []
  beforeEach(() => {
    seen.length = 0
  })

  async function listen(server: Server): Promise<Transport> {
    const sockets = new Set<Socket>()
    server.on('connection', (socket: Socket) => {
      sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const connector = createConnector({ environment: {} })
    cleanups.push(async () => {
      await connector.close()
      // The client let go of everything by itself; what is left would be a leak.
      await until(() => sockets.size === 0, 'the end of all connections')
      await new Promise((resolve) => server.close(resolve))
    })
    return connectHttp({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
      headers: async () => ({}),
      fetch: connector.request,
      limits,
      clock: systemClock,
      signal,
    })
  }

  const server = (behaviour: string) =>
    listen(
      createHttpServer((request, response) => {
        let text = ''
        request.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        request.on('end', () => {
          const body = text === '' ? {} : JSON.parse(text)
          const cursor = request.headers['last-event-id']
          seen.push([request.method, body.method, ...(cursor ? ['after', cursor] : [])].filter(Boolean).join(' '))
          handlers[behaviour as keyof typeof handlers](request, response, body)
        })
      }),
    )

  it.each([
    ['answers-500', 'http'],
    ['answers-401', 'http'],
    ['answers-403', 'http'],
    ['is-a-website', 'malformed'],
    ['is-nothing', 'http'],
    ['accepts-and-forgets', 'malformed'],
    ['redirects-in-a-circle', 'refused'],
    ['redirects-elsewhere', 'refused'],
    ['sends-huge-headers', 'malformed'],
    ['bad-session-id', 'malformed'],
    ['refuses-its-own-version', 'refused'],
    ['unknown-compression', 'malformed'],
    ['truncated-introduction', 'closed'],
    ['old-endpoint-elsewhere', 'refused'],
  ])('%s: the handshake fails as %s', async (behaviour, code) => {
    expect(await failure(meet(await server(behaviour)))).toBe(code)
  })

  it.each([
    ['never-answers', 'POST initialize'],
    ['old-endpoint-never-named', 'GET'],
  ])('%s: the handshake fails as timeout', async (behaviour, asked) => {
    const clock = new ManualClock()
    const met = failure(meet(await server(behaviour), clock))
    await until(() => seen.includes(asked), asked)
    clock.advance(PATIENCE)
    expect(await met).toBe('timeout')
  })

  it.each([
    ['is-no-http', 'malformed'],
    ['hangs-up', 'unreachable'],
    ['talks-without-end', 'malformed'],
  ] as const)('%s: the handshake fails as %s', async (behaviour, code) => {
    const transport = await listen(createServer((socket) => connections[behaviour](socket.on('error', () => {}).resume())))
    expect(await failure(meet(transport))).toBe(code)
  })

  it.each([
    ['drops-the-call', 'unreachable'],
    ['truncated-json', 'closed'],
    ['reply-is-no-json', 'malformed'],
    ['reply-to-another', 'malformed'],
    ['wrong-content-type', 'malformed'],
    ['accepts-a-call-and-forgets', 'malformed'],
    ['fails-a-call', 'http'],
    ['error-without-end', 'http'],
    ['gzip-bomb', 'too-large'],
    ['stream-without-reply', 'closed'],
    ['stream-cut-off', 'closed'],
    ['huge-event', 'too-large'],
  ])('%s: fails the call as %s and nothing else', async (behaviour, code) => {
    const client = await meet(await server(behaviour))
    expect(await failure(call(client, 'hostile'))).toBe(code)
    expect(await saidBy(call(client, 'fine'))).toBe('done')
  })

  it.each([
    ['slow-loris', 'POST tools/call'],
    ['stream-without-end', 'POST tools/call'],
    ['event-of-many-lines', 'POST tools/call'],
    ['resumes-without-end', 'GET after 1'],
  ])('%s: fails the call as timeout and nothing else', async (behaviour, asked) => {
    const clock = new ManualClock()
    const client = await meet(await server(behaviour), clock)
    const failed = failure(call(client, 'hostile'))
    await until(() => seen.includes(asked), asked)
    expect(await saidBy(call(client, 'fine'))).toBe('done')
    clock.advance(PATIENCE)
    expect(await failed).toBe('timeout')
  })

  it.each([
    'stream-of-nonsense',
    'stays-after-the-reply',
    'changes-its-session',
    'never-lets-go',
    'floods-its-own-stream',
    'closes-its-own-stream',
    'own-stream-is-a-website',
  ])('%s: is survived, the call included', async (behaviour) => {
    const client = await meet(await server(behaviour))
    expect(await saidBy(call(client, 'hostile'))).toBe('done')
    expect(await saidBy(call(client, 'fine'))).toBe('done')
    await client.close()
  })

  it('forgets-its-session: ends the connection as session-lost and fails what was under way', async () => {
    const client = await meet(await server('forgets-its-session'))
    expect(await failure(call(client, 'hostile'))).toBe('session-lost')
    expect((await client.closed)?.code).toBe('session-lost')
  })
})
