import { describe, expect, it } from 'vitest'
import { joinedIn, wordsIn } from './words.ts'

describe('the words of a text', () => {
  it.each([
    ['Mail bob@example.com, now!', 'mail bob@example.com bob example.com now'],
    ['"A-1" (x.y) =z:', 'a-1 x.y'],
    ['https://example.com/a1/b2?c=d4#e5', 'https://example.com/a1/b2?c=d4#e5 https example.com a1 b2 d4 e5'],
    ['DE02 1203 0000 0020 2051', 'de02 1203 0000 0020 2051 de021203000000202051'],
    [
      'mailto:ana@example.com?cc=b2@example.org',
      'mailto:ana@example.com?cc=b2@example.org mailto ana@example.com ana example.com cc b2@example.org b2 example.org',
    ],
    ['a b', ''],
  ])('are those of %j', (text, words) => {
    expect(wordsIn(text).join(' ')).toBe(words)
  })

  it('include numbers in any grouping', () => {
    expect(wordsIn('0151-552081')).toContain('0151552081')
    expect(wordsIn('0151 55 20 81')).toContain('0151552081')
    expect(wordsIn('1.234.567')).toContain('1234567')
    expect(wordsIn('12 34')).not.toContain('1234')
  })

  it('are complete: a very long one in parts, and each piece of one', () => {
    expect(wordsIn(`${'x'.repeat(2_001)}ab y1`)).toEqual(['x'.repeat(2_000), 'xab', 'y1'])
    expect(wordsIn(Array.from({ length: 100 }, (_, n) => `p${n}`).join('/'))).toHaveLength(101)
    expect(wordsIn(`${'x'.repeat(2_001)}/A-17`)).toContain('a-17')
  })

  it('are separated by blanks of any script', () => {
    expect(wordsIn('ab\u00a0cd\u2003ef\u3000gh\ufeffij\nÄb')).toEqual(['ab', 'cd', 'ef', 'gh', 'ij', 'äb'])
  })

  it('are the first ones up to the number asked for', () => {
    const text = 'ab c/de 0151-552081'
    for (let most = 0; most <= 7; most++) expect(wordsIn(text, most)).toEqual(wordsIn(text).slice(0, most))
    expect(wordsIn(text)).toHaveLength(5)
  })

  it('include one that was split into short pieces with a digit among them', () => {
    expect(joinedIn('DE0 212/03', 100)).toEqual(['de0212', 'de021203', '21203'])
    expect(joinedIn('no digits at all', 100)).toEqual([])
    expect(joinedIn('1 2 3 4 5', 100)).toContain('12345')
    expect(joinedIn('1 2 3 4 5 6 7 8', 3)).toHaveLength(4)
  })
})
