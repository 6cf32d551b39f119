import type { RequestOptions } from '../protocol/peer/pending-request.ts'
import type { RoundOptions } from './rounds.ts'

type Told = 'onProgress' | 'onSent' | 'onCancelling' | 'onOverdue'

/** How one request to a server is waited for; times that are absent are the client's own. */
export type CallOptions = Pick<RequestOptions, 'signal' | Told> &
  Partial<Pick<RequestOptions, 'timeout' | 'maxTime'>> &
  RoundOptions
