import { describe, expect, it } from 'vitest'
import { repairedArguments } from './argument-repair.ts'

const schema = {
  type: 'object' as const,
  properties: {
    list: { type: 'array' },
    count: { type: 'integer' },
    on: { type: ['boolean', 'null'] },
    text: { type: 'string' },
    either: { type: ['string', 'number'] },
    any: {},
  },
}

describe('the repair of arguments', () => {
  it('reads a string as JSON where only one reading is possible', () => {
    expect(repairedArguments(schema, { list: '[1,2]', count: '3', on: 'true' })).toEqual({ list: [1, 2], count: 3, on: true })
  })

  it('leaves what may be a string, is no JSON or has another type', () => {
    for (const args of [
      { text: '5' },
      { either: '5' },
      { any: '5' },
      { count: '3.5' },
      { list: '{}' },
      { list: '[1' },
      { other: '1' },
    ]) {
      expect(repairedArguments(schema, args)).toBeUndefined()
    }
  })

  it('adds a required argument with a default, and no other', () => {
    const schema = {
      type: 'object' as const,
      properties: { depth: { type: 'integer', default: 3 }, flag: { type: 'boolean', default: false }, name: { type: 'string' } },
      required: ['depth', 'name'],
    }
    expect(repairedArguments(schema, { name: 'x' })).toEqual({ name: 'x', depth: 3 })
    expect(repairedArguments(schema, { name: 'x', depth: '4' })).toEqual({ name: 'x', depth: 4 })
    expect(repairedArguments(schema, { depth: 1 })).toBeUndefined()
  })
})
