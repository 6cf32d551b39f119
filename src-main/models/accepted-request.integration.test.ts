import { afterEach, describe, expect, it } from 'vitest'
import { type ModelApi, type ModelReply, startModelApi } from '../../e2e/support/model-api.ts'
import { NASTY, TOO_LARGE } from '../../e2e/support/nasty-schemas.ts'
import type { JsonObject } from '../../src-shared/base/json.ts'
import { createProvider } from './create-provider.ts'
import type { ModelDelta, ModelMessage, ModelRequest, ModelToolCall, OfferedTool } from './model-provider.ts'

const KINDS = ['anthropic', 'openai', 'openai-compatible'] as const
type Kind = (typeof KINDS)[number]

let api: ModelApi | undefined
afterEach(async () => {
  await api?.close()
  api = undefined
})

/** Asks a provider of that kind over its loopback API; throws what it throws. */
async function ask(kind: Kind, request: Partial<ModelRequest>, reply: ModelReply = { text: 'ok' }) {
  await api?.close()
  api = await startModelApi(() => reply)
  const { url, requests } = api
  const baseUrl = kind === 'anthropic' ? url : `${url}/v1`
  const provider = createProvider(kind, { name: kind, baseUrl, key: 'k', retries: 0 })
  const deltas: ModelDelta[] = []
  const whole = { model: 'gpt-5', system: '', tools: [], messages: said('go'), ...request }
  for await (const delta of provider.stream(whole, new AbortController().signal)) deltas.push(delta)
  const calls = deltas.flatMap((delta) => (delta.type === 'tool-call' ? [delta.call] : []))
  return { calls, body: requests[0]?.body ?? {}, tools: toolsIn(kind, requests[0]?.body ?? {}) }
}

const said = (text: string): readonly ModelMessage[] => [{ role: 'user', content: [{ type: 'text', text }] }]

/** The definitions of a request, in one shape for all formats. */
function toolsIn(kind: Kind, body: Record<string, unknown>): readonly OfferedTool[] {
  const tools = (body.tools ?? []) as readonly Record<string, unknown>[]
  const plain = kind === 'openai-compatible' ? tools.map((tool) => tool.function as Record<string, unknown>) : tools
  return plain.map(({ name, description, input_schema, parameters }) => ({
    ...{ name: String(name), description: String(description) },
    inputSchema: (input_schema ?? parameters) as JsonObject,
  }))
}

const offered = (inputSchema: JsonObject, name = 'tool', description = 'Does it'): OfferedTool => ({
  name,
  description,
  inputSchema,
})
const all = Object.values(NASTY).map((schema, at) => offered(schema, `tool-${at}`))

describe.each(KINDS)('a request to %s', (kind) => {
  it.each(Object.entries(NASTY))('is accepted with a tool of %s', async (_what, schema) => {
    const { tools } = await ask(kind, { tools: [offered(schema)] })
    expect(tools).toHaveLength(1)
    expect(tools[0]?.inputSchema).toMatchObject({ type: 'object', properties: expect.any(Object) })
    expect(JSON.stringify(tools).includes('$ref')).toBe(false)
  })

  it('is accepted with all of them at once, in the same bytes each time', async () => {
    const first = await ask(kind, { tools: all })
    expect(first.tools).toHaveLength(all.length)
    const again = await ask(kind, { tools: structuredClone(all) })
    expect(JSON.stringify(again.body.tools)).toBe(JSON.stringify(first.body.tools))
  })

  it.each(Object.entries(TOO_LARGE))('leaves out a tool of %s, and keeps the others', async (_what, schema) => {
    const { tools } = await ask(kind, { tools: [offered(schema, 'huge'), offered({ type: 'object' }, 'small')] })
    expect(tools.map(({ name }) => name)).toEqual(['small'])
  })

  it('has no tool twice and no more than any provider accepts', async () => {
    const many = Array.from({ length: 200 }, (_, n) => offered({ type: 'object' }, `tool-${n % 150}`))
    expect((await ask(kind, { tools: many })).tools).toHaveLength(128)
  })

  it('keeps the whole of a long description', async () => {
    const words = Array.from({ length: 900 }, (_, n) => `word${n}`).join(' ')
    const { tools } = await ask(kind, { tools: [offered({ type: 'object', description: 'The end.' }, 'tool', words)] })
    const text = `${tools[0]?.description} ${tools[0]?.inputSchema.description}`
    for (const word of ['word0', 'word450', 'word899', 'The end.']) expect(text.includes(word), word).toBe(true)
  })

  it('is accepted with old calls whose names another model made up', async () => {
    const call = (id: string, name: string): ModelToolCall => ({ id, name, arguments: { text: 'half \ud83d' } })
    const round = (toolCall: ModelToolCall): readonly ModelMessage[] => [
      { role: 'assistant', text: '', toolCalls: [toolCall] },
      {
        ...{ role: 'tool', callId: toolCall.id, toolName: toolCall.name, isError: false },
        content: [{ type: 'text', text: `result of ${toolCall.id} cut \udc00` }],
      },
    ]
    const calls = [
      call('call-1', 'echo'),
      call('call-1', 'echo'),
      call('functions.echo:0', 'functions.echo'),
      call('', ''),
      call('x'.repeat(90), 'y'.repeat(90)),
    ]
    const { body } = await ask(kind, { messages: [...said('go'), ...calls.flatMap(round), ...said('and now?')] })
    const sent = JSON.stringify(body)
    expect(sent).toContain('result of call-1')
    expect(sent).toContain('result of functions.echo:0')
  })
})

describe('names of arguments', () => {
  const schema = NASTY['brackets in names'] as JsonObject

  it('come back as the server has them, where Anthropic does not accept them', async () => {
    const args = JSON.stringify({ filter_name_2: 'a', 'filter[id]': ['b'], filter_name: 'c', budgets: [], other: 1 })
    const { calls, tools } = await ask('anthropic', { tools: [offered(schema)] }, { calls: [{ name: 'tool', arguments: args }] })
    expect(Object.keys(tools[0]?.inputSchema.properties ?? {})).toEqual(['filter_name_2', 'filter_id', 'filter_name', 'budgets'])
    expect(tools[0]?.inputSchema.required).toEqual(['filter_name_2', 'filter_id'])
    expect(calls[0]?.arguments).toEqual({
      'filter[name]': 'a',
      'filter[id]': ['b'],
      filter_name: 'c',
      'budgets[]': [],
      other: 1,
    })
  })

  it('are those the model wrote when it reads its call again', async () => {
    const messages: readonly ModelMessage[] = [
      ...said('go'),
      { role: 'assistant', text: '', toolCalls: [{ id: 'one', name: 'tool', arguments: { 'filter[name]': 'a' } }] },
      { role: 'tool', callId: 'one', toolName: 'tool', isError: false, content: [{ type: 'text', text: '3' }] },
    ]
    const { body } = await ask('anthropic', { tools: [offered(schema)], messages })
    expect(body.messages).toMatchObject([{}, { content: [{ type: 'tool_use', input: { filter_name_2: 'a' } }] }, {}])
  })

  it('stay as they are for APIs that accept them', async () => {
    const args = '{"filter[name]":"a"}'
    const { calls, tools } = await ask('openai', { tools: [offered(schema)] }, { calls: [{ name: 'tool', arguments: args }] })
    expect(Object.keys(tools[0]?.inputSchema.properties ?? {})).toContain('filter[name]')
    expect(calls[0]?.arguments).toEqual({ 'filter[name]': 'a' })
  })
})
