import { type Clock, delay } from '../../src-shared/base/clock.ts'
import type { Answer } from '../protocol/era.ts'
import type { InputRequest, InputRequired } from '../protocol/input-required.ts'
import type { ClientMethodName, Results } from '../protocol/methods.ts'
import type { Cause } from '../protocol/peer/client-features.ts'
import type { RequestOptions } from '../protocol/peer/pending-request.ts'
import { type Params, RequestError, type RequestId } from '../protocol/shapes/json-rpc.ts'

/** Rounds in a row that no person answered, and in all (V26-MRTR-14). */
const MOST_UNANSWERED = 10
const MOST_ROUNDS = 50
/** Milliseconds before a server that only said "come again" is asked again; doubled each time (V26-MRTR-8). */
const FIRST_WAIT = 250
const LONGEST_WAIT = 10_000

export interface RoundsParts {
  readonly clock: Clock
  /** Answers one entry as a request of a legacy server is answered; rejects with ProtocolError when it is refused. */
  readonly serve: (method: string, params: Params, cause: Cause) => Promise<Params>
}

/** One request of a row. */
export type Leg<Name extends ClientMethodName> = (params: Params, options: RequestOptions) => Promise<Answer<Name>>

/** Makes a request again with what the server asked for, until it answers (2026-07-28 basic/patterns/mrtr). */
export class Rounds {
  readonly #parts: RoundsParts

  constructor(parts: RoundsParts) {
    this.#parts = parts
  }

  async run<Name extends ClientMethodName>(
    method: Name,
    params: Params,
    options: RequestOptions,
    leg: Leg<Name>,
  ): Promise<{ readonly result: Results[Name]; readonly warnings: readonly string[] }> {
    let more: Params = {}
    for (let round = 0, waits = 0; ; round++) {
      let id: RequestId | undefined
      const onSent = (sent: RequestId) => {
        id = sent
        options.onSent?.(sent)
      }
      const answer = await leg({ ...params, ...more }, { ...options, onSent })
      if ('result' in answer) return answer
      const { inputRequired } = answer
      waits = inputRequired.requests.size === 0 ? waits + 1 : 0
      if (round >= MOST_ROUNDS || waits > MOST_UNANSWERED) {
        const message = `The server asked for more ${round + 1} times without an answer; ${method} was given up.`
        throw new RequestError('invalid-result', method, message)
      }
      if (waits > 0) await delay(this.#parts.clock, Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (waits - 1)), options.signal)
      more = await this.#inputs(inputRequired, id, options.signal)
    }
  }

  async #inputs({ requests, requestState }: InputRequired, id: RequestId | undefined, signal: AbortSignal): Promise<Params> {
    const siblings = new AbortController()
    const cause = {
      signal: AbortSignal.any([signal, siblings.signal]),
      candidates: [],
      ...(id !== undefined && { requestId: id }),
    }
    const answer = async ([key, { method, params }]: readonly [string, InputRequest]) =>
      [key, await this.#parts.serve(method, params, cause)] as const
    try {
      const answers = await Promise.all([...requests].map(answer))
      return {
        ...(answers.length > 0 && { inputResponses: Object.fromEntries(answers) }),
        ...(requestState !== undefined && { requestState }),
      }
    } catch (error) {
      siblings.abort(new DOMException('Another question of the same call was refused.', 'AbortError'))
      signal.throwIfAborted()
      throw error
    }
  }
}
