/** Lets at most `width` through at a time, first come first served. */
export class LaunchGate {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(width: number) {
    this.#free = width
  }

  /** Resolves to the function that leaves; rejects with the signal's reason. */
  async enter(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    if (this.#free > 0) this.#free -= 1
    else await this.#turn(signal)
    let left = false
    return () => {
      if (left) return
      left = true
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free += 1
    }
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      const giveUp = () => {
        const at = this.#waiting.indexOf(enter)
        if (at >= 0) this.#waiting.splice(at, 1)
        reject(signal.reason)
      }
      this.#waiting.push(enter)
      signal.addEventListener('abort', giveUp, { once: true })
    })
  }
}
