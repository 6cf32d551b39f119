import { expect, it } from 'vitest'
import { askedBy, queryOf } from './caret-query.ts'

it('a list is asked for by @ after a space and by / at the start, and by nothing that was pasted', () => {
  expect(askedBy('@', 'look at @', 9)).toEqual({ char: '@', at: 8 })
  expect(askedBy('@', '@', 1)).toEqual({ char: '@', at: 0 })
  expect(askedBy('/', '/', 1)).toEqual({ char: '/', at: 0 })
  expect(askedBy('@', 'me@', 3)).toBeUndefined()
  expect(askedBy('/', 'and/', 4)).toBeUndefined()
  expect(askedBy(null, '@', 1)).toBeUndefined()
})

it('what is typed on is the search, until it is something else', () => {
  const at = { char: '@', at: 5 } as const
  expect(queryOf(at, 'look @arch now', 10)).toBe('arch')
  expect(queryOf(at, 'look @', 6)).toBe('')
  expect(queryOf(at, 'look @ ', 7)).toBeUndefined()
  expect(queryOf(at, 'look @a\nb', 9)).toBeUndefined()
  expect(queryOf(at, 'look @a', 5)).toBeUndefined()
  expect(queryOf(at, 'look', 4)).toBeUndefined()
})
