import type {
  EraName,
  HandshakeVersion,
  Implementation,
  LogLevel,
  ProtocolVersion,
  ServerCapabilities,
} from '../../src-shared/mcp/primitives.ts'
import type { InputRequired } from './input-required.ts'
import type { ClientMethodName, Results } from './methods.ts'
import type { ClientFeatures } from './peer/client-features.ts'
import type { Peer } from './peer/peer.ts'
import type { RequestOptions } from './peer/pending-request.ts'
import type { Params } from './shapes/json-rpc.ts'
import type { Traits } from './shapes/version-traits.ts'

/** The server's description of itself, checked, and the revision in force for the whole session (LIFE-06). */
export interface Hello {
  readonly protocolVersion: ProtocolVersion
  /** Absent only in the modern era, where a server need not say. */
  readonly serverInfo?: Implementation
  readonly capabilities: ServerCapabilities
  readonly instructions?: string
}

export interface OpenOptions {
  readonly peer: Peer
  readonly features: ClientFeatures
  readonly clientInfo: Implementation
  /** Offered first by a handshake; the newest unless a server refused it (LIFE-24). */
  readonly protocolVersion: HandshakeVersion
  readonly draftProfile: boolean
  readonly signal: AbortSignal
  /** Milliseconds for the server's introduction. */
  readonly timeout: number
  /** Milliseconds of its time that have passed with a probe. */
  readonly waited?: number
}

/** How a session of the modern era is opened: it offers one revision. */
export type ModernOpening = Omit<OpenOptions, 'protocolVersion' | 'draftProfile'>

/** The outcome of a request of ours. */
export type EraAnswer<Name extends ClientMethodName> = { readonly warnings: readonly string[] } & (
  | { readonly result: Results[Name] }
  /** The server has to know more first; the request is over, and is made again with the answers. Modern era only. */
  | { readonly inputRequired: InputRequired }
)

/** An era and a revision that are agreed: what everything above asks through. */
export interface Session {
  /** Replaced when the server was discovered again, or gave itself a new name. */
  readonly hello: Hello
  /** Told when it names itself otherwise in any result (V26-META-9). Modern era only. */
  onRenamed?: (() => void) | undefined
  /** Milliseconds that `hello` stays true after it came; absent in a session, where it lasts. */
  readonly helloTtl?: number
  readonly traits: Traits
  /** Says from now on which log messages are wanted. */
  setLogLevel(level: LogLevel, options: RequestOptions): Promise<void>
  /** Opens a subscription stream, which lasts until it is aborted or the server ends it. Modern era only. */
  listen?(notifications: Params, options: RequestOptions): Promise<Params>
  /** Discovers the server again. Modern era only. */
  rediscover?(options: RequestOptions): Promise<void>
  /**
   * One request, checked both ways: RequestError `not-negotiated` before anything is sent when the revision or the server lacks
   * it, `invalid-result` or `too-large` when the answer cannot be used.
   */
  call<Name extends ClientMethodName>(method: Name, params: Params | undefined, options: RequestOptions): Promise<EraAnswer<Name>>
}

/** Told the revision before anything that comes after the server's introduction is looked at. */
export type OnAgreed = (traits: Traits) => void

/** Which era was found, and by what: `memory` and `choice` need no probe; `refusal` is a status without a word of JSON-RPC. */
export interface EraFound {
  readonly era: EraName
  readonly by: 'choice' | 'memory' | 'answer' | 'refusal' | 'silence' | 'exit'
}
