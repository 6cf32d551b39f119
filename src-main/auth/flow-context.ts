import type { Clock } from '../../src-shared/base/clock.ts'
import type { AuthHttp } from './auth-http.ts'

/** State shared by the steps of one server's authorization. */
export interface FlowContext {
  readonly serverUrl: string
  readonly http: AuthHttp
  readonly clock: Clock
  /** Where the document that describes this app lies; it is our id then. */
  readonly metadataUrl?: string
  readonly signal: AbortSignal
}
