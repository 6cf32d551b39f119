/** JSON-RPC 2.0 shapes and error codes (jsonrpc.org/specification; MCP basic#messages). */

export type RequestId = string | number
/** Ids that we can give back exactly as they came: no fractions, nothing beyond what a double holds (MSG-02, SCHEMA-16). */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value)
}

export type Params = Record<string, unknown>

export interface JsonRpcRequest {
  readonly jsonrpc: '2.0'
  readonly id: RequestId
  readonly method: string
  readonly params?: Params
}

interface JsonRpcNotification {
  readonly jsonrpc: '2.0'
  readonly method: string
  readonly params?: Params
}

interface JsonRpcResult {
  readonly jsonrpc: '2.0'
  readonly id: RequestId
  readonly result: Record<string, unknown>
}

interface JsonRpcError {
  readonly jsonrpc: '2.0'
  /** Absent when the other side could not read an id (TRAP-10). */
  readonly id?: RequestId
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown }
}

export type JsonRpcMessage = JsonRpcRequest | JsonRpcNotification | JsonRpcResult | JsonRpcError

export const ErrorCode = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  resourceNotFound: -32002,
  /** A server wants the person to visit a URL first; since 2025-11-25. */
  urlElicitationRequired: -32042,
  /** Over HTTP: a header and the body differ; since 2026-07-28, as the next two. */
  headerMismatch: -32020,
  /** `data.requiredCapabilities` says what the server wants of us. */
  missingCapability: -32021,
  /** `data.supported` says what it speaks. */
  unsupportedVersion: -32022,
  /** A person said no to sampling (SAMP-08). */
  userRejected: -1,
} as const

/** An error that travels on the wire, in either direction, with code, message and data intact (MSG-24). */
export class ProtocolError extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.name = 'ProtocolError'
    this.code = code
    this.data = data
  }
}

type RequestFailureCode =
  | 'timeout'
  | 'closed'
  | 'not-negotiated'
  | 'invalid-result'
  | 'too-large'
  | 'too-many-pending'
  /** It could not be put as its transport wants it. */
  | 'not-sent'
  | 'session-lost'

/** A request of ours that ended without an answer worth having. */
export class RequestError extends Error {
  readonly code: RequestFailureCode
  readonly method: string

  constructor(code: RequestFailureCode, method: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'RequestError'
    this.code = code
    this.method = method
  }
}
