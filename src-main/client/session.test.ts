import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { connectScripted, settled } from '../../e2e/servers/linked/connect-scripted.ts'
import type { Wire } from '../../e2e/servers/linked/scripted-server.ts'
import { until } from '../../e2e/support/until.ts'
import type { CreateMessageResult } from '../../src-shared/mcp/client-requests.ts'
import { PROTOCOL_VERSIONS } from '../../src-shared/mcp/primitives.ts'
import type { ClientFeatures } from '../protocol/peer/client-features.ts'

const ALL = { tools: {}, resources: { subscribe: true }, prompts: {}, logging: {}, completions: {} }
const OK = { content: [] }
const META_KEY = /^(?:[a-z](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z](?:[a-z0-9-]*[a-z0-9])?)*\/)?[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/i

const TEXT = { type: 'text', text: 'x' } as const
const REPLY: CreateMessageResult = { role: 'assistant', content: { ...TEXT, _meta: { 'mcp.dev/x': 1 } }, model: 'm' }
const ROOT = { uri: 'file:///a', name: 'a', _meta: { 'a b': 1 } }
const FEATURES: ClientFeatures = {
  roots: { list: async () => ({ roots: [ROOT] }) },
  sampling: { tools: true, context: true, createMessage: async () => REPLY },
  elicitation: { url: true, elicit: async () => ({ action: 'decline' }) },
}
const LISTS = {
  'tools/list': () => ({ tools: [{ name: 'a', inputSchema: { type: 'object' } }] }),
  'resources/list': () => ({ resources: [] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'prompts/list': () => ({ prompts: [] }),
}
const REPLIES = {
  ...LISTS,
  'tools/call': () => OK,
  'resources/read': () => ({ contents: [] }),
  'resources/subscribe': () => ({}),
  'resources/unsubscribe': () => ({}),
  'prompts/get': () => ({ messages: [] }),
  'completion/complete': () => ({ completion: { values: [] } }),
  'logging/setLevel': () => ({}),
  ping: () => ({}),
}

/** Everything that a client ever sends, in one session. */
async function everything(speaks: string): Promise<readonly Wire[]> {
  await using session = await connectScripted({ speaks, capabilities: ALL, features: FEATURES, replies: REPLIES })
  const { client, options, server } = session
  await client.catalog.load(options.signal)
  await client.callTool('a', { n: 1 }, { ...options, onProgress: () => {} })
  await client.readResource('a:b', options)
  await client.subscribe('a:b', options)
  await client.unsubscribe('a:b', options)
  await client.getPrompt('p', { x: '1' }, options)
  await client.complete({ type: 'ref/prompt', name: 'p' }, { name: 'x', value: 'v' }, { arguments: { y: '2' } }, options)
  await client.setLogLevel('info', options)
  await client.ping(options)
  client.rootsChanged()
  await server.ask('roots/list', undefined, 'r')
  await server.ask('sampling/createMessage', { messages: [{ role: 'user', content: TEXT }], maxTokens: 1 }, 's')
  await server.ask('elicitation/create', { message: 'm', requestedSchema: { type: 'object', properties: {} } }, 'e')
  return server.received
}

describe('a session', () => {
  it.each(PROTOCOL_VERSIONS)('sends in %s only what that revision has (SCHEMA-22, LIFE-17)', async (speaks) => {
    const sent = await everything(speaks)
    const named = (method: string) => sent.find((message) => message.method === method)?.params
    const [since0618, declined] = [speaks >= '2025-06-18', sent.find(({ id }) => id === 'e')]
    expect(sent.slice(1).map(({ method, params, id }) => [method ?? id, params])).toEqual([
      ['notifications/initialized', undefined],
      ['tools/list', undefined],
      ['resources/list', undefined],
      ['resources/templates/list', undefined],
      ['prompts/list', undefined],
      ['tools/call', { name: 'a', arguments: { n: 1 }, _meta: { progressToken: 1 } }],
      ['resources/read', { uri: 'a:b' }],
      ['resources/subscribe', { uri: 'a:b' }],
      ['resources/unsubscribe', { uri: 'a:b' }],
      ['prompts/get', { name: 'p', arguments: { x: '1' } }],
      ['completion/complete', named('completion/complete')],
      ['logging/setLevel', { level: 'info' }],
      ['ping', undefined],
      ['notifications/roots/list_changed', undefined],
      ['r', undefined],
      ['s', undefined],
      ['e', undefined],
    ])
    expect(named('completion/complete')).toEqual({
      ref: { type: 'ref/prompt', name: 'p' },
      argument: { name: 'x', value: 'v' },
      ...(since0618 && { context: { arguments: { y: '2' } } }),
    })
    expect(sent.find(({ id }) => id === 's')?.result).toEqual({ role: 'assistant', content: TEXT, model: 'm' })
    expect(since0618 ? declined?.result : declined?.error?.code).toEqual(since0618 ? { action: 'decline' } : -32601)
  })

  it('emits no _meta key but those of the protocol, in its grammar (SCHEMA-06, SCHEMA-07, SCHEMA-08)', async () => {
    for (const speaks of PROTOCOL_VERSIONS) {
      const keys: string[] = []
      JSON.stringify(await everything(speaks), (key, value: unknown) => {
        if (key === '_meta' && typeof value === 'object' && value) keys.push(...Object.keys(value))
        return value
      })
      expect(new Set(keys)).toEqual(new Set(['progressToken']))
      expect(keys.every((key) => META_KEY.test(key))).toBe(true)
    }
  })

  it('is separate for each server (ARCH-01, ARCH-10)', async () => {
    await using one = await connectScripted({ capabilities: ALL, replies: REPLIES })
    await using two = await connectScripted({ capabilities: ALL, replies: REPLIES })
    const heard: string[] = []
    one.client.onResourceUpdated.on(({ uri }) => heard.push(`one ${uri}`))
    two.client.onResourceUpdated.on(({ uri }) => heard.push(`two ${uri}`))
    await one.client.subscribe('a:b', one.options)
    await two.client.subscribe('a:b', two.options)
    one.server.notify('notifications/resources/updated', { uri: 'a:b' })
    await until(() => heard.length)
    expect(heard).toEqual(['one a:b'])
    const ids = [one, two].map(({ server }) => server.got('resources/subscribe')[0]?.id)
    expect(ids[0]).toBe(ids[1])
  })

  it('answers the server while its own call waits (ARCH-09)', async () => {
    await using session = await connectScripted({
      capabilities: ALL,
      features: FEATURES,
      replies: { 'tools/call': () => undefined },
    })
    const call = session.client.callTool('a', {}, session.options)
    const [asked] = await session.server.waitFor('tools/call')
    expect((await session.server.ask('roots/list', undefined, 1)).result.roots).toHaveLength(1)
    session.server.send({ jsonrpc: '2.0', id: asked?.id, result: OK })
    await call
  })

  it('sends no progress after an answer, whatever the token (PROG-12, PROG-13)', async () => {
    await using session = await connectScripted({ features: FEATURES })
    const params = { messages: [{ role: 'user', content: TEXT }], maxTokens: 1, _meta: { progressToken: 'theirs' } }
    expect((await session.server.ask('sampling/createMessage', params, 1)).result.model).toBe('m')
    await settled()
    expect(session.server.got('notifications/progress')).toHaveLength(0)
  })

  it('tells the server who we are, with a title (LIFE-44)', async () => {
    const clientInfo = { name: 'parley', version: '1', title: 'Parley' }
    await using session = await connectScripted({ clientInfo })
    expect(session.server.got('initialize')[0]?.params.clientInfo).toEqual(clientInfo)
  })

  it('lists resources and templates (RES-02, RES-06)', async () => {
    const resource = { uri: 'file:///a', name: 'a', mimeType: 'inode/directory', size: 5, annotations: { priority: 1 } }
    const template = { uriTemplate: 'file:///{path}', name: 'files' }
    await using session = await connectScripted({
      capabilities: { resources: {} },
      replies: {
        'resources/list': () => ({ resources: [resource] }),
        'resources/templates/list': () => ({ resourceTemplates: [template] }),
      },
    })
    await session.client.catalog.load(session.options.signal)
    expect(session.client.catalog.value).toMatchObject({ resources: [resource], templates: [template] })
  })

  it('reads nothing that a result only links to (TOOL-27, TRAP-58)', async () => {
    const content = [{ type: 'resource_link', uri: 'https://example.com/x', name: 'x' }]
    await using session = await connectScripted({ capabilities: ALL, replies: { 'tools/call': () => ({ content }) } })
    await session.client.callTool('a', {}, session.options)
    await settled()
    expect(session.server.got('resources/read')).toHaveLength(0)
  })

  it('sends unusual values for completion exactly as typed (COMP-13)', async () => {
    await using session = await connectScripted({ capabilities: ALL, replies: REPLIES })
    const value = ' "\\\n\u0000\u{1f600}{{\t '
    await session.client.complete({ type: 'ref/prompt', name: '__proto__' }, { name: 'a', value }, undefined, session.options)
    expect(session.server.got('completion/complete')[0]?.params).toEqual({
      ref: { type: 'ref/prompt', name: '__proto__' },
      argument: { name: 'a', value },
    })
  })

  it('carries any Unicode both ways (MSG-35)', async () => {
    const text = 'é – 漢字 – \u{1f468}\u200d\u{1f469} – \u2028'
    await using session = await connectScripted({
      capabilities: ALL,
      replies: {
        'tools/call': ({ arguments: args }) => ({ content: [{ type: 'text', text: (args as { text: string }).text }] }),
      },
    })
    expect((await session.client.callTool('a', { text }, session.options)).content).toEqual([{ type: 'text', text }])
  })

  it('survives any JSON that a server sends, and still answers (MSG-14, SEC-23)', async () => {
    const message = fc.record(
      {
        jsonrpc: fc.constantFrom('2.0', '1.0', 2),
        id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
        method: fc.oneof(
          fc.constantFrom(
            'notifications/message',
            'notifications/progress',
            'notifications/cancelled',
            'notifications/resources/updated',
            'notifications/tools/list_changed',
            'sampling/createMessage',
            'elicitation/create',
            'roots/list',
            'ping',
          ),
          fc.jsonValue(),
        ),
        params: fc.jsonValue(),
        result: fc.jsonValue(),
        error: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    let round = 0
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(message, fc.jsonValue(), fc.array(message)), { maxLength: 20 }), async (messages) => {
        await using session = await connectScripted({
          speaks: '2025-03-26',
          capabilities: ALL,
          features: FEATURES,
          replies: REPLIES,
        })
        for (const raw of messages) session.server.send(raw)
        expect((await session.server.ask('ping', undefined, `fuzz ${round++}`)).result).toEqual({})
        expect(await session.client.callTool('a', {}, session.options)).toMatchObject(OK)
      }),
      { numRuns: 60 },
    )
  })

  it('survives any JSON in place of a result (SCHEMA-02, SEC-23)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom('content', 'contents', 'messages', 'completion', 'tools', 'isError'), fc.jsonValue()),
        async (result) => {
          const any = () => result
          const methods = ['tools/call', 'resources/read', 'prompts/get', 'completion/complete', 'tools/list']
          await using session = await connectScripted({
            capabilities: ALL,
            replies: Object.fromEntries(methods.map((method) => [method, any])),
          })
          const { client, options } = session
          await client.catalog.load(options.signal)
          const outcomes = await Promise.allSettled([
            client.callTool('a', {}, options),
            client.readResource('a:b', options),
            client.getPrompt('p', {}, options),
            client.complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: '' }, undefined, options),
          ])
          for (const outcome of outcomes) {
            if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ name: 'RequestError' })
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('new features of 2025-11-25', () => {
  const listing = (tool: object, tasks?: object) =>
    connectScripted({
      capabilities: { tools: {}, ...(tasks && { tasks }) },
      replies: { ...REPLIES, 'tools/list': () => ({ tools: [{ name: 'a', inputSchema: { type: 'object' }, ...tool }] }) },
    })

  it('keep only icons that cannot run anything (V11-24, V11-25)', async () => {
    const icon = { src: 'data:image/png;base64,aGk=', mimeType: 'image/png', sizes: ['48x48'], theme: 'dark' }
    const icons = [
      icon,
      { src: 'javascript:alert(1)' },
      { src: 'file:///x' },
      { src: 'http://x' },
      { src: 5 },
      'x',
      { src: 'https://x', theme: 'red' },
    ]
    await using session = await listing({ icons })
    await session.client.catalog.load(session.options.signal)
    expect(session.client.catalog.value.tools[0]?.tool.icons).toEqual([icon])
  })

  it('let a server describe itself (V11-26)', async () => {
    const serverInfo = {
      name: 's',
      version: '1',
      title: 'S',
      description: 'does things',
      websiteUrl: 'https://example.com',
      icons: [{ src: 'https://example.com/i.png' }],
    }
    const introduction = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo }
    await using session = await connectScripted({ introduction })
    expect(session.client.hello.serverInfo).toEqual(serverInfo)
  })

  const TASKS = { requests: { tools: { call: {} } }, list: {}, cancel: {} }

  it('make no task of a call when the tool only allows it (V11-27, V11-30)', async () => {
    await using session = await listing({ execution: { taskSupport: 'optional' } }, TASKS)
    await session.client.catalog.load(session.options.signal)
    expect(session.client.catalog.value.tools[0]).not.toHaveProperty('unusable')
    await session.client.callTool('a', {}, session.options)
    expect(session.server.got('tools/call')[0]?.params).toEqual({ name: 'a', arguments: {} })
    expect(session.server.received.some(({ method }) => method?.startsWith('tasks/'))).toBe(false)
  })

  it('offer a tool that runs only as a task, whether or not the server runs tasks (V11-31)', async () => {
    for (const tasks of [TASKS, undefined]) {
      await using session = await listing({ execution: { taskSupport: 'required' } }, tasks)
      await session.client.catalog.load(session.options.signal)
      const [entry] = session.client.catalog.value.tools
      expect(entry?.tool.execution).toEqual({ taskSupport: 'required' })
      expect(entry).not.toHaveProperty('unusable')
    }
  })

  it('allow unusual tool names, which are sent exactly (V11-32)', async () => {
    const name = 'do it/now: ü'
    await using session = await listing({ name })
    await session.client.catalog.load(session.options.signal)
    expect(session.client.catalog.value.tools[0]?.tool.name).toBe(name)
    await session.client.callTool(name, {}, session.options)
    expect(session.server.got('tools/call')[0]?.params.name).toBe(name)
  })
})
