import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type ModelApi, type ModelReply, startModelApi } from '../../e2e/support/model-api.ts'
import { createProvider } from './create-provider.ts'
import { type ModelDelta, ModelError, type ModelRequest } from './model-provider.ts'

const KINDS = ['anthropic', 'openai', 'openai-compatible'] as const
type Kind = (typeof KINDS)[number]

let api: ModelApi | undefined
afterEach(async () => {
  await api?.close()
  api = undefined
})

async function serve(...replies: ModelReply[]) {
  api = await startModelApi((_request, n) => replies[n] ?? { text: 'no more replies' })
  return api
}
const provider = (kind: Kind, url: string, key: string | undefined = 'sk-test-canary') =>
  createProvider(kind, {
    name: kind,
    baseUrl: kind === 'anthropic' ? url : `${url}/v1`,
    retries: 0,
    ...(key !== undefined && { key }),
  })

const request = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: kindModel,
  system: 'Be brief.',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
  tools: [{ name: 'add', description: 'Adds', inputSchema: { type: 'object', properties: { a: { type: 'number' } } } }],
  ...more,
})
const kindModel = 'gpt-5'

async function read(stream: AsyncIterable<ModelDelta>): Promise<ModelDelta[]> {
  const deltas: ModelDelta[] = []
  for await (const delta of stream) deltas.push(delta)
  return deltas
}
const never = () => new AbortController().signal
const text = (deltas: readonly ModelDelta[], type: 'text' | 'thinking' = 'text') =>
  deltas.map((delta) => (delta.type === type ? delta.text : '')).join('')

async function failure(promise: Promise<unknown>): Promise<ModelError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ModelError)
  return error as ModelError
}

describe.each(KINDS)('%s over its SDK', (kind) => {
  it('streams text and says what it used', async () => {
    const { url } = await serve({ text: 'Hello there, person.' })
    const deltas = await read(provider(kind, url).stream(request(), never()))
    expect(text(deltas)).toBe('Hello there, person.')
    expect(deltas.filter(({ type }) => type === 'text').length).toBeGreaterThan(1)
    expect(deltas.at(-1)).toMatchObject({ type: 'done', stopReason: 'end', usage: { input: 12, output: 34 }, model: kindModel })
  })

  it('sends the headers of a gateway, in place of its own where both have one', async () => {
    const { url, requests } = await serve({ text: 'Hello.' })
    const baseUrl = kind === 'anthropic' ? url : `${url}/v1`
    const headers = { 'X-Title': 'Parley', Authorization: 'Gate 7' }
    await read(createProvider(kind, { name: kind, baseUrl, key: 'sk-test-canary', headers }).stream(request(), never()))
    expect(requests[0]?.headers).toMatchObject({ 'x-title': 'Parley', authorization: 'Gate 7' })
  })

  it('gathers several tool calls from their pieces', async () => {
    const calls = [
      { name: 'add', arguments: '{"a": 1, "text": "é \\" }"}', id: 'one' },
      { name: 'add', arguments: '{"a": 2}', id: 'two' },
    ]
    const { url } = await serve({ text: 'I will add.', calls })
    const deltas = await read(provider(kind, url).stream(request(), never()))
    expect(deltas.filter(({ type }) => type === 'tool-call')).toEqual([
      { type: 'tool-call', call: { id: 'one', name: 'add', arguments: { a: 1, text: 'é " }' } } },
      { type: 'tool-call', call: { id: 'two', name: 'add', arguments: { a: 2 } } },
    ])
    expect(deltas.filter(({ type }) => type === 'tool-call-started')).toHaveLength(2)
    expect(deltas.at(-1)).toMatchObject({ stopReason: 'tool-use' })
  })

  it('keeps invalid arguments as they were written', async () => {
    const { url } = await serve({ calls: [{ name: 'add', arguments: '{"a": 1,' }] })
    const deltas = await read(provider(kind, url).stream(request(), never()))
    expect(deltas.find(({ type }) => type === 'tool-call')).toMatchObject({ call: { name: 'add', broken: '{"a": 1,' } })
  })

  it('sends history with calls, results and images, the key in the header only (ARCH-07)', async () => {
    const { url, requests } = await serve({ text: 'ok' })
    const png = 'iVBORw0KGgo='
    await read(
      provider(kind, url).stream(
        request({
          messages: [
            { role: 'user', content: [{ type: 'text', text: 'add' }] },
            { role: 'assistant', text: 'adding', toolCalls: [{ id: 'one', name: 'add', arguments: { a: 1 } }] },
            {
              role: 'tool',
              callId: 'one',
              toolName: 'add',
              isError: true,
              content: [
                { type: 'text', text: 'the answer is 1' },
                { type: 'image', data: png, mimeType: 'image/png' },
              ],
            },
            { role: 'user', content: [{ type: 'text', text: 'and now?' }] },
          ],
        }),
        never(),
      ),
    )
    const sent = JSON.stringify(requests[0]?.body)
    for (const part of ['adding', 'the answer is 1', png, 'and now?', 'one', 'Be brief.']) expect(sent).toContain(part)
    expect(sent).not.toContain('sk-test-canary')
    expect(JSON.stringify(requests[0]?.headers)).toContain('sk-test-canary')
  })

  it('is told how long a reply may be (SAMP-24)', async () => {
    const { url, requests } = await serve({ text: 'ok' })
    await read(provider(kind, url).stream(request({ maxTokens: 77 }), never()))
    expect(JSON.stringify(requests[0]?.body)).toMatch(/"max_(?:output_)?tokens":77\b/)
  })

  it('says in plain words that the key is wrong', async () => {
    const { url } = await serve({
      failure: { status: 401, body: { error: { type: 'authentication_error', message: 'invalid x-api-key' } } },
    })
    const error = await failure(read(provider(kind, url).stream(request(), never())))
    expect(error).toMatchObject({ code: 'unauthorized', said: 'invalid x-api-key' })
    expect(error.todo).toBe(`Check the API key of ${kind}.`)
    expect(`${error.message} ${error.todo}`).not.toContain('sk-test-canary')
  })

  it('says when to try again after a rate limit', async () => {
    const body = { error: { type: 'rate_limit_error', message: 'slow down' } }
    const { url } = await serve({ failure: { status: 429, body, headers: { 'retry-after': '7' } } })
    expect(await failure(read(provider(kind, url).stream(request(), never())))).toMatchObject({
      code: 'rate-limited',
      retryAfter: 7000,
      said: 'slow down',
    })
  })

  it('leaves a wait that the provider asks for to the caller, who shows it', async () => {
    const body = { error: { type: 'rate_limit_error', message: 'slow down' } }
    const { url, requests } = await serve({ failure: { status: 429, body, headers: { 'retry-after': '1' } } })
    const patient = createProvider(kind, { name: kind, baseUrl: kind === 'anthropic' ? url : `${url}/v1`, key: 'sk', retries: 3 })
    expect(await failure(read(patient.stream(request(), never())))).toMatchObject({ code: 'rate-limited', retryAfter: 1000 })
    expect(requests).toHaveLength(1)
  })

  it.each([
    ["This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.", 8192],
    ['request (9000 tokens) exceeds the available context size (8,192 tokens), try increasing it', 8192],
    ['The model is loaded with context length of only 4096 tokens, which is not enough', 4096],
    ['prompt is too long: 210000 tokens > 200000 maximum', 200_000],
    ['prompt is too long', undefined],
  ])('reads from a refusal “%s” the window %s', async (message, window) => {
    const error = { type: 'invalid_request_error', code: 'context_length_exceeded', message }
    const { url } = await serve({ failure: { status: 400, body: { error } } })
    expect(await failure(read(provider(kind, url).stream(request(), never())))).toMatchObject({ code: 'too-long', window })
  })

  it('tells a prompt that is too long from other bad requests', async () => {
    const long = {
      error: { type: 'invalid_request_error', code: 'context_length_exceeded', message: 'prompt is too long: 9 tokens' },
    }
    const { url } = await serve(
      { failure: { status: 400, body: long } },
      { failure: { status: 400, body: { error: { message: 'tools.0: bad schema' } } } },
      { failure: { status: 529, body: { error: { type: 'overloaded_error', message: 'Overloaded' } } } },
      { failure: { status: 404, body: { error: { message: 'model not found' } } } },
    )
    for (const code of ['too-long', 'bad-request', 'overloaded', 'unknown-model']) {
      expect(await failure(read(provider(kind, url).stream(request(), never())))).toMatchObject({ code })
    }
  })

  it('says that nothing answers at an address', async () => {
    const { url, close } = await serve()
    await close()
    api = undefined
    const error = await failure(read(provider(kind, url).stream(request(), never())))
    expect(error).toMatchObject({ code: 'unreachable' })
    expect(error.message).toContain(url)
    expect(error.todo).toContain('running? Start it')
  })

  it('does not take an interrupted stream for a reply', async () => {
    const { url } = await serve({ text: 'this will never be finished', breakAfter: 4 })
    expect((await failure(read(provider(kind, url).stream(request(), never())))).code).toMatch(/broken-stream|unreachable/)
  })

  it('stops reading when told to, with the reason it was given', async () => {
    let release = () => {}
    const hold = new Promise<void>((resolve) => {
      release = resolve
    })
    const { url } = await serve({ text: 'first words', hold })
    const controller = new AbortController()
    const reason = new DOMException('stopped', 'AbortError')
    const stream = provider(kind, url).stream(request(), controller.signal)
    const reading = (async () => {
      for await (const delta of stream) if (delta.type === 'text') controller.abort(reason)
    })()
    await expect(reading).rejects.toBe(reason)
    release()
  })

  it('lists its models', async () => {
    const { url } = await serve()
    const models = await provider(kind, url).listModels(never())
    expect(models.length).toBeGreaterThan(0)
    if (kind === 'anthropic') expect(models[0]).toMatchObject({ id: 'claude-sonnet-5-5', contextWindow: 200_000 })
  })

  it('reports a reply that was cut at its limit', async () => {
    const { url } = await serve({ text: 'cut', stop: 'length' })
    expect((await read(provider(kind, url).stream(request(), never()))).at(-1)).toMatchObject({ stopReason: 'max-tokens' })
  })
})

describe('thinking', () => {
  it('streams apart from the text', async () => {
    for (const kind of KINDS) {
      const { url, close } = await serve({ thinking: 'let me see', text: 'done' })
      const deltas = await read(provider(kind, url).stream(request(), never()))
      expect(text(deltas, 'thinking')).toBe('let me see')
      expect(text(deltas)).toBe('done')
      await close()
    }
    api = undefined
  })

  it.each(['anthropic', 'openai'] as const)('goes back to %s unchanged, signed or sealed', async (kind) => {
    const { url, requests } = await serve({ thinking: 'let me see', calls: [{ name: 'add', arguments: '{}' }] }, { text: 'ok' })
    const first = await read(provider(kind, url).stream(request(), never()))
    const done = first.at(-1)
    if (done?.type !== 'done' || !done.providerState) throw new Error('no provider state')
    const toolCalls = first.flatMap((delta) => (delta.type === 'tool-call' ? [delta.call] : []))
    const callId = toolCalls[0]?.id ?? ''
    await read(
      provider(kind, url).stream(
        request({
          messages: [
            { role: 'user', content: [{ type: 'text', text: 'add' }] },
            { role: 'assistant', text: '', toolCalls, providerState: done.providerState },
            { role: 'tool', callId, toolName: 'add', isError: false, content: [{ type: 'text', text: '3' }] },
          ],
        }),
        never(),
      ),
    )
    expect(JSON.stringify(requests[1]?.body)).toContain(
      kind === 'anthropic' ? '"signature":"signed"' : '"encrypted_content":"sealed"',
    )
  })
})

describe('the effort', () => {
  const WIRE = [
    [
      'anthropic',
      'claude-sonnet-5-5',
      { output_config: { effort: 'low' }, thinking: { type: 'adaptive', display: 'summarized' } },
    ],
    ['anthropic', 'claude-opus-4-5', { output_config: { effort: 'low' } }],
    ['openai', 'gpt-5', { reasoning: { effort: 'low' } }],
    ['openai-compatible', 'gpt-oss:20b', { reasoning_effort: 'low' }],
  ] as const

  it.each(WIRE)('is sent to %s in its own words for %s, and only when chosen', async (kind, model, wire) => {
    const { url, requests } = await serve()
    const told = (n: number) => {
      const { output_config, thinking, reasoning, reasoning_effort } = requests[n]?.body ?? {}
      return { output_config, thinking, reasoning, reasoning_effort }
    }
    await read(provider(kind, url).stream(request({ model, effort: 'low' }), never()))
    expect(told(0)).toEqual(wire)
    await read(provider(kind, url).stream(request({ model }), never()))
    expect(told(1)).toEqual({})
  })
})

describe('the reasoning of OpenAI', () => {
  it('goes back to its place among the calls it led to', async () => {
    const reply = { thinking: 'hm', text: 'I add.', calls: [{ name: 'add', arguments: '{"a":1}' }] }
    const { url, requests } = await serve(reply, { text: 'ok' })
    const first = await read(provider('openai', url).stream(request(), never()))
    const done = first.at(-1)
    if (done?.type !== 'done' || !done.providerState) throw new Error('no provider state')
    const toolCalls = first.flatMap((delta) => (delta.type === 'tool-call' ? [delta.call] : []))
    const told = { role: 'assistant' as const, text: 'I add.', toolCalls }
    const result = { role: 'tool' as const, callId: toolCalls[0]?.id ?? '', toolName: 'add', isError: false, content: [] }
    const sent = async (providerState: typeof done.providerState) => {
      await read(provider('openai', url).stream(request({ messages: [{ ...told, providerState }, result] }), never()))
      const input = requests.at(-1)?.body.input
      return Array.isArray(input) ? input.map(({ type, role }) => type ?? role) : []
    }
    expect(await sent(done.providerState)).toEqual(['reasoning', 'message', 'function_call', 'function_call_output'])
    // As it was kept before: the reasoning alone.
    const { openai: kept } = done.providerState
    const alone = { openai: Array.isArray(kept) ? kept.slice(0, 1) : [] }
    expect(await sent(alone)).toEqual(['reasoning', 'assistant', 'function_call', 'function_call_output'])
  })
})

describe('blank text', () => {
  it('from a tool or a person does not reach the API that would refuse the request for it', async () => {
    const { url, requests } = await serve({ text: 'ok' })
    const blank = [
      { type: 'text', text: '' },
      { type: 'text', text: ' \n' },
    ] as const
    await read(
      provider('anthropic', url).stream(
        request({
          messages: [
            { role: 'user', content: [{ type: 'text', text: 'add' }, ...blank] },
            { role: 'assistant', text: '', toolCalls: [{ id: 'one', name: 'add', arguments: {} }] },
            { role: 'tool', callId: 'one', toolName: 'add', isError: false, content: blank },
          ],
        }),
        never(),
      ),
    )
    expect(requests[0]?.body.messages).toMatchObject([
      { content: [{ type: 'text', text: 'add' }] },
      { content: [{ type: 'tool_use' }] },
      { content: [{ type: 'tool_result', content: [] }] },
    ])
  })
})

describe('keys', () => {
  it.each(['anthropic', 'openai'] as const)(
    'are required before %s is contacted, whatever the environment holds (ARCH-07)',
    async (kind) => {
      for (const name of ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'OPENAI_API_KEY']) vi.stubEnv(name, 'sk-of-another')
      onTestFinished(() => void vi.unstubAllEnvs())
      const { url, requests } = await serve({ text: 'never' })
      const keyless = createProvider(kind, { name: 'Keyless', baseUrl: url })
      expect(await failure(read(keyless.stream(request(), never())))).toMatchObject({ code: 'no-key' })
      expect(requests).toEqual([])
    },
  )

  it('are not needed by servers on this computer', async () => {
    const { url } = await serve({ text: 'hello' })
    const local = createProvider('openai-compatible', { name: 'Ollama', baseUrl: `${url}/v1`, retries: 0 })
    expect(text(await read(local.stream(request(), never())))).toBe('hello')
  })
})
