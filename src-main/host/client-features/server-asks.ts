import type { Clock } from '../../../src-shared/base/clock.ts'
import type { Lifetime } from '../../../src-shared/base/lifetime.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { Storage } from '../../storage/base/storage.ts'
import type { HostState } from '../core/host-state.ts'
import type { Interactions } from '../core/interactions.ts'
import { PassingBlobs } from '../core/passing-blobs.ts'
import type { Platform } from '../core/platform.ts'
import type { Providers } from '../models/providers.ts'
import type { OfferedFeatures } from '../servers/server-features.ts'
import type { Servers } from '../servers/servers.ts'
import { ConversationFolders } from './conversation-folders.ts'
import { Elicitation } from './elicitation.ts'
import { elicitationPart, rootsPart, samplingPart } from './feature-parts.ts'
import { Sampling } from './sampling.ts'
import { SamplingPolicy } from './sampling-policy.ts'
import { ServerQuestions } from './server-questions.ts'
import { SharedFolders } from './shared-folders.ts'

interface AsksParts {
  readonly storage: Storage
  readonly state: HostState
  readonly interactions: Interactions
  readonly providers: Providers
  readonly platform: Platform
  readonly clock: Clock
  readonly lifetime: Lifetime
  readonly servers: Pick<Servers, 'record' | 'showAgain' | 'rootsChanged' | 'inFlight' | 'protect'>
}

/** Everything that servers may ask of people, put together. */
export class ServerAsks {
  readonly policy: SamplingPolicy
  readonly folders: SharedFolders
  readonly conversationFolders: ConversationFolders
  /** The storage's blobs, and those of open questions, which only memory holds. */
  readonly blobs: PassingBlobs
  /** What servers are given of it. */
  readonly offered: OfferedFeatures
  readonly #questions: ServerQuestions

  private constructor(parts: AsksParts) {
    const { storage, state, interactions, clock, providers, platform, servers } = parts
    const { records } = storage
    const record = (serverId: ServerId) => servers.record(serverId)
    const changed = (serverId: ServerId) => servers.showAgain(serverId)
    const questions = new ServerQuestions({ interactions, clock, record, calls: servers.inFlight })
    const elicitation = new Elicitation({ questions, interactions, state, clock, platform, servers })
    this.#questions = questions
    this.blobs = new PassingBlobs(storage.blobs)
    this.policy = new SamplingPolicy({ records, record, changed })
    this.conversationFolders = new ConversationFolders(
      records,
      async (id) => (await storage.conversations.head(id)) !== undefined,
    )
    this.folders = new SharedFolders({
      ...{ records, questions, state, clock, record, changed },
      lifetime: parts.lifetime,
      tell: (serverId) => servers.rootsChanged(serverId),
      forbidden: [storage.folder],
    })
    const { policy, folders, blobs } = this
    const sampling = new Sampling({ questions, interactions, policy, providers, state, clock, storage, blobs })
    this.offered = {
      parts: [samplingPart(sampling, policy), elicitationPart(elicitation), rootsPart(folders)],
      shown: (serverId, launchIdentity) => {
        const shared = folders.of(serverId, launchIdentity)
        const sampled = policy.used(serverId, launchIdentity)
        return { ...(shared && { folders: shared }), ...(sampled && { sampled }) }
      },
      visits: (serverId, required, call) => elicitation.visits(serverId, required, call),
    }
  }

  /** Reads what was decided before. */
  static async open(parts: AsksParts): Promise<ServerAsks> {
    const asks = new ServerAsks(parts)
    await asks.policy.load()
    await asks.folders.load()
    await asks.conversationFolders.load()
    return asks
  }

  /** A server is no longer configured: what was decided for it is over. */
  async forget(serverId: ServerId): Promise<void> {
    this.#questions.forget(serverId)
    await this.policy.forget(serverId)
    await this.folders.forget(serverId)
  }
}
