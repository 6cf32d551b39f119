import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refusalOf } from '../../e2e/support/api-refusals.ts'
import { NASTY, TOO_LARGE } from '../../e2e/support/nasty-schemas.ts'
import type { JsonObject } from '../../src-shared/base/json.ts'
import { sentTool } from './sent-tool.ts'

function sent(inputSchema: JsonObject, kind: 'anthropic' | 'openai' = 'anthropic', description = 'Does it') {
  const found = sentTool({ name: 'tool', description, inputSchema }, kind)
  if (found.is === 'left-out') throw new Error(found.why)
  return { ...found, schema: found.tool.inputSchema }
}
const nasty = (what: keyof typeof NASTY) => sent(NASTY[what] as JsonObject)

describe('a tool as a provider gets it', () => {
  it('is unchanged where every API accepts it, with no remark', () => {
    const schema: JsonObject = {
      type: 'object',
      description: 'What to look for',
      properties: { query: { type: 'string', minLength: 1 }, tags: { type: 'array', items: { enum: ['a', 'b'] } } },
      required: ['query'],
    }
    for (const kind of ['anthropic', 'openai'] as const) expect(sent(schema, kind)).toMatchObject({ schema, changes: [] })
  })

  it('has alternatives as one list of arguments, and the required ones of all', () => {
    expect(nasty('alternatives at the top').schema).toEqual({
      type: 'object',
      description: 'One of these is needed: route; or file.',
      properties: { route: { type: 'string' }, file: { type: 'string' } },
    })
    expect(nasty('alternatives that are the whole schema').schema).toMatchObject({
      properties: { kind: { anyOf: [{ const: 'url' }, { const: 'text' }] }, source_url: {}, content: {} },
      required: ['kind'],
      description: 'One of these is needed: source_url; or content.',
    })
    expect(nasty('all of several at the top, by reference').schema).toEqual({
      type: 'object',
      properties: { page: { type: 'integer' }, query: { type: 'string' } },
      required: ['query'],
    })
  })

  it('has its references expanded, and ends where they recurse', () => {
    expect(nasty('references to siblings').schema.properties).toEqual({
      from: { type: 'string', description: 'Begin', format: 'date' },
      to: { type: 'string', description: 'Begin', format: 'date' },
    })
    const tree = nasty('a tree that holds itself')
    expect(tree.schema.properties).toEqual({
      root: { type: 'object', properties: { name: { type: 'string' }, children: { type: 'array', items: {} } } },
      all: {},
    })
    expect(tree.changes).toEqual(['References are expanded.', 'It refers to itself; deeper levels allow anything.'])
  })

  it('says what older dialects said in the words of the current one', () => {
    expect(nasty('a tuple of draft-07').schema.properties).toEqual({
      value: {
        ...{ type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], items: {} },
        ...{ minItems: 2, maxItems: 2 },
      },
    })
    expect(nasty('bounds of draft-04').schema.properties).toMatchObject({ ttl: { exclusiveMinimum: 0 } })
    expect(nasty('types of other languages').schema.properties).toEqual({
      a: {},
      b: { type: 'string' },
      c: { type: 'array', items: {} },
      d: { type: ['integer', 'null'] },
      e: {},
    })
    expect(nasty('nullable as in OpenAPI').schema.properties).toMatchObject({ since: { type: ['string', 'null'] } })
  })

  it('names what was changed, with a few of the arguments', () => {
    expect(nasty('brackets in names').changes).toEqual([
      'Lists without a schema for their entries allow any.',
      '“filter[name]” is called “filter_name_2”.',
      '“filter[id]” is called “filter_id”.',
      '“budgets[]” is called “budgets”.',
    ])
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`a[${n}]`, {}]))
    expect(sent({ type: 'object', properties: many }).changes).toHaveLength(6)
    expect(sent({ type: 'object' }, 'openai', 'x'.repeat(2000)).changes).toHaveLength(1)
  })

  it.each(Object.entries(TOO_LARGE))('is left out with a reason when it is too large: %s', (_what, inputSchema) => {
    const found = sentTool({ name: 'tool', description: '', inputSchema }, 'openai')
    expect(found).toEqual({ is: 'left-out', why: expect.stringContaining('too large') })
  })

  it('is valid and bounded whatever schema the server sends', () => {
    const words = fc.constantFrom(
      ...['type', 'properties', 'items', 'anyOf', 'allOf', 'oneOf', '$ref', '$defs', 'required', 'enum', 'not', 'if', 'default'],
      ...[
        'prefixItems',
        'patternProperties',
        'additionalProperties',
        'exclusiveMinimum',
        'minimum',
        'pattern',
        'a[b]',
        '__proto__',
      ],
    )
    const leaf = fc.oneof(
      fc.constantFrom('object', 'array', '#', '#/$defs/a', '#/properties/a', '(', 'x'),
      fc.integer(),
      fc.boolean(),
    )
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6, withCrossShrink: true },
        leaf,
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(words, tie('value'), { maxKeys: 6, noNullPrototype: true }),
      ),
    }))
    fc.assert(
      fc.property(fc.dictionary(words, value, { noNullPrototype: true }), (members) => {
        const inputSchema = { ...members, type: 'object' } as JsonObject
        for (const kind of ['anthropic', 'openai'] as const) {
          const found = sentTool({ name: 'tool', description: '', inputSchema }, kind)
          if (found.is === 'left-out') continue
          const { name, description, inputSchema: schema } = found.tool
          const text = JSON.stringify(schema)
          expect(text.length).toBeLessThan(400_000)
          const [api, tool] =
            kind === 'anthropic'
              ? (['anthropic', { name, description, input_schema: schema }] as const)
              : (['responses', { name, description, parameters: schema }] as const)
          expect(refusalOf(api, { tools: [tool], messages: [], input: [] }, text)).toBeUndefined()
        }
      }),
      { numRuns: 300 },
    )
  })
})
