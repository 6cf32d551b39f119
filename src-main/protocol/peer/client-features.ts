import type {
  CreateMessageParams,
  CreateMessageResult,
  ElicitParams,
  ElicitResult,
  ListRootsResult,
} from '../../../src-shared/mcp/client-requests.ts'
import type { ClientCapabilities } from '../../../src-shared/mcp/primitives.ts'
import type { RequestId } from '../shapes/json-rpc.ts'

/** The server took its own request back. */
export class CancelledByServer extends DOMException {
  constructor(why: string) {
    super(`The server cancelled it${why}`, 'AbortError')
  }
}

/** Why a server asks: ended by `signal` when it cancels, which is its reason then, or goes away. */
export interface Cause {
  readonly signal: AbortSignal
  /** The request of ours that it belongs to, when the stream says so or exactly one is in flight. */
  readonly requestId?: RequestId
  /** Requests of ours in flight when it came; the cause is one of these when `requestId` is absent. */
  readonly candidates: readonly RequestId[]
  /** To be told when a person answered, and not a rule or a decision of before. */
  readonly answeredByPerson?: () => void
}

/** The single arrival of "a server asks". What is absent is not declared and answers -32601. */
export interface ClientFeatures {
  /** Extensions of the protocol that are switched on for this server, with their settings. */
  readonly extensions?: Record<string, object>
  readonly sampling?: {
    readonly tools: boolean
    readonly context: boolean
    /** Throws ProtocolError(-32602) for what nobody could be asked, before anybody is. */
    judge?(params: CreateMessageParams): void
    /** Throw ProtocolError(-1) when the person declines (SAMP-08). */
    createMessage(params: CreateMessageParams, cause: Cause): Promise<CreateMessageResult>
  }
  readonly elicitation?: {
    readonly url: boolean
    /** As that of sampling. */
    judge?(params: ElicitParams): void
    elicit(params: ElicitParams, cause: Cause): Promise<ElicitResult>
    /** `notifications/elicitation/complete`, since 2025-11-25. */
    completed?(elicitationId: string): void
  }
  readonly roots?: {
    /** Throw when they cannot be had; an empty list is a valid answer (ROOT-17). */
    list(cause: Cause): Promise<ListRootsResult>
  }
}

/** Computed from what is installed; nothing is declared that is not served (ROOT-02). */
export function capabilitiesOf(features: ClientFeatures): ClientCapabilities {
  return {
    ...(features.extensions && { extensions: features.extensions }),
    ...(features.roots && { roots: { listChanged: true } }),
    ...(features.sampling && {
      sampling: {
        ...(features.sampling.tools && { tools: {} }),
        ...(features.sampling.context && { context: {} }),
      },
    }),
    ...(features.elicitation && { elicitation: { form: {}, ...(features.elicitation.url && { url: {} }) } }),
  }
}
