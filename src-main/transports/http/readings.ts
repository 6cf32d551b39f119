/** Replies that are being read: a connection counts as closed when each has come to its end. */
export class Readings {
  readonly #open = new Set<Promise<void>>()
  readonly #onRemark: (text: string) => void

  constructor(onRemark: (text: string) => void) {
    this.#onRemark = onRemark
  }

  /** `done` runs at its end, however it ended. */
  add(reading: Promise<void>, done: () => unknown): void {
    const settle = () => {
      this.#open.delete(tracked)
      done()
    }
    const tracked = reading.then(settle, (error: unknown) => {
      settle()
      this.#onRemark(`A reply could not be read: ${String(error)}`)
    })
    this.#open.add(tracked)
  }

  async ended(): Promise<void> {
    await Promise.all(this.#open)
  }
}
