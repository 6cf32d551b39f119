import type { Clock } from '../../src-shared/base/clock.ts'
import type { CompletionAnswer } from '../../src-shared/contract/attachments.ts'

/** Milliseconds of quiet after the last key before the server is asked (COMP-10). */
export const SUGGEST_PAUSE = 200

export type AskSuggestions = (value: string, signal: AbortSignal) => Promise<CompletionAnswer>

/** Asks for suggestions after a pause in typing. Only the newest request counts; after a failure there are no suggestions. */
export class Suggester {
  readonly #clock: Clock
  readonly #ask: AskSuggestions
  readonly #onFound: (found: CompletionAnswer | undefined) => void
  #cancel = () => {}
  #asking: AbortController | undefined
  #unsupported = false

  constructor(clock: Clock, ask: AskSuggestions, onFound: (found: CompletionAnswer | undefined) => void) {
    this.#clock = clock
    this.#ask = ask
    this.#onFound = onFound
  }

  typed(value: string): void {
    this.stop()
    if (this.#unsupported) return
    this.#cancel = this.#clock.after(SUGGEST_PAUSE, () => void this.#request(value))
  }

  /** Drops the pending request and its answer. */
  stop(): void {
    this.#cancel()
    this.#asking?.abort()
    this.#asking = undefined
  }

  async #request(value: string): Promise<void> {
    const asking = new AbortController()
    this.#asking = asking
    try {
      const found = await this.#ask(value, asking.signal)
      if (asking.signal.aborted) return
      this.#unsupported = found.unsupported === true
      this.#onFound(found)
    } catch {
      if (!asking.signal.aborted) this.#onFound(undefined)
    }
  }
}
