import { describe, expect, it } from 'vitest'
import { mirroredValues, mirrorsOf } from './mirrored-arguments.ts'

const at = (header: unknown, type: unknown = 'string') => ({ type, 'x-mcp-header': header })
const taking = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const REGION = [{ path: ['region'], header: 'Region' }]

describe('arguments for headers', () => {
  it('are found by name, even nested ones (V26-HTTP-9, V26-HTTP-10)', () => {
    const where = taking({ zone: at('Zone', 'integer'), dry: at('Dry-Run', 'boolean'), q: { type: 'string' } })
    expect(mirrorsOf(taking({ region: at('Region'), where }))).toEqual({
      mirrored: [...REGION, { path: ['where', 'zone'], header: 'Zone' }, { path: ['where', 'dry'], header: 'Dry-Run' }],
    })
    expect(mirrorsOf(taking({ q: { type: 'string' } }))).toEqual({ mirrored: [] })
  })

  it.each([
    ['empty', taking({ a: at('') })],
    ['no string', taking({ a: at(5) })],
    ['null', taking({ a: at(null) })],
    ['no token', taking({ a: at('Two Words') })],
    ['a line break', taking({ a: at('A\r\nB') })],
    ['a colon', taking({ a: at('A:') })],
    ['a second time, in other letters', taking({ a: at('Region'), b: at('REGION') })],
    ['a second time, deeper', taking({ a: at('Region'), b: taking({ c: at('region') }) })],
    ['at a number', taking({ a: at('A', 'number') })],
    ['at an object', taking({ a: at('A', 'object') })],
    ['at several types', taking({ a: at('A', ['string', 'null']) })],
    ['at no type', taking({ a: { 'x-mcp-header': 'A', enum: ['x'] } })],
    ['at the whole', taking({}, { 'x-mcp-header': 'A' })],
    ['under items', taking({ a: { type: 'array', items: at('A') } })],
    ['under prefixItems', taking({ a: { type: 'array', prefixItems: [at('A')] } })],
    ['under additionalProperties', taking({}, { additionalProperties: at('A') })],
    ['under patternProperties', taking({}, { patternProperties: { '^a': at('A') } })],
    ['under oneOf', taking({ a: { oneOf: [at('A')] } })],
    ['under anyOf, as a property', taking({}, { anyOf: [taking({ a: at('A') })] })],
    ['under allOf', taking({ a: { allOf: [{}, at('A')] } })],
    ['under not', taking({ a: { not: at('A') } })],
    ['under if', taking({}, { if: taking({ a: at('A') }) })],
    ['under then', taking({}, Object.fromEntries([['then', taking({ a: at('A') })]]))],
    ['under else', taking({}, { else: taking({ a: at('A') }) })],
    ['under dependentSchemas', taking({}, { dependentSchemas: { b: taking({ a: at('A') }) } })],
    ['under dependencies', taking({}, { dependencies: { b: taking({ a: at('A') }) } })],
    ['under definitions', taking({ a: { $ref: '#/definitions/a' } }, { definitions: { a: at('A') } })],
    ['under contains', taking({ a: { type: 'array', contains: at('A') } })],
    ['under contentSchema', taking({ a: { type: 'string', contentSchema: taking({ b: at('A') }) } })],
    ['under $defs, where $ref leads', taking({ a: { $ref: '#/$defs/a' } }, { $defs: { a: at('A') } })],
    ['beside $ref', taking({ a: { $ref: '#/$defs/a', 'x-mcp-header': 'A' } }, { $defs: { a: { type: 'string' } } })],
  ])('make the tool unusable when the annotation is %s (V26-HTTP-14)', (_, schema) => {
    const { mirrored, problem } = mirrorsOf(schema)
    expect(problem).toMatch(/x-mcp-header/)
    expect(mirrored).toEqual([])
  })

  it.each([
    ['the name of a property', taking({ 'x-mcp-header': { type: 'string' } })],
    ['inside default', taking({ a: { type: 'object', default: { 'x-mcp-header': '' } } })],
    ['inside const', taking({ a: { const: { 'x-mcp-header': 5 } } })],
    ['inside enum', taking({ a: { enum: [{ 'x-mcp-header': 5 }] } })],
    ['inside examples', taking({}, { examples: [{ properties: { a: at('') } }] })],
  ])('are absent where the annotation is %s (V26-HTTP-17)', (_, schema) => {
    expect(mirrorsOf(schema)).toEqual({ mirrored: [] })
  })

  it('are told apart from a property of that name that has an annotation itself (V26-HTTP-17)', () => {
    expect(mirrorsOf(taking({ 'x-mcp-header': at('H') })).mirrored).toEqual([{ path: ['x-mcp-header'], header: 'H' }])
  })
})

describe('a mirrored header', () => {
  const { mirrored } = mirrorsOf(
    taking({ s: at('S'), i: at('I', 'integer'), b: at('B', 'boolean'), in: taking({ deep: at('Deep') }) }),
  )

  it('has a string unchanged, an integer in decimal, true or false (V26-HTTP-11)', () => {
    expect(mirroredValues(mirrored, { s: 'Año ', i: -42, b: false, in: { deep: 'x' } })).toEqual({
      S: 'Año ',
      I: '-42',
      B: 'false',
      Deep: 'x',
    })
    expect(mirroredValues(mirrored, { i: Number.MAX_SAFE_INTEGER, b: true })).toEqual({ I: '9007199254740991', B: 'true' })
  })

  it('is left out for what is absent or null (V26-HTTP-10)', () => {
    expect(mirroredValues(mirrored, { s: null, in: null })).toEqual({})
    expect(mirroredValues(mirrored, { in: 'no object' })).toEqual({})
    expect(mirroredValues(mirrored, undefined)).toEqual({})
  })

  it('is empty for an empty string (V26-HTTP-12)', () => {
    expect(mirroredValues(mirrored, { s: '' })).toEqual({ S: '' })
  })

  it('is text even for another simple type than declared (V26-HTTP-13)', () => {
    expect(mirroredValues(mirrored, { s: 5, i: 'five', b: 1.5 })).toEqual({ S: '5', I: 'five', B: '1.5' })
  })

  it.each([
    ['an object', { s: {} }],
    ['an array', { s: ['a'] }],
    ['an integer that no double holds', { i: 2 ** 53 }],
    ['an enormous number', { i: 1e300 }],
    ['half a character', { s: '\ud800' }],
  ])('cannot be %s: the call is not sent (V26-HTTP-13)', (_, args) => {
    expect(() => mirroredValues(mirrored, args)).toThrowError(expect.objectContaining({ code: 'not-sent' }))
  })

  it('may have a name that every object has', () => {
    const odd = mirrorsOf(taking(Object.fromEntries([['__proto__', at('__proto__')]])))
    const args = JSON.parse('{"__proto__":"x"}')
    expect(Object.entries(mirroredValues(odd.mirrored, args))).toEqual([['__proto__', 'x']])
    expect(mirroredValues(mirrorsOf(taking({ toString: at('T') })).mirrored, {})).toEqual({})
  })
})
