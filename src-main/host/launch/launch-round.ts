import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { LaunchFacts } from './launch-identity.ts'

/** A server that waits to hear whether it may be launched. */
export interface WaitingLaunch {
  readonly server: { readonly id: ServerId; readonly name: string }
  readonly identity: string
  readonly facts: LaunchFacts
  readonly signal: AbortSignal
  readonly settle: (allowed: boolean) => void
  readonly fail: (reason: unknown) => void
}

/** One place in a round, taken until its server asked or turned out not to ask. */
export interface RoundPlace {
  /** Waits in the round; false when the round is over, and the server asks for itself. */
  wait(launch: WaitingLaunch): boolean
  /** As often as one likes. */
  leave(): void
}

/** Servers that begin together: those that ask are gathered until nobody is still to come. */
export class LaunchRound {
  readonly #gathered: (launches: readonly WaitingLaunch[]) => void
  readonly #waiting: WaitingLaunch[] = []
  #places = 0
  /** Kept until every server of the round was begun. */
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
