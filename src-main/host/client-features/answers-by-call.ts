import type { JsonObject } from '../../../src-shared/base/json.ts'
import type { AnswerTo, QuestionOf } from '../../../src-shared/contract/interactions.ts'
import type { CallInFlight } from '../connection/calls-in-flight.ts'

type Form = QuestionOf<'elicitation-form'>

/** A person's answers during one call, because a server that rejects an answer asks again (V26-MRTR-21, V26-ELIC-9). */
class CallAnswers {
  readonly opened = new Set<string>()
  readonly #typed = new Map<string, JsonObject>()

  /** Takes the values submitted to the same form in the last round, as its fields show them. */
  typedFor(form: Form): JsonObject | undefined {
    const key = JSON.stringify(form.schema)
    const typed = this.#typed.get(key)
    this.#typed.delete(key)
    return typed
  }

  submitted(form: Form, answer: AnswerTo<'elicitation-form'>): void {
    if (answer.action !== 'accept') return
    // If the message asks for a secret and no field is marked as one, any field may hold it.
    const kept = form.asksForSecret && form.secrets.length === 0 ? [] : Object.entries(answer.content ?? {})
    const shown = kept
      .filter(([name]) => !form.secrets.includes(name))
      .map(([name, value]) => [name, typeof value === 'number' ? String(value) : value])
    this.#typed.set(JSON.stringify(form.schema), Object.fromEntries(shown))
  }
}

/** Kept in memory for as long as the call lasts. */
export class AnswersByCall {
  readonly #calls = new WeakMap<CallInFlight, CallAnswers>()

  of(call: CallInFlight | undefined): CallAnswers | undefined {
    if (!call) return undefined
    const given = this.#calls.get(call) ?? new CallAnswers()
    this.#calls.set(call, given)
    return given
  }
}
