/** Typed subscribe and fire. All listeners are called even if one throws. */
export class Emitter<T> {
  readonly #listeners = new Set<(value: T) => void>()

  /** Returns the undo. */
  on(listen: (value: T) => void): () => void {
    this.#listeners.add(listen)
    return () => {
      this.#listeners.delete(listen)
    }
  }

  fire(value: T): void {
    const failures: unknown[] = []
    for (const listen of [...this.#listeners]) {
      try {
        listen(value)
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length === 1) throw failures[0]
    if (failures.length > 1) throw new AggregateError(failures, 'listeners failed')
  }

  get size(): number {
    return this.#listeners.size
  }
}
