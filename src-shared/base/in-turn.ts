/**
 * Runs what it is given one after another, each whether or not the one before failed: for what is read, changed and written back, where
 * two at once would lose the first.
 */
export class InTurn {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(change: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(change)
    this.#last = mine.catch(() => {}) // Reported to the caller that waits for that change.
    return mine
  }

  /** When all that was given so far has ended. */
  async ended(): Promise<void> {
    await this.#last
  }
}

/** The same for each key by itself. */
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
