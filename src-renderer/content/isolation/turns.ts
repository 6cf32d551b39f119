/** Lets one caller work at a time, in order. */
export class DrawingTurns {
  readonly #waiting: (() => void)[] = []

  /** Calls `begin` when the turn comes, possibly at once. Returns the function that ends the turn or the wait. */
  take(begin: () => void): () => void {
    this.#waiting.push(begin)
    if (this.#waiting.length === 1) begin()
    return () => {
      const at = this.#waiting.indexOf(begin)
      if (at < 0) return
      this.#waiting.splice(at, 1)
      if (at === 0) this.#waiting[0]?.()
    }
  }
}
