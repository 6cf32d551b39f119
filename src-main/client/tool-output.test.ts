import { describe, expect, it } from 'vitest'
import { connectScripted } from '../../e2e/servers/linked/connect-scripted.ts'
import type { JsonSchemaObject } from '../../src-shared/mcp/primitives.ts'
import { checkValue } from './schema-check.ts'
import { checkArguments } from './tool-output.ts'

const SCHEMA: JsonSchemaObject = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }

async function callWith(result: object, outputSchema: unknown) {
  await using session = await connectScripted({
    capabilities: { tools: {} },
    replies: {
      'tools/list': () => ({ tools: [{ name: 'a', inputSchema: { type: 'object' }, outputSchema }] }),
      'tools/call': () => ({ content: [], ...result }),
    },
  })
  await session.client.catalog.load(session.options.signal)
  return await session.client.callTool('a', {}, session.options)
}

describe('structured content', () => {
  it('that fits the output schema is kept (TOOL-24)', async () => {
    expect(await callWith({ structuredContent: { n: 1 } }, SCHEMA)).toEqual({
      content: [],
      structuredContent: { n: 1 },
      warnings: [],
    })
  })

  it('that breaks it is left out and told (TOOL-24)', async () => {
    const result = await callWith({ structuredContent: { n: 'x' } }, SCHEMA)
    expect(result.structuredContent).toBeUndefined()
    expect(result.warnings).toEqual([expect.stringContaining('n must be integer')])
  })

  it('that was promised and is missing is told, unless the tool failed (TOOL-25, TRAP-47)', async () => {
    expect((await callWith({}, SCHEMA)).warnings).toHaveLength(1)
    expect((await callWith({ isError: true }, SCHEMA)).warnings).toHaveLength(0)
  })

  it.each([
    ['refers to an address', { type: 'object', $ref: 'https://example.com/schema.json' }],
    ['is nonsense', { type: 'object', properties: 5 }],
    ['names an unknown dialect', { $schema: 'https://example.com/mine', type: 'object' }],
  ])('is kept with a warning when its schema %s (TOOL-18, V11-36)', async (_, schema) => {
    const result = await callWith({ structuredContent: { n: 1 } }, schema)
    expect(result.structuredContent).toEqual({ n: 1 })
    expect(result.warnings).toEqual([expect.stringContaining('could not be checked')])
  })
})

describe('arguments', () => {
  it('are held against the input schema, with what is wrong in words', async () => {
    expect(await checkArguments(SCHEMA, { n: 1 })).toEqual([])
    expect(await checkArguments(SCHEMA, {})).toEqual([expect.stringContaining("required property 'n'")])
  })

  it('pass when the schema cannot judge', async () => {
    expect(await checkArguments({ type: 'object', $ref: '#/nowhere' }, {})).toEqual([])
  })
})

describe('a schema', () => {
  it('without a dialect is 2020-12 (V11-34)', async () => {
    const schema = {
      type: 'object',
      properties: { pair: { prefixItems: [{ type: 'string' }, { type: 'number' }], items: false } },
    }
    expect(await checkValue(schema, { pair: ['a', 1] })).toEqual({ is: 'valid' })
    expect(await checkValue(schema, { pair: ['a', 1, 2] })).toMatchObject({ is: 'invalid' })
  })

  it('may be 2020-12, 2019-09 or draft-07 (V11-35)', async () => {
    const pair = (keyword: string) => ({ [keyword]: [{ type: 'string' }] })
    for (const [$schema, keyword] of [
      ['https://json-schema.org/draft/2020-12/schema', 'prefixItems'],
      ['https://json-schema.org/draft/2019-09/schema', 'items'],
      ['http://json-schema.org/draft-07/schema#', 'items'],
    ] as const) {
      const schema = { $schema, type: 'object', properties: { pair: pair(keyword) } }
      expect(await checkValue(schema, { pair: ['a'] })).toEqual({ is: 'valid' })
      expect(await checkValue(schema, { pair: [1] })).toMatchObject({ is: 'invalid' })
    }
  })

  it('written as draft-07 without saying so still works', async () => {
    const schema = { type: 'object', properties: { pair: { items: [{ type: 'string' }] } } }
    expect(await checkValue(schema, { pair: [1] })).toMatchObject({ is: 'invalid' })
  })

  it('runs its patterns in linear time (TOOL-18)', async () => {
    const schema = { type: 'object', properties: { s: { type: 'string', pattern: '^(a+)+$' } } }
    expect(await checkValue(schema, { s: `${'a'.repeat(5000)}!` })).toMatchObject({ is: 'invalid' })
    expect(await checkValue(schema, { s: 'aaa' })).toEqual({ is: 'valid' })
  })

  it('skips patterns that need more than linear time', async () => {
    const schema = { type: 'object', properties: { s: { pattern: '^(?=a)b$' }, t: { pattern: '^x$' } } }
    expect(await checkValue(schema, { s: 'anything', t: 'x' })).toEqual({ is: 'valid' })
    expect(await checkValue(schema, { s: 'anything', t: 'y' })).toMatchObject({ is: 'invalid' })
  })

  it('never meets another one with the same $id', async () => {
    const schema = (type: string) => ({ $id: 'https://example.com/same', type: 'object', properties: { v: { type } } })
    expect(await checkValue(schema('string'), { v: 1 })).toMatchObject({ is: 'invalid' })
    expect(await checkValue(schema('number'), { v: 1 })).toEqual({ is: 'valid' })
  })

  it('that is asynchronous, or too large, judges nothing', async () => {
    expect(await checkValue({ $async: true, type: 'object' }, {})).toEqual({ is: 'valid' })
    expect(await checkValue({ type: 'object', description: 'x'.repeat(600_000) }, {})).toMatchObject({ is: 'unchecked' })
  })

  it('may hold names that every object inherits', async () => {
    const schema: object = JSON.parse(
      '{"type":"object","properties":{"constructor":{"type":"string"},"__proto__":{"type":"string"}}}',
    )
    expect(await checkValue(schema, { other: 1 })).toEqual({ is: 'valid' })
    expect(await checkValue(schema, { constructor: 5 })).toMatchObject({ is: 'invalid' })
  })

  it('that is followed without end is given up', async () => {
    const schema = { type: 'object', properties: { a: { $ref: '#' } } }
    let deep: object = {}
    for (let at = 0; at < 3000; at++) deep = { a: deep }
    const verdict = await checkValue(schema, deep)
    expect(['valid', 'unchecked']).toContain(verdict.is)
  })
})
