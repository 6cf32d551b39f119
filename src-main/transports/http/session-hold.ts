/** A session that another connection can continue without a handshake. */
export interface HeldSession {
  /** A secret. */
  readonly id: string
  /** The answer to `initialize`. */
  readonly introduction: Readonly<Record<string, unknown>>
}

/** Decides how long the session of an address lives. */
export interface SessionHold {
  /** The session to continue. */
  readonly resumed: HeldSession | undefined
  /** True if the end of the connection must not end the session. */
  readonly held: boolean
  began(session: HeldSession): void
  /** The server no longer knows the session. */
  lost(): void
}
