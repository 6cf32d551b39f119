import { describe, expect, it } from 'vitest'
import { connectScripted, settled } from '../../e2e/servers/linked/connect-scripted.ts'
import { until } from '../../e2e/support/until.ts'
import { toolTitle } from '../../src-shared/mcp/primitives.ts'
import { DEFAULT_LIMITS } from '../protocol/shapes/limits.ts'

const ALL = { tools: {}, resources: { subscribe: true }, prompts: {}, logging: {}, completions: {} }
const TEXT = { type: 'text', text: 'hi' }
const PIXEL = { type: 'image', data: 'aGk=', mimeType: 'image/png' }
const SOUND = { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' }
const EMBEDDED = { type: 'resource', resource: { uri: 'a:b', mimeType: 'text/plain', text: 'x' } }
const LINK = { type: 'resource_link', uri: 'a:b', name: 'link' }

async function answering(replies: Record<string, unknown>, more: object = {}) {
  const scripts = Object.entries(replies).map(([method, result]) => [method, () => result])
  return connectScripted({ capabilities: ALL, ...more, replies: Object.fromEntries(scripts) })
}

async function callWith(result: unknown, more: object = {}) {
  await using session = await answering({ 'tools/call': result }, more)
  return await session.client.callTool('a', undefined, session.options)
}

describe('the result of a tool', () => {
  it('is requested by name, with arguments as an object when there are any (TOOL-15)', async () => {
    await using session = await answering({ 'tools/call': { content: [] } })
    await session.client.callTool('a', undefined, session.options)
    await session.client.callTool('a', { n: 1.5, deep: [null] }, session.options)
    expect(session.server.got('tools/call').map(({ params }) => params)).toEqual([
      { name: 'a' },
      { name: 'a', arguments: { n: 1.5, deep: [null] } },
    ])
  })

  it('needs a list of content, which may be empty (TOOL-19)', async () => {
    expect((await callWith({ content: [] })).content).toEqual([])
    await expect(callWith({})).rejects.toMatchObject({ code: 'invalid-result' })
    await expect(callWith({ content: 'text' })).rejects.toMatchObject({ code: 'invalid-result' })
  })

  it('is a failure only with isError (TOOL-20)', async () => {
    expect(await callWith({ content: [TEXT], isError: true })).toMatchObject({ content: [TEXT], isError: true })
    expect((await callWith({ content: [TEXT] })).isError).toBeUndefined()
    expect((await callWith({ content: [TEXT], isError: 'yes' })).isError).toBe(true)
  })

  it('has the content of its revision, and placeholders for the rest (SCHEMA-20, SCHEMA-21)', async () => {
    const content = [TEXT, PIXEL, SOUND, EMBEDDED, LINK, { type: 'video', data: 'x' }]
    const seen: Record<string, string[]> = {}
    for (const speaks of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
      const result = await callWith({ content }, { speaks })
      seen[speaks] = result.content.map(({ type }) => type)
      expect(result.content.at(-1)).toMatchObject({ type: 'unknown', kind: 'video', raw: { type: 'video', data: 'x' } })
      expect(result.warnings).not.toEqual([])
    }
    const all = ['text', 'image', 'audio', 'resource', 'resource_link', 'unknown']
    expect(seen).toEqual({
      '2024-11-05': ['text', 'image', 'unknown', 'resource', 'unknown', 'unknown'],
      '2025-03-26': ['text', 'image', 'audio', 'resource', 'unknown', 'unknown'],
      '2025-06-18': all,
      '2025-11-25': all,
    })
  })

  it.each([
    ['corrupt base64', { ...PIXEL, data: 'a-b_' }],
    ['stray bits in base64', { ...PIXEL, data: 'aGl=' }],
    ['an image without a MIME type', { type: 'image', data: 'aGk=' }],
    ['a MIME type that is none', { ...SOUND, mimeType: 'loud' }],
    ['text and blob', { type: 'resource', resource: { uri: 'a:b', text: 'x', blob: 'aGk=' } }],
    ['neither text nor blob', { type: 'resource', resource: { uri: 'a:b' } }],
    ['a type that is no text', { type: 5 }],
    ['no object', 'hello'],
  ])('drops a block with %s and keeps the rest (SCHEMA-17, SCHEMA-18, SCHEMA-19)', async (_, block) => {
    const result = await callWith({ content: [TEXT, block, TEXT] })
    expect(result.content[0]).toEqual(TEXT)
    expect(result.content[1]).toMatchObject({ type: 'unknown', reason: expect.any(String), raw: block })
    expect(result.content[2]).toEqual(TEXT)
    expect(result.warnings).toHaveLength(1)
  })

  it('keeps an embedded resource without a MIME type, with a warning (TRAP-51)', async () => {
    const block = { type: 'resource', resource: { uri: 'a:b', text: 'x' } }
    const result = await callWith({ content: [block] })
    expect(result.content).toEqual([block])
    expect(result.warnings).toEqual([expect.stringContaining('MIME')])
  })

  it('keeps hints that are in range and drops others (SCHEMA-13, SCHEMA-14)', async () => {
    const good = { audience: ['user'], priority: 0.5, lastModified: '2025-01-12T15:00:58Z' }
    const bad = { audience: ['system'], priority: 7, lastModified: 'yesterday' }
    const result = await callWith({
      content: [
        { ...TEXT, annotations: good },
        { ...TEXT, annotations: bad },
        { ...TEXT, annotations: 5 },
      ],
    })
    expect(result.content).toEqual([{ ...TEXT, annotations: good }, { ...TEXT, annotations: {} }, TEXT])
  })

  it('takes _meta of any kind on blocks since 2025-06-18 (SCHEMA-03, SCHEMA-04, SCHEMA-05)', async () => {
    const block = { ...TEXT, _meta: { 'modelcontextprotocol.io/odd': [null, { x: 1 }] } }
    const result = { content: [block], _meta: { progressToken: { not: 'a token' } } }
    expect(await callWith(result)).toEqual({ ...result, warnings: [] })
    expect(await callWith(result, { speaks: '2025-03-26' })).toEqual({ ...result, content: [TEXT], warnings: [] })
  })

  it('has structured content since 2025-06-18, as an object (TOOL-23)', async () => {
    const result = { content: [TEXT], structuredContent: { a: 1 } }
    expect(await callWith(result)).toEqual({ ...result, warnings: [] })
    expect(await callWith(result, { speaks: '2025-03-26' })).toEqual({ content: [TEXT], warnings: [] })
    expect((await callWith({ ...result, structuredContent: [1] })).structuredContent).toBeUndefined()
  })

  it('cannot reach prototypes (SEC-23)', async () => {
    const block: unknown = JSON.parse(
      '{"type":"text","text":"x","__proto__":{"polluted":true},"annotations":{"priority":9,"__proto__":{"p":1}}}',
    )
    const result = await callWith({ content: [block], structuredContent: JSON.parse('{"__proto__":{"polluted":true}}') })
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect(Object.getPrototypeOf(result.content[0])).toBe(Object.prototype)
  })

  it('that is too deep is dropped or refused, and the connection survives (SEC-23)', async () => {
    let deep: unknown = 1
    for (let at = 0; at < 500; at++) deep = [deep]
    const result = await callWith({
      content: [
        { ...TEXT, extra: deep },
        { type: 'video', deep },
      ],
    })
    expect(result.content).toMatchObject([
      { type: 'unknown', raw: null },
      { type: 'unknown', raw: null },
    ])
    await expect(callWith({ content: [], structuredContent: { deep } })).rejects.toMatchObject({ code: 'too-large' })
  })

  it('has blobs and texts up to a limit (SEC-23)', async () => {
    const limits = { ...DEFAULT_LIMITS, maxBlobBytes: 8, maxStringLength: 8 }
    const result = await callWith(
      { content: [{ ...PIXEL, data: 'aGVsbG8gd29ybGQ=' }, { type: 'text', text: '123456789' }, TEXT] },
      { limits },
    )
    expect(result.content.map(({ type }) => type)).toEqual(['unknown', 'unknown', 'text'])
  })
})

describe('resources', () => {
  it('are read by any address, sent unchanged (RES-03, RES-17, RES-18)', async () => {
    await using session = await answering({ 'resources/read': { contents: [] } })
    for (const uri of ['file:///etc/passwd', 'https://x/y', 'odd+scheme:%00 ü', 'not a uri'])
      await session.client.readResource(uri, session.options)
    expect(session.server.got('resources/read').map(({ params }) => params.uri)).toEqual([
      'file:///etc/passwd',
      'https://x/y',
      'odd+scheme:%00 ü',
      'not a uri',
    ])
  })

  it('may hold several items, texts and blobs, with or without a MIME type (RES-04, RES-05, RES-26)', async () => {
    const contents = [
      { uri: 'a:b', text: 'x' },
      { uri: 'a:b/c', mimeType: 'x/y', blob: 'aGk=' },
      { uri: 'a:b', text: 'x', name: 'n', title: 't' },
    ]
    await using session = await answering({ 'resources/read': { contents } })
    expect(await session.client.readResource('a:b', session.options)).toEqual({ contents, warnings: [] })
  })

  it('lose only the items that are neither or badly encoded (RES-24, RES-28, SCHEMA-19)', async () => {
    const contents = [{ uri: 'a:b', text: 'x' }, { uri: 'a:b', blob: '%%%' }, { uri: 'a:b' }, { uri: 'a:b', text: 'x', blob: '' }]
    await using session = await answering({ 'resources/read': { contents } })
    const result = await session.client.readResource('a:b', session.options)
    expect(result.contents).toEqual([contents[0]])
    expect(result.warnings).toHaveLength(3)
  })

  it.each([-32002, -32602, -32603])('that cannot be read give the caller error %i (RES-21, TRAP-50)', async (code) => {
    const fail = () => {
      throw { code, message: 'no', data: { uri: 'a:b' } }
    }
    await using session = await connectScripted({ capabilities: ALL, replies: { 'resources/read': fail } })
    await expect(session.client.readResource('a:b', session.options)).rejects.toMatchObject({ code, data: { uri: 'a:b' } })
  })

  it('are subscribed once for all callers, and unsubscribed with the last (RES-09)', async () => {
    await using session = await answering({ 'resources/subscribe': {}, 'resources/unsubscribe': {} })
    const { client, options } = session
    await client.subscribe('a:b', options)
    await client.subscribe('a:b', options)
    await client.unsubscribe('a:b', options)
    expect(session.server.got('resources/unsubscribe')).toHaveLength(0)
    await client.unsubscribe('a:b', options)
    await client.unsubscribe('a:b', options)
    expect(session.server.got('resources/subscribe')).toHaveLength(1)
    expect(session.server.got('resources/unsubscribe')).toHaveLength(1)
  })

  it('that cannot be subscribed tell every caller, and can be tried again (RES-09)', async () => {
    let broken = true
    const reply = () => {
      if (broken) throw { code: -32603, message: 'no' }
      return {}
    }
    await using session = await connectScripted({ capabilities: ALL, replies: { 'resources/subscribe': reply } })
    const asked = [1, 2].map(() => session.client.subscribe('a:b', session.options))
    for (const { status } of await Promise.allSettled(asked)) expect(status).toBe('rejected')
    broken = false
    await session.client.subscribe('a:b', session.options)
    expect(session.server.got('resources/subscribe')).toHaveLength(2)
    await session.client.unsubscribe('a:b', session.options).catch(() => {})
    expect(session.server.got('resources/unsubscribe')).toHaveLength(1)
  })

  it('report updates of themselves and of those below them (RES-11, TRAP-56)', async () => {
    await using session = await answering({ 'resources/subscribe': {} })
    const heard: string[] = []
    session.client.onResourceUpdated.on(({ uri }) => heard.push(uri))
    await session.client.subscribe('file:///a', session.options)
    for (const uri of ['file:///a', 'file:///a/b', 'file:///a#c']) {
      session.server.notify('notifications/resources/updated', { uri, title: 'T' })
    }
    await until(() => heard.length === 3)
    expect(heard).toEqual(['file:///a', 'file:///a/b', 'file:///a#c'])
  })

  it('that nobody subscribed to are ignored when they change (RES-12, RES-28)', async () => {
    await using session = await answering({ 'resources/subscribe': {} })
    const heard: string[] = []
    session.client.onResourceUpdated.on(({ uri }) => heard.push(uri))
    await session.client.subscribe('file:///a', session.options)
    for (const uri of ['file:///ab', 'file:///', 'x', 5, null]) session.server.notify('notifications/resources/updated', { uri })
    await settled()
    expect(heard).toEqual([])
    expect(session.remarks).toHaveLength(5)
  })

  it('that change all the time are reported once a moment (SEC-24)', async () => {
    await using session = await answering({ 'resources/subscribe': {} })
    const heard: string[] = []
    session.client.onResourceUpdated.on(({ uri }) => heard.push(uri))
    await session.client.subscribe('a:b', session.options)
    for (let at = 0; at < 100; at++) session.server.notify('notifications/resources/updated', { uri: 'a:b' })
    await settled()
    expect(heard).toHaveLength(1)
    session.clock.advance(100)
    expect(heard).toHaveLength(2)
    session.clock.advance(1000)
    expect(heard).toHaveLength(2)
  })
})

describe('prompts', () => {
  it('are requested with texts as arguments, and keep the order of messages (PROMPT-05, PROMPT-08)', async () => {
    const messages = [
      { role: 'user', content: TEXT },
      { role: 'assistant', content: EMBEDDED },
      { role: 'user', content: LINK },
    ]
    await using session = await answering({ 'prompts/get': { description: 'd', messages } })
    const result = await session.client.getPrompt('p', { n: '5' }, session.options)
    expect(result).toEqual({ description: 'd', messages, warnings: [] })
    expect(session.server.got('prompts/get')[0]?.params).toEqual({ name: 'p', arguments: { n: '5' } })
  })

  it('with another role are refused (SCHEMA-15)', async () => {
    await using session = await answering({ 'prompts/get': { messages: [{ role: 'system', content: TEXT }] } })
    await expect(session.client.getPrompt('p', undefined, session.options)).rejects.toMatchObject({ code: 'invalid-result' })
  })

  it('drop bad images and warn of resources without a MIME type (PROMPT-09, PROMPT-10)', async () => {
    const messages = [
      { role: 'user', content: { ...PIXEL, mimeType: 'none' } },
      { role: 'user', content: { type: 'resource', resource: { uri: 'a:b', text: 'x' } } },
    ]
    await using session = await answering({ 'prompts/get': { messages } })
    const result = await session.client.getPrompt('p', undefined, session.options)
    expect(result.messages.map(({ content }) => content.type)).toEqual(['unknown', 'resource'])
    expect(result.warnings).toHaveLength(2)
  })

  it.each([PIXEL, SOUND])('keep media of valid base64 with a MIME type, and drop others: %j (PROMPT-09)', async (good) => {
    const bad = [{ data: 'a-b_' }, { data: 'aGk' }, { data: 5 }, { mimeType: 'none' }, { mimeType: '' }, { mimeType: undefined }]
    const messages = [good, ...bad.map((wrong) => ({ ...good, ...wrong }))].map((content) => ({ role: 'user', content }))
    await using session = await answering({ 'prompts/get': { messages } })
    const result = await session.client.getPrompt('p', undefined, session.options)
    expect(result.messages[0]?.content).toEqual(good)
    expect(result.messages.slice(1).map(({ content }) => content.type)).toEqual(bad.map(() => 'unknown'))
    await using first = await answering({ 'prompts/get': { messages } }, { speaks: '2024-11-05' })
    const older = await first.client.getPrompt('p', undefined, first.options)
    expect(older.messages[0]?.content.type).toBe(good === PIXEL ? 'image' : 'unknown')
  })

  it.each([-32602, -32603])('that cannot be read give the caller error %i (PROMPT-12)', async (code) => {
    const fail = () => {
      throw { code, message: 'no' }
    }
    await using session = await connectScripted({ capabilities: ALL, replies: { 'prompts/get': fail } })
    await expect(session.client.getPrompt('p', {}, session.options)).rejects.toMatchObject({ code })
  })
})

describe('log entries', () => {
  async function logged(params: unknown, more: object = {}) {
    await using session = await connectScripted({ capabilities: ALL, ...more })
    const heard: unknown[] = []
    session.client.onLog.on((entry) => heard.push(entry))
    session.server.notify('notifications/message', params)
    await until(() => heard.length)
    return heard[0]
  }

  it.each([['text'], [{ a: [1] }], [null], [0]])('carry any JSON: %j (LOG-03, LOG-04)', async (data) => {
    expect(await logged({ level: 'notice', logger: 'db', data })).toEqual({ level: 'notice', logger: 'db', data })
  })

  it.each(['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'])(
    'know the level %s (LOG-02)',
    async (level) => {
      expect(await logged({ level, data: 1 })).toEqual({ level, data: 1 })
    },
  )

  it('are kept and flagged when their level or shape is unusual (LOG-10, LOG-15)', async () => {
    expect(await logged({ level: 'loud', data: 1 })).toMatchObject({ data: 1, problem: expect.stringContaining('level') })
    expect(await logged({ level: 'info' })).toMatchObject({ data: null, problem: expect.any(String) })
    expect(await logged({ level: 'info', data: 1 }, { capabilities: {} })).toMatchObject({
      problem: expect.stringContaining('announce'),
    })
    expect(await logged(undefined)).toMatchObject({ problem: expect.any(String) })
  })

  it('are bounded in size and depth (LOG-10, SEC-23)', async () => {
    let deep: unknown = 1
    for (let at = 0; at < 500; at++) deep = { deep }
    expect(await logged({ level: 'info', data: deep })).toMatchObject({ data: '[left out]', problem: expect.any(String) })
    expect(await logged({ level: 'info', data: Array.from({ length: 30_000 }, () => 1) })).toMatchObject({ data: '[left out]' })
    const long = (await logged({ level: 'info', data: 'x'.repeat(100_000) })) as { data: string }
    expect(long.data.length).toBeLessThan(70_000)
  })

  it('below the level that was asked for are kept and flagged (LOG-01, LOG-15)', async () => {
    await using session = await answering({ 'logging/setLevel': {} })
    await session.client.setLogLevel('warning', session.options)
    expect(session.server.got('logging/setLevel')[0]?.params).toEqual({ level: 'warning' })
    const heard: unknown[] = []
    session.client.onLog.on((entry) => heard.push(entry))
    session.server.notify('notifications/message', { level: 'debug', data: 1 })
    await until(() => heard.length)
    expect(heard[0]).toMatchObject({ level: 'debug', problem: expect.stringContaining('below') })
  })

  it.each([-32602, -32603])('whose level cannot be set report error %i (LOG-14)', async (code) => {
    const fail = () => {
      throw { code, message: 'no' }
    }
    await using session = await connectScripted({ capabilities: ALL, replies: { 'logging/setLevel': fail } })
    await expect(session.client.setLogLevel('info', session.options)).rejects.toMatchObject({ code })
  })

  it('arrive by the method notifications/message alone (TRAP-59)', async () => {
    await using session = await connectScripted({ capabilities: ALL })
    const heard: unknown[] = []
    session.client.onLog.on((entry) => heard.push(entry))
    session.server.notify('notifications/logging/message', { level: 'info', data: 1 })
    await settled()
    expect(heard).toEqual([])
  })
})

describe('completions', () => {
  const PROMPT = { type: 'ref/prompt', name: 'p' } as const
  const values = (...list: string[]) => ({ 'completion/complete': { completion: { values: list } } })
  const argument = (value: string, name = 'a') => ({ name, value })

  it('name the prompt, or the unexpanded template, and what was typed (COMP-03, COMP-04, TRAP-62)', async () => {
    await using session = await answering(values('x'))
    const { client, options } = session
    await client.complete({ ...PROMPT, title: 'no' } as never, argument('v'), undefined, options)
    await client.complete({ type: 'ref/resource', uri: 'file:///{path}' }, argument('v', 'path'), undefined, options)
    expect(session.server.got('completion/complete').map(({ params }) => params)).toEqual([
      { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: 'v' } },
      { ref: { type: 'ref/resource', uri: 'file:///{path}' }, argument: { name: 'path', value: 'v' } },
    ])
  })

  it('pass the other fields of the same form, and nothing else (COMP-05, COMP-15)', async () => {
    await using session = await answering(values('x'))
    const context = { arguments: { b: '1' }, secret: 'no' }
    await session.client.complete(PROMPT, argument(''), context, session.options)
    expect(session.server.got('completion/complete')[0]?.params.context).toEqual({ arguments: { b: '1' } })
  })

  it('are only asked for where declared since 2025-03-26 (COMP-02)', async () => {
    for (const speaks of ['2025-03-26', '2025-06-18', '2025-11-25']) {
      await using session = await answering(values('x'), { speaks, capabilities: {} })
      await expect(session.client.complete(PROMPT, argument(''), undefined, session.options)).rejects.toMatchObject({
        code: 'not-negotiated',
      })
      expect(session.server.got('completion/complete')).toHaveLength(0)
    }
  })

  it('are tried in 2024-11-05, and never again after a refusal (COMP-01, TRAP-18)', async () => {
    await using session = await connectScripted({ speaks: '2024-11-05' })
    const ask = (value: string) => session.client.complete(PROMPT, argument(value), undefined, session.options)
    await expect(ask('x')).rejects.toMatchObject({ code: -32601 })
    session.clock.advance(1000)
    await expect(ask('y')).rejects.toMatchObject({ code: 'not-negotiated' })
    expect(session.server.got('completion/complete')).toHaveLength(1)
  })

  it('are at most a hundred, in the order of the server (COMP-07, COMP-09)', async () => {
    const many = Array.from({ length: 500 }, (_, at) => String(999 - at))
    await using session = await answering(values(...many))
    const result = await session.client.complete(PROMPT, argument(''), undefined, session.options)
    expect(result).toEqual({ values: many.slice(0, 100), hasMore: true })
  })

  it.each([{}, { total: 7 }, { hasMore: true }, { hasMore: false }, { total: 7, hasMore: true }, { total: 1, hasMore: false }])(
    'repeat the server’s total and whether more exist: %j (COMP-08)',
    async (told) => {
      await using session = await answering({ 'completion/complete': { completion: { values: ['a'], ...told } } })
      const result = await session.client.complete(PROMPT, argument(''), undefined, session.options)
      expect(result).toEqual({ values: ['a'], ...told })
    },
  )

  it('have an integer as total, and a boolean for more (SCHEMA-16)', async () => {
    const full = { values: ['a'], total: 7, hasMore: true }
    await using odd = await answering({ 'completion/complete': { completion: { ...full, total: 1.5, hasMore: 'x' } } })
    expect(await odd.client.complete(PROMPT, argument(''), undefined, odd.options)).toEqual({ values: ['a'] })
  })

  it('are remembered for the session (COMP-11)', async () => {
    await using session = await answering(values('x'))
    for (let at = 0; at < 3; at++) await session.client.complete(PROMPT, argument('v'), undefined, session.options)
    session.clock.advance(1000)
    await session.client.complete(PROMPT, argument('v'), { arguments: { b: '1' } }, session.options)
    expect(session.server.got('completion/complete')).toHaveLength(2)
  })

  it('are requested at most so many times a second (COMP-14)', async () => {
    await using session = await answering(values('x'))
    const ask = (at: number) => session.client.complete(PROMPT, argument('x', `field ${at}`), undefined, session.options)
    const burst = await Promise.allSettled(Array.from({ length: 100 }, (_, at) => ask(at)))
    expect(burst.at(-1)).toMatchObject({ reason: { code: 'too-many-pending' } })
    expect(session.server.got('completion/complete')).toHaveLength(20)
    session.clock.advance(1000)
    expect((await ask(101)).values).toEqual(['x'])
  })

  it('are requested at the first letter and after a pause, not at every letter between (COMP-10)', async () => {
    await using session = await answering(values('x'))
    const typed = 'abcdefghij'
    const questions: Promise<unknown>[] = []
    for (let at = 1; at <= typed.length; at++) {
      session.clock.advance(50)
      questions.push(session.client.complete(PROMPT, argument(typed.slice(0, at)), undefined, session.options).catch(() => 'old'))
      await settled()
    }
    session.clock.advance(150)
    expect(await questions.at(-1)).toEqual({ values: ['x'] })
    const asked = session.server.got('completion/complete').map(({ params }) => params.argument.value)
    expect(asked).toEqual(['a', typed])
  })

  it('cancel the older question about the same argument (COMP-17)', async () => {
    await using session = await connectScripted({
      capabilities: ALL,
      replies: {
        'completion/complete': ({ argument: asked }) =>
          (asked as { value: string }).value === 'ab' ? { completion: { values: ['abc'] } } : undefined,
      },
    })
    const older = session.client.complete(PROMPT, argument('a'), undefined, session.options).catch((error: unknown) => error)
    const [first] = await session.server.waitFor('completion/complete')
    const newer = session.client.complete(PROMPT, argument('ab'), undefined, session.options)
    session.clock.advance(150)
    expect((await newer).values).toEqual(['abc'])
    expect(await older).toMatchObject({ name: 'AbortError' })
    const [cancel] = await session.server.waitFor('notifications/cancelled')
    expect(cancel?.params.requestId).toBe(first?.id)
  })

  it.each([-32602, -32603])('that fail with %i leave later ones possible (COMP-12, COMP-16)', async (code) => {
    let fail = true
    const reply = () => {
      if (fail) throw { code, message: 'no' }
      return { completion: { values: ['x'] } }
    }
    await using session = await connectScripted({ capabilities: ALL, replies: { 'completion/complete': reply } })
    await expect(session.client.complete(PROMPT, argument('a'), undefined, session.options)).rejects.toMatchObject({ code })
    fail = false
    session.clock.advance(1000)
    expect((await session.client.complete(PROMPT, argument('a'), undefined, session.options)).values).toEqual(['x'])
  })
})

describe('content of a server', () => {
  const named = { name: 'a', inputSchema: { type: 'object' } } as const
  const hinted = { ...named, annotations: { title: 'Hinted' } }
  const titled = { ...hinted, title: 'Titled' }

  it('with hostile parts is checked: roles and blocks of a prompt, none of whose addresses is read (PROMPT-13, PROMPT-16)', async () => {
    const links = [
      LINK,
      EMBEDDED,
      { ...LINK, uri: 'file:///etc/passwd' },
      { type: 'resource', resource: { uri: 'a:b', blob: '!' } },
    ]
    const messages = links.map((content) => ({ role: 'user', content }))
    await using session = await answering({ 'prompts/get': { messages }, 'resources/read': { contents: [] } })
    const prompt = await session.client.getPrompt('p', { topic: '{"not":"an object"}' }, session.options)
    expect(session.server.got('prompts/get')[0]?.params.arguments).toEqual({ topic: '{"not":"an object"}' })
    expect(prompt.messages.map(({ content }) => content.type)).toEqual(['resource_link', 'resource', 'resource_link', 'unknown'])
    expect(session.server.got('resources/read')).toEqual([])
    const system = { messages: [{ role: 'system', content: TEXT }] }
    await using other = await answering({ 'prompts/get': system })
    await expect(other.client.getPrompt('p', undefined, other.options)).rejects.toMatchObject({ code: 'invalid-result' })
  })

  it('is read from its server alone, even when the address names a file or a page (RES-17, RES-18, TRAP-57)', async () => {
    const contents = [{ uri: 'file:///etc/hostname', text: 'what the server says it is' }]
    await using session = await answering({ 'resources/read': { contents } })
    for (const uri of ['file:///etc/hostname', 'https://example.com/']) {
      expect(await session.client.readResource(uri, session.options)).toMatchObject({ contents })
    }
    expect(session.server.got('resources/read').map(({ params }) => params.uri)).toEqual([
      'file:///etc/hostname',
      'https://example.com/',
    ])
  })

  it('names a tool by its title, else its annotations’ title, else its name (SCHEMA-10, TRAP-46)', () => {
    expect([named, hinted, titled].map(toolTitle)).toEqual(['a', 'Hinted', 'Titled'])
  })

  it('has no title where that is empty (SCHEMA-09)', async () => {
    const empty = { ...named, title: '', annotations: { title: ' ' } }
    const resource = { uri: 'a:b', name: 'r', title: '' }
    await using session = await answering(
      {
        'tools/list': { tools: [empty] },
        'resources/list': { resources: [resource] },
        'resources/templates/list': { resourceTemplates: [{ uriTemplate: 'a:{x}', name: 't', title: '' }] },
        'prompts/list': { prompts: [{ name: 'p', title: '', arguments: [{ name: 'x', title: '' }] }] },
      },
      { capabilities: { tools: {}, resources: {}, prompts: {} }, speaks: '2025-11-25' },
    )
    await session.client.catalog.load(session.options.signal)
    const { tools, resources, templates, prompts } = session.client.catalog.value
    expect(JSON.stringify([tools, resources, templates, prompts])).not.toContain('title')
  })

  it('has titles only in revisions that define them; elsewhere the name is the label (SCHEMA-09, SCHEMA-11, TRAP-54)', async () => {
    const shown = async (speaks: string) => {
      await using session = await answering({ 'tools/list': { tools: [titled] } }, { capabilities: { tools: {} }, speaks })
      await session.client.catalog.load(session.options.signal)
      return session.client.catalog.value.tools.map(({ tool }) => toolTitle(tool))
    }
    expect(await shown('2025-11-25')).toEqual(['Titled'])
    expect(await shown('2025-03-26')).toEqual(['Hinted'])
    expect(await shown('2024-11-05')).toEqual(['a'])
  })

  it('may have the extra members of a draft example (RES-28, TRAP-55)', async () => {
    const contents = [{ uri: 'a:b', name: 'n', title: 't', text: 'x' }]
    await using session = await answering({ 'resources/read': { contents }, 'resources/subscribe': {} })
    expect(await session.client.readResource('a:b', session.options)).toMatchObject({ contents: [{ uri: 'a:b', text: 'x' }] })
    await session.client.subscribe('a:b', session.options)
    const heard: string[] = []
    session.client.onResourceUpdated.on(({ uri }) => heard.push(uri))
    session.server.notify('notifications/resources/updated', { uri: 'a:b', title: 't' })
    await until(() => heard.length > 0)
    expect(heard).toEqual(['a:b'])
  })
})
