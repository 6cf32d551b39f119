import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codePoint } from '../../e2e/support/code-point.ts'
import { jsonIn, objectIn, parseJson } from './parse-json.ts'

type Pairs = readonly (readonly [string, unknown])[]

/** Made member by member: the reference must not come from JSON.parse. */
function objectOf(pairs: Pairs): object {
  const object = {}
  for (const [name, value] of pairs)
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
  return object
}

/** Few units, so that what one name is written as often is what another one is. */
const name = fc.oneof(
  fc.string({ unit: fc.constantFrom('\\', '"', 'u', '0', '1', 'n', '\n'), maxLength: 7 }),
  fc.constantFrom('__proto__', 'a', '7'),
  fc.string({ unit: codePoint, maxLength: 3 }),
)
const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
/** A name as JSON.stringify writes it, or with every unit escaped. */
const written = fc
  .tuple(name, fc.boolean())
  .map(([is, inFull]) => ({ is, text: inFull ? `"${is.split('').map(escaped).join('')}"` : JSON.stringify(is) }))
const member = fc.tuple(written, fc.constantFrom('[]', '1', '"\\\\\\""', '{"\\"" : {}}'))
const VALUES: Readonly<Record<string, unknown>> = { '[]': [], '1': 1, '"\\\\\\""': '\\"', '{"\\"" : {}}': objectOf([['"', {}]]) }

let objects = 0

describe('the JSON parser', () => {
  it('reads every name as written, whatever names were read before', () => {
    fc.assert(
      fc.property(written, fc.array(member, { maxLength: 3 }), ({ is, text }, members) => {
        // An object that begins as no other does, so that the engine expects what it has met as its second name: here how this one is written.
        const first = `object ${objects++}`
        parseJson(JSON.stringify({ [first]: [], [text.slice(1, 1 + is.length)]: 1 }))
        const rest = members.map(([other, value]) => ` , ${other.text} : ${value}`).join('')
        const read = parseJson(`{"${first}":[],${text}:1${rest}}`)
        const others = members.map(([other, value]) => [other.is, VALUES[value]] as const)
        const expected = objectOf([[first, []], [is, 1], ...others])
        expect(read).toEqual(expected)
        expect(Object.keys(read as object)).toEqual(Object.keys(expected))
      }),
      { numRuns: 2_000 },
    )
  })

  it('reads values with escapes, and no byte order mark', () => {
    expect(parseJson('\ufeff{"a":"\\":\\u0041","b":[":\\\\",1]}')).toEqual({ a: '":A', b: [':\\', 1] })
    expect(parseJson('\ufeff{"\\n" : 1}')).toEqual({ '\n': 1 })
  })

  it('keeps the order of names, and the last of two equal ones', () => {
    const read = parseJson('{"\\n":0,"b":1,"\\u0031":2,"1":3,"\\u0062":4,"\\n":5}')
    expect(Object.entries(read as object)).toEqual([
      ['1', 3],
      ['\n', 5],
      ['b', 4],
    ])
  })

  it.each(['', '{"\\":1}', '{"\\n":1,}', '{"\\n"}', '{"a\\', '\\', '"\\":', '{"\\x":1}'])('refuses %j', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError)
    expect(jsonIn(text)).toBe(undefined)
    expect(objectIn(text)).toBe(undefined)
  })

  it('reads escaped names however deep they are', () => {
    const text = `${'[{"\\n":'.repeat(10_000)}1${'}]'.repeat(10_000)}`
    let inner = parseJson(text)
    for (let level = 0; level < 10_000; level++) inner = (inner as [{ '\n': unknown }])[0]['\n']
    expect(inner).toBe(1)
  })
})
