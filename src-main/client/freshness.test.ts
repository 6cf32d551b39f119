import { describe, expect, it } from 'vitest'
import { connectScripted, type ScriptedOptions, scripted, settled } from '../../e2e/servers/linked/connect-scripted.ts'
import type { Reply } from '../../e2e/servers/linked/scripted-server.ts'
import { until } from '../../e2e/support/until.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DISCOVER = 'server/discover'

const tool = (name: string) => ({ name, inputSchema: { type: 'object' } })

const modern = (options: ScriptedOptions = {}) =>
  connectScripted({
    modern: true,
    known: { era: 'modern', by: 'choice' },
    capabilities: { tools: {} },
    ...options,
    replies: { [DISCOVER]: introduces(options.capabilities ?? { tools: {} }), ...options.replies },
  })

const introduces =
  (capabilities: object, ttlMs = 24 * HOUR): Reply =>
  () => ({ supportedVersions: ['2026-07-28'], capabilities, ttlMs, cacheScope: 'public' })

/** Reads the tools, waits, needs them; how often they were read then. */
async function readsAfter(answer: object, wait: number): Promise<number> {
  await using all = await modern({ replies: { 'tools/list': () => ({ tools: [], ...answer }) } })
  await all.client.catalog.load(all.options.signal)
  all.clock.advance(wait)
  await all.client.freshen()
  return all.server.got('tools/list').length
}

describe('a list', () => {
  it('is fresh until its time to live has passed, and is then read at the next need (V26-CACHE-1)', async () => {
    expect(await readsAfter({ ttlMs: HOUR }, HOUR - 1)).toBe(1)
    expect(await readsAfter({ ttlMs: HOUR }, HOUR)).toBe(2)
  })

  it.each([0, -1, undefined, null, '3600000', true])('with the time to live %j is stale at once (V26-CACHE-2)', async (ttlMs) => {
    expect(await readsAfter({ ttlMs }, MINUTE)).toBe(2)
  })

  it.each([10 ** 15, Number.MAX_VALUE])('is fresh for a day at most: %d (V26-CACHE-2)', async (ttlMs) => {
    expect(await readsAfter({ ttlMs }, 24 * HOUR - 1)).toBe(1)
    expect(await readsAfter({ ttlMs }, 24 * HOUR)).toBe(2)
  })

  it('is not read again before somebody needs it, however stale it is (V26-CACHE-5)', async () => {
    await using all = await modern({ replies: { 'tools/list': () => ({ tools: [], ttlMs: 1000 }) } })
    await all.client.catalog.load(all.options.signal)
    all.clock.advance(24 * HOUR)
    await settled()
    expect(all.server.got('tools/list')).toHaveLength(1)
  })

  it('is read for its age at most every 30 s (V26-CACHE-11)', async () => {
    expect(await readsAfter({ ttlMs: 0 }, 29_999)).toBe(1)
    expect(await readsAfter({ ttlMs: 0 }, 30_000)).toBe(2)
  })

  it('is read again when the clock was set back (V26-CACHE-2)', async () => {
    expect(await readsAfter({ ttlMs: HOUR }, -HOUR)).toBe(2)
  })

  it('is not read for its age when its changes are announced (V26-CACHE-11)', async () => {
    const id = 'io.modelcontextprotocol/subscriptionId'
    await using all = await modern({
      capabilities: { tools: { listChanged: true } },
      replies: {
        'tools/list': () => ({ tools: [], ttlMs: 0 }),
        'subscriptions/listen': () => undefined,
      },
    })
    await all.server.waitFor('subscriptions/listen')
    const notifications = { toolsListChanged: true }
    all.server.notify('notifications/subscriptions/acknowledged', { notifications, _meta: { [id]: 'listen-1' } })
    await settled()
    await all.client.catalog.load(all.options.signal)
    all.clock.advance(HOUR)
    await all.client.freshen()
    expect(all.server.got('tools/list')).toHaveLength(1)
  })

  it('is stale as soon as a change is announced, whatever its time to live (V26-CACHE-8)', async () => {
    let at = 0
    await using all = await modern({ replies: { 'tools/list': () => ({ tools: [tool(`t${++at}`)], ttlMs: HOUR }) } })
    await all.client.catalog.load(all.options.signal)
    all.server.notify('notifications/tools/list_changed')
    await settled()
    await all.client.freshen()
    expect(all.client.catalog.tool('t2')).toBeDefined()
  })

  it('is as old as its oldest page, and is read from its beginning (V26-CACHE-3, V26-CACHE-9, V26-CACHE-12)', async () => {
    const pages: Record<string, object> = {
      first: { tools: [tool('a')], nextCursor: 'second', ttlMs: HOUR, cacheScope: 'public' },
      second: { tools: [tool('b')], nextCursor: 'third', ttlMs: MINUTE, cacheScope: 'private' },
      third: { tools: [tool('c')], ttlMs: HOUR },
    }
    await using all = await modern({ replies: { 'tools/list': ({ cursor = 'first' }) => pages[String(cursor)] } })
    await all.client.catalog.load(all.options.signal)
    all.clock.advance(MINUTE)
    await all.client.freshen()
    const asked = all.server.got('tools/list').map(({ params }) => params.cursor)
    expect(asked).toEqual([undefined, 'second', 'third', undefined, 'second', 'third'])
    expect(all.client.catalog.value.tools.map((entry) => entry.tool.name)).toEqual(['a', 'b', 'c'])
  })

  it('is read from its beginning, without earlier pages, when a cursor becomes invalid (V26-CACHE-10)', async () => {
    let at = 0
    const list: Reply = ({ cursor }) => {
      if (cursor === undefined) return { tools: [tool(`a${++at}`)], nextCursor: `n${at}` }
      if (cursor === 'n1') throw { code: -32602, message: 'cursor' }
      return { tools: [tool('b')] }
    }
    await using all = await modern({ replies: { 'tools/list': list } })
    await all.client.catalog.load(all.options.signal)
    expect(all.client.catalog.value.tools.map((entry) => entry.tool.name)).toEqual(['a2', 'b'])
  })

  it('stays as it was when it cannot be read again, and says so (V26-CACHE-6)', async () => {
    let fails = false
    const list: Reply = () => {
      if (fails) throw { code: -32603, message: 'busy' }
      return { tools: [tool('a')], ttlMs: 0 }
    }
    await using all = await modern({ replies: { 'tools/list': list } })
    await all.client.catalog.load(all.options.signal)
    fails = true
    all.clock.advance(MINUTE)
    await all.client.freshen()
    expect(all.client.catalog.tool('a')).toBeDefined()
    expect(all.client.catalog.value.problems[0]).toMatch(/^The list of tools could not be read/)
    fails = false
    all.clock.advance(MINUTE)
    await all.client.freshen()
    expect(all.client.catalog.value.problems).toEqual([])
  })

  it('of another account is dropped at once, public or not, and read again (V26-CACHE-7, V26-TOOL-9)', async () => {
    let account = 'ada'
    const list: Reply = () => ({ tools: [tool(account)], ttlMs: HOUR, cacheScope: 'public' })
    await using all = await modern({ replies: { 'tools/list': list } })
    await all.client.catalog.load(all.options.signal)
    account = 'bob'
    const read = all.client.forget()
    expect(all.client.catalog.value.tools).toEqual([])
    await read
    expect(all.client.catalog.value.tools.map((entry) => entry.tool.name)).toEqual(['bob'])
  })

  it('of another account is dropped with all its pages, shared ones too (V26-CACHE-12)', async () => {
    const pages: Record<string, object> = {
      first: { tools: [tool('a')], nextCursor: 'second', ttlMs: HOUR, cacheScope: 'public' },
      second: { tools: [tool('b')], nextCursor: 'third', ttlMs: HOUR, cacheScope: 'private' },
      third: { tools: [tool('c')], ttlMs: HOUR },
    }
    await using all = await modern({ replies: { 'tools/list': ({ cursor = 'first' }) => pages[String(cursor)] } })
    await all.client.catalog.load(all.options.signal)
    expect(all.client.catalog.value.tools).toHaveLength(3)
    const read = all.client.forget()
    expect(all.client.catalog.value.tools).toEqual([])
    await read
    const asked = all.server.got('tools/list').map(({ params }) => params.cursor)
    expect(asked.slice(3)).toEqual([undefined, 'second', 'third'])
  })

  it('is not an answer that asks for something (V26-CACHE-4)', async () => {
    const list: Reply = () => ({ resultType: 'input_required', requestState: 's', tools: [tool('a')], ttlMs: HOUR })
    await using all = await modern({ replies: { 'tools/list': list } })
    await all.client.catalog.load(all.options.signal)
    expect(all.client.catalog.value.tools).toEqual([])
    expect(all.client.catalog.value.problems).toHaveLength(1)
    all.clock.advance(MINUTE)
    await all.client.freshen()
    expect(all.server.got('tools/list')).toHaveLength(2)
  })

  it('keeps the server’s order (V26-TOOL-9)', async () => {
    await using all = await modern({ replies: { 'tools/list': () => ({ tools: ['c', 'a', 'b'].map(tool) }) } })
    await all.client.catalog.load(all.options.signal)
    expect(all.client.catalog.value.tools.map((entry) => entry.tool.name)).toEqual(['c', 'a', 'b'])
  })

  it('is read again when a tool, prompt or resource asked for is missing (V26-TOOL-10, V26-CACHE-6, V26-RES-1)', async () => {
    const unknown = (code: number) => () => {
      throw { code, message: 'unknown' }
    }
    await using all = await modern({
      capabilities: { tools: {}, prompts: {}, resources: {} },
      replies: {
        'tools/list': () => ({ tools: [{ ...tool('a'), execution: { taskSupport: 'required' } }], ttlMs: HOUR }),
        'prompts/list': () => ({ prompts: [], ttlMs: HOUR }),
        'resources/list': () => ({ resources: [], ttlMs: HOUR }),
        'resources/templates/list': () => ({ resourceTemplates: [], ttlMs: HOUR }),
        'tools/call': unknown(-32602),
        'prompts/get': unknown(-32602),
        'resources/read': unknown(-32002),
      },
    })
    const { client, options, server } = all
    await client.catalog.load(options.signal)
    expect(client.catalog.tool('a')).not.toHaveProperty('unusable')
    await expect(client.callTool('a', {}, options)).rejects.toMatchObject({ code: -32602 })
    await expect(client.getPrompt('a', undefined, options)).rejects.toMatchObject({ code: -32602 })
    await expect(client.readResource('a:1', options)).rejects.toMatchObject({ code: -32002 })
    all.clock.advance(MINUTE)
    await server.waitFor('tools/list', 2)
    await server.waitFor('prompts/list', 2)
    await server.waitFor('resources/templates/list', 2)
    await server.waitFor('resources/list', 2)
  })
})

describe('discovery of a server', () => {
  it('comes first, and decides what is used (V26-DISC-1, V26-DISC-2, V26-DISC-3)', async () => {
    await using all = await modern({
      known: undefined,
      capabilities: { tools: {} },
      replies: { 'tools/list': () => ({ tools: [] }) },
    })
    expect(all.server.received[0]?.method).toBe(DISCOVER)
    await all.client.catalog.load(all.options.signal)
    expect(all.server.got('tools/list')[0]?.params._meta).toHaveProperty(
      ['io.modelcontextprotocol/protocolVersion'],
      '2026-07-28',
    )
    expect(all.server.got('prompts/list')).toEqual([])
    await expect(all.client.getPrompt('p', undefined, all.options)).rejects.toMatchObject({ code: 'not-negotiated' })
    expect(all.server.got('prompts/get')).toEqual([])
  })

  it('is repeated when it is stale and needed, and counts at once (V26-DISC-5)', async () => {
    await using all = await modern({
      replies: { 'tools/list': () => ({ tools: [] }), 'prompts/list': () => ({ prompts: [{ name: 'p' }] }) },
    })
    await all.client.catalog.load(all.options.signal)
    all.server.replies[DISCOVER] = introduces({ prompts: {} })
    all.clock.advance(24 * HOUR - 1)
    await all.client.freshen()
    expect(all.server.got(DISCOVER)).toHaveLength(1)
    all.clock.advance(1)
    await all.client.freshen()
    expect(all.server.got(DISCOVER)).toHaveLength(2)
    expect(all.client.hello.capabilities).toEqual({ prompts: {} })
    all.clock.advance(1000)
    await until(() => all.client.catalog.value.prompts[0], 'a prompt')
    await expect(all.client.callTool('a', {}, all.options)).rejects.toMatchObject({ code: 'not-negotiated' })
  })

  it('is repeated when a declared method is unknown, and not after every error (V26-DISC-5)', async () => {
    await using all = await modern({ capabilities: { tools: {}, prompts: {} } })
    all.server.replies[DISCOVER] = introduces({ prompts: {} })
    for (let at = 0; at < 3; at++) await all.client.callTool('a', {}, all.options).catch(() => {})
    await until(() => all.client.hello.capabilities.tools === undefined || undefined, 'other capabilities')
    for (let at = 0; at < 3; at++) await all.client.getPrompt('a', undefined, all.options).catch(() => {})
    await settled()
    expect(all.server.got(DISCOVER)).toHaveLength(2)
  })

  it('opens a subscription for newly declared lists (V26-DISC-5, V26-SUB-2)', async () => {
    await using all = await modern({ replies: { 'tools/list': () => ({ tools: [] }), 'subscriptions/listen': () => undefined } })
    all.server.replies[DISCOVER] = introduces({ tools: { listChanged: true } })
    await all.client.callTool('a', {}, all.options).catch(() => {})
    await all.server.waitFor('subscriptions/listen')
  })

  it('is bounded, and unknown or ill-typed members count as not declared (V26-DISC-4, V26-DISC-7)', async () => {
    const capabilities = { tools: 'yes', prompts: {}, teleport: {}, experimental: { x: {} }, extensions: { 'a.b/c': {}, bad: 1 } }
    const introduced = (length: number) => () => ({
      ...Object(introduces(capabilities)({}, {})),
      instructions: 'i'.repeat(length),
    })
    await using all = await modern({ replies: { [DISCOVER]: introduced(1000) } })
    expect(all.client.hello.capabilities).toEqual({ prompts: {}, experimental: { x: {} }, extensions: { 'a.b/c': {} } })
    expect(all.client.hello.instructions).toHaveLength(1000)
    await using long = scripted({
      modern: true,
      known: { era: 'modern', by: 'choice' },
      replies: { [DISCOVER]: introduced(70_000) },
    })
    await expect(long.connect()).rejects.toMatchObject({ code: 'malformed' })
    await expect(all.client.callTool('a', {}, all.options)).rejects.toMatchObject({ code: 'not-negotiated' })
  })

  it('takes a server that also accepts a handshake for a modern one (V26-DISC-6)', async () => {
    await using all = await modern({ known: undefined })
    expect(all.client.hello.protocolVersion).toBe('2026-07-28')
    expect(all.server.got('initialize')).toEqual([])
    // The list says nothing of the handshake, which is what a person chose here.
    await using chosen = await modern({ modern: false, known: { era: 'legacy', by: 'choice' } })
    expect(chosen.client.hello.protocolVersion).toBe('2025-11-25')
  })
})
