import type { Params } from '../protocol/shapes/json-rpc.ts'

/** The state of a request between two rounds. In memory only (V26-MRTR-19). */
export interface Round {
  readonly count: number
  /** Rounds in a row without an answer of a person; `waits` counts those without a question. */
  readonly unanswered: number
  readonly waits: number
  /** The latest answers and state (V26-MRTR-7). */
  readonly more: Params
}

/** The person declined, a limit of ours prevented it, or the server asked for something that it must not. */
type RoundFailureCode = 'declined' | 'limit' | 'asked-wrongly'

/** Ends a request whose input was refused, which the protocol cannot tell the server (V26-MRTR-12). */
export class RoundError extends Error {
  readonly code: RoundFailureCode

  constructor(code: RoundFailureCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'RoundError'
    this.code = code
  }
}

/** The connection ended while a person was asked; `round` can continue on the next one (V26-MRTR-17). */
export class RoundLost extends Error {
  readonly round: Round

  constructor(round: Round) {
    super('The connection was lost before the answers could be sent.')
    this.name = 'RoundLost'
    this.round = round
  }
}
