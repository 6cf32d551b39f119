import { expect, it } from 'vitest'
import { askedBy, isAddress, nearestFirst, queryOf } from './caret-query.ts'

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

it('the caret list takes the address of a web page, which may be long, up to its end', () => {
  const address = `https://example.com/${'a'.repeat(500)}`
  const at = { char: '@', at: 0 } as const
  expect(queryOf(at, `@${address}`, address.length + 1)).toBe(address)
  expect(queryOf(at, `@${address} and`, address.length + 5)).toBeUndefined()
  expect(['https://example.com', 'HTTP://a'].map(isAddress)).toEqual([true, true])
  expect(['https://', 'https:///a', 'https://a b', 'ftp://a', 'example.com', ''].map(isAddress)).toEqual(Array(6).fill(false))
  expect(isAddress(`https://example.com/${'a'.repeat(2048)}`)).toBe(false)
})

it('offers at the caret stand nearest first: names that begin with what is typed, that hold it, and scattered letters', () => {
  const names = ['shop/src/vat.ts', 'A short list', 'Short letter', 'shop/report.md']
  const sorted = ['Short letter', 'A short list', 'shop/src/vat.ts', 'shop/report.md']
  expect(nearestFirst(names, 'short', (name) => [name])).toEqual(sorted)
  expect(nearestFirst(names, '', (name) => [name])).toEqual(names)
})
