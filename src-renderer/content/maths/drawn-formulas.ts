import { systemClock } from '../../../src-shared/base/clock.ts'
import { type ThreadOutcome, ThreadQueue } from '../isolation/thread-queue.ts'
import type { Formula } from './draw-formula.ts'
import type { MathsNode } from './maths-tree.ts'

/** Formulas kept, so that those of a text that still grows are drawn once. */
const KEPT = 500

type Drawing = (formula: Formula, time: number) => Promise<ThreadOutcome<MathsNode>>

/** Formulas that were drawn, and those that cannot be. One that was late is neither. */
export class DrawnFormulas {
  readonly #draw: Drawing
  /** Oldest first. */
  readonly #settled = new Map<string, MathsNode | 'broken'>()
  readonly #underWay = new Map<string, Promise<ThreadOutcome<MathsNode>>>()

  constructor(draw: Drawing) {
    this.#draw = draw
  }

  /** undefined for what is not known yet. */
  of(formula: Formula): MathsNode | 'broken' | undefined {
    return this.#settled.get(keyOf(formula))
  }

  /** Draws it unless that is under way; `time` is in milliseconds. */
  async draw(formula: Formula, time: number): Promise<'settled' | 'late'> {
    const key = keyOf(formula)
    if (this.#settled.has(key)) return 'settled'
    const drawing = this.#underWay.get(key) ?? this.#draw(formula, time)
    this.#underWay.set(key, drawing)
    const outcome = await drawing
    this.#underWay.delete(key)
    if (outcome.is === 'late') return 'late'
    this.#settled.set(key, outcome.is === 'done' ? outcome.answer : 'broken')
    const [oldest] = this.#settled.keys()
    if (this.#settled.size > KEPT && oldest !== undefined) this.#settled.delete(oldest)
    return 'settled'
  }
}

const keyOf = ({ tex, display }: Formula) => `${display ? '$' : ''}${tex}`

const queue = new ThreadQueue<Formula, MathsNode>(
  () => new Worker(new URL('./maths-worker.ts', import.meta.url), { type: 'module', name: 'maths' }),
  systemClock,
)

/** Those of this page. */
export const drawnFormulas = new DrawnFormulas((formula, time) => queue.run(formula, time))
