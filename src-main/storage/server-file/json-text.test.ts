import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src-shared/base/json.ts'
import { removeProperty, setProperty } from './json-edit.ts'
import { findProperty, type ObjectNode, parseJsonText, plainValue } from './json-text.ts'

const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonValue>
const object = fc.dictionary(fc.string(), json) as fc.Arbitrary<JsonObject>
const layout = fc.constantFrom(undefined, 1, 2, 4, '\t')

const parse = (text: string): ObjectNode => {
  const node = parseJsonText(text)
  if (node.type !== 'object') throw new Error('not an object')
  return node
}

describe('a JSON text', () => {
  it('is read as JSON.parse reads it, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          json.map((value) => JSON.stringify(value, null, 1)),
          fc.json(),
          fc.string(),
        ),
        (text) => {
          let expected: JsonValue
          try {
            expected = JSON.parse(text)
          } catch {
            expect(() => parseJsonText(text)).toThrow()
            return
          }
          expect(plainValue(parseJsonText(text))).toEqual(expected)
        },
      ),
    )
  })

  it('is refused with one damaged character as JSON.parse refuses it', () => {
    const text = JSON.stringify({ a: [1, -2.5e3, true, null, 'x\n"\u00e9'], b: { c: {} } }, null, 2)
    for (let at = 0; at < text.length; at += 1) {
      for (const damaged of [
        text.slice(0, at),
        text.slice(0, at) + text.slice(at + 1),
        `${text.slice(0, at)},${text.slice(at)}`,
      ]) {
        const accepts = (read: (text: string) => unknown) => {
          try {
            read(damaged)
            return true
          } catch {
            return false
          }
        }
        expect(`${damaged}: ${accepts(parseJsonText)}`).toBe(`${damaged}: ${accepts(JSON.parse)}`)
      }
    }
  })

  it('names the place and the reason when it is not JSON', () => {
    const refusal = (text: string) => {
      try {
        parseJsonText(text)
        return 'accepted'
      } catch (error) {
        return error instanceof Error ? error.message : String(error)
      }
    }
    expect(refusal('{\n  // note\n  "a": 1\n}')).toBe('line 2, column 3: JSON has no comments')
    expect(refusal('{ "a": 1 /* note */ }')).toBe('line 1, column 10: JSON has no comments')
    expect(refusal('{\r\n  "a": 1,\r\n}')).toBe('line 3, column 1: there is a comma too many before this')
    expect(refusal('{ "a": 1\n  "b": 2 }')).toBe('line 2, column 3: a comma is missing')
    expect(refusal('{ "a" 1 }')).toBe('line 1, column 7: a colon is missing')
    expect(refusal('{ "a": "x }')).toBe('line 1, column 8: this text is not closed or holds a bad escape')
    expect(refusal('[1')).toBe('line 1, column 3: the text ends before its "]"')
    expect(refusal('{} {}')).toBe('line 1, column 4: there is more after the end')
    expect(refusal('['.repeat(100_000))).toContain('nested too deeply')
  })

  it('may have texts of megabytes and begin with a byte order mark', () => {
    const long = 'x\\"'.repeat(1_000_000)
    expect(plainValue(parseJsonText(`\uFEFF{"a":"${long}"}`))).toEqual({ a: 'x"'.repeat(1_000_000) })
  })
})

describe('an edit of a JSON text', () => {
  it('changes the one property and nothing else', () => {
    fc.assert(
      fc.property(object, fc.string(), json, layout, (drawn, key, drawnValue, indent) => {
        // JSON has no negative zero.
        const [before, value] = JSON.parse(JSON.stringify([drawn, drawnValue]))
        const text = JSON.stringify(before, null, indent)
        const changed = parse(setProperty(text, parse(text), key, value))
        expect(plainValue(changed)).toEqual(Object.fromEntries([...Object.entries(before), [key, value]]))
        const property = findProperty(changed, key)!
        const back = removeProperty(setProperty(text, parse(text), key, value), changed, property)
        const expected = Object.fromEntries(Object.entries(before).filter(([name]) => name !== key))
        expect(plainValue(parseJsonText(back))).toEqual(expected)
      }),
    )
  })

  it('keeps order, indent, line ends and odd spacing', () => {
    const text = '{\r\n\t"z":1 ,\r\n\t"a" : { "deep":[ 1,2 ] }\r\n}\r\n'
    expect(setProperty(text, parse(text), 'm', { x: ['y'] })).toBe(
      '{\r\n\t"z":1 ,\r\n\t"a" : { "deep":[ 1,2 ] },\r\n\t"m": {\r\n\t\t"x": ["y"]\r\n\t}\r\n}\r\n',
    )
    expect(setProperty(text, parse(text), 'z', 2)).toBe(text.replace('1 ,', '2 ,'))
    expect(setProperty(text, parse(text), 'first', true, 0)).toBe(text.replace('"z"', '"first": true,\r\n\t"z"'))
  })
})
