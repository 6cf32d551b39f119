import { type Border, ShapeError } from '../protocol/shapes/border.ts'
import { LimitError } from '../protocol/shapes/limits.ts'
import type { Collector } from './paging.ts'

type Judge<Entry> = (value: unknown, path: string, border: Border) => Entry

/** The entries of one load of a list. Each is checked by itself, and the first of a key stays (TOOL-30, RES-29). */
export class DistinctEntries<Entry> implements Collector {
  readonly byKey = new Map<string, Entry>()
  /** Left out entries, for the person. */
  readonly problems: string[] = []
  readonly #word: string
  readonly #judge: Judge<Entry>
  readonly #border: Border
  readonly #key: (entry: Entry) => string
  #count = 0

  constructor(word: string, judge: Judge<Entry>, border: Border, key: (entry: Entry) => string) {
    this.#word = word
    this.#judge = judge
    this.#border = border
    this.#key = key
  }

  add(value: unknown): void {
    this.#count++
    try {
      const entry = this.#judge(value, `${this.#word} ${this.#count}`, this.#border)
      const key = this.#key(entry)
      if (!this.byKey.has(key)) this.byKey.set(key, entry)
      else this.problems.push(`The ${this.#word} “${key.slice(0, 100)}” is listed twice; the first one counts.`)
    } catch (error) {
      if (!(error instanceof ShapeError || error instanceof LimitError)) throw error
      this.problems.push(`A ${this.#word} was left out: ${error.message}`)
    }
  }
}
