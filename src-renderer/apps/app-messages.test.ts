import { describe, expect, it } from 'vitest'
import { readAppMessage } from './app-messages.ts'

const read = (data: unknown) => readAppMessage(data).message
const called = (value: unknown) =>
  read({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a', arguments: { value } } })

const nested = (levels: number) => {
  let value: unknown = 1
  for (let n = 0; n < levels; n += 1) value = [value]
  return value
}
const cycle: Record<string, unknown> = {}
cycle.self = cycle

/** Values that a page can post and JSON does not have, and JSON that is too much. */
const NOT_PLAIN: readonly (readonly [string, unknown])[] = [
  ['a big integer', 1n],
  ['no number', Number.NaN],
  ['infinity', Number.POSITIVE_INFINITY],
  ['a date', new Date(0)],
  ['a map', new Map([['a', 1]])],
  ['a set', new Set([1])],
  ['an expression', /a/],
  ['an error', new Error('a')],
  ['bytes', new Uint8Array(8)],
  ['a buffer', new ArrayBuffer(8)],
  ['shared memory', new SharedArrayBuffer(8)],
  ['a boxed text', Object('a')],
  ['an object without a prototype', Object.create(null)],
  ['a cycle', cycle],
  ['__proto__', JSON.parse('{"__proto__":{"isAdmin":true}}')],
  ['__proto__ far within', JSON.parse('{"a":[{"b":{"__proto__":1}}]}')],
  ['66 levels', nested(66)],
  ['a very deep value', nested(5_000)],
  ['150,000 values', Array.from({ length: 150_000 }, () => 1)],
  ['150,000 members', Object.fromEntries(Array.from({ length: 150_000 }, (_, n) => [`m${n}`, 1]))],
  ['a text over 1 MiB', 'a'.repeat(1024 * 1024 + 1)],
  ['texts over 1 MiB together', Array.from({ length: 9 }, () => 'a'.repeat(128 * 1024))],
  ['a name over 1 MiB', { ['a'.repeat(1024 * 1024 + 1)]: 1 }],
  ['an array with holes', new Array(3)],
  // Walking its holes would take minutes.
  ['an array of four billion holes', new Array(2 ** 32 - 1)],
]

describe('a message of a view', () => {
  it.each(NOT_PLAIN)('is malformed with %s in it (APP-14)', (_name, value) => {
    expect(read(value)).toEqual({ is: 'malformed' })
    expect(called(value).is).toBe('malformed')
  })

  it.each([
    ['a text of JSON', '{"jsonrpc":"2.0","id":1,"method":"ping"}'],
    ['an array', [{ jsonrpc: '2.0', id: 1, method: 'ping' }]],
    ['null', null],
    ['no version', { id: 1, method: 'ping' }],
    ['another version', { jsonrpc: '1.0', id: 1, method: 'ping' }],
    ['an id that is an object', { jsonrpc: '2.0', id: {}, method: 'ping' }],
    ['an id that is null', { jsonrpc: '2.0', id: null, method: 'ping' }],
    ['an id that is no integer', { jsonrpc: '2.0', id: 1.5, method: 'ping' }],
    ['an id that is too large', { jsonrpc: '2.0', id: 2 ** 60, method: 'ping' }],
    ['a long id', { jsonrpc: '2.0', id: 'a'.repeat(201), method: 'ping' }],
    ['a method that is no text', { jsonrpc: '2.0', method: ['ping'] }],
    ['a long method', { jsonrpc: '2.0', method: 'a'.repeat(201) }],
    ['params that are a list', { jsonrpc: '2.0', method: 'ping', params: [] }],
    ['params that are null', { jsonrpc: '2.0', method: 'ping', params: null }],
    ['an answer without a result', { jsonrpc: '2.0', id: 1 }],
    ['an answer to nothing', { jsonrpc: '2.0', result: {} }],
  ])('is malformed as %s (APP-14)', (_name, data) => {
    expect(read(data).is).toBe('malformed')
  })

  it('keeps its id when malformed in method only, so that its sender can be told', () => {
    expect(read({ jsonrpc: '2.0', id: 7, method: 1 })).toEqual({ is: 'malformed', id: 7 })
  })

  it('is a request, a notification or an answer', () => {
    expect(read({ jsonrpc: '2.0', id: 'a', method: 'ping' })).toEqual({ is: 'request', id: 'a', method: 'ping', params: {} })
    expect(read({ jsonrpc: '2.0', method: 'x', params: { a: undefined } })).toEqual({
      is: 'notification',
      method: 'x',
      params: { a: undefined },
    })
    expect(read({ jsonrpc: '2.0', id: 1, result: {} })).toEqual({ is: 'response', id: 1 })
    expect(read({ jsonrpc: '2.0', id: 1, error: {} })).toEqual({ is: 'response', id: 1 })
  })

  it('may reach its limits of size and depth, and has a known size', () => {
    expect(called(nested(61)).is).toBe('request')
    expect(called(nested(62)).is).toBe('malformed')
    const data = { jsonrpc: '2.0', method: 'x', params: { text: 'a'.repeat(1024 * 1024 - 30) } }
    expect(readAppMessage(data)).toMatchObject({ message: { is: 'notification' }, size: 1024 * 1024 - 30 + 27 })
  })
})
