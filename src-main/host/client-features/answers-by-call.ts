import type { JsonObject } from '../../../src-shared/base/json.ts'
import type { AnswerTo, QuestionOf } from '../../../src-shared/contract/interactions.ts'
import type { CallInFlight } from '../connection/calls-in-flight.ts'

type Form = QuestionOf<'elicitation-form'>

/** A person's answers for one call so far: a server that rejects one asks the same again (V26-MRTR-21, V26-ELIC-9). */
class GivenForCall {
  /** Addresses that were opened. */
  readonly opened = new Set<string>()
  readonly #typed = new Map<string, JsonObject>()

  /** The values submitted to the same form in the round before, as its fields take them; undefined when it was not asked then. */
  typedFor(form: Form): JsonObject | undefined {
    const key = JSON.stringify(form.schema)
    const typed = this.#typed.get(key)
    this.#typed.delete(key)
    return typed
  }

  submitted(form: Form, answer: AnswerTo<'elicitation-form'>): void {
    if (answer.action !== 'accept') return
    // Where the message asks for a secret and no field says so, any of them may be meant.
    const kept = form.asksForSecret && form.secrets.length === 0 ? [] : Object.entries(answer.content ?? {})
    const shown = kept
      .filter(([name]) => !form.secrets.includes(name))
      .map(([name, value]) => [name, typeof value === 'number' ? String(value) : value])
    this.#typed.set(JSON.stringify(form.schema), Object.fromEntries(shown))
  }
}

/** In memory, and for as long as the call lasts. */
export class GivenBefore {
  readonly #calls = new WeakMap<CallInFlight, GivenForCall>()

  of(call: CallInFlight | undefined): GivenForCall | undefined {
    if (!call) return undefined
    const given = this.#calls.get(call) ?? new GivenForCall()
    this.#calls.set(call, given)
    return given
  }
}
