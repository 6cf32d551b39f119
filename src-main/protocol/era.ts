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
import type { Task } from './task.ts'

/** The checked introduction of a server, and the revision for the whole session (LIFE-06). */
export interface Hello {
  readonly protocolVersion: ProtocolVersion
  /** Optional in the modern era alone. */
  readonly serverInfo?: Implementation
  readonly capabilities: ServerCapabilities
  readonly instructions?: string
}

export interface OpenOptions {
  readonly peer: Peer
  readonly features: ClientFeatures
  readonly clientInfo: Implementation
  /** The version that the handshake offers: the newest, unless the server refused it (LIFE-24). */
  readonly protocolVersion: HandshakeVersion
  readonly draftProfile: boolean
  readonly signal: AbortSignal
  /** Milliseconds for the server's introduction. */
  readonly timeout: number
  /** Milliseconds that a probe has already used. */
  readonly waited?: number
}

/** The modern era has one revision, so none is chosen. */
export type ModernOpening = Omit<OpenOptions, 'protocolVersion' | 'draftProfile'>

export type EraAnswer<Name extends ClientMethodName> = { readonly warnings: readonly string[] } & (
  | { readonly result: Results[Name] }
  /** The server needs input: the request has ended and is sent again with the answers. Modern era only. */
  | { readonly inputRequired: InputRequired }
  /** The server runs the tool call as a task. */
  | { readonly task: Task }
)

/** An open session of either era. */
export interface Session {
  /** Replaced when the server is discovered again, or renames itself. */
  readonly hello: Hello
  /** Called when a result has another server name (V26-META-9). Modern era only. */
  onRenamed?: (() => void) | undefined
  /** Milliseconds that `hello` stays valid; absent in the legacy era, where it never expires. */
  readonly helloTtl?: number
  readonly traits: Traits
  setLogLevel(level: LogLevel, options: RequestOptions): Promise<void>
  /** Opens a subscription stream until it is aborted or the server ends it. Modern era only. */
  listen?(notifications: Params, options: RequestOptions): Promise<Params>
  /** Modern era only. */
  rediscover?(options: RequestOptions): Promise<void>
  /**
   * Sends one request. Rejects with RequestError `not-negotiated` before sending what the revision or the server lacks, and with
   * `invalid-result` or `too-large` for an unusable answer.
   */
  call<Name extends ClientMethodName>(method: Name, params: Params | undefined, options: RequestOptions): Promise<EraAnswer<Name>>
}

/** Called before any message after the server's introduction is handled. */
export type OnAgreed = (traits: Traits) => void

/** The era and how it was found. `memory` and `choice` need no probe; `refusal` is an HTTP status without JSON-RPC. */
export interface EraFound {
  readonly era: EraName
  readonly by: 'choice' | 'memory' | 'answer' | 'refusal' | 'silence' | 'exit'
}
