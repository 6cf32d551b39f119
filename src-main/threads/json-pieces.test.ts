import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codePoint } from '../../e2e/support/code-point.ts'
import { unlistable } from '../../e2e/support/unlistable.ts'
import { jsonPieces } from './json-pieces.ts'

const word = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 60 }),
  fc.constantFrom('__proto__', '1', '0', '', 'toJSON', '\\', '"', '\ud83d', '\ude00\ud83d', '😀'.repeat(20)),
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, false, 0, -1.5e30),
    word,
    fc.array(tie('value'), { maxLength: 6 }),
    // As JSON.parse gives it, with a member named `__proto__`, too.
    fc.array(fc.tuple(word, tie('value')), { maxLength: 6 }).map((pairs) => Object.fromEntries(pairs)),
  ),
}))

describe('JSON in pieces', () => {
  it('equals what JSON.stringify writes, however small the pieces', () => {
    fc.assert(
      fc.property(value, fc.integer({ min: 1, max: 80 }), (any, most) => {
        expect([...jsonPieces(any, most)].join('')).toBe(JSON.stringify(any))
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    ['rows', { rows: Array.from({ length: 20_000 }, (_, n) => ({ n, name: `row ${n}`, tags: ['sold', 'paid'], note: null })) }],
    ['members', Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`id ${n}`, { n, on: true }]))],
    ['one long string', { text: '“x”\n'.repeat(200_000) }],
    ['a tree', Array.from({ length: 60 }).reduce<unknown>((inner) => [inner, ...Array(2_000).fill(1)], 0)],
  ])('splits %s into short pieces only', (_what, large) => {
    const pieces = [...jsonPieces(large)]
    expect(pieces.join('')).toBe(JSON.stringify(large))
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(3 * 64 * 1024)
  })

  it('includes an object that was read in turns, without listing its names at once', () => {
    const members = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`id ${n}`, { n }]))
    expect([...jsonPieces([unlistable(members)], 100)].join('')).toBe(JSON.stringify([members]))
  })
})
