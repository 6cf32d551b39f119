import { describe, expect, it } from 'vitest'
import { connectScripted } from '../../e2e/servers/linked/connect-scripted.ts'
import { toolTitle } from '../../src-shared/mcp/primitives.ts'

const ALL = { tools: {}, resources: {}, prompts: {}, completions: {} }
const discovering = (more: object) => ({ supportedVersions: ['2026-07-28'], capabilities: ALL, ...more })
const TEXT = { type: 'text', text: 'hi' }

async function callWith(result: object, tool: object = {}) {
  const listed = { name: 'a', inputSchema: { type: 'object' }, ...tool }
  await using session = await connectScripted({
    modern: true,
    capabilities: ALL,
    replies: { 'tools/list': () => ({ tools: [listed] }), 'tools/call': () => result },
  })
  await session.client.catalog.load(session.options.signal)
  return await session.client.callTool('a', {}, session.options)
}

async function listedAs(...tools: object[]) {
  await using session = await connectScripted({ modern: true, capabilities: ALL, replies: { 'tools/list': () => ({ tools }) } })
  await session.client.catalog.load(session.options.signal)
  return session.client.catalog.value
}

describe('structured content of 2026-07-28', () => {
  it.each([
    ['null', null],
    ['false', false],
    ['zero', 0],
    ['an empty text', ''],
    ['an array', [1, { a: null }]],
    ['an object', { a: 1 }],
  ])('may be %s, and is kept (V26-TOOL-1)', async (_, structuredContent) => {
    const result = await callWith({ content: [], structuredContent }, { outputSchema: {} })
    expect(result.structuredContent).toEqual(structuredContent)
    expect(result.warnings).toEqual([])
  })

  it('is missed only when it is absent (V26-TOOL-1)', async () => {
    const result = await callWith({ content: [TEXT] }, { outputSchema: { type: 'null' } })
    expect(result.warnings).toEqual([expect.stringContaining('promised structured content')])
  })

  it.each([
    ['an array', { type: 'array', items: { type: 'integer' } }, [1, 2], ['a']],
    ['a text', { type: 'string' }, 'x', 5],
    ['null', { type: 'null' }, null, false],
    ['one of several', { anyOf: [{ type: 'boolean' }, { type: 'number' }] }, false, 'x'],
    ['anything but nothing', { not: { type: 'null' } }, 0, null],
  ])('is checked against a schema of %s (V26-TOOL-2, V26-TOOL-3)', async (_, outputSchema, right, wrong) => {
    expect((await callWith({ content: [], structuredContent: right }, { outputSchema })).structuredContent).toEqual(right)
    const broken = await callWith({ content: [], structuredContent: wrong }, { outputSchema })
    expect('structuredContent' in broken).toBe(false)
    expect(broken.warnings).toEqual([expect.stringContaining('breaks the tool’s own schema')])
  })

  it('is left out when its schema refers elsewhere: nothing is fetched or passed unchecked (V26-SCHEMA-2)', async () => {
    for (const $ref of ['https://example.com/schema.json', 'other.json', '#/$defs/missing']) {
      const result = await callWith({ content: [TEXT], structuredContent: 5 }, { outputSchema: { $ref } })
      expect('structuredContent' in result).toBe(false)
      expect(result.warnings).toEqual([expect.stringContaining($ref)])
    }
  })
})

describe('a tool of 2026-07-28', () => {
  const schemas = [
    { type: 'array', items: { type: 'string' } },
    { oneOf: [{ type: 'string' }, { type: 'null' }] },
    { description: 'anything', 'x-own': { deep: [1] } },
  ]

  it.each(schemas)('keeps its output schema as it is: %j (V26-TOOL-2)', async (outputSchema) => {
    const input = { type: 'object', properties: {}, oneOf: [{ required: [] }], 'x-own': 1, $comment: 'kept' }
    const { tools } = await listedAs({ name: 'a', inputSchema: input, outputSchema })
    expect(tools).toEqual([{ tool: { name: 'a', inputSchema: input, outputSchema } }])
  })

  it('needs an input schema of type object (V26-TOOL-2)', async () => {
    const { tools } = await listedAs(
      { name: 'a', inputSchema: { type: 'array' } },
      { name: 'b', inputSchema: { type: 'object' } },
    )
    expect(tools.map(({ unusable }) => unusable === undefined)).toEqual([false, true])
  })

  it('may declare any execution: it is called as any other (V26-TOOL-10)', async () => {
    const { tools } = await listedAs({ name: 'a', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } })
    expect(tools).toEqual([{ tool: { name: 'a', inputSchema: { type: 'object' } } }])
  })

  it('is shown by its title, else its annotations’ title, else its name (V26-TOOL-11)', async () => {
    const tool = { name: 'a', inputSchema: { type: 'object' } }
    const { tools } = await listedAs(
      { ...tool, title: 'One', annotations: { title: 'Two' } },
      { ...tool, name: 'b', annotations: { title: 'Two' } },
      { ...tool, name: 'c', title: '', annotations: { title: '' } },
    )
    expect(tools.map((entry) => toolTitle(entry.tool))).toEqual(['One', 'Two', 'c'])
  })

  it('has a result even when that is an error, and none after a protocol error (V26-TOOL-8)', async () => {
    const failed = await callWith({ content: [TEXT], isError: true }, { outputSchema: { type: 'string' } })
    expect(failed).toMatchObject({ isError: true, content: [TEXT], warnings: [] })
    await using session = await connectScripted({
      modern: true,
      capabilities: ALL,
      replies: {
        'tools/call': () => {
          throw { code: -32602, message: 'no such tool' }
        },
      },
    })
    await expect(session.client.callTool('a', {}, session.options)).rejects.toMatchObject({ code: -32602 })
  })

  it.each([
    ['an address', { $ref: 'https://example.com/schema.json' }],
    ['another file', { $ref: 'other.json#/a' }],
    ['nowhere', { $ref: '#/$defs/none' }],
    ['no anchor of its own', { $ref: '#none' }],
  ])('cannot be called when its input refers to %s, which is reported (V26-SCHEMA-2)', async (_, a) => {
    const { tools } = await listedAs({ name: 'a', inputSchema: { type: 'object', properties: { a } } })
    expect(tools[0]?.unusable).toContain(a.$ref)
  })

  it.each([
    ['itself', { $ref: '#' }, {}],
    ['a definition', { $ref: '#/$defs/a' }, { $defs: { a: { type: 'string' } } }],
    ['an odd name', { $ref: '#/$defs/a~1b%20~0' }, { $defs: { 'a/b ~': {} } }],
    ['an anchor', { $ref: '#here' }, { $defs: { a: { $anchor: 'here' } } }],
    ['data that looks like it', { const: { $ref: 'https://example.com/' } }, {}],
    ['a property of that name', { type: 'object', properties: { $ref: { type: 'string' } } }, {}],
  ])('can be called when its input refers to %s (V26-SCHEMA-2)', async (_, a, more) => {
    const { tools } = await listedAs({ name: 'a', inputSchema: { type: 'object', properties: { a }, ...more } })
    expect(tools[0]?.unusable).toBeUndefined()
  })
})

describe('a result of 2026-07-28', () => {
  it('without a type counts as complete, and is reported (V26-ERR-1)', async () => {
    await using session = await connectScripted({ modern: true, capabilities: ALL, replies: { 'tools/call': () => undefined } })
    const call = session.client.callTool('a', {}, session.options)
    const [request] = await session.server.waitFor('tools/call')
    session.server.send({ jsonrpc: '2.0', id: request?.id, result: { content: [TEXT] } })
    expect(await call).toMatchObject({ content: [TEXT], warnings: [expect.stringContaining('does not say its type')] })
  })

  it.each([
    ['of a type that nobody declared', 'partial', 'partial'],
    ['of a type in other letters', 'Complete', 'Complete'],
    ['whose type is null', null, 'null'],
    ['that is a task', 'task', 'task'],
  ])('%s is not valid (V26-ERR-1, V26-ERR-6)', async (_, resultType, said) => {
    const refused = callWith({ resultType, content: [TEXT] })
    await expect(refused).rejects.toMatchObject({ code: 'invalid-result', message: expect.stringContaining(said) })
  })

  it('that is a task names the server’s wish (V26-ERR-6)', async () => {
    await expect(callWith({ resultType: 'task', taskId: '1' })).rejects.toThrow('wants to run it as a task')
  })

  it('may have unknown members (V26-SCHEMA-5)', async () => {
    const odd = { content: [{ ...TEXT, new: { a: 1 } }], later: [null], _meta: { 'a/b': { c: 1 } } }
    expect(await callWith(odd)).toMatchObject(odd)
    const { tools } = await listedAs({ name: 'a', inputSchema: { type: 'object' }, later: { a: 1 }, annotations: { soon: true } })
    expect(tools).toEqual([{ tool: expect.objectContaining({ name: 'a', annotations: { soon: true } }) }])
  })

  it('is not believed about reserved keys (V26-META-7, V26-META-9)', async () => {
    for (const serverInfo of [5, null, [], { name: 5 }, { name: 'x' }, { version: '1' }]) {
      const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo, 'io.modelcontextprotocol/subscriptionId': { a: 1 } }
      await using session = await connectScripted({ modern: true, replies: { 'server/discover': () => discovering({ _meta }) } })
      expect(session.client.hello.serverInfo).toBeUndefined()
    }
  })

  it('names the server under its own key, or as drafts did, or not at all (V26-META-9)', async () => {
    const info = { name: 'S', version: '1' }
    const named = async (discovery: Record<string, unknown>) => {
      await using session = await connectScripted({ modern: true, replies: { 'server/discover': () => discovering(discovery) } })
      return session.client.hello.serverInfo
    }
    expect(await named({ _meta: { 'io.modelcontextprotocol/serverInfo': info } })).toEqual(info)
    expect(await named({ serverInfo: info })).toEqual(info)
    expect(
      await named({ _meta: { 'io.modelcontextprotocol/serverInfo': info }, serverInfo: { name: 'T', version: '2' } }),
    ).toEqual(info)
    expect(await named({})).toBeUndefined()
  })
})

describe('errors of 2026-07-28', () => {
  it.each([-32000, -32001, -32005, -32010, -32019, -32042])('of code %i mean only what they say (V26-ERR-2)', async (code) => {
    let asked = 0
    const elicit = async () => {
      asked += 1
      return { action: 'cancel' } as const
    }
    await using session = await connectScripted({
      modern: true,
      capabilities: ALL,
      features: { elicitation: { url: true, elicit } },
      replies: {
        'tools/call': () => {
          throw { code, message: 'odd', data: { elicitations: [], requiredCapabilities: {}, supported: [] } }
        },
      },
    })
    await expect(session.client.callTool('a', {}, session.options)).rejects.toMatchObject({ code, message: 'odd' })
    expect(session.server.got('tools/call')).toHaveLength(1)
    expect(asked).toBe(0)
  })
})
