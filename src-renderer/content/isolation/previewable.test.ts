import { describe, expect, it } from 'vitest'
import { isPreviewable } from './previewable.ts'

describe('code with a preview', () => {
  it('is HTML, and SVG under any of its names', () => {
    expect(isPreviewable('<p>Hello', 'html')).toBe(true)
    expect(isPreviewable('<p>Hello', 'HTML')).toBe(true)
    expect(isPreviewable('<svg viewBox="0 0 1 1"/>', 'svg')).toBe(true)
    expect(isPreviewable('<?xml version="1.0"?>\n<!-- a -->\n<!DOCTYPE svg>\n<svg>', 'xml')).toBe(true)
  })

  it('is no other code', () => {
    for (const language of ['js', 'css', 'markdown', '', undefined]) expect(isPreviewable('<svg></svg>', language)).toBe(false)
    expect(isPreviewable('<note>xml</note>', 'xml')).toBe(false)
    expect(isPreviewable('<svgx>', 'svg')).toBe(false)
    expect(isPreviewable('  \n', 'html')).toBe(false)
    expect(isPreviewable('x'.repeat(500_001), 'html')).toBe(false)
  })
})
