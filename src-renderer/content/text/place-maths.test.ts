import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Markdown } from './Markdown.tsx'
import { takeMaths } from './place-maths.ts'

const page = (text: string) => renderToStaticMarkup(createElement(Markdown, { text }))
/** Formulas as they stand until they are drawn. */
const formula = (tex: string, more = '') => `<code class="content-code maths-source${more}"><bdi><span>${tex}</span></bdi></code>`

describe('formulas in Markdown', () => {
  it('are not read as Markdown', () => {
    expect(page('so $a_i * b_j * c$ and **$x$**')).toContain(
      `so ${formula('a_i * b_j * c')} and <strong>${formula('x')}</strong>`,
    )
    expect(page('| a |\n|---|\n| $|x|$ |')).toContain(`<td>${formula('|x|')}</td>`)
    expect(page('$$\na\n\nb\n$$')).toContain(formula('a\n\nb', ' maths-display'))
  })

  it('stay unchanged in code and in addresses', () => {
    expect(page('`$x$` and\n\n    $y$ indented')).not.toContain('maths-source')
    expect(page('    $y$ indented')).toContain('$y$ indented')
    expect(page('[a](https://a.example/$b$)')).toContain('href="https://a.example/$b$"')
    expect(page('see https://a.example/?$b$ there')).not.toContain('maths-source')
    expect(page('![$b$](https://a.example/x.png)')).toContain('$b$')
  })

  it('stay text where the text itself contains placeholder characters', () => {
    const text = '\uE0000\uE001 and $x$'
    expect(takeMaths(text)).toEqual({ text, sources: [] })
    expect(page('$x$ 0')).toContain(`${formula('x')} 0`)
  })
})
