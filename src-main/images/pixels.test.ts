import { describe, expect, it } from 'vitest'
import type { Orientation } from './jpeg-orientation.ts'
import { flatten, premultiply, unpremultiply, upright } from './pixels.ts'

/** Three by two, each pixel with a letter. */
const stored = 'abcdef'
const pixels = (letters: string, width: number) => {
  const rgba = new Uint8Array(letters.length * 4)
  for (const [at, letter] of [...letters].entries()) rgba[at * 4] = letter.charCodeAt(0)
  return { size: { width, height: letters.length / width }, rgba }
}

describe('a picture stored turned or mirrored', () => {
  // The pixels abc/def as a viewer shows them for each value of the tag (Exif 2.3, section 4.6.4 A).
  const shown: readonly (readonly [Orientation, string, number])[] = [
    [1, 'abcdef', 3],
    [2, 'cbafed', 3],
    [3, 'fedcba', 3],
    [4, 'defabc', 3],
    [5, 'adbecf', 2],
    [6, 'daebfc', 2],
    [7, 'fcebda', 2],
    [8, 'cfbead', 2],
  ]

  it.each(shown)('stands upright: %i', (orientation, letters, width) => {
    const { size, rgba } = upright(pixels(stored, 3), orientation)
    expect(String.fromCharCode(...rgba.filter((_, at) => at % 4 === 0))).toBe(letters)
    expect(size).toEqual({ width, height: 6 / width })
  })
})

describe('transparent pixels', () => {
  const one = (...rgba: number[]) => ({ size: { width: 1, height: 1 }, rgba: Uint8Array.from(rgba) })

  it('keep what is visible', () => {
    const half = one(200, 100, 50, 128)
    premultiply(half)
    expect([...half.rgba]).toEqual([100, 50, 25, 128])
    unpremultiply(half)
    expect([...half.rgba]).toEqual([199, 100, 50, 128])
    const none = one(255, 0, 0, 0)
    premultiply(none)
    expect([...none.rgba]).toEqual([0, 0, 0, 0])
  })

  it('become white where the type has no transparency', () => {
    const none = one(9, 9, 9, 0)
    flatten(none)
    expect([...none.rgba]).toEqual([255, 255, 255, 255])
  })
})
