/**
 * Runs changes one after another, also after one that failed: two concurrent read-modify-writes would lose the first.
 */
export class InTurn {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(change: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(change)
    this.#last = mine.catch(() => {}) // The caller of that change gets the error.
    return mine
  }

  /** Resolves when all changes so far have ended. */
  async ended(): Promise<void> {
    await this.#last
  }
}

/** One `InTurn` per key. */
export class InTurnBy<K> {
  readonly #last = new Map<K, Promise<unknown>>()

  run<T>(key: K, change: () => Promise<T>): Promise<T> {
    const mine = (this.#last.get(key) ?? Promise.resolve()).then(change)
    const settled = mine.then(
      () => {},
      () => {},
    )
    this.#last.set(key, settled)
    void settled.then(() => {
      if (this.#last.get(key) === settled) this.#last.delete(key)
    })
    return mine
  }
}
