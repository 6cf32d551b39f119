/** JSON-RPC 2.0 shapes and error codes (jsonrpc.org/specification; MCP basic#messages). */

export type RequestId = string | number
/** Ids that we can return exactly: no fractions, and only safe integers (MSG-02, SCHEMA-16). */
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
  /** Absent when the sender could not read our id (TRAP-10). */
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
  /** Over HTTP a header and the body differ. Since 2026-07-28, like the next two. */
  headerMismatch: -32020,
  /** `data.requiredCapabilities` names them. */
  missingCapability: -32021,
  /** `data.supported` lists the server's versions. */
  unsupportedVersion: -32022,
  /** A person declined sampling (SAMP-08). */
  userRejected: -1,
} as const

/** A JSON-RPC error of either side, with its code, message and data (MSG-24). */
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
  /** The transport cannot carry it. */
  | 'not-sent'
  | 'session-lost'
  /** The server no longer knows the task, or cancelled it. */
  | 'task-lost'
  | 'task-cancelled'

/** A request of ours that ended without a usable answer. */
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
