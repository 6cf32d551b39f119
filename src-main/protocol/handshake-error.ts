import type { HandshakeVersion, ProtocolVersion } from '../../src-shared/mcp/primitives.ts'

type HandshakeFailure = 'version' | 'malformed' | 'timeout'

interface HandshakeDetails {
  readonly offered: ProtocolVersion
  /** The versions that we support. */
  readonly ours: readonly string[]
  /** The versions that the server named. */
  readonly theirs: readonly string[]
  /** A common version, which a new connection may offer once (LIFE-24). */
  readonly retryWith?: HandshakeVersion
}

/** No session could be opened; the connection must be closed. */
export class HandshakeError extends Error {
  readonly code: HandshakeFailure
  readonly details: HandshakeDetails

  constructor(code: HandshakeFailure, message: string, details: HandshakeDetails, options?: ErrorOptions) {
    super(message, options)
    this.name = 'HandshakeError'
    this.code = code
    this.details = details
  }
}
