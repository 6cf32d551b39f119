import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../src-shared/base/json.ts'
import { isEmail, leavesOf, recipientsIn } from './arguments.ts'

const roles = (args: JsonObject, properties: JsonObject = {}) =>
  Object.fromEntries(
    leavesOf(args, { type: 'object', properties } as Parameters<typeof leavesOf>[1])?.map(({ argument, role }) => [
      argument,
      role,
    ]) ?? [],
  )
const role = (name: string, value: JsonValue) => roles({ [name]: value })[name]

describe('the kind of an argument', () => {
  it.each<[string, JsonValue, string]>([
    ['path', 'src/a.ts', 'path'],
    ['sourceFile', 'a.ts', 'path'],
    ['output_path', 'a.ts', 'path'],
    ['to', 'Bob', 'recipient'],
    ['channel_id', 'C123', 'recipient'],
    ['assignees', 'bob', 'recipient'],
    ['repo', 'shop', 'place'],
    ['tableName', 'orders', 'place-item'],
    ['channel_name', 'general', 'recipient'],
    ['display_name', 'Bob', 'content'],
    ['repo_id', 'abc', 'place-item'],
    ['message_id', 'abc', 'item'],
    ['sha', 'abc', 'item'],
    ['sql', 'anything at all', 'sql'],
    ['query', 'select a from b', 'sql'],
    ['query', 'is:open label:bug', 'query'],
    ['command', 'ls', 'shell'],
    ['sub_command', 'ls', 'unknown'],
    ['body', 'Hello', 'content'],
    ['note', 'Ana <ana@example.com>', 'content'],
    ['amount', 5, 'amount'],
    ['amount', '5.00', 'amount'],
    ['currency', 'EUR', 'unknown'],
    ['frob', 'x', 'unknown'],
    ['frob', 'five words are a text', 'content'],
    ['frob', 'x'.repeat(81), 'content'],
    ['frob', 3, 'number'],
    ['frob', '2026-11-22', 'number'],
    ['frob', 'v1.2', 'number'],
    ['to', '12', 'recipient'],
    ['frob', true, 'option'],
  ])('is right for %s = %j: %s', (name, value, is) => {
    expect(role(name, value)).toBe(is)
  })

  it.each<[string, string]>([
    ['/etc/passwd', 'path'],
    ['~/x', 'path'],
    ['../x', 'path'],
    ['file:///x', 'path'],
    ['file:/x', 'path'],
    [' FILE:x', 'path'],
    [' /x', 'path'],
    ['..', 'path'],
    ['C:\\x', 'path'],
    ['\\\\host\\x', 'path'],
    ['https://example.com', 'url'],
    ['wss://example.com', 'url'],
    ['ftp://example.com', 'url'],
    ['https:example.com', 'url'],
    [' https://example.com', 'url'],
    ['ana@example.com', 'recipient'],
  ])('is read from a value that can be nothing else, whatever its name: %s is a %s', (value, is) => {
    for (const name of ['frob', 'repo', 'id', 'mode']) expect([name, role(name, value)]).toEqual([name, is])
  })

  it('is a path for a pattern that leads out of its folder, and none for a text with one', () => {
    for (const value of ['../secrets', 'a/../../b', '~/x', 'file:///x', '..', 'a\\..'])
      expect([value, role('topic', value)]).toEqual([value, 'path'])
    for (const value of ['src/**', '/api/users', "from '../utils'", 'a..b', '...', 'v1...v2'])
      expect([value, role('pattern', value)]).toEqual([value, 'query'])
    expect(role('body', '../x')).toBe('content')
  })

  it('is an address even in prose, and a person only where one is named', () => {
    expect(role('body', 'https://example.com')).toBe('url')
    expect(role('body', 'ana@example.com')).toBe('content')
    expect(roles({ data: { to: 'ana@example.com', name: 'ana@example.com' } })).toEqual({
      'data.to': 'recipient',
      'data.name': 'content',
    })
  })

  it('is a choice where the schema has an enum or a constant, unless it is a path', () => {
    const properties = { frob: { enum: ['x', '/etc'] }, only: { const: 'x' } }
    expect(roles({ frob: 'x', only: 'x' }, properties)).toEqual({ frob: 'option', only: 'option' })
    expect(roles({ frob: '/etc' }, properties)).toEqual({ frob: 'path' })
  })

  it('is found at any depth, with the schema of its place', () => {
    const properties = {
      steps: { items: { properties: { how: { enum: ['a'] } } } },
      inner: { properties: { how: { enum: ['a'] } } },
    }
    const args = {
      steps: [{ how: 'a', path: '/x' }, { how: 'a' }],
      inner: { how: 'a', deep: { to: 'bob' } },
      paths: ['/a', '/b'],
    }
    expect(roles(args, properties)).toEqual({
      steps: 'conditions',
      inner: 'conditions',
      'steps[0].how': 'option',
      'steps[0].path': 'path',
      'steps[1].how': 'option',
      'inner.how': 'option',
      'inner.deep.to': 'recipient',
      'paths[0]': 'path',
      'paths[1]': 'path',
    })
  })

  it('is a query within a query and content within content, whatever its name there', () => {
    expect(roles({ filter: { owner: 'bob', age: 3, old: true, to: { id: 'x' } }, data: { owner: 'bob', id: 'x' } })).toEqual({
      filter: 'conditions',
      'filter.owner': 'query',
      'filter.age': 'query',
      'filter.old': 'query',
      'filter.to.id': 'query',
      'data.owner': 'content',
      'data.id': 'content',
    })
  })

  it.each([
    ...['$where', '$function', '$accumulator', '$out', '$merge', '$lookup', '$unionWith', '$graphLookup', '$expr', '$documents'],
    ...['$currentOp', '$changeStream', '$script', '$', '$Match', '$match\u200b', '$batch', '$expand'],
  ])('is code where a query has %s, which is not known to be data', (operator) => {
    expect(roles({ filter: { a: { [operator]: 'x' } } })['filter.a']).toBe('code')
    expect(roles({ pipeline: [{ [operator]: {} }] })['pipeline[0]']).toBe('code')
    expect(roles({ pipeline: [{ $facet: { a: [{ [operator]: {} }] } }] })['pipeline[0].$facet.a[0]']).toBe('code')
  })

  it('is no code where operators only choose and compute', () => {
    const pipeline = [
      { $match: { day: { $gte: { $date: '2026-11-01' }, $in: [1] } } },
      { $group: { _id: '$line', n: { $sum: 1 } } },
      { $sort: { n: -1 } },
      { $project: { month: { $month: '$at' } } },
    ]
    expect(Object.values(roles({ pipeline }))).not.toContain('code')
  })

  it('is code where a query has it in a text that spells JSON', () => {
    const codeIn = (args: JsonObject) => leavesOf(args, { type: 'object' })?.some(({ role }) => role === 'code')
    expect(codeIn({ pipeline: ['{"$merge":{"into":"users"}}'] })).toBe(true)
    expect(codeIn({ filter: ' {"\\u0024where":"sleep(1)"}' })).toBe(true)
    expect(codeIn({ query: '[{"$match":{}},{"$out":"users"}]' })).toBe(true)
    expect(codeIn({ filter: '{"status":"open"}' })).toBe(false)
    expect(codeIn({ query: '[draft] the $out operator' })).toBe(false)
    expect(leavesOf({ query: '['.repeat(40) + ']'.repeat(40) }, { type: 'object' })).toBeUndefined()
  })

  it('is that of something cleared for null and for what is empty, whatever its name', () => {
    expect(roles({ path: null, to: [null], cc: [], labels: {} })).toEqual({
      path: 'cleared',
      'to[0]': 'cleared',
      cc: 'cleared',
      labels: 'cleared',
    })
  })

  it('is unknown beyond 2,000 values or 16 levels', () => {
    const deep = (folds: number) => Array.from({ length: folds }).reduce<JsonValue>((inner) => ({ inner }), 'x') as JsonObject
    const wide = (values: number) => ({ x: Array.from({ length: values }, (_, n) => n) })
    const schema = { type: 'object' } as const
    expect(leavesOf(deep(17), schema)).toHaveLength(2)
    expect(leavesOf(deep(18), schema)).toBeUndefined()
    expect(leavesOf(wide(2_000), schema)).toHaveLength(2_000)
    expect(leavesOf(wide(2_001), schema)).toBeUndefined()
    expect(leavesOf(wide(2_100), schema)).toBeUndefined()
    expect(leavesOf(Object.fromEntries(Array.from({ length: 2_001 }, (_, n) => [`k${n}`, 1])), schema)).toBeUndefined()
  })
})

describe('an email address', () => {
  it.each(['ana@example.com', 'a.b+c@x.example.org'])('is recognized: %s', (text) => expect(isEmail(text)).toBe(true))
  it.each(['ana@localhost', 'ana @example.com', '<ana@example.com>', 'a@b@c.de', '@example.com', 'Ana: a@b.de, c@d.de'])(
    'is not seen in %s',
    (text) => expect(isEmail(text)).toBe(false),
  )
  it('is found among names', () => {
    expect(recipientsIn('Ana <ana@example.com>, "Bob" <bob@example.org>;carol@example.net')).toEqual([
      ...['ana@example.com', 'bob@example.org', 'carol@example.net'],
    ])
  })
})
