import type { HandshakeVersion, ProtocolVersion } from '../../src-shared/mcp/primitives.ts'

type HandshakeFailure = 'version' | 'malformed' | 'timeout'

interface HandshakeDetails {
  /** The revision that we offered. */
  readonly offered: ProtocolVersion
  /** All that we support. */
  readonly ours: readonly string[]
  /** The versions that the server supports, as far as it said. */
  readonly theirs: readonly string[]
  /** One of ours that the server named: a fresh connection may offer it, once (LIFE-24). */
  readonly retryWith?: HandshakeVersion
}

/** The server and we did not come to terms; the connection is over. */
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
