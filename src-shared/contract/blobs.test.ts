import { describe, expect, it } from 'vitest'
import { icon, shownIcon } from './blobs.ts'

describe('an icon of a server', () => {
  const png = 'data:image/png;base64,iVBORw0KGgo='

  it('is shown only if it is a small data URL', () => {
    expect(shownIcon([{ src: 'https://icons.example/a.png' }, { src: png }])).toBe(png)
    for (const src of [
      'https://icons.example/a.png',
      'http://icons.example/a.png',
      'javascript:alert(1)',
      'data:image/svg+xml;base64,PHN2Zy8+',
      'data:text/html;base64,PHN2Zy8+',
      `data:image/png;base64,${'A'.repeat(9_000)}`,
      '//icons.example/a.png',
    ]) {
      expect(shownIcon([{ src }])).toBeUndefined()
      expect(icon().safeParse({ src }).success).toBe(false)
    }
  })
})
