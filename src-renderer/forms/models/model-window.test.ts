import { describe, expect, it } from 'vitest'
import { tokensIn } from './ModelWindowDialog.tsx'

describe('a typed context window', () => {
  it.each([
    ['32768', 32_768],
    [' 32,768 ', 32_768],
    ['131.072', 131_072],
    ['200 000', 200_000],
    ['128k', 128_000],
    ['8 K', 8_000],
  ])('%j is understood', (typed, tokens) => {
    expect(tokensIn(typed)).toBe(tokens)
  })

  it.each(['', 'many', '12', '-4096', '4.5k', '1e5', '999999999999', '0x1000'])('%j is refused', (typed) => {
    expect(tokensIn(typed)).toBeUndefined()
  })
})
