import { findMaths, type Maths } from '../maths/find-maths.ts'
import type { MarkdownNode } from './mark-hidden.ts'

/** Private-use characters mark the number of a formula while Markdown is parsed. */
const [FROM, TO] = ['\uE000', '\uE001']
const PLACEHOLDER = /\uE000(\d+)\uE001/g

interface PlacedMaths {
  /** The text with a placeholder for each formula, since Markdown would read TeX as markup. */
  readonly text: string
  readonly sources: readonly (Maths & { readonly source: string })[]
}

/** Replaces formulas by placeholders. A text that already contains placeholder characters keeps its formulas as text. */
export function takeMaths(text: string): PlacedMaths {
  const found = text.includes(FROM) || text.includes(TO) ? [] : findMaths(text)
  let from = 0
  let placed = ''
  const sources = found.map((maths, number) => {
    placed += `${text.slice(from, maths.from)}${FROM}${number}${TO}`
    from = maths.to
    return { ...maths, source: text.slice(maths.from, maths.to) }
  })
  return { text: placed + text.slice(from), sources }
}

/** Puts formulas back into the parsed tree: drawn within text, as TeX everywhere else. */
export function putMaths(sources: PlacedMaths['sources']) {
  const written = (value: string) =>
    value.replace(PLACEHOLDER, (whole, number: string) => sources[Number(number)]?.source ?? whole)
  const put = (node: MarkdownNode, asText: boolean): void => {
    const changed = putIntoProperties(node.properties ?? {}, written)
    const stays = asText || changed || node.tagName === 'code'
    if (!node.children) return
    node.children = node.children.flatMap((child) => {
      if (child.type === 'text') {
        const value = child.value ?? ''
        return stays ? [{ type: 'text', value: written(value) }] : withFormulas(value, sources)
      }
      put(child, stays)
      return [child]
    })
  }
  return () =>
    (tree: MarkdownNode): void => {
      if (sources.length > 0) put(tree, false)
    }
}

/** Replaces placeholders in properties. True if there were any: the text of such a link or picture gets no formulas either. */
function putIntoProperties(properties: Record<string, unknown>, written: (value: string) => string): boolean {
  let changed = false
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value !== 'string') continue
    // Addresses contain the placeholder characters percent-encoded.
    const marked = value.replaceAll('%EE%80%80', FROM).replaceAll('%EE%80%81', TO)
    const back = written(marked)
    if (back === marked) continue
    properties[name] = back
    changed = true
  }
  return changed
}

function withFormulas(value: string, sources: PlacedMaths['sources']): MarkdownNode[] {
  // Text and numbers of formulas alternate.
  return value.split(PLACEHOLDER).flatMap((piece, index): MarkdownNode[] => {
    const maths = index % 2 === 1 ? sources[Number(piece)] : undefined
    if (!maths) return piece === '' ? [] : [{ type: 'text', value: piece }]
    const { tex, display } = maths
    const properties = { value: tex, className: [display ? 'display' : 'inline'] }
    return [{ type: 'element', tagName: 'data', properties, children: [] }]
  })
}
