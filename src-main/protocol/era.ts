import type { Implementation, ProtocolVersion, ServerCapabilities } from '../../src-shared/mcp/primitives.ts'
import type { ClientMethodName, Results } from './methods.ts'
import type { ClientFeatures } from './peer/client-features.ts'
import type { Peer } from './peer/peer.ts'
import type { RequestOptions } from './peer/pending-request.ts'
import type { Params } from './shapes/json-rpc.ts'
import type { Traits } from './shapes/version-traits.ts'

/** What the server said of itself, checked, and the revision in force for the whole session (LIFE-06). */
export interface Hello {
  readonly protocolVersion: ProtocolVersion
  readonly serverInfo: Implementation
  readonly capabilities: ServerCapabilities
  readonly instructions?: string
}

export interface OpenOptions {
  readonly peer: Peer
  readonly features: ClientFeatures
  readonly clientInfo: Implementation
  /** Offered first; the newest unless a server refused it (LIFE-24). */
  readonly protocolVersion: ProtocolVersion
  readonly draftProfile: boolean
  readonly signal: AbortSignal
  /** Milliseconds for the server's introduction. */
  readonly timeout: number
}

/** A session in which an era and a revision are agreed. */
export interface Session {
  readonly hello: Hello
  readonly traits: Traits
  /**
   * One request, checked both ways: RequestError `not-negotiated` before anything is sent when the revision or the server lacks
   * it, `invalid-result` or `too-large` when the answer cannot be used.
   */
  call<Name extends ClientMethodName>(
    method: Name,
    params: Params | undefined,
    options: RequestOptions,
  ): Promise<{ readonly result: Results[Name]; readonly warnings: readonly string[] }>
}

/** Everything that differs between protocol eras; nothing else in the house asks which era it is. */
export interface Era {
  readonly name: 'legacy'
  /** Rejects with HandshakeError, ProtocolError, RequestError, TransportError or the signal's reason; the caller then closes. */
  open(options: OpenOptions): Promise<Session>
}
