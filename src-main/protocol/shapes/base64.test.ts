import { describe, expect, it } from 'vitest'
import { base64Size } from './base64.ts'

describe('base64', () => {
  it('has a known size (SCHEMA-17)', () => {
    for (let size = 0; size < 50; size++) {
      const bytes = Buffer.from(Array.from({ length: size }, (_, at) => (at * 37) % 256))
      expect(base64Size(bytes.toString('base64'))).toBe(size)
    }
  })

  it.each([
    'a',
    'ab',
    'abc',
    'a===',
    '=abc',
    'ab=c',
    'a b=',
    'ab\n=',
    'a-b_',
    'aGl=',
    'aG==',
    'aGk=\n',
    'äöüß',
    'ŁAAA',
    'QQ==QQ==',
  ])('refuses %j (SCHEMA-17)', (text) => {
    expect(base64Size(text)).toBeUndefined()
  })

  it('may be large, and an error is found anywhere in it', () => {
    const text = 'A'.repeat(4_000_000)
    expect(base64Size(text)).toBe(3_000_000)
    for (const at of [0, 16_384, 2_000_001, 3_999_999]) {
      for (const wrong of ['-', ' ', 'Ł']) expect(base64Size(`${text.slice(0, at)}${wrong}${text.slice(at + 1)}`)).toBeUndefined()
    }
    expect(base64Size(`${text.slice(0, 16_380)}AAA=${text}`)).toBeUndefined()
  })
})
