import type {
  CreateMessageParams,
  CreateMessageResult,
  ElicitParams,
  ElicitResult,
  ListRootsResult,
} from '../../../src-shared/mcp/client-requests.ts'
import { TASKS } from '../../../src-shared/mcp/extensions.ts'
import type { ClientCapabilities } from '../../../src-shared/mcp/primitives.ts'
import type { RequestId } from '../shapes/json-rpc.ts'

/** The server cancelled its own request. */
export class CancelledByServer extends DOMException {
  constructor(why: string) {
    super(`The server cancelled it${why}`, 'AbortError')
  }
}

/** The context of a server's request. `signal` aborts when the server cancels it or disconnects. */
export interface Cause {
  readonly signal: AbortSignal
  /** Our request that caused it, by its stream or as the only one in flight. */
  readonly requestId?: RequestId
  /** Our requests in flight when it came. Without `requestId` one of them is the cause. */
  readonly candidates: readonly RequestId[]
  /** Called when a person answered, rather than a rule or an earlier decision. */
  readonly answeredByPerson?: () => void
}

/** Handlers of server requests. An absent one is not declared and answers -32601. */
export interface ClientFeatures {
  /** Protocol extensions enabled for this server, with their settings. */
  readonly extensions?: Record<string, object>
  /** False where the person turned tasks off; in sessions they are no extension. */
  readonly tasks?: boolean
  readonly sampling?: {
    readonly tools: boolean
    readonly context: boolean
    /** Throws ProtocolError(-32602) for invalid params before a person is asked. */
    judge?(params: CreateMessageParams): void
    /** Throws ProtocolError(-1) when the person declines (SAMP-08). */
    createMessage(params: CreateMessageParams, cause: Cause): Promise<CreateMessageResult>
  }
  readonly elicitation?: {
    readonly url: boolean
    judge?(params: ElicitParams): void
    elicit(params: ElicitParams, cause: Cause): Promise<ElicitResult>
    /** `notifications/elicitation/complete`, since 2025-11-25. */
    completed?(elicitationId: string): void
  }
  readonly roots?: {
    /** Throws when the roots are unavailable; an empty list is a valid answer (ROOT-17). */
    list(cause: Cause): Promise<ListRootsResult>
  }
}

/** As below for the session era, which has tasks in its core (2025-11-25) or not at all. */
export function sessionCapabilitiesOf({ extensions, ...features }: ClientFeatures): ClientCapabilities {
  const { [TASKS]: _modern, ...shared } = extensions ?? {}
  return capabilitiesOf({ ...features, ...(extensions && { extensions: shared }) })
}

/** Declares exactly what is served (ROOT-02). */
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
