import { expect, it } from 'vitest'
import { matchesWords } from './matches-words.ts'

it('every word counts, wherever it is and whatever its case, and none finds everything', () => {
  expect(matchesWords('Read File', 'file READ')).toBe(true)
  expect(matchesWords('Read File', 'file write')).toBe(false)
  expect(matchesWords('Read File', '  ')).toBe(true)
})
