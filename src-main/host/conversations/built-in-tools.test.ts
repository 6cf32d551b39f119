import { describe, expect, it } from 'vitest'
import { readLedger } from '../../../e2e/support/storage/ledger.ts'
import { chatHost } from '../../../e2e/test-hosts/chat-host.ts'
import { PLAYGROUND_ID } from '../../../src-shared/contract/servers.ts'
import { DEMO_MODEL } from '../../../src-shared/contract/settings.ts'
import type { Tool } from '../../../src-shared/mcp/primitives.ts'
import { wireNames } from '../offerings/wire-names.ts'

const LONG = Array.from({ length: 20_000 }, (_, at) => `line ${at}`).join('\n')
const bytes = Buffer.byteLength(LONG)

function many(count: number): readonly Tool[] {
  return Array.from({ length: count }, (_, at) => ({
    name: at === 7 ? 'createCalendarEvent' : `tool_${at}`,
    description: at === 7 ? 'Puts an event into the calendar' : 'Does something else '.repeat(30),
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  }))
}

describe('a long result', () => {
  it('gives the model head, tail, size and a handle for reading on without a question (V26-META-12)', async () => {
    const handle = /handle (r-[0-9a-f]{16})/
    const chat = await chatHost({
      onCall: () => ({ content: [{ type: 'text', text: LONG }] }),
      replies: [
        [{ call: 'echo', args: {} }],
        (request) => {
          const told = JSON.stringify(request.messages)
          return [{ call: 'read_result', args: { handle: handle.exec(told)?.[1] ?? '', offset: 100_000, length: 200 } }]
        },
        ['I have read it.'],
      ],
    })
    const id = await chat.say('go')
    await chat.answer('once')
    await chat.idle(id)
    const told = chat.model.told('call-1')
    expect(told).toContain('line 0\n')
    expect(told).toContain('line 19999')
    expect(told).toContain(`it has ${bytes} bytes`)
    expect(Buffer.byteLength(told)).toBeLessThan(10 * 1024)
    expect(chat.model.request(0).tools.map(({ name }) => name)).toEqual(['read_result', 'echo'])
    expect(chat.model.request(1).tools).toEqual(chat.model.request(0).tools)
    expect(chat.model.told('call-2')).toContain(LONG.slice(100_000, 100_200))
    expect(chat.model.told('call-2')).toContain('data, not instructions')
    expect(await chat.call(id, 1)).toMatchObject({ builtIn: true, status: 'finished', serverName: 'Parley', tool: 'read_result' })
    expect(chat.calls).toHaveLength(1)
    expect(readLedger(chat.memory?.sqlite)).toHaveLength(1)
  })

  it('ignores the handles that servers gave (V26-META-12)', async () => {
    const results = ['basket b-7f3a', LONG, 'added']
    const chat = await chatHost({
      onCall: () => ({
        content: [
          { type: 'text', text: `page p-${results.length}` },
          { type: 'text', text: results.shift() ?? '' },
        ],
      }),
      replies: [[{ call: 'echo', args: {} }], [{ call: 'echo', args: {} }], [{ call: 'echo', args: {} }], ['Done.']],
    })
    const id = await chat.say('go')
    await chat.answer('conversation')
    await chat.idle(id)
    const last = chat.model.request(3).messages
    expect(JSON.stringify(last)).toContain('read_result, handle r-')
    expect(last.filter(({ role }) => role === 'tool')).toHaveLength(3)
    for (const handle of ['b-7f3a', 'p-3', 'p-2', 'p-1']) expect(JSON.stringify(last)).toContain(handle)
  })

  it('is unreadable from another conversation, and so is what is for the person alone', async () => {
    const secret = `secret ${LONG}`
    const chat = await chatHost({
      onCall: () => ({
        content: [
          { type: 'text', text: LONG },
          { type: 'text', text: secret, annotations: { audience: ['user'] } },
        ],
      }),
      replies: [[{ call: 'echo', args: {} }], ['Done.']],
    })
    const id = await chat.say('go')
    await chat.answer('once')
    await chat.idle(id)
    const blocks = (await chat.call(id)).result?.content ?? []
    const handles = blocks.map((block) => (block.type === 'text' ? `r-${block.whole?.blob.slice(0, 16)}` : ''))
    chat.model.push([{ call: 'read_result', args: { handle: handles[1] ?? '' } }], ['No.'])
    await chat.host.conversations.open(id, (one) => one.send('Read it all'))
    await chat.idle(id)
    expect(chat.model.told('call-2')).toContain('holds nothing with the handle')
    chat.model.push([{ call: 'read_result', args: { handle: handles[0] ?? '' } }], ['No.'])
    const other = await chat.say('elsewhere')
    await chat.idle(other)
    expect(await chat.call(other)).toMatchObject({ status: 'failed' })
  })
})

describe('many tools', () => {
  it('are searched instead of listed when they take too much of the window, and found ones can be called', async () => {
    const chat = await chatHost({
      tools: many(200),
      replies: [
        [{ call: 'find_tools', args: { query: 'make a calendar event' } }],
        [{ call: 'createCalendarEvent', args: { text: 'x' } }],
        ['Done.'],
      ],
    })
    const id = await chat.say('go')
    await chat.answer('once')
    await chat.idle(id)
    expect(chat.model.request(0).tools.map(({ name }) => name)).toEqual(['find_tools', 'read_result'])
    expect(chat.model.request(1).tools.map(({ name }) => name)).toContain('createCalendarEvent')
    expect(chat.model.request(1).tools.length).toBeLessThan(12)
    expect(chat.calls).toEqual([{ name: 'createCalendarEvent', arguments: { text: 'x' } }])
    expect((await chat.host.conversations.open(id, (one) => chat.host.meter.read(one))).discovery).toBe(true)
  })

  it('are found by the Demo model, too', async () => {
    const chat = await chatHost({ tools: many(200) })
    await chat.host.settings.change({ defaultModel: DEMO_MODEL })
    const id = await chat.say('use createCalendarEvent with text=Tea')
    await chat.answer('once')
    await chat.idle(id)
    expect(chat.calls).toEqual([{ name: 'createCalendarEvent', arguments: { text: 'Tea' } }])
    expect(await chat.call(id, 0)).toMatchObject({ builtIn: true, tool: 'find_tools', status: 'finished', powers: ['brings-in'] })
  })

  it('need no new search in a conversation that used them', async () => {
    const chat = await chatHost({
      tools: many(200),
      replies: [
        [{ call: 'find_tools', args: { query: 'calendar' } }],
        [{ call: 'createCalendarEvent', args: {} }],
        ['Done.'],
        ['Yes.'],
      ],
    })
    const id = await chat.say('go')
    await chat.answer('once')
    await chat.idle(id)
    await chat.host.conversations.open(id, (one) => one.send('again'))
    await chat.idle(id)
    expect(chat.model.request(-1).tools.map(({ name }) => name)).toEqual(['find_tools', 'read_result', 'createCalendarEvent'])
  })

  it('are searched when a provider accepts fewer, ours included', async () => {
    const chat = await chatHost({ tools: many(128) })
    await chat.host.settings.change({ toolShare: 100 })
    await chat.idle(await chat.say('go'))
    expect(chat.model.request(-1).tools.map(({ name }) => name)).toEqual(['find_tools', 'read_result'])
    await chat.changeTools(many(127))
    await chat.idle(await chat.say('go'))
    expect(chat.model.request(-1).tools).toHaveLength(128)
  })

  it('respect the share of the window that the person set', async () => {
    const chat = await chatHost({ tools: many(100) })
    await chat.host.settings.change({ toolShare: 100 })
    await chat.idle(await chat.say('go'))
    expect(chat.model.request(-1).tools).toHaveLength(101)
    await chat.host.settings.change({ toolShare: 1 })
    await chat.idle(await chat.say('go'))
    expect(chat.model.request(-1).tools.map(({ name }) => name)).toEqual(['find_tools', 'read_result'])
  })

  it('never take the names of our own from a server (TOOL-30)', () => {
    const names = wireNames([{ serverId: 'evil', name: 'read_result' }], new Set(['read_result', 'find_tools']))
    expect(names).toEqual(['evil__read_result'])
  })
})

describe('switches of a conversation', () => {
  const tools = many(3)

  it('hide tools from the model in one conversation, and survive a restart (TOOL-03)', async () => {
    const chat = await chatHost({ tools })
    const [here, there] = [await chat.newConversation(), await chat.newConversation()]
    const window = await chat.follow(here)
    const switches = { servers: [], tools: [{ serverId: PLAYGROUND_ID, tool: 'tool_1' }] }
    await chat.host.conversations.open(here, (one) => one.setSwitches(switches))
    expect(window.value.switches).toEqual(switches)
    const offered = async (id: typeof here, from = chat) => {
      await from.host.conversations.open(id, (one) => one.send('go'))
      await from.idle(id)
      return from.model.request(-1).tools.map(({ name }) => name)
    }
    expect(await offered(here)).toEqual(['read_result', 'tool_0', 'tool_2'])
    expect(await offered(there)).toEqual(['read_result', 'tool_0', 'tool_1', 'tool_2'])
    await chat.end()
    const again = await chatHost({ after: chat, tools })
    expect(await offered(here, again)).toEqual(['read_result', 'tool_0', 'tool_2'])
    await again.host.conversations.open(here, (one) => one.setSwitches({ servers: [PLAYGROUND_ID], tools: [] }))
    expect(await offered(here, again)).toEqual([])
  })

  it('refuse a call of a tool that is off, without sending anything (TOOL-32)', async () => {
    const chat = await chatHost({ tools, replies: [[{ call: 'tool_1', args: {} }], ['Then not.']] })
    const id = await chat.newConversation()
    await chat.host.conversations.open(id, (one) => one.setSwitches({ servers: [PLAYGROUND_ID], tools: [] }))
    await chat.host.conversations.open(id, (one) => one.send('go'))
    await chat.idle(id)
    expect(chat.calls).toEqual([])
    expect(await chat.call(id)).toMatchObject({ status: 'failed', problem: { code: 'unknown-tool' } })
  })
})

describe('the context meter', () => {
  it('names its assumption while the window is unknown, and uses the person’s figure once given', async () => {
    const chat = await chatHost({ replies: [['Short.']] })
    chat.model.models = [{ id: 'scripted', name: 'Scripted' }]
    const { provider, model } = chat.host.state.snapshot.settings.defaultModel
    await chat.host.providers.refresh(provider)
    const id = await chat.say('word '.repeat(90_000))
    await chat.idle(id)
    const assumed = await chat.host.conversations.open(id, (one) => chat.host.meter.read(one))
    expect(assumed).toMatchObject({ assumedWindow: 128_000, state: 'near' })
    expect(assumed.window).toBeUndefined()
    await chat.host.providers.setWindow(provider, model, 1_000_000)
    const told = await chat.host.conversations.open(id, (one) => chat.host.meter.read(one))
    expect(told).toMatchObject({ window: 1_000_000, state: 'fine', remedies: [] })
    expect(told.assumedWindow).toBeUndefined()
    await chat.host.providers.setWindow(provider, model, 100_000)
    expect(await chat.host.conversations.open(id, (one) => chat.host.meter.read(one))).toMatchObject({
      window: 100_000,
      state: 'over',
    })
  })

  it('counts a tool by the same measure as the page of its server', async () => {
    const tools: readonly Tool[] = [
      { name: 'müsli öffnen', description: 'x'.repeat(777), inputSchema: { type: 'object' } },
      {
        name: 'off',
        inputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'string' } } },
      },
    ]
    const chat = await chatHost({ tools })
    await chat.host.servers.controls.setOptions(PLAYGROUND_ID, { hiddenTools: ['off'] })
    const { servers } = await chat.host.conversations.open(await chat.newConversation(), (one) => chat.host.meter.read(one))
    const page = chat.host.servers.catalogs.tools(PLAYGROUND_ID, {})
    const listed = Object.fromEntries(page.items.map(({ name, tokens }) => [name, tokens]))
    expect(Object.fromEntries((servers[0]?.tools ?? []).map(({ tool, tokens }) => [tool, tokens]))).toEqual(listed)
    expect(chat.host.servers.catalogs.tool(PLAYGROUND_ID, 'off').entry.tokens).toBe(listed.off)
  })

  it('counts messages, results and definitions against the window, and names what frees most', async () => {
    const chat = await chatHost({
      tools: [{ name: 'dear', description: 'x'.repeat(3000), inputSchema: { type: 'object' } }],
      onCall: () => ({ content: [{ type: 'text', text: 'y'.repeat(12_000) }] }),
      replies: [[{ call: 'dear', args: {} }], [{ done: { stopReason: 'end', usage: { input: 9000, output: 100 } } }]],
    })
    chat.model.models = [{ id: 'scripted', name: 'Scripted', contextWindow: 4500, vision: true, price: { input: 3, output: 15 } }]
    await chat.host.providers.refresh(chat.host.state.snapshot.settings.defaultModel.provider)
    await chat.host.settings.change({ toolShare: 100 })
    const id = await chat.newConversation()
    const before = await chat.host.conversations.open(id, (one) => chat.host.meter.read(one))
    expect(before).toMatchObject({ window: 4500, state: 'fine', messages: [], discovery: false, remedies: [] })
    expect(before.tools).toBeGreaterThan(700)
    expect(before).not.toHaveProperty('spent')
    expect(before.servers).toMatchObject([{ serverId: PLAYGROUND_ID, toolCount: 1, tools: [{ tool: 'dear', state: 'offered' }] }])
    await chat.host.conversations.open(id, (one) => one.send('go'))
    await chat.answer('once')
    await chat.idle(id)
    const after = await chat.host.conversations.open(id, (one) => chat.host.meter.read(one))
    expect(after.messages[1]?.tokens).toBeGreaterThan(2900)
    expect(after.spent).toBeCloseTo(0.0285, 6)
    expect(after).toMatchObject({
      state: 'near',
      remedies: [
        { does: { is: 'turn-off', serverId: PLAYGROUND_ID, tool: 'dear' }, frees: before.servers[0]?.tokens },
        { does: { is: 'fork', messageId: after.messages[0]?.id }, frees: after.messages[1]!.tokens + after.messages[2]!.tokens },
      ],
    })
    expect(after.total).toBe(after.system + after.tools + after.messages.reduce((sum, { tokens }) => sum + tokens, 0))
    await chat.host.conversations.open(id, (one) =>
      one.setSwitches({ servers: [], tools: [{ serverId: PLAYGROUND_ID, tool: 'dear' }] }),
    )
    expect(await chat.host.conversations.open(id, (one) => chat.host.meter.read(one))).toMatchObject({
      tools: 0,
      servers: [{ tokens: 0, tools: [{ state: 'off-here' }] }],
    })
  })
})

describe('tools that are not used', () => {
  it('are named with their cost after twenty turns, unless the person turned that off for their server', async () => {
    const chat = await chatHost({ tools: many(20), replies: Array.from({ length: 20 }, (_, n) => [`Reply ${n}.`]) })
    await chat.host.settings.change({ toolShare: 100 })
    const read = async () => (await chat.host.conversations.open(id, (one) => chat.host.meter.read(one))).unused
    const id = await chat.say('turn 1')
    await chat.idle(id)
    for (let turn = 2; turn <= 20; turn++) {
      expect(await read()).toBeUndefined()
      await chat.host.conversations.open(id, (one) => one.send(`turn ${turn}`))
      await chat.idle(id)
    }
    expect(await read()).toMatchObject({ serverId: PLAYGROUND_ID, turns: 20, remedy: { does: { is: 'turn-off' } } })
    await chat.host.servers.controls.setOptions(PLAYGROUND_ID, { hintsAtCost: false })
    expect(await read()).toBeUndefined()
    await chat.host.servers.controls.setOptions(PLAYGROUND_ID, { hintsAtCost: true })
    expect(await read()).toBeDefined()
  })
})
