import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, type TestContext } from 'vitest'
import { delay, systemClock } from '../../src-shared/base/clock.ts'
import type { ToolCall } from '../../src-shared/contract/conversations.ts'
import type { ConversationId } from '../../src-shared/contract/ids.ts'
import type { ConversationTopic, Topic } from '../../src-shared/contract/topics.ts'
import { HostClient } from '../shells/host-client.ts'
import { processes, startWebProcess, type WebProcess } from '../shells/web-process.ts'
import { until } from '../support/until.ts'
import { WeakNetwork } from '../support/weak-network.ts'

const SERVER = fileURLToPath(new URL('../servers/sdk/tasks.mjs', import.meta.url))
type Form = 'session' | 'extension'

/**
 * Milliseconds by the clock, ten minutes altogether, in a long run. HTTP libraries and proxies end what is silent for five minutes, which is
 * shorter than the first wait and seen by no other test.
 */
const LONG = process.env.PARLEY_LONG === '1'
const SILENCE = LONG ? 330_000 : 0
const AWAY = LONG ? 45_000 : 0
const passes = (ms: number) => delay(systemClock, ms, new AbortController().signal)

/** A server of the official SDK over HTTP, behind a network that can be cut. */
async function remote(form: Form, state: string) {
  const network = await WeakNetwork.open()
  let child: ChildProcess | undefined
  const start = async () => {
    const started = spawn(process.execPath, [SERVER, form, state, 'http'], { stdio: ['ignore', 'pipe', 'inherit'] })
    child = started
    network.to = await new Promise<number>((resolve) => started.stdout.once('data', (port) => resolve(Number(port))))
  }
  const stop = async () => {
    const ended = new Promise((resolve) => child?.once('close', resolve))
    child?.kill('SIGKILL')
    await ended
  }
  await start()
  return { network, start, stop, end: () => Promise.all([stop(), network.close()]) }
}

/** The built web shell with one server, as a window sees it. */
class Bench {
  readonly state: string
  readonly #data: string
  #shell: WebProcess | undefined
  #client: HostClient | undefined

  constructor({ onTestFinished }: TestContext) {
    const above = mkdtempSync(join(tmpdir(), 'parley-tasks-'))
    onTestFinished(async () => {
      await this.#client?.close()
      await this.#shell?.quit()
      rmSync(above, { recursive: true, force: true })
    })
    this.state = join(above, 'server')
    this.#data = join(above, 'data')
    mkdirSync(this.state)
    mkdirSync(this.#data)
  }

  serve(entry: object): void {
    writeFileSync(join(this.#data, 'mcp.json'), JSON.stringify({ mcpServers: { far: entry } }))
  }

  get client(): HostClient {
    if (!this.#client) throw new Error('The host is not there.')
    return this.#client
  }

  get pid(): number {
    return this.#shell?.pid ?? 0
  }

  async start(): Promise<void> {
    this.#shell = await startWebProcess(this.#data)
    this.#client = await HostClient.open(this.#shell.link)
  }

  async kill9(): Promise<void> {
    await this.#shell?.kill9()
    await this.#client?.close()
  }

  /** As a window that is loaded again. */
  async reload(): Promise<void> {
    if (!this.#shell) throw new Error('The host is not there.')
    await this.#client?.close()
    this.#client = await HostClient.open(await this.#shell.freshLink())
  }

  /** Ends the host as the system does, and resolves with all that it printed. */
  async quit(): Promise<string> {
    await this.#client?.close()
    await this.#shell?.quit()
    return this.#shell?.output() ?? ''
  }

  phase(now: 'ask' | 'working' | 'done'): void {
    writeFileSync(join(this.state, 'phase'), now)
  }

  get happened(): readonly string[] {
    return readFileSync(join(this.state, 'happened'), 'utf8').trim().split('\n')
  }

  isReady(): Promise<boolean> {
    return this.client.until(() => {
      const trust = this.client.host.interactions.find(({ kind }) => kind === 'server-trust')
      if (trust)
        void this.client.request('interaction.answer', { id: trust.id, kind: 'server-trust', answer: { decision: 'allow' } })
      return Object.values(this.client.host.servers).every(({ state }) => state.is === 'ready')
    }, 'the server to be ready')
  }

  isAway(): Promise<boolean> {
    return this.client.until(
      () => Object.values(this.client.host.servers).some(({ state }) => state.is !== 'ready'),
      'its absence',
    )
  }

  async topic(id: ConversationId): Promise<() => ConversationTopic> {
    const topic: Topic = `conversation/${id}`
    await this.client.follow(topic)
    return () => this.client.topics.get(topic) as ConversationTopic
  }

  /** Lets the Demo model call the tool, and answers what its task asks. */
  async begin(): Promise<ConversationId> {
    const { client } = this
    const { id } = await client.request('conversation.create', {})
    const shown = await this.topic(id)
    await client.request('conversation.send', { id, text: 'use far/report' })
    const consent = await client.until(() => client.host.interactions.find((open) => open.kind === 'tool-consent'), 'consent')
    const calls = consent.question.calls.map(({ toolCallId }) => toolCallId)
    await client.request('interaction.answer', { id: consent.id, kind: 'tool-consent', answer: { decision: 'allow', calls } })
    await client.until(() => callIn(shown())?.task, 'the task')
    this.phase('ask')
    const form = await client.until(
      () => client.host.interactions.find((open) => open.kind === 'elicitation-form'),
      'its question',
    )
    const answer = { action: 'accept' as const, content: { name: 'Ada' } }
    await client.request('interaction.answer', { id: form.id, kind: 'elicitation-form', answer })
    await until(() => existsSync(join(this.state, 'name')), 'the server to have the answer')
    return id
  }
}

const callIn = (topic: ConversationTopic): ToolCall | undefined => Object.values(topic.toolCalls)[0]

type Way = readonly ['session' | 'extension', 'http' | 'stdio']
const BOTH_FORMS: readonly Way[] = [
  ['extension', 'http'],
  ['session', 'stdio'],
]
const ALL: readonly Way[] = [...BOTH_FORMS, ['session', 'http'], ['extension', 'stdio']]

describe('a task of an official server', () => {
  it.concurrent.for(LONG ? ALL : BOTH_FORMS)(
    'outlives a reload, a quit and a kill -9 of the host, a restart of its server and a lost network, is called once and asks once: %s over %s (TASK-19, TASK-20, TASK-34)',
    { timeout: 180_000 + SILENCE + 6 * AWAY },
    async ([form, over], context) => {
      const bench = new Bench(context)
      const far = over === 'http' ? await remote(form, bench.state) : undefined
      context.onTestFinished(async () => void (await far?.end()))
      bench.serve(
        far
          ? { type: 'http', url: `http://127.0.0.1:${far.network.port}/mcp` }
          : { command: process.execPath, args: [SERVER, form, bench.state] },
      )
      await bench.start()
      await bench.isReady()
      const id = await bench.begin()
      const running = () => {
        const { client } = bench
        return client.until(() => client.host.background.find((call) => !call.ended), 'the task to be asked about')
      }

      await passes(SILENCE)
      await bench.reload()
      await running()
      await passes(AWAY)
      expect(await bench.quit()).toContain(far ? '“report” of far continues.' : '“report” of far may be lost')
      await passes(AWAY)
      await bench.start()
      await running()
      await passes(AWAY)
      await bench.kill9()
      await passes(AWAY)
      await bench.start()
      const { client } = bench
      await running()

      if (far) {
        await far.stop()
        await far.network.refused()
        await passes(AWAY)
        await far.start()
        await far.network.carried()
        const to = far.network.cut()
        await far.network.refused()
        await passes(AWAY)
        far.network.to = to
        await far.network.carried()
      } else {
        for (const { pid } of processes(({ parent, command }) => parent === bench.pid && command.includes('tasks.mjs')))
          process.kill(pid, 'SIGKILL')
        await bench.isAway()
        await bench.isReady()
        await passes(2 * AWAY)
      }

      bench.phase('done')
      await client.until(() => client.host.background.some(({ ended }) => ended === 'finished'), 'the end')
      const shown = await bench.topic(id)
      expect(callIn(shown())).toMatchObject({
        status: 'finished',
        result: { content: [{ type: 'text', text: 'The report for Ada' }] },
      })
      expect(Object.keys(shown().toolCalls)).toHaveLength(1)
      expect(bench.happened).toEqual(['called', 'asked'])
    },
  )
})
