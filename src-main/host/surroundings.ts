import type { Clock } from '../../src-shared/base/clock.ts'
import type { Lifetime } from '../../src-shared/base/lifetime.ts'
import type { ServerId, ServerRecord } from '../../src-shared/contract/servers.ts'
import type { Images } from '../images/images.ts'
import type { ConnectParts } from './connect-server.ts'
import type { HostState } from './host-state.ts'
import { LaunchGate } from './launch-gate.ts'
import type { ProcessRecords } from './process-records.ts'
import type { FeaturePart } from './server-features.ts'
import type { ServerSignInParts } from './server-sign-in.ts'
import type { ServerTrust } from './server-trust.ts'
import type { ServersParts } from './servers.ts'
import type { Topics } from './topics.ts'

/** What all servers share. */
export interface Surroundings {
  readonly clock: Clock
  readonly lifetime: Lifetime
  readonly state: HostState
  readonly topics: Topics
  readonly trust: ServerTrust
  readonly gate: LaunchGate
  readonly connecting: ConnectParts
  readonly images: Pick<Images, 'fit'>
  /** Read anew for every connection. */
  readonly features: readonly FeaturePart[]
  /** What its record shows of folders and sampling, for a launch. */
  readonly shown: ShownParts
  readonly toolsChanged: (serverId: ServerId) => void
  readonly signIn: Pick<ServerSignInParts, 'secrets' | 'connector' | 'interactions' | 'platform' | 'calls' | 'metadataUrl'>
}

/** The parts of a record that belong to server and launch together. */
export type ShownParts = (serverId: ServerId, launchIdentity: string) => Pick<ServerRecord, 'folders' | 'sampled'>

/** How many servers are launched at a time. */
const LAUNCHES = 4
/** Where somebody has put `assets/client-metadata.json` on the web, for authorization servers to read (ruling 20). */
const METADATA_VARIABLE = 'PARLEY_CLIENT_METADATA_URL'

/** Begins to end what an earlier host left running. */
export function surroundingsOf(
  parts: ServersParts,
  own: Pick<Surroundings, 'lifetime' | 'trust' | 'toolsChanged'> & { readonly processes: ProcessRecords },
): Surroundings {
  const { storage, topics, platform, clock, state, environment, connector, playground } = parts
  const { lifetime, trust, toolsChanged, processes } = own
  return {
    clock,
    state,
    topics,
    lifetime,
    trust,
    gate: new LaunchGate(LAUNCHES),
    features: parts.features ?? [],
    shown: parts.shown ?? (() => ({})),
    toolsChanged,
    images: parts.images,
    signIn: {
      secrets: storage.secrets,
      connector,
      interactions: parts.interactions,
      platform,
      ...(parts.calls && { calls: parts.calls }),
      ...(environment[METADATA_VARIABLE] && { metadataUrl: environment[METADATA_VARIABLE] }),
    },
    connecting: {
      clock,
      environment,
      os: platform.os,
      version: platform.version,
      secrets: storage.secrets,
      processes,
      reaped: processes.reap(),
      connector,
      remembered: new Map(),
      playground,
      home: environment.HOME ?? environment.USERPROFILE ?? storage.folder,
    },
  }
}
