import { describe, expect, it } from 'vitest'
import { drawFormula } from './draw-formula.ts'
import { type MathsNode, readMathml } from './maths-tree.ts'

const inline = (tex: string) => drawFormula({ tex, display: false })
const wrapped = (inside: string) => `<span class="katex"><math><semantics>${inside}</semantics></math></span>`

function* nodes(node: MathsNode | string | undefined): Generator<MathsNode> {
  if (typeof node !== 'object') return
  yield node
  for (const child of node.children) yield* nodes(child)
}
const textOf = (node: MathsNode | string): string => (typeof node === 'string' ? node : node.children.map(textOf).join(''))

describe('a formula', () => {
  it('becomes MathML without KaTeX’s wrapper', () => {
    const math = inline('a < b')
    expect(math).toEqual({
      tag: 'math',
      attributes: {},
      children: [
        {
          tag: 'mrow',
          attributes: {},
          children: [
            { tag: 'mi', attributes: {}, children: ['a'] },
            { tag: 'mo', attributes: {}, children: ['<'] },
            { tag: 'mi', attributes: {}, children: ['b'] },
          ],
        },
      ],
    })
  })

  it('uses the letters for bold, script and the rest', () => {
    const math = inline('\\mathbb{R}\\mathcal{L}\\mathbf{v}\\boldsymbol\\alpha\\mathfrak{C}\\mathbb{k}')
    expect(math && textOf(math)).toBe('ℝℒ𝐯𝜶ℭ𝕜')
  })

  it('keeps the alignment of its columns', () => {
    const math = drawFormula({ tex: '\\begin{aligned}a&=b\\\\c&=d\\end{aligned}', display: true })
    const cells = [...nodes(math)].filter(({ tag }) => tag === 'mtd').map(({ attributes }) => attributes.className)
    expect(cells.slice(0, 2)).toEqual(['maths-side-right', 'maths-side-left maths-tight'])
  })

  it('contains no address, picture, style or event for any text', () => {
    const asks = [
      '\\href{javascript:window.canary=1}{x}',
      '\\url{https://foreign.example}',
      '\\includegraphics{http://foreign.example/a.png}',
      '\\htmlStyle{position:fixed}{x}',
      '\\htmlData{a=b}{x}',
      '\\htmlClass{ui-button}{x}',
      '\\text{<img src=x onerror=alert(1)>}',
      '\\color{url(http://foreign.example)}x',
      '\\kern{-999em}x\\rule{999em}{999em}',
    ]
    for (const tex of asks) {
      for (const { tag, attributes } of nodes(inline(tex))) {
        expect(tag).toMatch(/^m[a-z]+$/)
        expect(Object.keys(attributes).filter((name) => /^on|style|href|src|data|^id$/.test(name))).toEqual([])
        for (const value of Object.values(attributes)) expect(value).toMatch(/^[\w#.%+ -]*$/)
        expect(Number.parseFloat(attributes.width ?? '0')).toBeLessThanOrEqual(20)
      }
    }
  })

  it('is not drawn when it is broken, endless, too deep or too large', () => {
    expect(inline('\\frac{1}')).toBeUndefined()
    expect(inline('\\def\\a{\\a\\a}\\a')).toBeUndefined()
    expect(inline(`${'{'.repeat(3_000)}x${'}'.repeat(3_000)}`)).toBeUndefined()
    expect(inline(`${'\\sqrt{'.repeat(300)}x${'}'.repeat(300)}`)).toBeUndefined()
    expect(inline('x+'.repeat(4_000))).toBeUndefined()
  })

  it('is read from KaTeX’s output alone', () => {
    const broken = [
      '<mi>x</mi>',
      '<script>alert(1)</script>',
      '<mi onclick=x>x</mi>',
      '<mglyph src="a.png"/>',
      '<MI>x</MI>',
      '<mi>x</mo>',
      '<!-- x -->',
    ]
    for (const inside of broken.slice(1)) expect(() => readMathml(wrapped(inside))).toThrow()
    expect(() => readMathml(`${wrapped('<mi>x</mi>')}<`)).toThrow()
    expect(readMathml(wrapped('<mi onclick="x" id="y" style="z">x</mi>')).children).toEqual([
      { tag: 'mi', attributes: {}, children: ['x'] },
    ])
  })
})
