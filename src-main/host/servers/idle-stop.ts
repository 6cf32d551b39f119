import type { Clock } from '../../../src-shared/base/clock.ts'
import { IDLE_AFTER } from '../../../src-shared/contract/servers.ts'

interface IdleStopParts {
  readonly clock: Clock
  /** True while something needs the server besides those that hold it. */
  readonly isNeeded: () => boolean
  readonly onIdle: () => void
}

/** Finds out that a running server was not used for IDLE_AFTER. */
export class IdleStop {
  readonly #parts: IdleStopParts
  #holds = 0
  #running = false
  #cancel = () => {}

  constructor(parts: IdleStopParts) {
    this.#parts = parts
  }

  get held(): boolean {
    return this.#holds > 0
  }

  /** The server is used until the returned undo is called. */
  hold(): () => void {
    this.#holds += 1
    this.#wait()
    return () => {
      this.#holds -= 1
      this.#wait()
    }
  }

  /** The server started, or stopped by itself or otherwise. */
  setRunning(running: boolean): void {
    if (running === this.#running) return
    this.#running = running
    this.#wait()
  }

  #wait(): void {
    this.#cancel()
    if (!this.#running || this.#holds > 0) return
    this.#cancel = this.#parts.clock.after(IDLE_AFTER, () => {
      if (this.#parts.isNeeded()) this.#wait()
      else this.#parts.onIdle()
    })
  }
}
