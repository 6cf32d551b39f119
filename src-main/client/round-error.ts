import type { Params } from '../protocol/shapes/json-rpc.ts'

/** A request that asked for more, as it stands before it is made again: in memory only (V26-MRTR-19). */
export interface Round {
  /** Rounds so far. */
  readonly count: number
  /** In a row that no person answered, and that asked nothing. */
  readonly unanswered: number
  readonly waits: number
  /** The newest answers and state, and nothing older (V26-MRTR-7). */
  readonly more: Params
}

/**
 * Why a request that asked for more came to nothing: the person said no, a limit of ours stood against it, or the server asked
 * for what it may not.
 */
type RoundFailureCode = 'declined' | 'limit' | 'asked-wrongly'

/** The protocol has no way to say no to what a server asks within a request: the request ends here (V26-MRTR-12). */
export class RoundError extends Error {
  readonly code: RoundFailureCode

  constructor(code: RoundFailureCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'RoundError'
    this.code = code
  }
}

/** The connection was lost while a person was asked: what they said can go on over the next one (V26-MRTR-17). */
export class RoundLost extends Error {
  readonly round: Round

  constructor(round: Round) {
    super('The connection was lost before the answers could be sent.')
    this.name = 'RoundLost'
    this.round = round
  }
}
