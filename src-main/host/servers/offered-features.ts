import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import type { ElicitUrlParams } from '../../../src-shared/mcp/client-requests.ts'
import type { ClientFeatures } from '../../protocol/peer/client-features.ts'
import type { CallInFlight } from '../connection/calls-in-flight.ts'
import type { LaunchFolders } from '../launch/server-trust.ts'

/** Of roots, sampling and consent. */
export type ShownFeatures = Pick<ServerRecord, 'folders' | 'wantsFolders' | 'sampled' | 'unmetTools'>

/** Client features that the host offers to its servers. */
export interface OfferedFeatures {
  /** Folders that a person may share while they allow a server to start. */
  readonly roots: LaunchFolders
  /** Read for every connection: an absent feature is not declared (ROOT-02). */
  of(serverId: ServerId): ClientFeatures
  /** The record's part that is kept for server and launch together. */
  shown(serverId: ServerId, launchIdentity: string): ShownFeatures
  /** Takes the person to the addresses that a refused call requires; true when the call should be tried again. */
  visits(serverId: ServerId, required: readonly ElicitUrlParams[], call: CallInFlight): Promise<boolean>
}
