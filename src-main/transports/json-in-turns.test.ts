import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codePoint } from '../../e2e/support/code-point.ts'
import { namesOf } from '../../src-shared/base/member-names.ts'
import { parseJson } from '../../src-shared/base/parse-json.ts'
import { JsonInTurns, readText } from './json-in-turns.ts'

/** Read in parts of so many bytes from chunks of so many, and the steps that it took. */
function read(bytes: Buffer, part: number, chunk = 7): { json: JsonInTurns; steps: number } {
  const chunks: Buffer[] = []
  for (let at = 0; at < bytes.length; at += chunk) chunks.push(bytes.subarray(at, at + chunk))
  const json = new JsonInTurns(chunks, part)
  let steps = 1
  while (!json.step()) steps += 1
  return { json, steps }
}

const outcome = (read: () => unknown) => {
  try {
    return { value: read() }
  } catch (error) {
    return error instanceof SyntaxError ? 'no JSON' : error
  }
}

function expectSame(bytes: Buffer, part: number, chunk?: number): void {
  const { json } = read(bytes, part, chunk)
  const text = bytes.toString('utf8')
  const plain = outcome(() => parseJson(text))
  const ours = outcome(() => json.json())
  expect(ours).toEqual(plain)
  // Order, and members that a comparison leaves out.
  if (typeof plain === 'object') expect(JSON.stringify(ours)).toBe(JSON.stringify(plain))
}

const word = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 60 }),
  fc.constantFrom('__proto__', '1', '0', '', 'a', '\\', '"', '\ud83d'),
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, false, 0, -1.5e30),
    word,
    fc.array(tie('value'), { maxLength: 6 }),
    fc.array(fc.tuple(word, tie('value')), { maxLength: 6 }).map((pairs) => {
      const object = {}
      for (const [key, member] of pairs)
        Object.defineProperty(object, key, { value: member, enumerable: true, configurable: true, writable: true })
      return object
    }),
  ),
}))
const part = fc.integer({ min: 1, max: 40 })
const chunk = fc.integer({ min: 1, max: 30 })

describe('JSON read in turns', () => {
  it('is the same as from parseJson, however it is split', () => {
    const space = fc.constantFrom(undefined, 1, '\t')
    fc.assert(
      fc.property(value, space, part, chunk, (any, indent, partBytes, chunkBytes) => {
        expectSame(Buffer.from(JSON.stringify(any, null, indent)), partBytes, chunkBytes)
      }),
      { numRuns: 3000 },
    )
  })

  it('is refused where parseJson refuses it', () => {
    const changed = fc.tuple(
      fc.nat(),
      fc.nat({ max: 3 }),
      fc.constantFrom(...'[]{},:"\\ 1.ntu\n\u0001', ',,', '""', '[]', '\ufeff', '\\u12'),
    )
    fc.assert(
      fc.property(
        value,
        fc.array(changed, { minLength: 1, maxLength: 3 }),
        part,
        chunk,
        (any, changes, partBytes, chunkBytes) => {
          let text = JSON.stringify(any)
          for (const [at, removed, added] of changes) {
            const place = at % (text.length + 1)
            text = text.slice(0, place) + added + text.slice(place + removed)
          }
          expectSame(Buffer.from(text), partBytes, chunkBytes)
        },
      ),
      { numRuns: 10_000 },
    )
  })

  it('replaces bytes that are no UTF-8 as a decoder does, and says so', () => {
    const bytes = fc.uint8Array({ maxLength: 60 }).map((any) => Buffer.from(any.filter((byte) => byte > 0x7f)))
    fc.assert(
      fc.property(bytes, part, chunk, (any, partBytes, chunkBytes) => {
        const message = Buffer.concat([Buffer.from('{"a":["ü\\u00e4","'), any, Buffer.from('"]}')])
        expectSame(message, partBytes, chunkBytes)
        expect(read(message, partBytes, chunkBytes).json.damaged).toBe(message.toString().includes('\ufffd'))
      }),
    )
  })

  it.each([
    ['[,1]'],
    ['[1,]'],
    ['[[1,2],,3]'],
    ['{"a":1,}'],
    ['{,"a":1}'],
    ['{"a":[1,2}'],
    ['{"a" "bbbbbbbbbbbbbbbbbbbbbbbbbb"}'],
    ['["aaaaaaaaaaaaaaaaaaaaaaaa".5]'],
    ['"aaaaaaaaaaaaaaaaaaaaaaaa".5'],
    ['"aaaaaaaaaaaaaaaaaaaaaaaa"'],
    ['\ufeff{"a":"aaaaaaaaaaaaaaaaaaaaaaaa"}'],
    ['{"b":{"x":1,"y":2},"1":{"x":1,"y":["aaaaaaaaaaaaaaaaaaaaaaaa",2]},"b":[1,2,3]}'],
    ['{"__proto__":{"x":[1,2,3,4,5]},"y":{"__proto__":"aaaaaaaaaaaaaaaaaaaaaaaa"}}'],
    [`{"${'a'.repeat(50)}":{"${'b'.repeat(50)}":[1]}}`],
    ['["\\ud83d\\ude00\\\\\\"\\u0041\\\\u0041aaaaaa😀äaaa\\\\"]'],
    ['[1,2],[3]'],
    ['[1,2]]'],
    [''],
    ['  \n'],
  ])('agrees with parseJson on %s in parts of any size', (text) => {
    for (let partBytes = 1; partBytes < 40; partBytes++)
      for (const size of [1, 5, 1000]) expectSame(Buffer.from(text), partBytes, size)
  })

  it('takes many short steps for a large tree and for a long string', () => {
    const rows = Array.from({ length: 20_000 }, (_, n) => ({ n, name: `row ${n}`, tags: ['a', 'b'] }))
    for (const large of [{ result: { rows } }, { result: { text: 'line\n'.repeat(200_000) } }]) {
      const bytes = Buffer.from(JSON.stringify(large))
      const { json, steps } = read(bytes, 1 << 16, 1 << 16)
      expect(steps).toBeGreaterThan(bytes.length >> 18)
      expect(json.json()).toEqual(large)
      expect(json.bytes).toBe(bytes.length)
      expect(json.text).toBe(bytes.toString('utf8', 0, 1 << 18))
    }
  })

  it('keeps the names of a split object in the order of the text', () => {
    const { json } = read(
      Buffer.from('{"b":[11,12],"7":[2,3],"__proto__":{"x":4},"b":5,"1":"aaaaaaaaaaaaaaaaaaaaaaaa","a":6}'),
      8,
    )
    expect(namesOf(json.json() as object)).toEqual(['b', '7', '__proto__', '1', 'a'])
    expect(JSON.stringify(json.json())).toBe('{"1":"aaaaaaaaaaaaaaaaaaaaaaaa","7":[2,3],"b":5,"__proto__":{"x":4},"a":6}')
  })

  it('lets a small text be read while a large one is', async () => {
    const done: string[] = []
    const read = async (text: string) => done.push(`${JSON.stringify((await readText([Buffer.from(text)])).json()).length}`)
    await Promise.all([read(JSON.stringify({ a: 'x'.repeat(2 << 20) })), read('12')])
    expect(done).toEqual(['2', `${(2 << 20) + 8}`])
  })

  it('is given up when nested too deeply to keep', () => {
    const { json } = read(Buffer.from('['.repeat(100_000)), 1 << 16)
    expect(() => json.json()).toThrow('deeper')
  })
})
