import type { Clock } from '../../src-shared/base/clock.ts'
import type { AuthHttp } from './auth-http.ts'

/** Shared by the steps of one server's authorization. */
export interface FlowContext {
  readonly serverUrl: string
  readonly http: AuthHttp
  readonly clock: Clock
  /** The address of this app's metadata document, which is also its client id. */
  readonly metadataUrl?: string
  readonly signal: AbortSignal
}
