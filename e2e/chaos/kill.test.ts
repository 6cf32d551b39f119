import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Message, ToolCall } from '../../src-shared/contract/conversations.ts'
import type { ConversationId } from '../../src-shared/contract/ids.ts'
import type { ConversationTopic, Topic } from '../../src-shared/contract/topics.ts'
import { HostClient } from '../shells/host-client.ts'
import { type LivingProcess, lives, processes, startWebProcess, type WebProcess } from '../shells/web-process.ts'

/** A small generator, so that every run kills at the same moments (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const SEED = Number(process.env.KILL_SEED ?? 20261120)
const random = seeded(SEED)
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const LONG = process.env.PARLEY_LONG === '1'
const PHASES = ['text streaming', 'between consent and call', 'call in flight', 'result arriving', 'delete', 'rename'] as const
type Phase = (typeof PHASES)[number]
/** Two in each phase, at least eight in the long run, in an order that the seed chooses. */
const MOMENTS: readonly Phase[] = Array.from(
  { length: Number(process.env.KILL_MOMENTS ?? (LONG ? 50 : 12)) },
  (_, n) => PHASES[n % PHASES.length] as Phase,
)
  .map((phase) => ({ phase, at: random() }))
  .sort((a, b) => a.at - b.at)
  .map(({ phase }) => phase)

const above = mkdtempSync(join(tmpdir(), 'parley-kill-'))
const folder = join(above, 'data')
mkdirSync(folder)
/** While it exists, the server left behind ends by SIGTERM: waiting until it has to be killed, each time, took longer than all else. */
const heeds = join(above, 'heeds-sigterm')
const server = fileURLToPath(new URL('../servers/stubborn.mjs', import.meta.url))
let shell: WebProcess
let client: HostClient
const removed = new Set<ConversationId>()
let last: { id: ConversationId; topic: Topic } | undefined
let wished = ''

async function start(): Promise<void> {
  shell = await startWebProcess(folder)
  client = await HostClient.open(shell.link)
  await client.until(() => {
    const trust = client.host.interactions.find(({ kind }) => kind === 'server-trust')
    if (trust) void client.request('interaction.answer', { id: trust.id, kind: 'server-trust', answer: { decision: 'allow' } })
    return Object.values(client.host.servers).every(({ state }) => state.is === 'ready')
  }, 'every server to be ready')
}

beforeAll(async () => {
  writeFileSync(
    join(folder, 'mcp.json'),
    JSON.stringify({ mcpServers: { stubborn: { command: process.execPath, args: [server, heeds] } } }),
  )
  await start()
  // So that it runs whenever the host does.
  const { id } = Object.values(client.host.servers).find(({ builtIn }) => !builtIn) ?? {}
  if (id) await client.request('server.setOptions', { serverId: id, options: { keepRunning: true } })
})
afterAll(async () => {
  await client?.close()
  await shell?.quit()
  rmSync(above, { recursive: true, force: true })
})

/** Brings the host to a phase and returns at the moment to kill it. */
async function reach(phase: Phase): Promise<void> {
  const { id } = await client.request('conversation.create', {})
  const topic: Topic = `conversation/${id}`
  await client.follow(topic)
  last = { id, topic }
  const shown = () => client.topics.get(topic) as ConversationTopic
  const say = (text: string) => client.request('conversation.send', { id, text })
  const allow = async () => {
    const question = await client.until(
      () => client.host.interactions.find((open) => open.kind === 'tool-consent'),
      'the consent question',
    )
    const calls = question.question.calls.map(({ toolCallId }) => toolCallId)
    void client
      .request('interaction.answer', { id: question.id, kind: 'tool-consent', answer: { decision: 'allow', calls } })
      .catch(() => {})
  }
  const call = (status: ToolCall['status']) =>
    client.until(() => Object.values(shown().toolCalls).some((record) => record.status === status), `a call that is ${status}`)

  switch (phase) {
    case 'text streaming':
      await say('count to 900')
      await client.until(() => shown().messages.at(-1)?.role === 'assistant', 'the first words')
      return void (await pause(random() * 500))
    case 'between consent and call':
      await say('use stubborn/wait with ms=400')
      await allow()
      return void (await pause(random() * 6))
    case 'call in flight':
      await say('use stubborn/wait with ms=5000')
      await allow()
      await call('running')
      return void (await pause(random() * 200))
    case 'result arriving':
      await say('use stubborn/large with bytes=60000')
      await allow()
      await call('finished')
      return void (await pause(random() * 30))
    case 'delete':
      await say('count to 3')
      await client.until(() => shown().turn?.status === 'finished', 'the end of the turn')
      void client
        .request('conversation.remove', { id })
        .then(() => removed.add(id))
        .catch(() => {})
      return void (await pause(random() * 8))
    case 'rename':
      await say('count to 3')
      wished = `Renamed ${random()}`
      void client.request('conversation.rename', { id, title: wished }).catch(() => {})
      return void (await pause(random() * 8))
  }
}

const textOf = (message: Message) =>
  message.parts.map((part) => ('text' in part ? part.text : 'toolCallId' in part ? `[${part.toolCallId}]` : '')).join('')
const DONE = new Set(['finished', 'failed', 'declined', 'cancelled'])

/** Everything shown before must be there afterwards; it may have gone on, it may not be missing or shorter. */
function compare(before: ConversationTopic, after: ConversationTopic): void {
  for (const message of before.messages) {
    const now = after.messages.find(({ id }) => id === message.id)
    expect(now, `message ${message.id}`).toBeDefined()
    if (now) expect(textOf(now).startsWith(textOf(message)), 'the text that was shown').toBe(true)
    expect(now?.status).not.toBe('streaming')
  }
  for (const record of Object.values(before.toolCalls)) {
    const now = after.toolCalls[record.id]
    expect(now, `tool call ${record.id}`).toMatchObject({ tool: record.tool, arguments: record.arguments })
    if (DONE.has(record.status)) expect(now).toEqual(record)
    else expect(now?.status).toMatch(/interrupted|finished|failed|declined|cancelled/)
  }
  expect(after.turn?.status).not.toBe('running')
}

describe(`kill -9 of the host, seed ${SEED}`, () => {
  it.each(MOMENTS.map((phase, n) => [n + 1, phase] as const))(
    'loses nothing shown at moment %i, %s, and no server survives the next start',
    async (n, phase) => {
      await reach(phase)
      const shown = { host: client.host, conversation: last && (client.topics.get(last.topic) as ConversationTopic | undefined) }
      const gone = new Set(removed)
      const servers: LivingProcess[] = processes(
        ({ parent, command }) => parent === shell.pid && command.includes('stubborn.mjs'),
      )
      expect(servers).not.toHaveLength(0)
      // Once it stays deaf, in a long run once in each phase.
      if (LONG ? MOMENTS.indexOf(phase) === n - 1 : n === 1) rmSync(heeds, { force: true })
      else writeFileSync(heeds, '')

      await shell.kill9()
      await client.close()
      await start()

      expect(servers.filter(lives)).toEqual([])
      for (const head of shown.host.conversations) {
        const now = client.host.conversations.find(({ id }) => id === head.id)
        if (gone.has(head.id)) expect(now, 'a conversation that was deleted').toBeUndefined()
        // A request that was not yet shown may have been written all the same.
        else if (head.id === last?.id && phase === 'delete') continue
        else if (head.id === last?.id && phase === 'rename') expect([head.title, wished]).toContain(now?.title)
        else expect(now?.title, 'the title that was shown').toBe(head.title)
        if (head.id === last?.id && head.title === wished) expect(now?.title, 'the new title that was shown').toBe(wished)
      }
      if (last && shown.conversation && phase !== 'delete')
        compare(shown.conversation, await client.follow<ConversationTopic>(last.topic))
    },
  )

  it('keeps the messages that waited for a reply, and the next start sends none of them', async () => {
    writeFileSync(heeds, '')
    const { id } = await client.request('conversation.create', {})
    const topic: Topic = `conversation/${id}`
    await client.follow(topic)
    const shown = () => client.topics.get(topic) as ConversationTopic
    const say = (text: string) => client.request('conversation.send', { id, text })
    await say('count to 900')
    await client.until(() => shown().messages.at(-1)?.role === 'assistant', 'the first words')
    await say('second')
    await say('third')
    await client.until(() => shown().queue?.length === 2, 'the messages to wait')
    const waiting = shown().queue

    await shell.kill9()
    await client.close()
    await start()

    await client.follow(topic)
    const other = await client.request('conversation.create', {})
    const meanwhile: Topic = `conversation/${other.id}`
    await client.follow(meanwhile)
    await client.request('conversation.send', { id: other.id, text: 'count to 3' })
    const replied = () => (client.topics.get(meanwhile) as ConversationTopic).turn?.status === 'finished'
    await client.until(replied, 'a reply elsewhere')
    expect(shown()).toMatchObject({ turn: { status: 'interrupted' }, queue: waiting })
    expect(shown().messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
  })
})
