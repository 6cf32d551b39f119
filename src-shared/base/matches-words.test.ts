import { expect, it } from 'vitest'
import { matchesWords } from './matches-words.ts'

it('a text matches if it contains every word in any order and case, and an empty query matches all', () => {
  expect(matchesWords('Read File', 'file READ')).toBe(true)
  expect(matchesWords('Read File', 'file write')).toBe(false)
  expect(matchesWords('Read File', '  ')).toBe(true)
})
