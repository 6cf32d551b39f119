import type { Id, JsonObject, JsonValue } from '../base/json.ts'
import type { CreateMessageParams, CreateMessageResult, ElicitResult } from '../mcp/client-requests.ts'
import type { Root } from '../mcp/primitives.ts'
import type { BoundedJson } from './blobs.ts'
import type { ConversationId, ToolCallId } from './conversations.ts'
import type { LaunchSummary, ServerId, ToolHints } from './servers.ts'
import type { ModelRef } from './settings.ts'

export type InteractionId = Id<'interaction'>

export interface Decline {
  readonly decision: 'decline'
}

/** Every question the host may ask and its answers. Plain JSON both ways. */
export interface InteractionKinds {
  'server-trust': {
    question: {
      readonly launch: LaunchSummary
      readonly launchIdentity: string
      /** What differs from the launch that was trusted before, in plain words. */
      readonly changed?: readonly string[]
    }
    answer: { readonly decision: 'allow' | 'deny' }
  }
  'tool-consent': {
    question: {
      readonly tool: string
      readonly title: string
      readonly description: string
      readonly arguments: BoundedJson
      readonly hints: ToolHints
      readonly toolCallId: ToolCallId
      readonly fingerprint: string
      /** The tool is not as it was when a rule was made; both definitions as JSON. */
      readonly changed?: { readonly before?: string; readonly now: string }
    }
    answer: { readonly decision: 'allow'; readonly remember: 'once' | 'conversation' | 'always' } | { readonly decision: 'deny' }
  }
  'sampling-request': {
    question: {
      readonly params: CreateMessageParams
      readonly model: ModelRef
      /** Why this model, in plain words. */
      readonly reason: string
    }
    answer: { readonly decision: 'send'; readonly params: CreateMessageParams; readonly model: ModelRef } | Decline
  }
  'sampling-result': {
    question: { readonly follows: InteractionId; readonly result: CreateMessageResult }
    answer: { readonly decision: 'return'; readonly result: CreateMessageResult } | { readonly decision: 'again' } | Decline
  }
  'elicitation-form': {
    question: { readonly message: string; readonly schema: JsonObject }
    answer: ElicitResult
  }
  'elicitation-url': {
    question: { readonly message: string; readonly url: string }
    answer: ElicitResult
  }
  'roots-request': {
    question: { readonly suggested: readonly Root[] }
    answer: { readonly decision: 'share'; readonly roots: readonly Root[] } | Decline
  }
}

export type InteractionKind = keyof InteractionKinds
export type QuestionOf<K extends InteractionKind> = InteractionKinds[K]['question']
export type AnswerTo<K extends InteractionKind> = InteractionKinds[K]['answer']

/** Who asks, why, and since when. */
export interface About {
  readonly serverId: ServerId
  readonly serverName: string
  readonly origin: 'model' | 'server' | 'user'
  readonly conversationId?: ConversationId
  readonly toolCallId?: ToolCallId
  /** The cause in one sentence, from the person's point of view. */
  readonly cause: string
}

export type Interaction = {
  [K in InteractionKind]: {
    readonly id: InteractionId
    readonly kind: K
    readonly about: About
    readonly askedAt: number
    /** When it ends by itself, as cancel or decline. */
    readonly endsAt: number
    readonly question: QuestionOf<K>
    /** What was typed so far; host memory only, never on disk (ruling 11). */
    readonly draft?: JsonValue
  }
}[InteractionKind]

export type InteractionOf<K extends InteractionKind> = Extract<Interaction, { kind: K }>

export type Answer = {
  [K in InteractionKind]: { readonly id: InteractionId; readonly kind: K; readonly answer: AnswerTo<K> }
}[InteractionKind]

/** How a question ended; never its content. */
export type InteractionOutcome = 'answered' | 'withdrawn' | 'expired' | 'answered-by-rule'
