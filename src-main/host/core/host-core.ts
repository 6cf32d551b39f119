import type { Clock } from '../../../src-shared/base/clock.ts'
import type { Lifetime } from '../../../src-shared/base/lifetime.ts'
import type { CheckValue } from '../../../src-shared/mcp/schema-verdict.ts'
import type { Images } from '../../images/images.ts'
import type { Transport } from '../../protocol/peer/transport.ts'
import type { Storage } from '../../storage/base/storage.ts'
import type { Connector } from '../../transports/http/connector.ts'
import type { ChosenFolders } from './chosen-folders.ts'
import type { HostState } from './host-state.ts'
import type { Interactions } from './interactions.ts'
import type { LostParts } from './lost-parts.ts'
import type { Platform } from './platform.ts'
import type { HostSettings } from './settings.ts'
import type { Topics } from './topics.ts'
import type { TransientBlobs } from './transient-blobs.ts'

/** The single instances of a host. Each part names with `Pick` the ones that it uses. */
export interface HostCore {
  readonly clock: Clock
  /** Ends with the host, or with the part that hands it on. */
  readonly lifetime: Lifetime
  /** Opened and closed by the shell. */
  readonly storage: Storage & { readonly blobs: TransientBlobs }
  readonly platform: Platform
  readonly folders: ChosenFolders
  /** Parley's own; transports decide which of it a child inherits. */
  readonly environment: NodeJS.ProcessEnv
  /** Carries all HTTP; opened and closed by the shell. */
  readonly connector: Connector
  /** Makes a new link to the built-in server; absent where there is none. */
  readonly playground?: () => Transport
  readonly state: HostState
  readonly topics: Topics
  readonly interactions: Interactions
  readonly settings: HostSettings
  readonly images: Images
  /** Reports a part of the program that cannot be loaded. */
  readonly onLost: LostParts['tell']
  /** Validates against a server's JSON Schema. */
  readonly checkValue: CheckValue
}
