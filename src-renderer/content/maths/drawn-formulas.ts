import { systemClock } from '../../../src-shared/base/clock.ts'
import { ThreadQueue } from '../apart/thread-queue.ts'
import type { Formula } from './draw-formula.ts'
import type { MathsNode } from './maths-tree.ts'

/** Milliseconds for one formula: what takes longer is read as TeX. */
const DEADLINE = 3_000
/** Formulas kept, so that those of a text that still grows are drawn once. */
const KEPT = 500

const queue = new ThreadQueue<Formula, MathsNode>(
  () => new Worker(new URL('./maths-worker.ts', import.meta.url), { type: 'module', name: 'maths' }),
  systemClock,
  DEADLINE,
)
/** Oldest first; `none` cannot be drawn. */
const drawn = new Map<string, MathsNode | 'none'>()
const keyOf = ({ tex, display }: Formula) => `${display ? '$' : ''}${tex}`

/** Its state: undefined until `draw` has been called. */
export const drawnFormula = (formula: Formula): MathsNode | 'none' | undefined => drawn.get(keyOf(formula))

export async function draw(formula: Formula): Promise<void> {
  const node = (await queue.run(formula)) ?? 'none'
  drawn.set(keyOf(formula), node)
  const [oldest] = drawn.keys()
  if (drawn.size > KEPT && oldest !== undefined) drawn.delete(oldest)
}
