import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutPieces } from './text-pieces.ts'

const joined = (text: string) =>
  cutPieces(text)
    .map(({ text: piece, cut }, at, all) => piece + (cut || at === all.length - 1 ? '' : '\n'))
    .join('')

describe('a long text in pieces', () => {
  it('is the same text when joined', () => {
    const line = fc.oneof(fc.string({ maxLength: 300 }), fc.string({ minLength: 3990, maxLength: 9000 }), fc.constant(''))
    const lines = fc.array(line, { maxLength: 60 }).map((all) => all.join('\n'))
    fc.assert(
      fc.property(lines, (text) => {
        // A last line end may go where the last piece ends.
        expect(joined(text).replace(/\n$/, '')).toBe(text.replace(/\n$/, ''))
      }),
    )
  })

  it('is cut at line ends, and within a line only where that alone is too long', () => {
    const short = cutPieces('some words\n'.repeat(2000))
    expect(short.length).toBeGreaterThan(4)
    expect(short.every(({ cut, text }) => !cut && text.length <= 4000)).toBe(true)
    const long = cutPieces('x'.repeat(10_000))
    expect(long.map(({ cut }) => cut)).toEqual([true, true, false])
  })

  it('never cuts a character in two', () => {
    const pieces = cutPieces(`x${'😀'.repeat(6000)}`)
    expect(pieces.every(({ text }) => text.isWellFormed())).toBe(true)
  })
})
