import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Markdown } from './Markdown.tsx'

const text = Array.from({ length: 400 }, (_, n) => `Paragraph **${n}** of a long answer, long enough to count.`).join('\n\n')
const own = { link: () => undefined, picture: () => undefined }

it('a long text is parsed at its beginning, with the rest as plain text below', () => {
  const html = renderToStaticMarkup(createElement(Markdown, { text }))
  const [parsed = '', plain = ''] = html.split('<div class="pre-wrap">')
  expect(parsed).toContain('<strong>0</strong>')
  expect(parsed.match(/<strong>/g)?.length).toBeLessThan(100)
  expect(plain).toContain('Paragraph **399** of')
  for (const n of [0, 50, 100, 200, 399]) expect(html.match(new RegExp(`>${n}<|\\*${n}\\*`, 'g'))).toHaveLength(1)
})

it('a text of our own or a short one is parsed at once', () => {
  expect(renderToStaticMarkup(createElement(Markdown, { text, own }))).not.toContain('pre-wrap')
  expect(renderToStaticMarkup(createElement(Markdown, { text: text.slice(0, 3900) }))).not.toContain('pre-wrap')
})

const drawn = (text: string) => renderToStaticMarkup(createElement(Markdown, { text }))

it('an empty corner of a table is no header cell, and named ones stay headers', () => {
  const html = drawn('|   | b |\n| - | - |\n| 1 | 2 |')
  expect(html).toContain('<th>b</th>')
  expect(html.match(/<th[ >]/g)).toHaveLength(1)
  expect(html.match(/<td[ >]/g)).toHaveLength(3)
})

it('the heading of footnotes is for screen readers alone', () => {
  expect(drawn('Said[^1].\n\n[^1]: By whom.')).toMatch(/<h2[^>]*class="unseen"[^>]*>Footnotes<\/h2>/)
})

it('HTML becomes a paragraph of text, with hidden characters marked and formulas kept', () => {
  const html = drawn('<div>a\u200bb $x$ c</div>\n\nEnd <b>in</b> a line.\n\n> <i>\n> quoted')
  expect(html).toMatch(
    /^<div[^>]*><p>&lt;div&gt;a<span class="ui-mark"[^>]*>[^<]+<\/span>b <code[^>]*>.*x.*<\/code> c&lt;\/div&gt;<\/p>/,
  )
  expect(html).toContain('<p>End &lt;b&gt;in&lt;/b&gt; a line.</p>')
  expect(html).toMatch(/<blockquote>\s*<p>&lt;i&gt;/)
})
