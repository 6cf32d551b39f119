import { describe, expect, it } from 'vitest'
import { base64Size, decodeBase64 } from './base64.ts'

describe('base64', () => {
  it('knows the size of what it holds (SCHEMA-17)', () => {
    for (let size = 0; size < 50; size++) {
      const bytes = Buffer.from(Array.from({ length: size }, (_, at) => (at * 37) % 256))
      expect(base64Size(bytes.toString('base64'))).toBe(size)
      expect(decodeBase64(bytes.toString('base64'))).toEqual(bytes)
    }
  })

  it.each(['a', 'ab', 'abc', 'a===', '=abc', 'ab=c', 'a b=', 'ab\n=', 'a-b_', 'aGl=', 'aG==', 'aGk=\n', 'äöüß'])(
    'refuses %j (SCHEMA-17)',
    (text) => {
      expect(base64Size(text)).toBeUndefined()
      expect(decodeBase64(text)).toBeUndefined()
    },
  )

  it('takes a large text', () => {
    expect(base64Size('A'.repeat(40_000_000))).toBe(30_000_000)
  })
})
