import type { Clock } from '../../../src-shared/base/clock.ts'
import type { PausableClock } from '../../../src-shared/base/pausable-clock.ts'
import { throttled } from '../core/throttled.ts'

/** Output on stderr while they download and unpack. */
const WORKING =
  /^(?:npm (?:warn|WARN) exec The following packages? (?:was|were) not found and will be installed|(?:Downloading|Downloaded|Building|Built|Preparing|Prepared|Resolving|Resolved|Updating|Updated|Installing|Collecting|Fetching|Extracting|Initialize|Download|Progress:|Packages:|Using cached|Creating virtual environment|creating virtual environment|installing)\b|Unable to find image '.*' locally|\S+: (?:Pulling|Waiting|Downloading|Verifying Checksum|Download complete|Extracting|Pull complete|Already exists)\b|Digest: sha256:|➤ YN\d+)/
/** Output that may come in between. */
const ASIDE = /^(?:npm (?:warn|WARN) (?!exec The following)|npm notice\b|warning\b|\(node:\d+\))/

/** A line holds the deadline for this long; npx says one and no more until all is there. */
const LINE_HOLDS = 120_000
/** Nothing holds it longer than this in all. */
const TOTAL = 1_800_000
/** A runner that has said nothing for this long may be waiting for its registry: npx says nothing meanwhile. */
const QUIET = 10_000
/** Between two states that windows are told of. */
const PACE = 250
/** Characters of a line that travel with the state. */
const LINE_LIMIT = 200

/** Watches what a package runner says: while it visibly downloads, the deadline of the handshake stands still, within a total. */
export class Installing {
  readonly #clock: Clock
  readonly #deadline: PausableClock
  readonly #shown: ReturnType<typeof throttled<string>>
  readonly #onDone: () => void
  readonly #end: number
  #release: (() => void) | undefined
  #cancel = () => {}
  #stopQuiet: () => void
  #told = false
  #seen = false
  #over = false

  constructor(runner: string, clock: Clock, deadline: PausableClock, onLine: (said: string) => void, onDone: () => void) {
    this.#clock = clock
    this.#deadline = deadline
    this.#shown = throttled(clock, PACE, onLine)
    this.#onDone = onDone
    this.#end = clock.now() + TOTAL
    this.#stopQuiet = clock.after(QUIET, () => {
      this.#told = true
      this.#shown.push(`${runner} is silent so far. It may be waiting for its registry.`)
    })
  }

  /** It downloads, as far as one can see. */
  get going(): boolean {
    return this.#seen && !this.#over
  }

  /** A line of its stderr, fit to be shown. */
  line(text: string): void {
    const said = text.trim()
    if (this.#over || said === '' || ASIDE.test(said)) return
    this.#stopQuiet()
    if (WORKING.test(said)) this.#hold(said)
    // The last line of an installation, or the first of the server itself, ends it.
    else if (this.#seen || this.#told) this.done()
  }

  /** It runs, or has gone: time goes on, and nothing is watched any more. */
  done(): void {
    if (this.#over) return
    this.#over = true
    this.#stopQuiet()
    this.#shown.stop()
    this.#letGo()
    if (this.#seen || this.#told) this.#onDone()
  }

  #hold(said: string): void {
    this.#seen = true
    this.#shown.push(said.slice(0, LINE_LIMIT))
    const left = Math.min(LINE_HOLDS, this.#end - this.#clock.now())
    this.#cancel()
    if (left > 0) {
      this.#release ??= this.#deadline.hold()
      this.#cancel = this.#clock.after(left, () => this.#letGo())
    } else this.#letGo()
  }

  #letGo(): void {
    this.#cancel()
    this.#release?.()
    this.#release = undefined
  }
}
