import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { ElicitUrlParams } from '../../../src-shared/mcp/client-requests.ts'
import type { ClientFeatures } from '../../protocol/peer/client-features.ts'
import type { CallInFlight } from '../connection/calls-in-flight.ts'
import type { HostCore } from '../core/host-core.ts'
import type { Providers } from '../models/providers.ts'
import type { OfferedFeatures, ShownFeatures } from '../servers/offered-features.ts'
import type { PersonRules } from '../servers/person-rules.ts'
import type { Servers } from '../servers/servers.ts'
import { Elicitation } from './elicitation.ts'
import { Sampling } from './sampling.ts'
import { SamplingPolicy } from './sampling-policy.ts'
import { checkSize } from './sampling-questions.ts'
import type { ServerQuestions } from './server-questions.ts'
import type { ServerRoots } from './server-roots.ts'

interface FeatureParts extends HostCore {
  readonly servers: Servers
  readonly questions: ServerQuestions
  readonly roots: ServerRoots
  readonly providers: Providers
  readonly rules: PersonRules
}

/** Sampling, elicitation and roots for every server. */
export class HostFeatures implements OfferedFeatures {
  readonly samplingPolicy: SamplingPolicy
  readonly roots: ServerRoots
  readonly #rules: PersonRules
  readonly #questions: ServerQuestions
  readonly #sampling: Sampling
  readonly #elicitation: Elicitation

  constructor(parts: FeatureParts) {
    this.#rules = parts.rules
    this.#questions = parts.questions
    this.roots = parts.roots
    this.#elicitation = new Elicitation(parts)
    this.samplingPolicy = new SamplingPolicy(parts.storage.records, parts.servers)
    this.#sampling = new Sampling({ ...parts, policy: this.samplingPolicy })
  }

  async load(): Promise<void> {
    await this.samplingPolicy.load()
    await this.roots.load()
  }

  /** Without sampling where the policy does not allow it, so that the next connection does not declare it (LIFE-21, SEC-12). */
  of(serverId: ServerId): ClientFeatures {
    return {
      ...(this.samplingPolicy.allows(serverId) && {
        sampling: {
          tools: true,
          context: true,
          judge: checkSize,
          createMessage: (params, cause) => this.#sampling.createMessage(serverId, params, cause),
        },
      }),
      elicitation: {
        url: true,
        judge: (params) => this.#elicitation.judge(params),
        elicit: (params, cause) => this.#elicitation.elicit(serverId, params, cause),
        completed: (elicitationId) => this.#elicitation.completed(serverId, elicitationId),
      },
      roots: {
        list: async (cause) => {
          const denied = (await this.#rules.ruledRequest(serverId, 'roots/list', {})) === 'deny'
          return denied ? { roots: [] } : this.roots.list(serverId, cause)
        },
      },
    }
  }

  shown(serverId: ServerId, launchIdentity: string): ShownFeatures {
    const folders = this.roots.of(serverId, launchIdentity)
    const wantsFolders = this.roots.wantsFolders(serverId, launchIdentity)
    const sampled = this.samplingPolicy.used(serverId, launchIdentity)
    const unmetTools = this.#rules.unmetTools(serverId, launchIdentity)
    return {
      ...(folders && { folders }),
      ...(wantsFolders && { wantsFolders }),
      ...(sampled && { sampled }),
      ...(unmetTools.count > 0 && { unmetTools }),
    }
  }

  visits(serverId: ServerId, required: readonly ElicitUrlParams[], call: CallInFlight): Promise<boolean> {
    return this.#elicitation.visits(serverId, required, call)
  }

  async forget(serverId: ServerId): Promise<void> {
    this.#questions.forget(serverId)
    await this.samplingPolicy.forget(serverId)
    await this.roots.forget(serverId)
  }
}
