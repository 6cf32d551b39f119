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

describe('repairedArguments', () => {
  it('reads what was written as a string where only one reading is possible', () => {
    expect(repairedArguments(schema, { list: '[1,2]', count: '3', on: 'true' })).toEqual({ list: [1, 2], count: 3, on: true })
  })

  it('leaves alone what may be a string, what is no JSON and what has another type', () => {
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

  it('fills in what is required and has a default, and leaves alone what has none or is there', () => {
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
