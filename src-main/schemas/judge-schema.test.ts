import { describe, expect, it } from 'vitest'
import { checkValue } from '../../e2e/support/check-value.ts'
import { compileSchema } from './judge-schema.ts'

describe('a schema', () => {
  it('of an unknown dialect is not checked, which is said (V26-SCHEMA-1)', async () => {
    const compiled = await compileSchema({ $schema: 'https://schema.example/mine', type: 'string' })
    expect(compiled).toEqual({ reason: expect.stringContaining('https://schema.example/mine') })
  })

  it('without a dialect is 2020-12 (V11-34, V26-SCHEMA-1)', async () => {
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

  it('is separate from another one with the same $id', async () => {
    const schema = (type: string) => ({ $id: 'https://example.com/same', type: 'object', properties: { v: { type } } })
    expect(await checkValue(schema('string'), { v: 1 })).toMatchObject({ is: 'invalid' })
    expect(await checkValue(schema('number'), { v: 1 })).toEqual({ is: 'valid' })
  })

  it('marked as asynchronous is read as any other', async () => {
    expect(await checkValue({ $async: true, type: 'object' }, {})).toEqual({ is: 'valid' })
  })

  it('may have names that every object inherits', async () => {
    const schema: object = JSON.parse(
      '{"type":"object","properties":{"constructor":{"type":"string"},"__proto__":{"type":"string"}}}',
    )
    expect(await checkValue(schema, { other: 1 })).toEqual({ is: 'valid' })
    expect(await checkValue(schema, { constructor: 5 })).toMatchObject({ is: 'invalid' })
  })

  it('may refer to itself as a whole', async () => {
    const schema = { type: 'object', properties: { a: { $ref: '#' }, n: { type: 'integer' } } }
    expect(await checkValue(schema, { a: { a: { n: 1 } } })).toEqual({ is: 'valid' })
    expect(await checkValue(schema, { a: { a: { n: 'x' } } })).toMatchObject({ is: 'invalid' })
  })

  it('that recurses endlessly is given up (V26-SCHEMA-3)', async () => {
    const schema = { type: 'object', properties: { a: { $ref: '#' } } }
    let deep: object = {}
    for (let at = 0; at < 100_000; at++) deep = { a: deep }
    expect(await checkValue(schema, deep)).toEqual({ is: 'unchecked', reason: 'the schema is too deep to follow.' })
  })
})
