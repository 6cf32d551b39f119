import { type Clock, delay, jittered } from '../../src-shared/base/clock.ts'
import type { Lifetime } from '../../src-shared/base/lifetime.ts'
import { orAborted } from '../../src-shared/base/or-aborted.ts'
import type { EraAnswer } from '../protocol/era.ts'
import type { InputRequest, InputRequired } from '../protocol/input-required.ts'
import type { ClientMethodName, Results } from '../protocol/methods.ts'
import type { RequestOptions } from '../protocol/peer/pending-request.ts'
import type { Serve } from '../protocol/server-requests.ts'
import { ErrorCode, type Params, ProtocolError, RequestError, type RequestId } from '../protocol/shapes/json-rpc.ts'
import { type Round, RoundError, RoundLost } from './round-error.ts'

/** Rounds in a row that no person answered, and in all (V26-MRTR-14). */
const MAX_UNANSWERED = 10
const MAX_ROUNDS = 50
/** Milliseconds before a server that only said "come again" is asked again; doubled each time (V26-MRTR-8). */
const FIRST_WAIT = 250
const MAX_WAIT = 10_000

export interface RoundsParts {
  readonly clock: Clock
  /** Of the connection. */
  readonly lifetime: Pick<Lifetime, 'ended'>
  /** One entry, as a request of a legacy server is taken; throws ProtocolError when it may not be asked at all. */
  readonly admit: (method: string, params: Params) => Serve
}

/** Callbacks of a request's caller about its rounds. */
export interface RoundOptions {
  /** The server asks for more: nobody waits for it until `again`. Nobody is asked before this is done. */
  readonly onAsked?: () => void | Promise<void>
  /** The last look before it is made again, its definition may be another by now; throws when it must not be. */
  readonly again?: (() => void | Promise<void>) | undefined
  /** Goes on from here, over another connection than the one that it came from. */
  readonly from?: Round
}

/** One request of a row. */
export type Leg<Name extends ClientMethodName> = (params: Params, options: RequestOptions) => Promise<EraAnswer<Name>>

const FIRST: Round = { count: 0, unanswered: 0, waits: 0, more: {} }

/** Makes a request again with what the server asked for, until it answers (2026-07-28 basic/patterns/mrtr). */
export class Rounds {
  readonly #parts: RoundsParts

  constructor(parts: RoundsParts) {
    this.#parts = parts
  }

  async run<Name extends ClientMethodName>(
    method: Name,
    params: Params,
    options: RequestOptions & RoundOptions,
    leg: Leg<Name>,
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
        answer = await leg(round === FIRST ? params : { ...params, ...round.more }, { ...options, onSent })
      } catch (error) {
        // A request that was never sent has done nothing; one that was sent may have, and is not sent twice.
        const unsent =
          id === undefined && error instanceof RequestError && (error.code === 'closed' || error.code === 'session-lost')
        throw unsent && round.count > 0 ? new RoundLost(round) : error
      }
      if ('result' in answer) return answer
      const { requests, requestState } = answer.inputRequired
      const count = round.count + 1
      const waits = requests.size === 0 ? round.waits + 1 : 0
      if (count > MAX_ROUNDS || round.unanswered >= MAX_UNANSWERED) {
        const message = `The server asked for more ${count} times without an answer; ${method} was given up.`
        throw new RequestError('invalid-result', method, message)
      }
      await onAsked?.()
      options.signal.throwIfAborted()
      if (waits > 0) await delay(clock, jittered(Math.min(MAX_WAIT, FIRST_WAIT * 2 ** (waits - 1))), options.signal)
      const { inputResponses, byPerson } = await this.#inputs(requests, id, options.signal)
      round = {
        count,
        unanswered: byPerson ? 0 : round.unanswered + 1,
        waits,
        more: { ...(inputResponses && { inputResponses }), ...(requestState !== undefined && { requestState }) },
      }
    }
  }

  async #inputs(requests: InputRequired['requests'], id: RequestId | undefined, signal: AbortSignal) {
    if (requests.size === 0) return { byPerson: false }
    // All of them are judged before anybody is asked the first (V26-MRTR-10).
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
      // Own members whatever their names are: `__proto__` is a key as any other (V26-MRTR-20).
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
