/** Every lifetime that has not ended, for the leak check after each test file. */
export const liveLifetimes = new Set<Lifetime>()

/** Owns things that must be released together. Ends once, newest first; a failing release does not stop the rest. */
export class Lifetime {
  readonly name: string
  readonly #controller = new AbortController()
  readonly #owned = new Set<{ release: () => void | Promise<void> }>()
  #ended: Promise<void> | undefined

  constructor(name: string, parent?: Lifetime) {
    this.name = name
    liveLifetimes.add(this)
    if (!parent) return
    const forget = parent.onEnd(() => this.end(parent.signal.reason))
    this.onEnd(forget)
  }

  /** Aborts with the reason of the end, before anything is released. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get ended(): boolean {
    return this.#ended !== undefined
  }

  /** Calls `release` when this lifetime ends, or at once when it already has. Returns the undo. */
  onEnd(release: () => void | Promise<void>): () => void {
    if (this.#ended) {
      void release()
      return () => {}
    }
    const entry = { release }
    this.#owned.add(entry)
    return () => {
      this.#owned.delete(entry)
    }
  }

  /** Every later call gets the same promise. Rejects with an AggregateError of all failed releases. */
  end(reason: unknown = new DOMException(`${this.name} ended`, 'AbortError')): Promise<void> {
    this.#ended ??= this.#release(reason)
    return this.#ended
  }

  async #release(reason: unknown): Promise<void> {
    this.#controller.abort(reason)
    const failures: unknown[] = []
    for (const { release } of [...this.#owned].reverse()) {
      try {
        await release()
      } catch (error) {
        failures.push(error)
      }
    }
    this.#owned.clear()
    liveLifetimes.delete(this)
    if (failures.length > 0) throw new AggregateError(failures, `${this.name} did not end cleanly`)
  }
}
