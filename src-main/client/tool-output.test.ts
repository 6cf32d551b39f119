import { describe, expect, it } from 'vitest'
import { connectScripted } from '../../e2e/servers/linked/connect-scripted.ts'
import type { JsonSchemaObject } from '../../src-shared/mcp/primitives.ts'

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

  it('that breaks it is left out, with a report (TOOL-24)', async () => {
    const result = await callWith({ structuredContent: { n: 'x' } }, SCHEMA)
    expect(result.structuredContent).toBeUndefined()
    expect(result.warnings).toEqual([expect.stringContaining('n must be integer')])
  })

  it('that was promised and is missing is reported, unless the tool failed (TOOL-25)', async () => {
    expect((await callWith({}, SCHEMA)).warnings).toHaveLength(1)
    expect((await callWith({ isError: true }, SCHEMA)).warnings).toHaveLength(0)
  })

  it('needs content as well, and need not fit when the tool failed (TRAP-47)', async () => {
    await expect(callWith({ content: undefined, structuredContent: { n: 1 } }, SCHEMA)).rejects.toMatchObject({
      code: 'invalid-result',
    })
    const failed = await callWith({ isError: true, structuredContent: { n: 'x' } }, SCHEMA)
    expect(failed).toEqual({ content: [], isError: true, structuredContent: { n: 'x' }, warnings: [] })
  })

  it.each([
    ['refers to an address', { type: 'object', $ref: 'https://example.com/schema.json' }],
    ['is nonsense', { type: 'object', properties: 5 }],
    ['names an unknown dialect', { $schema: 'https://example.com/mine', type: 'object' }],
  ])('is kept with a warning when its schema %s (TOOL-18, V11-36, V26-SCHEMA-1)', async (_, schema) => {
    const result = await callWith({ structuredContent: { n: 1 } }, schema)
    expect(result.structuredContent).toEqual({ n: 1 })
    expect(result.warnings).toEqual([expect.stringContaining('could not be checked')])
  })
})
