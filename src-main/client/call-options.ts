import type { Progress } from '../../src-shared/mcp/primitives.ts'
import type { OnOverdue } from '../protocol/peer/overdue-notice.ts'
import type { RequestId } from '../protocol/shapes/json-rpc.ts'

/** How one request to a server is waited for. */
export interface CallOptions {
  readonly signal: AbortSignal
  readonly onProgress?: (progress: Progress) => void
  /** Milliseconds without an answer or progress; the client's own when absent. */
  readonly timeout?: number
  /** Milliseconds in all; the client's own when absent. */
  readonly maxTime?: number
  /** Told the request's id as soon as it has one. */
  readonly onSent?: (id: RequestId) => void
  /** Told when it is given up: the promise resolves when the server has taken the word, or cannot be told. */
  readonly onCancelling?: (told: Promise<void>) => void
  /** With it a passed deadline is told, and the request goes on for one more `timeout` unless more is granted. */
  readonly onOverdue?: OnOverdue
}
