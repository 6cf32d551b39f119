import { describe, expect, it } from 'vitest'
import { connectScripted, settled } from '../../e2e/servers/linked/connect-scripted.ts'
import { until } from '../../e2e/support/until.ts'
import { DEFAULT_LIMITS } from '../protocol/shapes/limits.ts'

const ALL = { capabilities: { tools: { listChanged: true }, resources: { listChanged: true }, prompts: { listChanged: true } } }
const EMPTY = {
  'tools/list': () => ({ tools: [] }),
  'resources/list': () => ({ resources: [] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'prompts/list': () => ({ prompts: [] }),
}
const TOOLS = { capabilities: { tools: {} } }
const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: 'object' }, ...more })

/** Pages by cursor; the first has the key `first`. */
function paged(pages: Record<string, { tools: unknown[]; nextCursor?: unknown }>) {
  return (params: Record<string, unknown>) => {
    const page = pages[String(params.cursor ?? 'first')]
    if (!page) throw { code: -32602, message: 'Invalid cursor' }
    return page
  }
}

async function catalogOf(reply: (params: Record<string, unknown>) => unknown, more: object = {}) {
  const session = await connectScripted({ ...TOOLS, ...more, replies: { 'tools/list': reply } })
  await session.client.catalog.load(session.options.signal)
  return session
}

describe('a list', () => {
  it('is read to its end over all its pages, for each kind (PAGE-01, PAGE-04, PROMPT-04)', async () => {
    const two = (key: string, entry: (at: number) => object) => (params: Record<string, unknown>) =>
      params.cursor === undefined ? { [key]: [entry(1)], nextCursor: 'more' } : { [key]: [entry(2)] }
    await using session = await connectScripted({
      ...ALL,
      replies: {
        'tools/list': two('tools', (at) => tool(`t${at}`)),
        'resources/list': two('resources', (at) => ({ uri: `r:${at}`, name: `r${at}` })),
        'resources/templates/list': two('resourceTemplates', (at) => ({ uriTemplate: `r:{${at}}`, name: `r${at}` })),
        'prompts/list': two('prompts', (at) => ({ name: `p${at}` })),
      },
    })
    await session.client.catalog.load(session.options.signal)
    const { value } = session.client.catalog
    expect([value.tools.length, value.resources.length, value.templates.length, value.prompts.length]).toEqual([2, 2, 2, 2])
    expect(value.problems).toEqual([])
  })

  it('passes cursors on as they are, even an empty one, and sends none first (PAGE-02, PAGE-06, TRAP-60)', async () => {
    const cursor = ' =%00\u{1f600}"\\/ '
    await using session = await catalogOf(
      paged({ first: { tools: [], nextCursor: cursor }, [cursor]: { tools: [], nextCursor: '' }, '': { tools: [tool('last')] } }),
    )
    expect(session.server.got('tools/list').map(({ params }) => params)).toEqual([undefined, { cursor }, { cursor: '' }])
    expect(session.client.catalog.value.tools).toHaveLength(1)
  })

  it('may have pages of any size, even empty ones (PAGE-05, PAGE-07)', async () => {
    const some = (count: number, from: string) => Array.from({ length: count }, (_, at) => tool(`${from}${at}`))
    await using session = await catalogOf(
      paged({
        first: { tools: some(5, 'a'), nextCursor: '1' },
        '1': { tools: some(1, 'b'), nextCursor: '2' },
        '2': { tools: [], nextCursor: '3' },
        '3': { tools: some(9, 'c'), nextCursor: null },
      }),
    )
    expect(session.client.catalog.value.tools).toHaveLength(15)
  })

  it('starts over once when its cursor is no longer valid (PAGE-08)', async () => {
    let expired = true
    await using session = await catalogOf((params) => {
      if (params.cursor === undefined) return { tools: [tool('a')], nextCursor: 'x' }
      if (!expired) return { tools: [tool('b')] }
      expired = false
      throw { code: -32602, message: 'Invalid cursor' }
    })
    expect(session.client.catalog.value.tools.map(({ tool: { name } }) => name)).toEqual(['a', 'b'])
    expect(session.client.catalog.value.problems).toEqual([])
  })

  it('is given up when its cursor is invalid again, and the last good list stays (PAGE-08)', async () => {
    let good = true
    await using session = await catalogOf((params) => {
      if (params.cursor === undefined) return good ? { tools: [tool('a')] } : { tools: [tool('b')], nextCursor: 'x' }
      throw { code: -32602, message: 'Invalid cursor' }
    })
    good = false
    await session.client.catalog.refresh()
    const { tools, problems } = session.client.catalog.value
    expect(tools.map(({ tool: { name } }) => name)).toEqual(['a'])
    expect(problems).toEqual([expect.stringContaining('-32602')])
    expect(session.server.got('tools/list')).toHaveLength(5)
  })

  it('ends at a repeated cursor, too many pages or too many entries, and says so (PAGE-09)', async () => {
    await using loop = await catalogOf(() => ({ tools: [], nextCursor: 'again' }))
    expect(loop.client.catalog.value.problems).toEqual([expect.stringContaining('same cursor twice')])
    let page = 0
    const limits = { ...DEFAULT_LIMITS, maxPages: 7 }
    await using endless = await catalogOf(() => ({ tools: [tool(`t${page}`)], nextCursor: String(page++) }), { limits })
    expect(endless.server.got('tools/list')).toHaveLength(7)
    expect(endless.client.catalog.value.tools).toHaveLength(7)
    expect(endless.client.catalog.value.problems).toEqual([expect.stringContaining('first 7 pages')])
    const many = { ...DEFAULT_LIMITS, maxItems: 3 }
    await using long = await catalogOf(() => ({ tools: [tool(`t${page}`), tool(`u${page}`)], nextCursor: String(page++) }), {
      limits: many,
    })
    expect(long.client.catalog.value.tools).toHaveLength(3)
    expect(long.client.catalog.value.problems).toEqual([expect.stringContaining('first 3 entries')])
  })

  it.each([
    ['tools', 'tools/list', 'tools', 'tools', tool],
    ['resources', 'resources/list', 'resources', 'resources', (name: string) => ({ uri: `r:${name}`, name })],
    ['templates', 'resources/templates/list', 'resourceTemplates', 'resources', (name: string) => ({ uriTemplate: name, name })],
    ['prompts', 'prompts/list', 'prompts', 'prompts', (name: string) => ({ name })],
  ] as const)('of %s is read again when it changes while it is read (PAGE-10)', async (noun, method, key, capability, entry) => {
    let changed = false
    await using session = await connectScripted({ capabilities: { [capability]: { listChanged: true } }, replies: { ...EMPTY } })
    session.server.replies[method] = (params) => {
      if (params.cursor !== undefined) return { [key]: [entry('old')] }
      if (changed) return { [key]: [entry('new')] }
      changed = true
      session.server.notify(`notifications/${capability}/list_changed`)
      return { [key]: [entry('old')], nextCursor: 'x' }
    }
    await session.client.catalog.load(session.options.signal)
    expect(JSON.stringify(session.client.catalog.value[noun])).toContain('"new"')
    expect(JSON.stringify(session.client.catalog.value[noun])).not.toContain('"old"')
  })

  it('that changes at every read is still read, less and less often (PAGE-10)', async () => {
    await using session = await connectScripted(TOOLS)
    session.server.replies['tools/list'] = () => {
      session.server.notify('notifications/tools/list_changed')
      return { tools: [tool('a')] }
    }
    await session.client.catalog.load(session.options.signal)
    for (let at = 0; at < 600; at++) {
      session.clock.advance(100)
      await settled()
    }
    expect(session.client.catalog.value.tools).toHaveLength(1)
    expect(session.server.got('tools/list').length).toBeLessThan(60)
  })

  it('keeps the first of two entries with the same key, and says so (PAGE-10, TOOL-30, RES-29)', async () => {
    await using session = await connectScripted({
      ...ALL,
      replies: {
        ...EMPTY,
        'tools/list': () => ({ tools: [tool('a', { description: 'first' }), tool('a', { description: 'second' })] }),
        'resources/list': () => ({ resources: ['first', 'second'].map((name) => ({ uri: 'r:1', name })) }),
        'resources/templates/list': () => ({
          resourceTemplates: ['first', 'second'].map((name) => ({ uriTemplate: 'r:{n}', name })),
        }),
        'prompts/list': () => ({ prompts: ['first', 'second'].map((description) => ({ name: 'p', description })) }),
      },
    })
    await session.client.catalog.load(session.options.signal)
    const { tools, resources, templates, prompts, problems } = session.client.catalog.value
    expect(tools.map(({ tool: { description } }) => description)).toEqual(['first'])
    expect(resources.map(({ name }) => name)).toEqual(['first'])
    expect(templates.map(({ name }) => name)).toEqual(['first'])
    expect(prompts.map(({ description }) => description)).toEqual(['first'])
    expect(problems).toHaveLength(4)
  })

  it('accepts resources of any scheme, and reports an invalid address (RES-20)', async () => {
    const good = ['file:///a%20b', 'git://x/y', 'x-own+1.2:thing', 'demo://resource/ü', 'urn:isbn:1']
    const bad = ['no scheme', '/etc/passwd', '1a:b', ':b', 'file:///a b', 'a:b\nc', '']
    const resources = [...good, ...bad].map((uri) => ({ uri, name: 'n' }))
    await using session = await connectScripted({
      ...ALL,
      replies: { ...EMPTY, 'resources/list': () => ({ resources }) },
    })
    await session.client.catalog.load(session.options.signal)
    const { value } = session.client.catalog
    expect(value.resources.map(({ uri }) => uri)).toEqual(good)
    expect(value.problems).toHaveLength(bad.length)
    expect(value.problems[1]).toContain('“/etc/passwd”')
  })

  it('loses only the entries that lack a required field (SCHEMA-02)', async () => {
    const tools = [tool('a'), { inputSchema: { type: 'object' } }, 'junk', null, tool('b', { title: 5, icons: 'x', _meta: [] })]
    await using session = await catalogOf(() => ({ tools }))
    expect(session.client.catalog.value.tools).toEqual([{ tool: tool('a') }, { tool: tool('b') }])
    expect(session.client.catalog.value.problems).toHaveLength(3)
  })

  it('in a wrong shape leaves the last good one, with a problem in plain words', async () => {
    let reply: unknown = { tools: [tool('a')] }
    await using session = await catalogOf(() => reply)
    reply = { tools: 'none' }
    await session.client.catalog.refresh()
    expect(session.client.catalog.value.tools).toHaveLength(1)
    expect(session.client.catalog.value.problems).toEqual([expect.stringContaining('tools must be an array')])
    reply = { tools: [] }
    await session.client.catalog.refresh()
    expect(session.client.catalog.value).toMatchObject({ tools: [], problems: [] })
  })

  it('reports no failure when a server has resources but no templates', async () => {
    const { 'resources/templates/list': _, ...replies } = EMPTY
    await using session = await connectScripted({ capabilities: { resources: {} }, replies })
    await session.client.catalog.load(session.options.signal)
    expect(session.client.catalog.value.problems).toEqual([])
  })

  it('offers templates in 2025-03-26, whose schema omits them (SCHEMA-24, TRAP-53, TRAP-52)', async () => {
    await using session = await connectScripted({
      capabilities: { resources: {} },
      speaks: '2025-03-26',
      replies: {
        'resources/list': () => ({ resources: [{ uri: 'r:1', name: 'r', size: 7 }] }),
        'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'r:{id}', name: 'r' }] }),
      },
    })
    await session.client.catalog.load(session.options.signal)
    expect(session.client.catalog.value.templates).toEqual([{ uriTemplate: 'r:{id}', name: 'r' }])
    expect(session.client.catalog.value.resources[0]?.size).toBe(7)
  })
})

describe('a changed list', () => {
  it.each([
    ['tools', 'tools/list'],
    ['resources', 'resources/list'],
    ['prompts', 'prompts/list'],
  ])('of %s is read again, once for a burst (TOOL-29, RES-13, PROMPT-11)', async (noun, method) => {
    await using session = await connectScripted({ ...ALL, replies: EMPTY })
    let changes = 0
    session.client.catalog.onChange.on(() => changes++)
    for (let at = 0; at < 100; at++) session.server.notify(`notifications/${noun}/list_changed`)
    await settled()
    session.clock.advance(100)
    await session.server.waitFor(method)
    await until(() => changes)
    expect(session.server.got(method)).toHaveLength(1)
  })

  it('is waited for only as long as the caller allows, and read to its end', async () => {
    await using session = await connectScripted({ ...TOOLS, replies: { 'tools/list': () => undefined } })
    const controller = new AbortController()
    const [gone, stays] = [session.client.catalog.load(controller.signal), session.client.catalog.refresh()]
    controller.abort(new Error('enough'))
    await expect(gone).rejects.toThrow('enough')
    const [asked, ...more] = await session.server.waitFor('tools/list')
    session.server.send({ jsonrpc: '2.0', id: asked?.id, result: { tools: [tool('a')] } })
    await stays
    expect(more).toEqual([])
    expect(session.client.catalog.value.tools).toHaveLength(1)
  })

  it('gets a new version', async () => {
    let tools = [tool('a')]
    await using session = await catalogOf(() => ({ tools }))
    const before = session.client.catalog.value
    tools = [tool('a'), tool('b')]
    await session.client.catalog.refresh()
    expect(session.client.catalog.value.version).toBeGreaterThan(before.version)
    expect(before.tools).toHaveLength(1)
  })

  it('keeps no cursor across a reconnect (PAGE-03)', async () => {
    for (let at = 0; at < 2; at++) {
      await using session = await catalogOf(() => ({ tools: [], nextCursor: 'same' }))
      expect(session.server.got('tools/list')[0]).not.toHaveProperty('params')
    }
  })
})

describe('a declared list', () => {
  it('is empty without a problem when the server does not know its method', async () => {
    const unknown = () => {
      throw { code: -32601, message: 'Method not found' }
    }
    await using session = await connectScripted({
      ...ALL,
      replies: { ...EMPTY, 'prompts/list': unknown, 'resources/list': unknown, 'tools/list': () => ({ tools: [tool('a')] }) },
    })
    await session.client.catalog.load(session.options.signal)
    expect(session.client.catalog.value).toMatchObject({ tools: [{}], prompts: [], resources: [], problems: [] })
  })
})

describe('a tool', () => {
  it('can be called when its schemas lack only their type', async () => {
    const schema = { properties: { a: { type: 'string' } } }
    await using session = await catalogOf(() => ({ tools: [{ name: 'a', inputSchema: schema, outputSchema: schema }] }), {
      speaks: '2025-11-25',
    })
    const [only] = session.client.catalog.value.tools
    expect(only).toMatchObject({
      tool: { inputSchema: { ...schema, type: 'object' }, outputSchema: { ...schema, type: 'object' } },
    })
    expect(only).not.toHaveProperty('unusable')
  })

  it.each([
    ['a schema of another type', { type: 'string' }],
    ['no schema', undefined],
    ['a schema that is no object', 'object'],
  ])('with %s is listed as unusable (TOOL-17)', async (_, inputSchema) => {
    await using session = await catalogOf(() => ({ tools: [{ name: 'a', inputSchema }, tool('b')] }))
    const { tools } = session.client.catalog.value
    expect(tools[0]).toMatchObject({ tool: { name: 'a' }, unusable: expect.any(String) })
    expect(tools[1]).not.toHaveProperty('unusable')
  })

  it('is unusable when a schema is nested too deep, and the others are not affected (TOOL-18)', async () => {
    let deep: object = { type: 'string' }
    for (let at = 0; at < 500; at++) deep = { type: 'object', properties: { deep } }
    await using session = await catalogOf(() => ({ tools: [{ name: 'a', inputSchema: deep }] }))
    expect(session.client.catalog.value.tools[0]?.unusable).toContain('nested')
  })

  it('needs no description (TOOL-31)', async () => {
    await using session = await catalogOf(() => ({ tools: [tool('a'), tool('b', { description: 7 })] }))
    expect(session.client.catalog.value.tools).toEqual([{ tool: tool('a') }, { tool: tool('b') }])
  })

  it('loses the hints, schemas and icons that its revision does not define (SCHEMA-20, SCHEMA-02)', async () => {
    const full = tool('a', {
      title: 'A',
      annotations: { title: 'B', readOnlyHint: true, destructiveHint: 'no' },
      outputSchema: { type: 'object' },
      icons: [{ src: 'https://x/y.png' }, { src: 'javascript:alert(1)' }],
      execution: { taskSupport: 'optional' },
      _meta: { a: 1 },
    })
    const seen: Record<string, string[]> = {}
    for (const speaks of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
      await using session = await catalogOf(() => ({ tools: [full] }), { speaks })
      const entry = session.client.catalog.value.tools[0]?.tool
      seen[speaks] = Object.keys(entry ?? {}).sort()
      if (speaks === '2025-11-25') {
        expect(entry?.annotations).toEqual({ title: 'B', readOnlyHint: true })
        expect(entry?.icons).toEqual([{ src: 'https://x/y.png' }])
      }
    }
    const first = ['inputSchema', 'name']
    const june = ['_meta', 'annotations', 'inputSchema', 'name', 'outputSchema', 'title']
    expect(seen).toEqual({
      '2024-11-05': first,
      '2025-03-26': ['annotations', ...first],
      '2025-06-18': june,
      '2025-11-25': [...june, 'execution', 'icons'].sort(),
    })
  })
})
