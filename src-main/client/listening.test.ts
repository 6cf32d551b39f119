import { describe, expect, it } from 'vitest'
import { connectScripted, type ScriptedOptions, settled } from '../../e2e/servers/linked/connect-scripted.ts'
import { until } from '../../e2e/support/until.ts'

const LISTEN = 'subscriptions/listen'
const ID = 'io.modelcontextprotocol/subscriptionId'
const SECOND = 1000
const CAPABILITIES = { tools: { listChanged: true }, resources: { subscribe: true } }

const tools = (...names: string[]) => ({ tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) })

/** A server of 2026-07-28 whose subscriptions stay open and are acknowledged as they were asked for. */
async function listening(more: ScriptedOptions = {}, acknowledge = true) {
  const parts = await connectScripted({
    modern: true,
    known: { era: 'modern', by: 'choice' },
    capabilities: CAPABILITIES,
    ...more,
    replies: {
      'tools/list': () => tools('a'),
      'resources/list': () => ({ resources: [] }),
      'resources/templates/list': () => ({ resourceTemplates: [] }),
      [LISTEN]: (params, { id }) => {
        if (acknowledge) setImmediate(() => acknowledged(id, params.notifications))
        return undefined
      },
      ...more.replies,
    },
  })
  const { server, client } = parts
  const tell = (method: string, id: unknown, params: object = {}) => server.notify(method, { ...params, _meta: { [ID]: id } })
  const acknowledged = (id: unknown, notifications: unknown) =>
    tell('notifications/subscriptions/acknowledged', id, { notifications: notifications as object })
  const end = (id: string | number | null | undefined) => {
    server.send({ jsonrpc: '2.0', id, result: { resultType: 'complete', _meta: { [ID]: id } } })
  }
  const updates: string[] = []
  client.onResourceUpdated.on(({ uri }) => updates.push(uri))
  const listens = () => server.got(LISTEN)
  const lastId = () => listens().at(-1)?.id
  const cancelled = () => server.got('notifications/cancelled').map(({ params }) => params.requestId)
  return { ...parts, tell, acknowledged, end, updates, listens, lastId, cancelled }
}

describe('a subscription', () => {
  it('opens for what the server declared, once for lists and once for resources, with texts as ids (V26-SUB-1, V26-SUB-5, V26-SUB-7)', async () => {
    await using all = await listening()
    await all.server.waitFor(LISTEN)
    await all.client.subscribe('a:1', all.options)
    expect(all.listens().map(({ id, params }) => [id, params.notifications])).toEqual([
      ['listen-1', { toolsListChanged: true }],
      ['listen-2', { resourceSubscriptions: ['a:1'] }],
    ])
    expect(all.listens()[0]?.params._meta).toHaveProperty(['io.modelcontextprotocol/protocolVersion'], '2026-07-28')
  })

  it('does not open for what was not declared (V26-SUB-2, V26-RES-2)', async () => {
    await using all = await listening({ capabilities: { tools: {}, resources: {}, prompts: { listChanged: 'yes' } } })
    await expect(all.client.subscribe('a:1', all.options)).rejects.toMatchObject({ code: 'not-negotiated' })
    await all.client.catalog.load(all.options.signal)
    expect(all.listens()).toEqual([])
  })

  it('with a narrower acknowledgement is reported, and requests for the rest are rejected (V26-SUB-3)', async () => {
    await using all = await listening({}, false)
    await all.server.waitFor(LISTEN)
    all.acknowledged('listen-1', { promptsListChanged: true })
    await until(() => all.client.catalog.value.problems[0], 'a problem')
    expect(all.client.catalog.value.problems).toEqual(['No updates for tools; refreshed when needed.'])
    const subscribed = all.client.subscribe('a:1', all.options)
    await all.server.waitFor(LISTEN, 2)
    all.acknowledged('listen-2', { resourceSubscriptions: ['a:2'] })
    await expect(subscribed).rejects.toMatchObject({ code: 'not-negotiated' })
    expect(all.client.watches('a:1')).toBe(false)
  })

  it('without an acknowledgement in 10 s is cancelled and not opened again (V26-SUB-4)', async () => {
    await using all = await listening({}, false)
    await all.server.waitFor(LISTEN)
    all.clock.advance(10 * SECOND - 1)
    await settled()
    expect(all.cancelled()).toEqual([])
    all.clock.advance(1)
    await all.server.waitFor('notifications/cancelled')
    expect(all.cancelled()).toEqual(['listen-1'])
    all.clock.advance(600 * SECOND)
    await settled()
    expect(all.listens()).toHaveLength(1)
    expect(all.client.catalog.value.problems).toEqual(['No updates for tools; refreshed when needed.'])
  })

  it.each([
    ['no id', undefined],
    ['a foreign id', 'listen-9'],
    ['a number', 1],
  ])('believes a changed list with %s, and updates only of watched resources (V26-SUB-6, V26-STDIO-4)', async (_what, id) => {
    await using all = await listening()
    await all.client.catalog.load(all.options.signal)
    await all.client.subscribe('a:1', all.options)
    all.tell('notifications/tools/list_changed', id)
    all.tell('notifications/resources/updated', id, { uri: 'a:1' })
    all.tell('notifications/resources/updated', id, { uri: 'b:1' })
    await until(() => all.remarks.length >= 4 || undefined, 'remarks')
    expect(all.updates).toEqual(['a:1'])
    expect(all.remarks).toContain('The server sent notifications/tools/list_changed on a subscription that is not open.')
    expect(all.remarks).toContain('The server sent notifications/resources/updated on a subscription that is not open.')
    all.clock.advance(SECOND)
    await all.server.waitFor('tools/list', 2)
  })

  it('replaces the one before once acknowledged, and news that both bring counts once (V26-SUB-8, V26-SUB-9)', async () => {
    await using all = await listening({ capabilities: { resources: { subscribe: true } } }, false)
    const first = all.client.subscribe('a:1', all.options)
    await all.server.waitFor(LISTEN, 1)
    all.acknowledged('listen-1', { resourceSubscriptions: ['a:1'] })
    await first
    const second = all.client.subscribe('a:2', all.options)
    await all.server.waitFor(LISTEN, 2)
    expect(all.listens()[1]?.params.notifications).toEqual({ resourceSubscriptions: ['a:1', 'a:2'] })
    expect(all.cancelled()).toEqual([])
    const update = (id: string) => all.tell('notifications/resources/updated', id, { uri: 'a:1' })
    update('listen-1')
    update('listen-2')
    all.acknowledged('listen-2', { resourceSubscriptions: ['a:1', 'a:2'] })
    await second
    await all.server.waitFor('notifications/cancelled')
    expect(all.cancelled()).toEqual(['listen-1'])
    await settled()
    all.clock.advance(SECOND)
    expect(all.updates).toEqual(['a:1'])
    update('listen-2')
    update('listen-1')
    await settled()
    all.clock.advance(SECOND)
    expect(all.updates).toEqual(['a:1', 'a:1'])
    all.clock.advance(60 * SECOND)
    await settled()
    expect(all.listens()).toHaveLength(2)
    await all.client.unsubscribe('a:1', all.options)
    await all.client.unsubscribe('a:2', all.options)
    await until(() => all.cancelled().length >= 2 || undefined, 'the last one is cancelled')
  })

  it('is cancelled before the connection closes (V26-SUB-9)', async () => {
    await using all = await listening()
    await all.server.waitFor(LISTEN)
    await all.client.close()
    expect(all.cancelled()).toEqual(['listen-1'])
  })

  const result = 'result' as const
  const cancelled = 'cancelled' as const
  it.each([[[result, cancelled]], [[cancelled, result]], [[cancelled]], [[result]]])(
    'that the server ends by %j is reopened once, after a second or a little more (V26-SUB-10, V26-SUB-11)',
    async (ends) => {
      await using all = await listening()
      await all.client.catalog.load(all.options.signal)
      all.clock.advance(5 * SECOND)
      for (const end of ends) {
        if (end === result) all.end('listen-1')
        else all.server.notify('notifications/cancelled', { requestId: 'listen-1' })
      }
      await settled()
      all.clock.advance(999)
      await settled()
      expect(all.listens()).toHaveLength(1)
      all.clock.advance(251)
      await all.server.waitFor(LISTEN, 2)
      expect(all.lastId()).toBe('listen-2')
      all.clock.advance(60 * SECOND)
      await settled()
      expect(all.listens()).toHaveLength(2)
    },
  )

  it('waits twice as long before each retry, at most a minute (V26-SUB-11)', async () => {
    await using all = await listening()
    const waits: number[] = []
    for (let round = 1; round <= 9; round++) {
      await all.server.waitFor(LISTEN, round)
      await settled()
      all.clock.advance(2 * SECOND)
      all.end(all.lastId())
      await settled()
      let waited = 0
      for (; all.listens().length === round && waited < 100; waited++) {
        all.clock.advance(SECOND)
        await settled()
      }
      waits.push(waited)
    }
    const least = [1, 2, 4, 8, 16, 32, 48, 48, 48]
    for (const [at, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(least[at] ?? 0)
      expect(wait).toBeLessThanOrEqual(Math.ceil((least[at] ?? 0) * 1.25))
    }
  })

  it('that ends three times within a second is not reopened (V26-SUB-11)', async () => {
    await using all = await listening({ replies: { [LISTEN]: () => ({}) } })
    for (let at = 0; at < 200; at++) {
      all.clock.advance(SECOND)
      await settled()
    }
    expect(all.listens()).toHaveLength(3)
    expect(all.client.catalog.value.problems).toEqual(['No updates for tools; refreshed when needed.'])
  })

  it('is reopened for another account, even where it was given up, and tells the earlier one nothing (V26-CACHE-7)', async () => {
    await using all = await listening({}, false)
    await all.server.waitFor(LISTEN)
    all.clock.advance(10 * SECOND)
    await all.server.waitFor('notifications/cancelled')
    await Promise.all([all.client.forget(), all.server.waitFor(LISTEN, 2)])
    all.acknowledged('listen-2', { toolsListChanged: true })
    await settled()
    await Promise.all([all.client.forget(), all.server.waitFor(LISTEN, 3)])
    expect(all.cancelled()).toEqual(['listen-1', 'listen-2'])
    const before = all.server.got('tools/list').length
    all.acknowledged('listen-3', { toolsListChanged: true })
    all.tell('notifications/tools/list_changed', 'listen-2')
    await settled()
    all.clock.advance(SECOND)
    await settled()
    const between = all.server.got('tools/list').length
    all.tell('notifications/tools/list_changed', 'listen-3')
    await settled()
    all.clock.advance(SECOND)
    await all.server.waitFor('tools/list', between + 1)
    expect(between - before).toBeLessThanOrEqual(1) // what may have been missed in between
  })

  it('makes every list and watched resource be read again after it reopens (V26-SUB-12)', async () => {
    await using all = await listening()
    await all.client.catalog.load(all.options.signal)
    await all.client.subscribe('a:1', all.options)
    all.clock.advance(5 * SECOND)
    expect(all.server.got('tools/list')).toHaveLength(1)
    all.end('listen-1')
    all.end('listen-2')
    await settled()
    all.clock.advance(2 * SECOND)
    await until(() => all.updates[0], 'an update')
    expect(all.updates).toEqual(['a:1'])
    await settled()
    all.clock.advance(SECOND)
    await all.server.waitFor('tools/list', 2)
  })

  it('has no deadline once it is acknowledged (V26-SUB-13)', async () => {
    await using all = await listening()
    await all.server.waitFor(LISTEN)
    await settled()
    all.clock.advance(100_000 * SECOND)
    await settled()
    expect([all.listens().length, all.cancelled()]).toEqual([1, []])
    all.tell('notifications/tools/list_changed', 'listen-1')
    await settled()
    all.clock.advance(SECOND)
    await all.server.waitFor('tools/list')
  })

  it.each([-32601, -32602, -32603])('refused with %d leaves the server usable (V26-SUB-14)', async (code) => {
    const refuse = () => {
      throw { code, message: 'no' }
    }
    await using all = await listening({ replies: { [LISTEN]: refuse, 'tools/call': () => ({ content: [] }) } })
    await expect(all.client.subscribe('a:1', all.options)).rejects.toMatchObject({ message: 'no' })
    all.clock.advance(600 * SECOND)
    await settled()
    expect(all.listens()).toHaveLength(2)
    expect(await all.client.callTool('a', {}, all.options)).toMatchObject({ content: [] })
    expect(all.client.catalog.value.problems).toEqual(['No updates for tools; refreshed when needed.'])
  })

  it('carries no log messages (V26-SUB-15)', async () => {
    await using all = await listening()
    const logs: unknown[] = []
    all.client.onLog.on(({ data }) => logs.push(data))
    await all.server.waitFor(LISTEN)
    all.tell('notifications/message', 'listen-1', { level: 'info', data: 'dropped' })
    all.server.notify('notifications/message', { level: 'info', data: 'kept' })
    await until(() => logs[0], 'a log message')
    expect(logs).toEqual(['kept'])
  })

  it('reports resources below the ones asked for (V26-SUB-16)', async () => {
    await using all = await listening()
    await all.client.subscribe('file:///d', all.options)
    all.tell('notifications/resources/updated', 'listen-2', { uri: 'file:///d/e.txt' })
    all.tell('notifications/resources/updated', 'listen-2', { uri: 'file:///dx' })
    await until(() => all.updates[0], 'an update')
    expect(all.updates).toEqual(['file:///d/e.txt'])
  })
})
