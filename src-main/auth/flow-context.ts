import type { Clock } from '../../src-shared/base/clock.ts'
import type { AuthHttp } from './auth-http.ts'
import type { ConfiguredClient } from './person.ts'

/** What the steps of one server's authorization have in common. */
export interface FlowContext {
  readonly serverUrl: string
  readonly http: AuthHttp
  readonly clock: Clock
  /** Registered beforehand. */
  readonly configured?: ConfiguredClient
  /** Where the document that describes this app lies; it is our id then. */
  readonly metadataUrl?: string
  readonly signal: AbortSignal
}
