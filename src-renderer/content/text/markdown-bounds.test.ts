import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Markdown } from './Markdown.tsx'
import { isBounded } from './markdown-bounds.ts'

const HOSTILE = {
  'nested quotes': '>'.repeat(2_000),
  'nested lists on a line': '- '.repeat(3_000),
  'nested numbers': '1. '.repeat(2_000),
  'nested lists by indent': Array.from({ length: 300 }, (_, at) => `${'  '.repeat(at)}- x`).join('\n'),
  'a table of thousands of cells': `${'|a'.repeat(3_000)}|\n${'|-'.repeat(3_000)}|`,
  'thousands of footnotes': Array.from({ length: 1_000 }, (_, at) => `[^${at}]`).join(' '),
  'nested brackets': '['.repeat(5_000),
  'an address that ends in thousands of references': `www.a.b${'&a;'.repeat(2_000)}`,
  'runs of emphasis': '*a_ '.repeat(5_000),
}

describe('Markdown that is costly to parse', () => {
  it.each(Object.entries(HOSTILE))('is shown as plain text for %s', (_what, text) => {
    expect(isBounded(text)).toBe(false)
    const page = renderToStaticMarkup(createElement(Markdown, { text }))
    expect(page).toContain('Shown as plain text')
    expect(page).not.toMatch(/<(?:blockquote|ol|table|em)\b/)
  })

  it('may contain long code, and the rest is checked', () => {
    const code = '<p>[a](b) | *'.repeat(2_000)
    expect(isBounded(`\`\`\`html\n${code}\n\`\`\`\n`)).toBe(true)
    expect(isBounded(`~~~\n${code}\n\`\`\`\n~~~`)).toBe(true)
    expect(isBounded(`\`\`\`\n${code}`)).toBe(true)
    // Beginnings of no code, and ends of it.
    expect(isBounded(`\`\`\` a\`b\n${code}`)).toBe(false)
    expect(isBounded(`\`\`\`\nx\n\`\`\`\n${code}`)).toBe(false)
    expect(isBounded(`text\n\`\`\`\n${code}`)).toBe(false)
  })

  it('is unlike what people and models write, which is unchanged', () => {
    const text =
      '# A\n\n> quoted\n> > twice\n\n- a\n  - b\n    - c\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n**bold** `code` [link](https://a.example)'
    expect(isBounded(text)).toBe(true)
    expect(renderToStaticMarkup(createElement(Markdown, { text }))).toMatch(/<blockquote>[\s\S]*<table/)
  })
})
