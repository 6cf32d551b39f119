/** Lets one of many work at a time, in the order of their asking. */
export class DrawingTurns {
  readonly #waiting: (() => void)[] = []

  /** Calls `begin` when it is this one's turn, at the earliest at once. Returns what ends the turn, or the wait for it. */
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
