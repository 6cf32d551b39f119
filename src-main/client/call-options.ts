import type { RequestOptions } from '../protocol/peer/pending-request.ts'

type Told = 'onProgress' | 'onSent' | 'onCancelling' | 'onOverdue'

/** How one request to a server is waited for; times that are absent are the client's own. */
export type CallOptions = Pick<RequestOptions, 'signal' | Told> &
  Partial<Pick<RequestOptions, 'timeout' | 'maxTime'>> & {
    /** The last look before a tool call that was refused is sent once more, because its definition may be another now; rejects when it must not be. */
    readonly again?: (() => Promise<void> | void) | undefined
  }
