import type { RequestOptions } from '../protocol/peer/pending-request.ts'
import type { RoundOptions } from './rounds.ts'
import type { TaskOptions } from './task-run.ts'

type Callbacks = 'onProgress' | 'onSent' | 'onCancelling' | 'onOverdue'

/** The callbacks and limits of one request; absent times default to the client's. */
export type CallOptions = Pick<RequestOptions, 'signal' | Callbacks> &
  Partial<Pick<RequestOptions, 'timeout' | 'maxTime'>> &
  RoundOptions &
  TaskOptions
