import { describe, expect, it } from 'vitest'
import { findMaths } from './find-maths.ts'

const found = (text: string) => findMaths(text).map(({ tex, display }) => (display ? `[${tex}]` : tex))

describe('maths in a model’s text', () => {
  it('is between dollars or TeX’s own marks, within a line or on lines of its own', () => {
    expect(found('Let $n$ be $2k+1$, \\(x_i\\) and **$\\alpha$**.')).toEqual(['n', '2k+1', 'x_i', '\\alpha'])
    expect(found('$$\na = b\n$$\n\n\\[\nc^2\n\\]\n\nso \\[ x = 1 \\] holds, $$y$$')).toEqual([
      '[a = b]',
      '[c^2]',
      '[x = 1]',
      '[y]',
    ])
    expect(found('$$\na\n\n= b\n$$')).toEqual(['[a\n\n= b]'])
    expect(found('> $$\n> a = b\n> $$')).toEqual(['[a = b]'])
    expect(found('$f\n+ g$ and $a\\$b$')).toEqual(['f\n+ g', 'a\\$b'])
    expect(found('$10$ or $2ab$ or $5 \\text{ km}$')).toEqual(['10', '2ab', '5 \\text{ km}'])
  })

  it('is found with the range of its delimiters', () => {
    const text = 'a $x$ b'
    expect(findMaths(text).map(({ from, to }) => text.slice(from, to))).toEqual(['$x$'])
  })

  it.each([
    'It costs $5 and $10.',
    'From $5k and 10k$ a year',
    '$5-$10, $5/$10, US$5 and A$6',
    'Set $HOME and $PATH, or $HOME/$USER.',
    'a \\$5 and b \\$6',
    '$ x $ and 5$',
    'no $end',
    '$a\n\nb$',
    '$$$ and $$$',
    '$$ earned\n\nand $$ spent',
    '\\[citation needed\\] and \\[1\\]',
    '\\(not closed',
    '$$$$',
  ])('is not in %j', (text) => {
    expect(found(text)).toEqual([])
  })

  it('is not in code', () => {
    expect(found('`$x$` and ``a `$y$` b`` but $z$')).toEqual(['z'])
    expect(found('costs `$x` and `$y`')).toEqual([])
    expect(found('```sh\necho $a$ $b$\n```\n$c$\n~~~\n$d$\n```\n$e$\n~~~')).toEqual(['c'])
    expect(found('- ```\n  $x$\n  ```\n- $y$')).toEqual(['y'])
    expect(found('a ` lone $x$')).toEqual(['x'])
  })
})
