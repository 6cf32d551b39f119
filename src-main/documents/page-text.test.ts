import { describe, expect, it } from 'vitest'
import { pageText } from './page-text.ts'

const textOf = (html: string) => pageText(html).text

describe('the text of a page', () => {
  it('has its headings, paragraphs, lists and tables as lines', () => {
    const html = `<!DOCTYPE html><html><head><title>Tea &amp;
      more</title><style>p { color: red }</style></head><body><h1>Tea</h1><p>Boil <b>the</b>
      water.<br>Then wait.</p><ul><li>green</li><li>bl&auml;ck &#8364;2 &#x1F375;</li></ul>
      <table><tr><th>Kind</th><th>Minutes</th></tr><tr><td>green</td><td>3</td></tr></table></body></html>`
    expect(pageText(html)).toEqual({
      title: 'Tea & more',
      text: '# Tea\n\nBoil the water.\nThen wait.\n\n- green\n- bläck €2 🍵\n\nKind | Minutes\ngreen | 3',
    })
  })

  it('keeps the lines of code as they are', () => {
    expect(textOf('<p>So:</p><pre><code>if a &lt; b:\n    go()\n</code></pre><p>Done.')).toBe(
      'So:\n\nif a < b:\n    go()\n\nDone.',
    )
  })

  it('is that of its main part where the page marks one, without navigation', () => {
    expect(textOf('<p>Log in</p><main><nav><ul><li>Home</ul></nav><p>The news.</p></main><p>Imprint</p>')).toBe('The news.')
    expect(textOf('<nav>Home</nav><p>The news.')).toBe('The news.')
  })

  it('has no script, style or comment, also where they hold markup or are not closed', () => {
    expect(textOf('a<script>if (a<b) "</p>"; "<!--"</SCRIPT >b<!-- <p>c --><style>d')).toBe('ab')
    expect(textOf('a<p title="x > y" data-a=\'"\'>b</p>c <d & e < f>')).toBe('a\n\nb\n\nc')
    expect(textOf('1 < 2 &unknown; &#0; &#xD800;')).toBe('1 < 2 &unknown; � �')
  })

  it.each(['<a "', '<a b="', '<!--', '<script>', '</', '<svg>', '<pre>\n', '<main>', '&#', '<p> ', '&amp', "<a b='>"])(
    'is read once, however often a page says %j',
    (part) => {
      expect(textOf(part.repeat(400_000)).length).toBeLessThanOrEqual(part.length * 400_000)
    },
  )
})
