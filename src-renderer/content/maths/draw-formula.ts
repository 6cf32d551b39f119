import katex from 'katex'
import { type MathsNode, readMathml } from './maths-tree.ts'

export interface Formula {
  readonly tex: string
  /** On lines of its own, with sums and fractions at their full height. */
  readonly display: boolean
}

/** In em: what a formula may ask for in widths and heights. */
const MAX_SIZE = 20

/** A formula in TeX as MathML; undefined for what is none, or too large. Costs what its text wants: call it in a thread. */
export function drawFormula({ tex, display }: Formula): MathsNode | undefined {
  try {
    const options = { displayMode: display, output: 'mathml', maxSize: MAX_SIZE, strict: 'ignore', trust: false } as const
    return readMathml(katex.renderToString(tex, options))
  } catch {
    return undefined
  }
}
