import { systemClock } from '../../../src-shared/base/clock.ts'
import { type ThreadOutcome, ThreadQueue } from '../isolation/thread-queue.ts'
import type { Formula } from './draw-formula.ts'
import type { MathsNode } from './maths-tree.ts'

/** Formulas kept, so that a growing text draws each once. */
const MAX_KEPT = 500

type Drawing = (formula: Formula, time: number) => Promise<ThreadOutcome<MathsNode>>

/** Formulas that were drawn or cannot be. Late ones are not kept. */
export class DrawnFormulas {
  readonly #draw: Drawing
  readonly #settled = new Map<string, MathsNode | 'broken'>()
  readonly #pending = new Map<string, Promise<ThreadOutcome<MathsNode>>>()

  constructor(draw: Drawing) {
    this.#draw = draw
  }

  /** Undefined while unknown. */
  of(formula: Formula): MathsNode | 'broken' | undefined {
    return this.#settled.get(keyOf(formula))
  }

  /** Draws a formula once, also for several callers. `time` in milliseconds. */
  async draw(formula: Formula, time: number): Promise<'settled' | 'late'> {
    const key = keyOf(formula)
    if (this.#settled.has(key)) return 'settled'
    const drawing = this.#pending.get(key) ?? this.#draw(formula, time)
    this.#pending.set(key, drawing)
    const outcome = await drawing
    this.#pending.delete(key)
    if (outcome.is === 'late') return 'late'
    this.#settled.set(key, outcome.is === 'done' ? outcome.answer : 'broken')
    const [oldest] = this.#settled.keys()
    if (this.#settled.size > MAX_KEPT && oldest !== undefined) this.#settled.delete(oldest)
    return 'settled'
  }
}

const keyOf = ({ tex, display }: Formula) => `${display ? '$' : ''}${tex}`

const queue = new ThreadQueue<Formula, MathsNode>(
  () => new Worker(new URL('./maths-worker.ts', import.meta.url), { type: 'module', name: 'maths' }),
  systemClock,
)

export const drawnFormulas = new DrawnFormulas((formula, time) => queue.run(formula, time))
