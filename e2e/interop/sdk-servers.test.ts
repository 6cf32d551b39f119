import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import type { ConnectOptions } from '../../src-main/client/connect-client.ts'
import type { ClientFeatures } from '../../src-main/protocol/peer/client-features.ts'
import type { TrafficTap, Transport } from '../../src-main/protocol/peer/transport.ts'
import { DEFAULT_LIMITS } from '../../src-main/protocol/shapes/limits.ts'
import { startStdio } from '../../src-main/transports/stdio.ts'
import { systemClock } from '../../src-shared/base/clock.ts'
import type { CreateMessageParams } from '../../src-shared/mcp/client-requests.ts'
import type { CallToolResult } from '../../src-shared/mcp/content.ts'
import { type Connected, connect } from '../support/everything.ts'
import { httpTransport } from '../support/http-transport.ts'
import { until } from '../support/until.ts'

const scripts = fileURLToPath(new URL('../servers/sdk/', import.meta.url))
const GENERATIONS = ['v1', 'v2'] as const
type Generation = (typeof GENERATIONS)[number]

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function meet(transport: Transport, options: Partial<ConnectOptions> = {}) {
  const connected = await connect(transport, options)
  cleanups.push(() => connected.end())
  return connected
}

function overStdio(generation: Generation, onTraffic?: TrafficTap): Transport {
  return startStdio({
    command: process.execPath,
    args: [`${scripts}stdio.mjs`, generation],
    env: { PATH: process.env.PATH ?? '' },
    cwd: scripts,
    limits: DEFAULT_LIMITS,
    clock: systemClock,
    onStderr: () => {},
    ...(onTraffic && { onTraffic }),
  })
}

interface Counters {
  readonly sideEffects: number
  readonly resumed: number
  readonly lists: number
  readonly weatherCalls: number
}

class HttpServer {
  readonly #child: ChildProcess
  readonly #origin: string

  private constructor(child: ChildProcess, port: string) {
    this.#child = child
    this.#origin = `http://127.0.0.1:${port}`
  }

  static async start(generation: Generation): Promise<HttpServer> {
    const child = spawn(process.execPath, [`${scripts}http.mjs`, generation], { stdio: ['ignore', 'pipe', 'inherit'] })
    let said = ''
    child.stdout?.on('data', (chunk) => {
      said += chunk
    })
    const port = await until(() => /listening on (\d+)/.exec(said)?.[1], 'the server to listen')
    const server = new HttpServer(child, port)
    cleanups.push(() => server.#stop())
    return server
  }

  transport(): Transport {
    return httpTransport(`${this.#origin}/mcp`)
  }

  async counters(): Promise<Counters> {
    return (await (await fetch(`${this.#origin}/counters`)).json()) as Counters
  }

  async forgetSessions(): Promise<void> {
    await fetch(`${this.#origin}/forget`, { method: 'POST' })
  }

  #stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#child.once('close', () => resolve())
      this.#child.kill('SIGKILL')
    })
  }
}

const call = (connected: Connected, name: string) => connected.client.callTool(name, {}, { signal: connected.signal })
const textOf = ({ content }: CallToolResult) => content.map((block) => (block.type === 'text' ? block.text : block.type)).join()
const counters = async (connected: Connected) => JSON.parse(textOf(await call(connected, 'counters'))) as Counters

describe.each(GENERATIONS)('a server on the official SDK %s', (generation) => {
  it('introduces itself in the newest revision of the handshake (LIFE-04)', async () => {
    const { client } = await meet(overStdio(generation))
    expect(client.hello).toMatchObject({ protocolVersion: '2025-11-25', serverInfo: { name: `sdk-${generation}` } })
    expect(client.catalog.value.problems).toEqual([])
  })

  it('sends a batch in 2025-03-26, whose members are each served (MSG-26, MSG-30, TRAN-09)', async () => {
    const sent: string[] = []
    const transport = overStdio(generation, ({ direction, text }) => direction === 'sent' && sent.push(text))
    const features: ClientFeatures = { roots: { list: async () => ({ roots: [{ uri: 'file:///srv' }] }) } }
    const connected = await meet(transport, { protocolVersion: '2025-03-26', features })
    expect(connected.client.hello.protocolVersion).toBe('2025-03-26')
    const heard: unknown[] = []
    connected.client.onLog.on(({ data }) => heard.push(data))
    const answers = JSON.parse(textOf(await call(connected, 'batch-by-hand')))
    expect(answers).toEqual({ 'hand-1': {}, 'hand-2': { roots: [{ uri: 'file:///srv' }] }, 'hand-3': -32601 })
    expect(heard).toContain('from the batch')
    expect(sent.every((line) => line.startsWith('{'))).toBe(true)
  })

  it('samples with its own tools: the host never runs them (V11-20, V11-21)', async () => {
    const asked: CreateMessageParams[] = []
    const use = { type: 'tool_use', id: 'use-1', name: 'weather', input: { city: 'Oslo' } } as const
    const features: ClientFeatures = {
      sampling: {
        tools: true,
        context: false,
        async createMessage(params) {
          asked.push(params)
          return asked.length === 1
            ? { role: 'assistant', model: 'test', content: [use], stopReason: 'toolUse' }
            : { role: 'assistant', model: 'test', content: { type: 'text', text: 'It is 4 °C.' }, stopReason: 'endTurn' }
        },
      },
    }
    const connected = await meet(overStdio(generation), { features })
    expect(textOf(await call(connected, 'sample-with-tools'))).toBe('toolUse, endTurn: It is 4 °C.')
    expect(asked[0]).toMatchObject({ tools: [{ name: 'weather' }], toolChoice: { mode: 'auto' } })
    expect(JSON.stringify(asked[1]?.messages)).toContain('Oslo: 4 °C')
    expect(connected.client.catalog.tool('weather')).toBeDefined()
    expect((await counters(connected)).weatherCalls).toBe(0)
  })

  it('with a storm of changed lists is listed again a few times, and the last list counts (TOOL-29, SEC-24)', async () => {
    const connected = await meet(overStdio(generation))
    const before = (await counters(connected)).lists
    await call(connected, 'list-changed-storm')
    await until(() => connected.client.catalog.tool('grown-299'), 'the last tool of the storm')
    expect((await counters(connected)).lists - before).toBeLessThan(20)
  })

  it('breaks its own output schema: invalid content is left out and reported (TOOL-24, TOOL-25)', async () => {
    const connected = await meet(overStdio(generation))
    expect(await call(connected, 'structured-right')).toMatchObject({ structuredContent: { n: 7 }, warnings: [] })
    const wrong = await call(connected, 'structured-wrong')
    expect(wrong).not.toHaveProperty('structuredContent')
    expect(wrong.content).toEqual([{ type: 'text', text: 'seven' }])
    expect(wrong.warnings).toHaveLength(1)
    expect((await call(connected, 'structured-missing')).warnings).toHaveLength(1)
    expect(await call(connected, 'structured-error')).toMatchObject({ isError: true, warnings: [] })
  })

  it('reports progress in the same write as its result, and none of it is lost (PROG-01, PROG-05)', async () => {
    const connected = await meet(overStdio(generation))
    for (let round = 0; round < 5; round++) {
      const heard: number[] = []
      const onProgress = ({ progress }: { progress: number }) => heard.push(progress)
      const result = await connected.client.callTool('progress-and-result', {}, { signal: connected.signal, onProgress })
      expect(textOf(result)).toBe('and done')
      expect(heard).toEqual(Array.from({ length: 50 }, (_, n) => n + 1))
    }
  })

  it('announces tasks; a client without them makes plain calls (V11-27, V11-30)', async () => {
    const sent: string[] = []
    const connected = await meet(overStdio(generation, ({ direction, text }) => direction === 'sent' && sent.push(text)))
    expect(connected.client.hello.capabilities.tasks).toBeDefined()
    expect(textOf(await call(connected, 'may-be-a-task'))).toBe('done at once')
    expect(sent.join()).not.toContain('"task"')
  })

  it('closes the stream of a reply after its empty first event, and it is resumed with Last-Event-ID (TRAN-46, V11-37, V11-39)', async () => {
    const server = await HttpServer.start(generation)
    const connected = await meet(server.transport())
    const heard: number[] = []
    const onProgress = ({ progress }: { progress: number }) => heard.push(progress)
    const result = await connected.client.callTool('resumed-reply', {}, { signal: connected.signal, onProgress })
    expect(textOf(result)).toBe('after the break')
    expect(heard).toEqual([1])
    expect((await server.counters()).resumed).toBeGreaterThan(0)
  })

  it('loses its sessions in mid-session: waiting calls fail, and none is made twice (TRAN-53, TRAN-54, TRAP-35)', async () => {
    const server = await HttpServer.start(generation)
    const connected = await meet(server.transport())
    await call(connected, 'side-effect')
    const waiting = call(connected, 'side-effect-without-answer').catch((error: unknown) => error)
    await until(async () => (await server.counters()).sideEffects === 2, 'the call to arrive')
    await server.forgetSessions()
    await expect(call(connected, 'side-effect')).rejects.toMatchObject({ code: 'session-lost' })
    expect(await waiting).toMatchObject({ code: 'session-lost' })
    expect(await connected.client.closed).toMatchObject({ code: 'session-lost' })
    const again = await meet(server.transport())
    expect(textOf(await call(again, 'side-effect'))).toBe('done')
    expect((await server.counters()).sideEffects).toBe(3)
  })
})
