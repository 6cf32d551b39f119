import { describe, expect, it } from 'vitest'
import { until } from '../../../e2e/support/until.ts'
import { type ChatHost, type ChatOptions, chatHost } from '../../../e2e/test-hosts/chat-host.ts'
import type { ToolCall } from '../../../src-shared/contract/conversations.ts'
import { PLAYGROUND_ID } from '../../../src-shared/contract/servers.ts'
import { APPS, SKILLS, TASKS } from '../../../src-shared/mcp/extensions.ts'
import type { Tool } from '../../../src-shared/mcp/primitives.ts'

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

/** The extensions that each message to a connection of the server declared, without the one that finds out its era. */
function declared({ servers }: ChatHost, at: number): readonly (readonly string[])[] {
  const messages = servers[at]?.received.flatMap(({ method, params }) => {
    const meta = params?._meta as Record<string, unknown> | undefined
    const capabilities = method === 'initialize' ? params?.capabilities : meta?.[CAPABILITIES]
    return capabilities && method !== 'server/discover'
      ? [Object.keys((capabilities as { extensions?: object }).extensions ?? {}).sort()]
      : []
  })
  return messages ?? []
}

/** Turns extensions off, and waits for the next connection. */
async function off(chat: ChatHost, options: { apps?: false; tasks?: false }): Promise<void> {
  await chat.host.servers.controls.setOptions(PLAYGROUND_ID, options)
  await until(() => chat.servers.length === 2 && chat.host.servers.configured.find(PLAYGROUND_ID)?.ready, 'the next connection')
}

const session: ChatOptions = {}
const modern: ChatOptions = { modern: true }

describe('the switch of an extension', () => {
  it.each([
    ['a session', session, [APPS, SKILLS], [SKILLS]],
    ['the modern era', modern, [APPS, SKILLS, TASKS], [SKILLS, TASKS]],
  ])('declares views in %s in each message that can, and not after it is off (EXT-1, EXT-5)', async (_era, options, on, then) => {
    const chat = await chatHost(options)
    const before = declared(chat, 0)
    expect(before.length).toBeGreaterThan(0)
    expect(before.filter((one) => one.join() !== [...on].sort().join())).toEqual([])
    await off(chat, { apps: false })
    const after = declared(chat, 1)
    expect(after.length).toBeGreaterThan(0)
    expect(after.filter((one) => one.join() !== [...then].sort().join())).toEqual([])
  })

  it('declares tasks in the modern era alone, and not after it is off (EXT-1, EXT-5)', async () => {
    const chat = await chatHost(modern)
    await off(chat, { tasks: false })
    expect(declared(chat, 0)[0]).toContain(TASKS)
    expect(declared(chat, 1).flat()).not.toContain(TASKS)
    expect(declared(chat, 1).flat()).toContain(APPS)
  })

  it('lets no call of a session be a task while tasks are off (EXT-5, TASK-1)', async () => {
    const long: Tool = { name: 'long', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } }
    const chat = await chatHost({
      tools: [long],
      capabilities: { tasks: { requests: { tools: { call: {} } } } },
      replies: [[{ call: 'long', args: {} }], ['Done.']],
    })
    await off(chat, { tasks: false })
    const id = await chat.say('go')
    await chat.answer('once')
    await chat.idle(id)
    expect(chat.server.got('tools/call').map(({ params }) => params.task)).toEqual([undefined])
  })
})

describe('a server that declares no extension', () => {
  const long: Tool = {
    name: 'long',
    inputSchema: { type: 'object' },
    execution: { taskSupport: 'required' },
    _meta: { ui: { resourceUri: 'ui://scripted/view' } },
  }
  const replies = [[{ call: 'long', args: {} }], ['Done.']]

  /** The only call of a conversation, once it has ended. */
  async function called(chat: ChatHost): Promise<ToolCall> {
    const id = await chat.say('go')
    await chat.answer('once')
    await chat.idle(id)
    return chat.call(id)
  }

  it.each([
    ['a session', session],
    ['the modern era', modern],
  ])('gets a plain call in %s and no request of an extension; the person sees its text (EXT-2)', async (_era, options) => {
    const chat = await chatHost({ ...options, tools: [long], replies })
    expect(await called(chat)).toMatchObject({ status: 'finished', app: { is: 'missing' } })
    expect(chat.model.told('call-1')).toContain('echo {}')
    expect(await chat.host.skills.list(new AbortController().signal)).toEqual({ skills: [], problems: [] })
    expect(chat.server.got('tools/call').map(({ params }) => params.task)).toEqual([undefined])
    const methods = chat.server.received.flatMap(({ method }) => method ?? [])
    expect(methods.filter((method) => /^(tasks|skills|resources)\//.test(method))).toEqual([])
  })

  it('is refused a task that it starts all the same, in words (EXT-2)', async () => {
    const at = '2026-11-22T08:00:00Z'
    const task = { taskId: 'k', status: 'working', createdAt: at, lastUpdatedAt: at, ttlMs: null }
    const chat = await chatHost({ ...modern, tools: [long], replies, onCall: () => ({ resultType: 'task', ...task }) })
    const { status, problem } = await called(chat)
    expect([status, JSON.stringify(problem)]).toEqual(['failed', expect.stringContaining('this client did not offer')])
    expect(chat.server.got('tasks/get')).toEqual([])
  })
})
