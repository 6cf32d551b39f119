import type { Clock } from '../../../src-shared/base/clock.ts'
import type { PausableClock } from '../../../src-shared/base/pausable-clock.ts'
import { throttled } from '../core/throttled.ts'

/** Lines on stderr of runners that download or unpack. */
const WORKING =
  /^(?:npm (?:warn|WARN) exec The following packages? (?:was|were) not found and will be installed|(?:Downloading|Downloaded|Building|Built|Preparing|Prepared|Resolving|Resolved|Updating|Updated|Installing|Collecting|Fetching|Extracting|Initialize|Download|Progress:|Packages:|Using cached|Creating virtual environment|creating virtual environment|installing)\b|Unable to find image '.*' locally|\S+: (?:Pulling|Waiting|Downloading|Verifying Checksum|Download complete|Extracting|Pull complete|Already exists)\b|Digest: sha256:|➤ YN\d+)/
/** Lines that may come in between. */
const ASIDE = /^(?:npm (?:warn|WARN) (?!exec The following)|npm notice\b|warning\b|\(node:\d+\))/

/** Milliseconds for which a line pauses the deadline; npx prints a single line for the whole download. */
const LINE_HOLDS = 120_000
/** Milliseconds for which the deadline can be paused in all. */
const TOTAL = 1_800_000
/** Milliseconds of silence after which a runner may be waiting for its registry. */
const QUIET = 10_000
/** Milliseconds between two states shown to windows. */
const SHOW_INTERVAL = 250
/** Characters of a line that the state carries. */
const LINE_LIMIT = 200

/** Watches the output of a package runner, and pauses the deadline of the handshake while it visibly downloads. */
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
    this.#shown = throttled(clock, SHOW_INTERVAL, onLine)
    this.#onDone = onDone
    this.#end = clock.now() + TOTAL
    this.#stopQuiet = clock.after(QUIET, () => {
      this.#told = true
      this.#shown.push(`${runner} has printed nothing yet. It may be waiting for the package registry.`)
    })
  }

  get downloading(): boolean {
    return this.#seen && !this.#over
  }

  /** Takes a redacted line of stderr. */
  line(text: string): void {
    const said = text.trim()
    if (this.#over || said === '' || ASIDE.test(said)) return
    this.#stopQuiet()
    if (WORKING.test(said)) this.#hold(said)
    // Any other line is the installer's last or the server's first.
    else if (this.#seen || this.#told) this.done()
  }

  /** Ends the watch, because the server runs or has ended. */
  done(): void {
    if (this.#over) return
    this.#over = true
    this.#stopQuiet()
    this.#shown.stop()
    this.#resumeDeadline()
    if (this.#seen || this.#told) this.#onDone()
  }

  #hold(said: string): void {
    this.#seen = true
    this.#shown.push(said.slice(0, LINE_LIMIT))
    const left = Math.min(LINE_HOLDS, this.#end - this.#clock.now())
    this.#cancel()
    if (left > 0) {
      this.#release ??= this.#deadline.hold()
      this.#cancel = this.#clock.after(left, () => this.#resumeDeadline())
    } else this.#resumeDeadline()
  }

  #resumeDeadline(): void {
    this.#cancel()
    this.#release?.()
    this.#release = undefined
  }
}
