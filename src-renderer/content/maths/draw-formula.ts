import katex from 'katex'
import { type MathsNode, readMathml } from './maths-tree.ts'

export interface Formula {
  readonly tex: string
  /** Displayed on its own lines, with sums and fractions at full height. */
  readonly display: boolean
}

/** Maximum width and height that a formula may set, in em. */
const MAX_SIZE = 20

/** Converts TeX to MathML; undefined for invalid or too large formulas. The cost depends on the text: call it in a thread. */
export function drawFormula({ tex, display }: Formula): MathsNode | undefined {
  try {
    const options = { displayMode: display, output: 'mathml', maxSize: MAX_SIZE, strict: 'ignore', trust: false } as const
    return readMathml(katex.renderToString(tex, options))
  } catch {
    return undefined
  }
}
