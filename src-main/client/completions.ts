import { type Clock, delay } from '../../src-shared/base/clock.ts'
import { dropOldest } from '../../src-shared/base/drop-oldest.ts'
import type { CompletionResult } from '../../src-shared/mcp/primitives.ts'
import { RateWindow } from '../protocol/peer/rate-window.ts'
import { ErrorCode, type Params, ProtocolError, RequestError } from '../protocol/shapes/json-rpc.ts'
import type { Traits } from '../protocol/shapes/version-traits.ts'
import type { CallOptions } from './call-options.ts'

/** A prompt by name, or a resource by its URI or its unexpanded template (COMP-03). */
export type CompletionRef =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string }

export interface CompletionContext {
  /** Values of the other arguments in the form. */
  readonly arguments?: Readonly<Record<string, string>>
}

type Ask = (params: Params, options: CallOptions) => Promise<{ readonly result: CompletionResult }>

const REMEMBERED = 100
/** Milliseconds to wait before a request while a person types; the first letter is sent at once (COMP-10). */
const PAUSE = 150
/** More than typing needs (COMP-14). */
const REQUESTS_PER_SECOND = 20

/** Argument completion of one session: the newest request wins, and answers are cached, also that there is none. */
export class Completions {
  readonly #traits: Traits
  readonly #ask: Ask
  readonly #answers = new Map<string, CompletionResult>()
  readonly #running = new Map<string, AbortController>()
  readonly #clock: Clock
  readonly #rate = new RateWindow(REQUESTS_PER_SECOND)
  /** The last argument that was typed, and the time. */
  #typed = { place: '', at: Number.NEGATIVE_INFINITY }
  #unsupported = false

  constructor(traits: Traits, clock: Clock, ask: Ask) {
    this.#clock = clock
    this.#traits = traits
    this.#ask = ask
  }

  async complete(
    ref: CompletionRef,
    argument: { readonly name: string; readonly value: string },
    context: CompletionContext | undefined,
    options: CallOptions,
  ): Promise<CompletionResult> {
    if (this.#unsupported) {
      throw new RequestError('not-negotiated', 'completion/complete', 'The server does not complete arguments.')
    }
    const params: Params = {
      ref: ref.type === 'ref/prompt' ? { type: ref.type, name: ref.name } : { type: ref.type, uri: ref.uri },
      argument: { name: argument.name, value: argument.value },
      // Only this form's own fields, and only in revisions with contexts (COMP-05, COMP-06, COMP-15).
      ...(this.#traits.completionContext && context?.arguments && { context: { arguments: { ...context.arguments } } }),
    }
    const place = JSON.stringify([params.ref, argument.name])
    this.#running.get(place)?.abort(new DOMException('A newer completion replaced it.', 'AbortError'))
    const key = JSON.stringify(params)
    const known = this.#answers.get(key)
    if (known) return known
    const controller = new AbortController()
    this.#running.set(place, controller)
    const signal = AbortSignal.any([options.signal, controller.signal])
    try {
      await this.#pause(place, signal)
      signal.throwIfAborted()
      if (!this.#rate.pass(this.#clock.now())) {
        throw new RequestError('too-many-pending', 'completion/complete', 'Too many completions in one second.')
      }
      const { result } = await this.#ask(params, { ...options, signal })
      this.#answers.set(key, result)
      dropOldest(this.#answers, REMEMBERED)
      return result
    } catch (error) {
      if (error instanceof ProtocolError && error.code === ErrorCode.methodNotFound) this.#unsupported = true
      throw error
    } finally {
      if (this.#running.get(place) === controller) this.#running.delete(place)
    }
  }

  /** Waits while a person types in the same argument; a newer request aborts the wait. */
  async #pause(place: string, signal: AbortSignal): Promise<void> {
    const now = this.#clock.now()
    const typing = this.#typed.place === place && now - this.#typed.at < PAUSE
    this.#typed = { place, at: now }
    if (typing) await delay(this.#clock, PAUSE, signal)
  }

  /** Called when the catalog changed, since old suggestions may be wrong. */
  forget(): void {
    this.#answers.clear()
  }
}
