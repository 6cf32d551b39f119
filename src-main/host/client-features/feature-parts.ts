import type { FeaturePart } from '../servers/server-features.ts'
import type { Elicitation } from './elicitation.ts'
import type { Sampling } from './sampling.ts'
import type { SamplingPolicy } from './sampling-policy.ts'
import type { SharedFolders } from './shared-folders.ts'

/** The person's model, where the policy allows it: else it is not even declared, from the next connection on (LIFE-21, SEC-12). */
export function samplingPart(sampling: Sampling, policy: SamplingPolicy): FeaturePart {
  return (serverId) =>
    policy.allows(serverId)
      ? {
          sampling: {
            tools: true,
            context: true,
            createMessage: (params, cause) => sampling.createMessage(serverId, params, cause),
          },
        }
      : {}
}

export function elicitationPart(elicitation: Elicitation): FeaturePart {
  return (serverId) => ({
    elicitation: {
      url: true,
      elicit: (params, cause) => elicitation.elicit(serverId, params, cause),
      completed: (elicitationId) => elicitation.completed(serverId, elicitationId),
    },
  })
}

export function rootsPart(folders: SharedFolders): FeaturePart {
  return (serverId) => ({ roots: { list: (cause) => folders.list(serverId, cause) } })
}
