import { describe, expect, it } from 'vitest'
import { connectScripted, settled } from '../../../e2e/servers/linked/connect-scripted.ts'
import { until } from '../../../e2e/support/until.ts'
import type {
  CreateMessageParams,
  CreateMessageResult,
  ElicitParams,
  ElicitResult,
} from '../../../src-shared/mcp/client-requests.ts'
import { ErrorCode, ProtocolError } from '../shapes/json-rpc.ts'
import type { ClientFeatures } from './client-features.ts'

const REPLY: CreateMessageResult = {
  role: 'assistant',
  content: { type: 'text', text: 'hello' },
  model: 'm-1',
  stopReason: 'endTurn',
}
const TEXT = { type: 'text', text: 'hi' }
const PIXEL = { type: 'image', data: 'aGk=', mimeType: 'image/png' }
const SOUND = { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' }

function sampling(options: { tools?: boolean; context?: boolean; reply?: CreateMessageResult } = {}) {
  const asked: CreateMessageParams[] = []
  const createMessage = async (params: CreateMessageParams) => {
    asked.push(params)
    return options.reply ?? REPLY
  }
  const features: ClientFeatures = {
    sampling: { tools: options.tools ?? false, context: options.context ?? false, createMessage },
  }
  return { features, asked }
}

function elicitation(answer: ElicitResult = { action: 'accept', content: {} }, url = true) {
  const asked: ElicitParams[] = []
  const completed: string[] = []
  const elicit = async (params: ElicitParams) => {
    asked.push(params)
    return answer
  }
  const features: ClientFeatures = { elicitation: { url, elicit, completed: (id) => completed.push(id) } }
  return { features, asked, completed }
}

const say = (...content: unknown[]) => ({ messages: content.map((block) => ({ role: 'user', content: block })), maxTokens: 9 })
const form = (properties: unknown, more: object = {}) => ({
  message: 'Who?',
  requestedSchema: { type: 'object', properties, ...more },
})

describe('roots', () => {
  it('are answered at once, with uri and name alone (ROOT-04, ROOT-21, PAGE-11)', async () => {
    const root = { uri: 'file:///home/a%20b', name: 'ab', _meta: { secret: 1 } }
    const features: ClientFeatures = {
      roots: { list: async () => ({ roots: [root, { uri: 'file:///x.txt' }], nextCursor: 'c' }) },
    }
    await using session = await connectScripted({ features })
    expect((await session.server.ask('roots/list', {}, 1)).result).toEqual({
      roots: [{ uri: 'file:///home/a%20b', name: 'ab' }, { uri: 'file:///x.txt' }],
    })
  })

  it('are file addresses only (ROOT-05)', async () => {
    const roots = [{ uri: 'https://x/' }, { uri: 'file:///ok' }, { uri: 'FILE' }]
    await using session = await connectScripted({ features: { roots: { list: async () => ({ roots }) } } })
    expect((await session.server.ask('roots/list', undefined, 1)).result).toEqual({ roots: [{ uri: 'file:///ok' }] })
  })

  it('that nobody shares are an empty list (ROOT-17, TRAP-65)', async () => {
    await using session = await connectScripted({ features: { roots: { list: async () => ({ roots: [] }) } } })
    expect((await session.server.ask('roots/list', undefined, 1)).result).toEqual({ roots: [] })
  })

  it('that were not declared get -32601 with a reason, and no notice is sent (ROOT-07, ROOT-18)', async () => {
    await using session = await connectScripted()
    const { error } = await session.server.ask('roots/list', undefined, 1)
    expect(error).toMatchObject({ code: -32601, data: { reason: expect.any(String) } })
    session.client.rootsChanged()
    await settled()
    expect(session.server.got('notifications/roots/list_changed')).toHaveLength(0)
  })

  it('that cannot be read get -32603 (ROOT-08)', async () => {
    const list = () => Promise.reject(new Error('broken'))
    await using session = await connectScripted({ features: { roots: { list } } })
    expect((await session.server.ask('roots/list', undefined, 1)).error?.code).toBe(-32603)
  })

  it('that change are told to the server (ROOT-02, ROOT-03)', async () => {
    await using session = await connectScripted({ features: { roots: { list: async () => ({ roots: [] }) } } })
    session.client.rootsChanged()
    const [notice] = await session.server.waitFor('notifications/roots/list_changed')
    expect(notice).toEqual({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' })
  })
})

describe('sampling', () => {
  it('answers with role, one block, the model really used and a stop reason (SAMP-10, SAMP-11, SAMP-12)', async () => {
    const { features, asked } = sampling()
    await using session = await connectScripted({ features })
    const params = { ...say(TEXT), systemPrompt: 'Be brief.', temperature: 0.3, stopSequences: ['.'], metadata: { a: 1 } }
    expect((await session.server.ask('sampling/createMessage', params, 1)).result).toEqual(REPLY)
    expect(asked).toEqual([params])
  })

  it('that was not declared gets -32601 (SAMP-02)', async () => {
    await using session = await connectScripted()
    expect((await session.server.ask('sampling/createMessage', say(TEXT), 1)).error?.code).toBe(-32601)
  })

  it('that the person refuses gets -1, a model that fails -32603 (SAMP-08, SAMP-09, TRAP-65)', async () => {
    const failures: unknown[] = [
      new ProtocolError(ErrorCode.userRejected, 'User rejected sampling request'),
      new Error('model down'),
    ]
    const createMessage = () => Promise.reject(failures.shift())
    await using session = await connectScripted({ features: { sampling: { tools: false, context: false, createMessage } } })
    expect((await session.server.ask('sampling/createMessage', say(TEXT), 1)).error).toEqual({
      code: -1,
      message: 'User rejected sampling request',
    })
    expect((await session.server.ask('sampling/createMessage', say(TEXT), 2)).error?.code).toBe(-32603)
  })

  it.each([
    ['no messages', { maxTokens: 1 }],
    ['no maxTokens', { messages: [] }],
    ['a fractional maxTokens', { messages: [], maxTokens: 1.5 }],
    ['a system role', { messages: [{ role: 'system', content: TEXT }], maxTokens: 1 }],
    ['a temperature that is no number', { ...say(TEXT), temperature: 'hot' }],
    ['stop sequences that are no texts', { ...say(TEXT), stopSequences: [1] }],
  ])('with %s gets -32602, and nobody is asked (SAMP-33, SCHEMA-15)', async (_, params) => {
    const { features, asked } = sampling()
    await using session = await connectScripted({ features })
    expect((await session.server.ask('sampling/createMessage', params, 1)).error?.code).toBe(-32602)
    expect(asked).toEqual([])
  })

  it.each([
    ['corrupt base64', { ...PIXEL, data: 'a$b=' }],
    ['base64 without padding', { ...PIXEL, data: 'aGk' }],
    ['an image without a MIME type', { type: 'image', data: 'aGk=' }],
    ['an embedded resource', { type: 'resource', resource: { uri: 'a:b', text: 'x' } }],
    ['a text that is none', { type: 'text', text: 5 }],
    ['an unknown type', { type: 'video', data: 'aGk=' }],
  ])('with %s in a message gets -32602 (SAMP-28, SAMP-26, SCHEMA-18)', async (_, block) => {
    const { features, asked } = sampling()
    await using session = await connectScripted({ features })
    expect((await session.server.ask('sampling/createMessage', say(block), 1)).error?.code).toBe(-32602)
    expect(asked).toEqual([])
  })

  it('accepts audio since 2025-03-26 (SAMP-26, TRAP-74)', async () => {
    const outcome: Record<string, unknown> = {}
    for (const speaks of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
      await using session = await connectScripted({ speaks, features: sampling().features })
      const answer = await session.server.ask('sampling/createMessage', say(TEXT, PIXEL, SOUND), 1)
      outcome[speaks] = answer.error?.code ?? 'ok'
    }
    expect(outcome).toEqual({ '2024-11-05': -32602, '2025-03-26': 'ok', '2025-06-18': 'ok', '2025-11-25': 'ok' })
  })

  it('drops preferences that are out of range or malformed, and keeps the hints in order (SAMP-18, SAMP-19, SAMP-25)', async () => {
    const { features, asked } = sampling({ context: true })
    await using session = await connectScripted({ features })
    const modelPreferences = { hints: [{ name: 'b' }, { age: 5 }, 'x', { name: 'a' }], costPriority: 2, speedPriority: 0.5 }
    const params = { ...say(TEXT), modelPreferences, metadata: 'odd', includeContext: 'everything' }
    await session.server.ask('sampling/createMessage', params, 1)
    expect(asked[0]).toEqual({
      ...say(TEXT),
      modelPreferences: { hints: [{ name: 'b' }, { name: 'a' }], speedPriority: 0.5 },
    })
  })

  it('answers with one block in older revisions, whatever the model made (TRAP-71, V11-23, SCHEMA-22)', async () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ] as const
    for (const [speaks, expected] of [
      ['2025-06-18', { type: 'text', text: 'a\nb' }],
      ['2025-11-25', content],
    ] as const) {
      await using session = await connectScripted({ speaks, features: sampling({ reply: { ...REPLY, content } }).features })
      expect((await session.server.ask('sampling/createMessage', say(TEXT), 1)).result.content).toEqual(expected)
    }
  })

  it('accepts one block or several since 2025-11-25 (V11-16, V11-23)', async () => {
    for (const [speaks, code] of [
      ['2025-06-18', -32602],
      ['2025-11-25', undefined],
    ] as const) {
      await using session = await connectScripted({ speaks, features: sampling().features })
      expect((await session.server.ask('sampling/createMessage', say([TEXT, PIXEL]), 1)).error?.code).toBe(code)
    }
  })

  it('with tools gets -32602 unless that was declared (V11-15)', async () => {
    const params = { ...say(TEXT), tools: [{ name: 't', inputSchema: { type: 'object' } }], toolChoice: { mode: 'auto' } }
    await using without = await connectScripted({ features: sampling().features })
    expect((await without.server.ask('sampling/createMessage', params, 1)).error?.code).toBe(-32602)
    const declared = sampling({ tools: true })
    await using withIt = await connectScripted({ features: declared.features })
    expect((await withIt.server.ask('sampling/createMessage', params, 1)).error).toBeUndefined()
    expect(declared.asked[0]).toEqual(params)
  })

  it('never has tools in older revisions (V11-23)', async () => {
    const { features, asked } = sampling({ tools: true })
    await using session = await connectScripted({ speaks: '2025-06-18', features })
    await session.server.ask('sampling/createMessage', { ...say(TEXT), tools: [{}], toolChoice: {} }, 1)
    expect(asked).toEqual([say(TEXT)])
  })

  it('knows three modes of tool choice (V11-19)', async () => {
    await using session = await connectScripted({ features: sampling({ tools: true }).features })
    const codes: unknown[] = []
    for (const [at, mode] of ['auto', 'required', 'none', 'sometimes'].entries()) {
      const answer = await session.server.ask('sampling/createMessage', { ...say(TEXT), toolChoice: { mode } }, at)
      codes.push(answer.error?.code)
    }
    expect(codes).toEqual([undefined, undefined, undefined, -32602])
  })

  const use = (id: string) => ({ type: 'tool_use', id, name: 't', input: {} })
  const result = (toolUseId: string) => ({ type: 'tool_result', toolUseId, content: [TEXT] })
  const talk = (...messages: [string, unknown][]) => ({
    messages: messages.map(([role, content]) => ({ role, content })),
    maxTokens: 9,
  })

  it('accepts tool uses followed by all their results (V11-18)', async () => {
    const { features, asked } = sampling({ tools: true })
    await using session = await connectScripted({ features })
    const params = talk(['user', TEXT], ['assistant', [use('1'), use('2')]], ['user', [result('1'), result('2')]])
    expect((await session.server.ask('sampling/createMessage', params, 1)).error).toBeUndefined()
    expect(asked).toEqual([params])
  })

  it.each([
    ['a result missing', talk(['assistant', [use('1'), use('2')]], ['user', [result('1')]])],
    ['something said in between', talk(['assistant', use('1')], ['user', TEXT], ['user', result('1')])],
    ['uses at the end', talk(['assistant', use('1')])],
    ['a result of nothing', talk(['user', result('1')])],
    ['a result from the assistant', talk(['assistant', use('1')], ['assistant', result('1')])],
  ])('with %s gets -32602 (V11-18)', async (_, params) => {
    await using session = await connectScripted({ features: sampling({ tools: true }).features })
    expect((await session.server.ask('sampling/createMessage', params, 1)).error?.code).toBe(-32602)
  })

  it('with results next to other content gets -32602 (V11-17)', async () => {
    await using session = await connectScripted({ features: sampling({ tools: true }).features })
    const params = talk(['assistant', use('1')], ['user', [result('1'), TEXT]])
    expect((await session.server.ask('sampling/createMessage', params, 1)).error?.code).toBe(-32602)
  })

  it('may answer with the use of a tool (V11-20)', async () => {
    const reply: CreateMessageResult = {
      role: 'assistant',
      content: [{ type: 'tool_use', id: '1', name: 't', input: { a: 1 } }],
      model: 'm',
      stopReason: 'toolUse',
    }
    await using session = await connectScripted({ features: sampling({ tools: true, reply }).features })
    const answer = await session.server.ask('sampling/createMessage', say(TEXT), 1)
    expect(answer.result).toEqual({ ...reply, content: { type: 'tool_use', id: '1', name: 't', input: { a: 1 } } })
  })

  it('uses context only where that was declared (V11-22)', async () => {
    for (const context of [false, true]) {
      const { features, asked } = sampling({ context })
      await using session = await connectScripted({ features })
      await session.server.ask('sampling/createMessage', { ...say(TEXT), includeContext: 'thisServer' }, 1)
      expect(asked[0]?.includeContext).toBe(context ? 'thisServer' : undefined)
    }
  })

  it('requested as a task is served as usual (TASK-28, V11-28)', async () => {
    const { features, asked } = sampling()
    await using session = await connectScripted({ features })
    const answer = await session.server.ask('sampling/createMessage', { ...say(TEXT), task: { ttl: 1000 } }, 1)
    expect(answer.result).toEqual(REPLY)
    expect(asked).toEqual([say(TEXT)])
  })
})

describe('tasks', () => {
  it.each(['tasks/get', 'tasks/list', 'tasks/cancel', 'tasks/result'])(
    'of ours do not exist: %s gets -32601 (V11-29)',
    async (method) => {
      await using session = await connectScripted({ features: sampling().features })
      expect((await session.server.ask(method, { taskId: '1' }, 1)).error?.code).toBe(-32601)
    },
  )
})

describe('elicitation', () => {
  const NAME = { name: { type: 'string', title: 'Name' } }

  it('answers an acceptance with the content (ELIC-10, ELIC-17)', async () => {
    const content = { name: 'Ada', age: 36, ok: true }
    const { features, asked } = elicitation({ action: 'accept', content })
    await using session = await connectScripted({ speaks: '2025-06-18', features })
    expect((await session.server.ask('elicitation/create', form(NAME), 1)).result).toEqual({ action: 'accept', content })
    expect(asked).toEqual([{ mode: 'form', ...form(NAME) }])
  })

  it('requested as a task is served as usual (TASK-28)', async () => {
    const { features, asked } = elicitation({ action: 'accept', content: { name: 'Ada' } })
    await using session = await connectScripted({ features })
    const answer = await session.server.ask('elicitation/create', { ...form(NAME), task: { ttl: 1000 } }, 1)
    expect(answer.result).toEqual({ action: 'accept', content: { name: 'Ada' } })
    expect(asked).toEqual([{ mode: 'form', ...form(NAME) }])
  })

  it('without fields is a plain confirmation, accepted with an empty object (ELIC-33)', async () => {
    await using session = await connectScripted({ speaks: '2025-06-18', features: elicitation().features })
    expect((await session.server.ask('elicitation/create', form({}), 1)).result).toEqual({ action: 'accept', content: {} })
  })

  it('never answers with a list where values are text, number or boolean (ELIC-16, SCHEMA-22)', async () => {
    const { features } = elicitation({ action: 'accept', content: { name: ['a', 'b'] } })
    await using session = await connectScripted({ speaks: '2025-06-18', features })
    const answer = await session.server.ask('elicitation/create', form(NAME), 1)
    expect(answer.result).toBeUndefined()
    expect(answer.error?.code).toBe(-32603)
  })

  it.each([
    ['decline', '2025-06-18', false, 'decline'],
    ['cancel', '2025-06-18', false, 'cancel'],
    ['decline', '2025-11-25', false, 'decline'],
    ['decline', '2025-06-18', true, 'reject'],
    ['cancel', '2025-06-18', true, 'cancel'],
  ] as const)(
    '%s in %s with the draft profile %j is the result %s without content (ELIC-14, ELIC-15, TRAP-66)',
    async (action, speaks, draftProfile, word) => {
      const { features } = elicitation({ action, content: { name: 'leak' } })
      await using session = await connectScripted({ speaks, draftProfile, features })
      expect((await session.server.ask('elicitation/create', form(NAME), 1)).result).toEqual({ action: word })
    },
  )

  it('is called decline when refused (ELIC-11)', async () => {
    await using session = await connectScripted({ features: elicitation({ action: 'decline' }).features })
    expect((await session.server.ask('elicitation/create', form(NAME), 1)).result.action).toBe('decline')
  })

  it('is called reject in the draft profile alone when refused (ELIC-12, TRAP-01)', async () => {
    const { features } = elicitation({ action: 'decline' })
    await using session = await connectScripted({ draftProfile: true, speaks: '2024-11-05', features })
    expect((await session.server.ask('elicitation/create', form(NAME), 1)).result).toEqual({ action: 'reject' })
    expect(session.server.got('initialize')[0]?.params.protocolVersion).toBe('2025-11-25')
  })

  it.each(['2024-11-05', '2025-03-26'])(
    'does not exist in %s, even when declared (ELIC-02, LIFE-22, TRAP-15)',
    async (speaks) => {
      const { features, asked } = elicitation()
      await using session = await connectScripted({ speaks, features })
      expect(session.server.got('initialize')[0]?.params.capabilities).toHaveProperty('elicitation')
      expect((await session.server.ask('elicitation/create', form(NAME), 1)).error?.code).toBe(-32601)
      expect(asked).toEqual([])
    },
  )

  it.each([
    ['a nested object', form({ a: { type: 'object', properties: {} } })],
    ['an array', form({ a: { type: 'array', items: { type: 'string' } } })],
    ['an unknown type', form({ a: { type: 'date' } })],
    ['no type', form({ a: { anyOf: [{ type: 'string' }] } })],
    ['no message', { requestedSchema: { type: 'object', properties: {} } }],
    ['no schema', { message: 'x' }],
    ['a schema of another type', { message: 'x', requestedSchema: { type: 'string', properties: {} } }],
    ['no properties', { message: 'x', requestedSchema: { type: 'object' } }],
    ['an enum that is no list of texts', form({ a: { type: 'string', enum: [1] } })],
    ['required that is no list', form({}, { required: 'a' })],
  ])('with %s gets -32602, and nobody is asked (ELIC-18)', async (_, params) => {
    for (const speaks of ['2025-06-18', '2025-11-25']) {
      const { features, asked } = elicitation()
      await using session = await connectScripted({ speaks, features })
      expect((await session.server.ask('elicitation/create', params, 1)).error?.code).toBe(-32602)
      expect(asked).toEqual([])
    }
  })

  it('with too many fields gets -32602 (SEC-23)', async () => {
    const { features } = elicitation()
    await using session = await connectScripted({ features })
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`f${at}`, { type: 'string' }]))
    expect((await session.server.ask('elicitation/create', form(many), 1)).error?.code).toBe(-32602)
  })

  it('accepts the simple fields of 2025-06-18 with all their keywords, unchanged', async () => {
    const { features, asked } = elicitation()
    await using session = await connectScripted({ speaks: '2025-06-18', features })
    const params = form({
      s: { type: 'string', minLength: 1, maxLength: 9, format: 'email', pattern: '^a' },
      n: { type: 'integer', minimum: 1, maximum: 5 },
      b: { type: 'boolean', default: true },
      e: { type: 'string', enum: ['a', 'b'], enumNames: ['A'] },
    })
    expect((await session.server.ask('elicitation/create', params, 1)).error).toBeUndefined()
    expect(asked).toEqual([{ mode: 'form', ...params }])
  })

  const MANY = { type: 'array', minItems: 1, items: { type: 'string', enum: ['a', 'b'] }, default: ['a'] }
  const TITLED = { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } }

  it('accepts single and titled choices since 2025-11-25 (V11-14)', async () => {
    const { features, asked } = elicitation()
    await using session = await connectScripted({ features })
    const one = { type: 'string', oneOf: [{ const: 'a', title: 'A' }], default: 'a' }
    const params = form({ one, n: { type: 'number', default: 1 } }, { $schema: 'https://json-schema.org/draft/2020-12/schema' })
    expect((await session.server.ask('elicitation/create', params, 1)).error).toBeUndefined()
    expect(asked).toEqual([{ mode: 'form', ...params }])
  })

  it('accepts several choices since 2025-11-25, and answers with a list (V11-12)', async () => {
    const content = { many: ['a', 'b'] }
    for (const [speaks, code] of [
      ['2025-06-18', -32602],
      ['2025-11-25', undefined],
    ] as const) {
      await using session = await connectScripted({ speaks, features: elicitation({ action: 'accept', content }).features })
      const answer = await session.server.ask('elicitation/create', form({ many: MANY, titled: TITLED }), 1)
      expect(answer.error?.code).toBe(code)
      if (code === undefined) expect(answer.result).toEqual({ action: 'accept', content })
    }
  })

  it('without a mode is a form (V11-02)', async () => {
    const { features, asked } = elicitation()
    await using session = await connectScripted({ features })
    await session.server.ask('elicitation/create', form(NAME), 1)
    await session.server.ask('elicitation/create', { ...form(NAME), mode: 'form' }, 2)
    expect(asked.map(({ mode }) => mode)).toEqual(['form', 'form'])
  })

  const VISIT = { mode: 'url', message: 'Sign in', url: 'https://example.com/x', elicitationId: 'e1' }

  it('by URL is asked and accepted without content (V11-04, V11-07)', async () => {
    const { features, asked } = elicitation({ action: 'accept', content: { leak: 'x' } })
    await using session = await connectScripted({ features })
    expect((await session.server.ask('elicitation/create', VISIT, 1)).result).toEqual({ action: 'accept' })
    expect(asked).toEqual([VISIT])
  })

  it('by URL gets -32602 when that was not declared, and any unknown mode does (V11-01, V11-03)', async () => {
    const { features, asked } = elicitation(undefined, false)
    await using session = await connectScripted({ features })
    expect(session.server.got('initialize')[0]?.params.capabilities.elicitation).toEqual({ form: {} })
    expect((await session.server.ask('elicitation/create', VISIT, 1)).error?.code).toBe(-32602)
    expect((await session.server.ask('elicitation/create', { ...form(NAME), mode: 'fax' }, 2)).error?.code).toBe(-32602)
    expect(asked).toEqual([])
  })

  it.each([
    { ...VISIT, url: 'javascript:alert(1)' },
    { ...VISIT, url: 'file:///etc/passwd' },
    { ...VISIT, url: 'https://' },
    { ...VISIT, url: undefined },
    { ...VISIT, elicitationId: undefined },
    { ...VISIT, message: undefined },
  ])('by URL needs a message, an id and a web address (V11-04)', async (params) => {
    const { features, asked } = elicitation()
    await using session = await connectScripted({ features })
    expect((await session.server.ask('elicitation/create', params, 1)).error?.code).toBe(-32602)
    expect(asked).toEqual([])
  })

  it('is told when the page is done, since 2025-11-25', async () => {
    const { features, completed } = elicitation()
    await using session = await connectScripted({ features })
    session.server.notify('notifications/elicitation/complete', { elicitationId: 'e1' })
    session.server.notify('notifications/elicitation/complete', { elicitationId: 5 })
    await until(() => completed.length)
    expect(completed).toEqual(['e1'])
    const june = elicitation()
    await using older = await connectScripted({ speaks: '2025-06-18', features: june.features })
    older.server.notify('notifications/elicitation/complete', { elicitationId: 'e1' })
    await settled()
    expect(june.completed).toEqual([])
  })

  it('required by a call comes with the error, addresses alone (V11-10)', async () => {
    const elicitations = [VISIT, { ...VISIT, url: 'javascript:1' }, 'junk']
    const refuse = () => {
      throw { code: -32042, message: 'Sign in first', data: { elicitations } }
    }
    await using session = await connectScripted({ capabilities: { tools: {} }, replies: { 'tools/call': refuse } })
    const failure = await session.client.callTool('a', {}, session.options).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: -32042, message: 'Sign in first', data: { elicitations } })
    expect(session.client.requiredElicitations(failure)).toEqual([VISIT])
    expect(session.client.requiredElicitations(new Error('other'))).toEqual([])
  })
})
