import { type Clock, delay, jittered } from '../../src-shared/base/clock.ts'
import { defined } from '../../src-shared/base/defined.ts'
import type { Lifetime } from '../../src-shared/base/lifetime.ts'
import { orAborted } from '../../src-shared/base/or-aborted.ts'
import type { EraAnswer } from '../protocol/era.ts'
import type { InputRequest, InputRequired } from '../protocol/input-required.ts'
import type { ClientMethodName, Results } from '../protocol/methods.ts'
import type { RequestOptions } from '../protocol/peer/pending-request.ts'
import type { Serve } from '../protocol/server-requests.ts'
import { ErrorCode, type Params, ProtocolError, RequestError, type RequestId } from '../protocol/shapes/json-rpc.ts'
import { type Round, RoundError, RoundLost } from './round-error.ts'

/** The most rounds in a row without an answer of a person, and in all (V26-MRTR-14). */
export const MAX_UNANSWERED = 10
export const MAX_ROUNDS = 50
/** Milliseconds before a round without a question, doubled each time (V26-MRTR-8). */
const FIRST_WAIT = 250
const MAX_WAIT = 10_000

export interface RoundsParts {
  readonly clock: Clock
  readonly lifetime: Pick<Lifetime, 'ended'>
  /** Accepts an input request like a legacy server's request; throws ProtocolError for one that is not allowed. */
  readonly admit: (method: string, params: Params) => Serve
}

/** Callbacks of a request's caller about its rounds. */
export interface RoundOptions {
  /** Awaited when the server requires input, before a person is asked. The server is not awaited until `again`. */
  readonly onAsked?: () => void | Promise<void>
  /** Awaited before the request is sent again; throws if that is no longer allowed, since its definition may have changed. */
  readonly again?: (() => void | Promise<void>) | undefined
  /** Continues from a round of an earlier connection. */
  readonly from?: Round
}

export type SendRound<Name extends ClientMethodName> = (
  params: Params | undefined,
  options: RequestOptions,
) => Promise<EraAnswer<Name>>

const FIRST: Round = { count: 0, unanswered: 0, waits: 0, more: {} }

/** Sends a request again with the required input until the server answers (2026-07-28 basic/patterns/mrtr). */
export class Rounds {
  readonly #parts: RoundsParts

  constructor(parts: RoundsParts) {
    this.#parts = parts
  }

  async run<Name extends ClientMethodName>(
    method: Name,
    params: Params,
    options: RequestOptions & RoundOptions,
    send: SendRound<Name>,
  ): Promise<{ readonly result: Results[Name]; readonly warnings: readonly string[] }> {
    const { clock, lifetime } = this.#parts
    const { onAsked, again, from } = options
    let round = from ?? FIRST
    for (;;) {
      if (round.count > 0) {
        if (lifetime.ended) throw new RoundLost(round)
        await again?.()
        options.signal.throwIfAborted()
      }
      let id: RequestId | undefined
      const onSent = (sent: RequestId) => {
        id = sent
        options.onSent?.(sent)
      }
      let answer: EraAnswer<Name>
      try {
        answer = await send(round === FIRST ? params : { ...params, ...round.more }, { ...options, onSent })
      } catch (error) {
        // Only a request that was never sent may be sent on another connection.
        const unsent =
          id === undefined && error instanceof RequestError && (error.code === 'closed' || error.code === 'session-lost')
        throw unsent && round.count > 0 ? new RoundLost(round) : error
      }
      if ('result' in answer) return answer
      if ('task' in answer) throw new RequestError('invalid-result', method, `The server made ${method} a task.`)
      const { requests, requestState } = answer.inputRequired
      const count = round.count + 1
      const waits = requests.size === 0 ? round.waits + 1 : 0
      if (count > MAX_ROUNDS || round.unanswered >= MAX_UNANSWERED) {
        const message = `The server required input ${count} times; ${method} was cancelled.`
        throw new RequestError('invalid-result', method, message)
      }
      await onAsked?.()
      options.signal.throwIfAborted()
      if (waits > 0) await delay(clock, jittered(Math.min(MAX_WAIT, FIRST_WAIT * 2 ** (waits - 1))), options.signal)
      const { inputResponses, byPerson } = await this.inputs(requests, id, options.signal)
      round = {
        count,
        unanswered: byPerson ? 0 : round.unanswered + 1,
        waits,
        more: defined({ inputResponses, requestState }),
      }
    }
  }

  /** Answers input requests, all at once. Throws RoundError when one is refused. */
  async inputs(requests: InputRequired['requests'], id: RequestId | undefined, signal: AbortSignal) {
    if (requests.size === 0) return { byPerson: false }
    // All requests are checked before a person is asked the first (V26-MRTR-10).
    const admitted = [...requests].map(([key, request]) => [key, this.#admitted(key, request)] as const)
    const siblings = new AbortController()
    let byPerson = false
    const cause = {
      signal: AbortSignal.any([signal, siblings.signal]),
      candidates: [],
      ...(id !== undefined && { requestId: id }),
      answeredByPerson: () => {
        byPerson = true
      },
    }
    try {
      const answers = await orAborted(
        Promise.all(admitted.map(async ([key, serve]) => [key, await serve(cause)] as const)),
        signal,
      )
      // `fromEntries` keeps a key named `__proto__` (V26-MRTR-20).
      return { inputResponses: Object.fromEntries(answers), byPerson }
    } catch (error) {
      siblings.abort(new DOMException('Another question of the same call was refused.', 'AbortError'))
      signal.throwIfAborted()
      throw refusedRound(error)
    }
  }

  #admitted(key: string, { method, params }: InputRequest): Serve {
    try {
      return this.#parts.admit(method, params)
    } catch (error) {
      throw error instanceof ProtocolError ? askedWrongly(error, `${key.slice(0, 60)}: ${method.slice(0, 60)}`) : error
    }
  }
}

function refusedRound(error: unknown): unknown {
  if (!(error instanceof ProtocolError)) return error
  const cause = { cause: error }
  if (error.code === ErrorCode.userRejected) return new RoundError('declined', error.message, cause)
  return error.code === ErrorCode.internal ? new RoundError('limit', error.message, cause) : askedWrongly(error)
}

function askedWrongly(error: ProtocolError, what?: string): RoundError {
  const { data } = error
  const reason = typeof data === 'object' && data !== null && 'reason' in data ? ` (${String(data.reason)})` : ''
  const message = `${what === undefined ? '' : `${what}: `}${error.message}${reason}`
  return new RoundError('asked-wrongly', message, { cause: error })
}
