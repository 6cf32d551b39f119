import { describe, expect, it } from 'vitest'
import { visibleParts, visibleText } from './visible-text.ts'

describe('visible text', () => {
  it('is one part when it is plain (SEC-21)', () => {
    expect(visibleParts('Grüße\n\tمرحبا 日本')).toEqual(['Grüße\n\tمرحبا 日本'])
    expect(visibleParts('')).toEqual([])
  })

  it('marks what reverses or hides text (SEC-21)', () => {
    expect(visibleText('invoice\u202Etxt.exe')).toBe('invoice⟨U+202E⟩txt.exe')
    expect(visibleText('a\u200Bb\uFEFFc\u00ADd')).toBe('a⟨U+200B⟩b⟨U+FEFF⟩c⟨U+00AD⟩d')
    expect(visibleText('a\u0000b\u001B[31m')).toBe('a⟨U+0000⟩b⟨U+001B⟩[31m')
    expect(visibleText('x\u{E0041}y')).toBe('x⟨U+E0041⟩y')
    expect(visibleText('no\u00A0break')).toBe('no⟨U+00A0⟩break')
    expect(visibleText('half \uD83D')).toBe('half ⟨U+D83D⟩')
  })

  it('names each mark', () => {
    expect(visibleParts('\u202E')).toEqual([{ code: 'U+202E', name: 'right-to-left override', char: '\u202E' }])
  })

  it('leaves emoji whole', () => {
    const family = '👩\u{200D}👩\u{200D}👧 ❤\u{FE0F} 1\u{FE0F}⃣'
    expect(visibleParts(family)).toEqual([family])
    expect(visibleText('a\u{200D}b')).toBe('a⟨U+200D⟩b')
    expect(visibleText('a\u{FE0F}')).toBe('a⟨U+FE0F⟩')
  })
})
