import { expect, it } from 'vitest'
import { askedBy, queryOf } from './caret-query.ts'

it('the caret list opens for @ after a space and / at the start, and never for pasted text', () => {
  expect(askedBy('@', 'look at @', 9)).toEqual({ char: '@', at: 8 })
  expect(askedBy('@', '@', 1)).toEqual({ char: '@', at: 0 })
  expect(askedBy('/', '/', 1)).toEqual({ char: '/', at: 0 })
  expect(askedBy('@', 'me@', 3)).toBeUndefined()
  expect(askedBy('/', 'and/', 4)).toBeUndefined()
  expect(askedBy(null, '@', 1)).toBeUndefined()
})

it('the caret list searches for the text typed after it, until that is something else', () => {
  const at = { char: '@', at: 5 } as const
  expect(queryOf(at, 'look @arch now', 10)).toBe('arch')
  expect(queryOf(at, 'look @', 6)).toBe('')
  expect(queryOf(at, 'look @ ', 7)).toBeUndefined()
  expect(queryOf(at, 'look @a\nb', 9)).toBeUndefined()
  expect(queryOf(at, 'look @a', 5)).toBeUndefined()
  expect(queryOf(at, 'look', 4)).toBeUndefined()
})
