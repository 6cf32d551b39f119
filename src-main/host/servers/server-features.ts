import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import type { ElicitUrlParams } from '../../../src-shared/mcp/client-requests.ts'
import type { ClientFeatures } from '../../protocol/peer/client-features.ts'
import type { CallInFlight } from '../connection/calls-in-flight.ts'

/** What one server may ask of us: each part brings its own, and what no part brings is not declared (ROOT-02). */
export type FeaturePart = (serverId: ServerId) => ClientFeatures

/** What the host lets its servers ask of people. */
export interface OfferedFeatures {
  /** Read anew for every connection. */
  readonly parts: readonly FeaturePart[]
  /** What a record shows of folders and sampling, which belong to server and launch together. */
  readonly shown: (serverId: ServerId, launchIdentity: string) => Pick<ServerRecord, 'folders' | 'sampled'>
  /** A call was refused until a person has been at these addresses; true when it is to be tried again. */
  readonly visits: (serverId: ServerId, required: readonly ElicitUrlParams[], call: CallInFlight) => Promise<boolean>
}

/** Servers that may ask for nothing. */
export const NO_FEATURES: OfferedFeatures = { parts: [], shown: () => ({}), visits: async () => false }

/** Joins the parts; a later one wins where two bring the same. */
export function serverFeatures(serverId: ServerId, parts: readonly FeaturePart[]): ClientFeatures {
  return Object.assign({}, ...parts.map((part) => part(serverId)))
}
