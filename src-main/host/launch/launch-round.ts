import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { LaunchFacts } from './launch-identity.ts'

export interface WaitingLaunch {
  readonly server: { readonly id: ServerId; readonly name: string }
  readonly identity: string
  readonly facts: LaunchFacts
  readonly signal: AbortSignal
  readonly settle: (allowed: boolean) => void
  readonly fail: (reason: unknown) => void
}

/** A server's place in a round. The round waits until it asks or leaves. */
export interface RoundPlace {
  /** Joins the round's question; false when the round is over and the server has to ask alone. */
  wait(launch: WaitingLaunch): boolean
  leave(): void
}

/** Servers that start together: `gathered` receives those that ask once every server has asked or left. */
export class LaunchRound {
  readonly #gathered: (launches: readonly WaitingLaunch[]) => void
  readonly #waiting: WaitingLaunch[] = []
  #places = 0
  /** Keeps the round open until every server has entered. */
  readonly #opener: RoundPlace

  constructor(gathered: (launches: readonly WaitingLaunch[]) => void) {
    this.#gathered = gathered
    this.#opener = this.enter()
  }

  enter(): RoundPlace {
    let here = true
    this.#places += 1
    const leave = () => {
      if (!here) return
      here = false
      this.#places -= 1
      if (this.#places === 0) this.#gathered(this.#waiting)
    }
    return {
      wait: (launch) => {
        if (!here) return false
        this.#waiting.push(launch)
        leave()
        return true
      },
      leave,
    }
  }

  /** No other server enters. */
  close(): void {
    this.#opener.leave()
  }
}
