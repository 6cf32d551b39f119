import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../e2e/support/manual-clock.ts'
import type { JsonObject } from '../../src-shared/base/json.ts'
import { createDemoProvider } from './demo-provider.ts'
import type { ModelDelta, ModelMessage, ModelRequest, OfferedTool } from './model-provider.ts'

const tool = (name: string, properties: JsonObject = {}): OfferedTool => ({
  name,
  description: '',
  inputSchema: { type: 'object', properties },
})
const TOOLS = [
  tool('playground__add', { a: { type: 'number' }, b: { type: 'number' } }),
  tool('everything__get-sum', { a: { type: 'number' }, b: { type: 'number' } }),
  tool('everything__echo', { message: { type: 'string' } }),
  tool('other__echo', { message: { type: 'string' } }),
]

async function reply(text: string | readonly ModelMessage[], more: Partial<ModelRequest> = {}): Promise<ModelDelta[]> {
  const messages: readonly ModelMessage[] =
    typeof text === 'string' ? [{ role: 'user', content: [{ type: 'text', text }] }] : text
  const clock = new ManualClock()
  const deltas: ModelDelta[] = []
  const request = { model: 'demo', system: '', tools: TOOLS, messages, ...more }
  const reading = (async () => {
    for await (const delta of createDemoProvider({ clock }).stream(request, new AbortController().signal)) deltas.push(delta)
  })()
  while (deltas.at(-1)?.type !== 'done') {
    clock.advance(1000)
    await Promise.resolve()
  }
  await reading
  return deltas
}
const calls = (deltas: readonly ModelDelta[]) => deltas.flatMap((delta) => (delta.type === 'tool-call' ? [delta.call] : []))
const text = (deltas: readonly ModelDelta[]) => deltas.map((delta) => (delta.type === 'text' ? delta.text : '')).join('')

describe('the Demo model', () => {
  it('takes values as the schema wants them: a number for get-sum, text for echo', async () => {
    expect(calls(await reply('use get-sum with a=2 b=3'))[0]).toMatchObject({
      name: 'everything__get-sum',
      arguments: { a: 2, b: 3 },
    })
    expect(calls(await reply('use echo with message=2'))[0]?.arguments).toEqual({ message: '2' })
  })

  it('groups words in quotes and reads JSON', async () => {
    expect(calls(await reply('use echo with message="two; words then more"'))[0]?.arguments).toEqual({
      message: 'two; words then more',
    })
    expect(calls(await reply('use echo {"message": "a \\"b\\""}'))[0]?.arguments).toEqual({ message: 'a "b"' })
  })

  it('tells servers apart by server/tool', async () => {
    expect(calls(await reply('use other/echo with message=hi'))[0]?.name).toBe('other__echo')
    expect(calls(await reply('use everything/echo with message=hi'))[0]?.name).toBe('everything__echo')
  })

  it('makes calls separated by ; at once, and calls after then in the next round', async () => {
    const asked = 'use echo with message=a; add with a=1 b=2 then use echo with message=b'
    const first = calls(await reply(asked))
    expect(first.map(({ name }) => name)).toEqual(['everything__echo', 'playground__add'])
    const second = await reply([
      { role: 'user', content: [{ type: 'text', text: asked }] },
      { role: 'assistant', text: '', toolCalls: first },
      ...first.map(({ id, name }) => ({
        role: 'tool' as const,
        callId: id,
        toolName: name,
        content: [{ type: 'text' as const, text: 'done' }],
        isError: false,
      })),
    ])
    expect(calls(second).map((call) => call.arguments)).toEqual([{ message: 'b' }])
  })

  it('quotes what the tools answered when nothing is left to do', async () => {
    const deltas = await reply([
      { role: 'user', content: [{ type: 'text', text: 'use echo with message=hi' }] },
      { role: 'assistant', text: '', toolCalls: [{ id: 'x', name: 'everything__echo', arguments: {} }] },
      {
        role: 'tool',
        callId: 'x',
        toolName: 'everything__echo',
        content: [{ type: 'text', text: 'Echo: ```hi' }],
        isError: false,
      },
    ])
    expect(text(deltas)).toContain('Echo: ```hi')
    expect(text(deltas)).toContain('````text')
    expect(deltas.at(-1)).toMatchObject({ type: 'done', stopReason: 'end', model: 'demo' })
  })

  it('picks the obvious tool for a plain sentence', async () => {
    expect(calls(await reply('What is 2 plus 3?'))[0]).toMatchObject({ name: 'playground__add', arguments: { a: 2, b: 3 } })
    expect(calls(await reply('echo good morning'))[0]?.arguments).toEqual({ message: 'good morning' })
  })

  it('says what it understands and what is offered when it does not understand', async () => {
    const said = text(await reply('write me a poem'))
    expect(said).toContain('not an AI')
    expect(said).toContain('`playground/add`')
    expect(text(await reply('use nothing-like-it'))).toContain('No tool called nothing-like-it')
    expect(text(await reply('use echo {"message": '))).toContain('not JSON')
  })

  describe('with too many tools to list', () => {
    const search = tool('find_tools', { query: { type: 'string' } })
    const reading = tool('read_result')
    const found = tool('calendar__createEvent', { title: { type: 'string' } })
    const asks = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] })
    const called = (name: string, args: JsonObject): readonly ModelMessage[] => [
      { role: 'assistant', text: '', toolCalls: [{ id: 'x', name, arguments: args }] },
      { role: 'tool', callId: 'x', toolName: name, content: [{ type: 'text', text: 'So be it.' }], isError: false },
    ]

    it('looks for one by its name, calls what it found, and goes on', async () => {
      const asked = 'use calendar/createEvent with title=Tea then use calendar/createEvent with title=Cake'
      const [first] = calls(await reply([asks(asked)], { tools: [search, reading] }))
      expect(first).toMatchObject({ name: 'find_tools', arguments: { query: 'calendar createEvent' } })
      const afterSearch = [asks(asked), ...called('find_tools', first?.arguments ?? {})]
      const tools = [search, reading, found]
      expect(calls(await reply(afterSearch, { tools }))).toMatchObject([{ name: found.name, arguments: { title: 'Tea' } }])
      const afterTea = [...afterSearch, ...called(found.name, { title: 'Tea' })]
      expect(calls(await reply(afterTea, { tools }))).toMatchObject([{ name: found.name, arguments: { title: 'Cake' } }])
      const said = await reply([...afterTea, ...called(found.name, { title: 'Cake' })], { tools })
      expect(text(said)).toContain('So be it.')
      expect(calls(said)).toEqual([])
    })

    it('looks for the tool of a plain sentence', async () => {
      const [first] = calls(await reply([asks('add 2 and 3')], { tools: [search, reading] }))
      expect(first).toMatchObject({ name: 'find_tools', arguments: { query: 'add get-sum sum' } })
      const after = [asks('add 2 and 3'), ...called('find_tools', first?.arguments ?? {})]
      const add = TOOLS[0] as OfferedTool
      expect(calls(await reply(after, { tools: [search, reading, add] }))[0]).toMatchObject({
        name: add.name,
        arguments: { a: 2, b: 3 },
      })
    })

    it('says that there is none when it found none, and does not look twice', async () => {
      const [first] = calls(await reply([asks('use nothing-like-it')], { tools: [search, reading] }))
      const after = [asks('use nothing-like-it'), ...called('find_tools', first?.arguments ?? {})]
      const said = await reply(after, { tools: [search, reading] })
      expect(calls(said)).toEqual([])
      expect(text(said)).toContain('No tool called nothing-like-it')
      expect(text(said)).not.toContain('read_result')
    })
  })

  it('answers sampling with one sentence that quotes the last message', async () => {
    const said = await reply('capital of France?', { purpose: 'sampling', tools: [] })
    expect(text(said)).toBe('The Demo model is not an AI. It read: “capital of France?”.')
  })

  it('stops streaming when told to', async () => {
    const controller = new AbortController()
    const clock = new ManualClock()
    const request = {
      model: 'demo',
      system: '',
      tools: [],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'count to 9' }] }],
    } as const
    const stream = createDemoProvider({ clock }).stream(request, controller.signal)[Symbol.asyncIterator]()
    const first = stream.next()
    clock.advance(12)
    expect(await first).toMatchObject({ value: { type: 'text', text: '1 ' } })
    const second = stream.next()
    controller.abort(new DOMException('stopped', 'AbortError'))
    await expect(second).rejects.toMatchObject({ name: 'AbortError' })
    expect(clock.pending).toBe(0)
  })
})
