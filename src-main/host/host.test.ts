import { describe, expect, it } from 'vitest'
import { until } from '../../e2e/support/until.ts'
import { chatHost, ECHO } from '../../e2e/test-hosts/chat-host.ts'
import type { Id } from '../../src-shared/base/json.ts'
import { liveLifetimes } from '../../src-shared/base/lifetime.ts'
import type { ConversationHead } from '../../src-shared/contract/conversations.ts'
import { applyEvent, emptySnapshot, type HostEvent, SNAPSHOT_HEADS } from '../../src-shared/contract/events.ts'
import { DEFAULT_SERVER_OPTIONS } from '../../src-shared/contract/server-defaults.ts'
import type { ServerRecord } from '../../src-shared/contract/servers.ts'
import { DEFAULT_SETTINGS, DEMO_MODEL } from '../../src-shared/contract/settings.ts'
import { HostState } from './core/host-state.ts'

const KIB = 1024

function serverOf(at: number): ServerRecord {
  const id = `server-${at}` as Id<'server'>
  return {
    id,
    name: `Server number ${at}`,
    launch: {
      type: 'local',
      command: '/usr/local/bin/npx',
      args: ['-y', `@example/server-${at}`, '/home/someone/projects'],
      env: {},
    },
    builtIn: false,
    options: DEFAULT_SERVER_OPTIONS,
    state: { is: 'ready', since: 1_700_000_000_000 },
    launchIdentity: 'a'.repeat(64),
    hello: {
      revision: '2025-11-25',
      serverInfo: { name: `server-${at}`, version: '1.0.0' },
      capabilities: ['tools', 'resources', 'prompts', 'logging'],
      instructions: 'Use the tools of this server with care. '.repeat(5),
    },
    catalog: { version: 1, tools: 20, resources: 10, templates: 2, prompts: 3, problems: [] },
  }
}

function headOf(at: number): ConversationHead {
  return {
    id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}` as Id<'conversation'>,
    title: `What about number ${at}, and is there anything else to say about it?`,
    createdAt: at,
    updatedAt: at,
    sequence: at,
    model: DEMO_MODEL,
    turn: 'idle',
  }
}

describe('the host', () => {
  it('sends a window at most 256 KiB at 100 servers, 2,000 tools and 10,000 conversations', async () => {
    const chat = await chatHost({ tools: Array.from({ length: 2_000 }, (_, at) => ({ ...ECHO, name: `tool_${at}` })) })
    await chat.end()
    const { sqlite } = chat.memory!
    sqlite.transaction(() => {
      for (const head of Array.from({ length: 10_000 }, (_, at) => headOf(at))) {
        sqlite.run(
          'INSERT INTO conversation (id, head, updated_at, sequence) VALUES (?, ?, ?, ?)',
          head.id,
          JSON.stringify(head),
          head.updatedAt,
          head.sequence,
        )
      }
    })
    const entries = Array.from({ length: 100 }, (_, at) => [`server-${at}`, { command: 'npx', disabled: true }])
    chat.memory!.servers = JSON.stringify({ mcpServers: Object.fromEntries(entries) })
    const again = await chatHost({ after: chat, tools: chat.tools.list })
    expect(Object.keys(again.host.state.snapshot.servers).length).toBe(101)
    // As large as a record becomes: started, introduced, with a catalog.
    for (let at = 0; at < 100; at++) again.host.state.emit({ type: 'server.changed', server: serverOf(at) })
    const { snapshot } = again.host.state
    expect(again.host.servers.tools.all().length).toBe(2_000)
    expect(snapshot).toMatchObject({ conversationCount: 10_000 })
    expect(snapshot.conversations.length).toBe(SNAPSHOT_HEADS)
    expect(snapshot.conversations[0]?.updatedAt).toBe(9_999)
    expect(Object.keys(snapshot.servers).length).toBe(101)
    expect(Buffer.byteLength(JSON.stringify(snapshot))).toBeLessThanOrEqual(256 * KIB)
    await again.end()
  })

  it('is ready before its servers are', async () => {
    const chat = await chatHost()
    await chat.end()
    const again = await chatHost({ after: chat })
    const id = await again.say('hello')
    await again.idle(id)
    expect((await again.follow(id)).text).toBe('hello|Done.')
    await again.end()
  })

  it('ends everything it began', async () => {
    const before = new Set(liveLifetimes)
    const chat = await chatHost({ replies: [['I ', { wait: new Promise(() => {}) }]] })
    const id = await chat.say('go')
    await until(() => chat.model.requests.length === 1, 'the model')
    const first = chat.host.end()
    expect(chat.host.end()).toBe(first)
    await first
    await expect(chat.host.conversations.open(id, (one) => one.send('late'))).rejects.toMatchObject({ code: 'unavailable' })
    await chat.end()
    expect([...liveLifetimes].filter((lifetime) => !before.has(lifetime))).toEqual([])
  })

  it('keeps settings over a restart, except invalid ones', async () => {
    const chat = await chatHost()
    await chat.host.settings.change({ theme: 'dark', roundLimit: 7 })
    // As another version might: a window could not.
    await chat.host.settings.change({ questionLife: 5 })
    await chat.end()
    const again = await chatHost({ after: chat })
    const { questionLife } = DEFAULT_SETTINGS
    expect(again.host.state.snapshot.settings).toMatchObject({ theme: 'dark', roundLimit: 7, questionLife })
    expect(again.host.state.epoch).not.toBe(chat.host.state.epoch)
    await again.end()
  })
})

describe('the snapshot', () => {
  it('equals what its numbered events say', () => {
    const state = new HostState(emptySnapshot)
    const heard: [number, HostEvent][] = []
    state.onEvent((seq, event) => heard.push([seq, event]))
    state.emit({ type: 'server.added', server: serverOf(1) })
    state.notice('warning', { code: 'x', what: 'Something.' }, 5)
    state.notice('error', { code: 'x', what: 'Something again.' }, 6)
    state.dismiss('nothing')
    expect(heard.map(([seq]) => seq)).toEqual([1, 2, 3])
    expect(state.seq).toBe(3)
    expect(heard.map(([, event]) => event).reduce(applyEvent, emptySnapshot)).toEqual(state.snapshot)
    expect(state.snapshot.notices).toMatchObject([{ level: 'error', at: 6 }])
    for (let at = 0; at < 50; at++) state.notice('info', { code: `n${at}`, what: 'Noise.' }, at)
    expect(state.snapshot.notices.length).toBe(20)
  })
})
