import type { JsonObject } from '../../src-shared/base/json.ts'
import type { Effort, ModelEntry, TokenUsage } from '../../src-shared/contract/settings.ts'

/** A tool that a model is offered. `name` is the wire name, unique and safe for every provider. */
export interface OfferedTool {
  /** `[a-zA-Z0-9_-]{1,64}` */
  readonly name: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly inputSchema: JsonObject
}

export type ModelContent =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image'
      /** Base64. */
      readonly data: string
      readonly mimeType: string
      /** In pixels, if known. */
      readonly size?: { readonly width: number; readonly height: number }
    }
  /** Only for models that accept PDF. */
  | {
      readonly type: 'document'
      /** Base64. */
      readonly data: string
      readonly mimeType: 'application/pdf'
      readonly name: string
      readonly pages: number
    }

/** A message for a model. Roles may repeat; adapters merge messages where an API needs it. */
export type ModelMessage =
  | { readonly role: 'user'; readonly content: readonly ModelContent[] }
  | {
      readonly role: 'assistant'
      readonly text: string
      readonly toolCalls: readonly ModelToolCall[]
      /** Opaque state to return with this message: signed thinking, encrypted reasoning. */
      readonly providerState?: JsonObject
    }
  | {
      readonly role: 'tool'
      readonly callId: string
      readonly toolName: string
      readonly content: readonly ModelContent[]
      readonly isError: boolean
    }

export interface ModelToolCall {
  /** The provider's id for it. */
  readonly id: string
  readonly name: string
  /** The model's text, parsed; absent when it is not a JSON object. */
  readonly arguments?: JsonObject
  /** The model's text, when it cannot be parsed. */
  readonly broken?: string
}

export interface ModelRequest {
  readonly model: string
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly OfferedTool[]
  readonly maxTokens?: number
  readonly temperature?: number
  readonly stopSequences?: readonly string[]
  /** Only one that the model is known to accept. */
  readonly effort?: Effort
  readonly toolChoice?: 'auto' | 'required' | 'none'
  /** An opaque id of the end user, for the provider's abuse checks. */
  readonly userId?: string
  /** A turn of a conversation by default. */
  readonly purpose?: 'turn' | 'sampling' | 'title'
}

export type ModelDelta =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  /** A tool call has begun; its arguments still stream. */
  | { readonly type: 'tool-call-started'; readonly id: string; readonly name: string }
  | { readonly type: 'tool-call'; readonly call: ModelToolCall }
  /** The last delta of every stream that did not throw. */
  | {
      readonly type: 'done'
      readonly stopReason: 'end' | 'tool-use' | 'max-tokens' | 'stop-sequence' | 'refused' | 'other'
      readonly usage?: TokenUsage
      readonly model: string
      readonly providerState?: JsonObject
    }

export interface ModelProvider {
  listModels(signal: AbortSignal): Promise<readonly ModelEntry[]>
  /** Streams one reply. Throws ModelError, or the signal's reason when aborted. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelDelta>
}

export type ModelErrorCode =
  | 'no-key'
  | 'unauthorized'
  | 'rate-limited'
  | 'overloaded'
  | 'too-long'
  | 'unknown-model'
  | 'unreachable'
  | 'redirected'
  | 'refused'
  | 'bad-request'
  | 'broken-stream'
  /** In the middle of a reply, whose beginning counts. */
  | 'connection-lost'
  | 'server-error'

/** A model could not answer. `message` says what failed, `todo` what to do, `said` quotes the provider. */
export class ModelError extends Error {
  readonly code: ModelErrorCode
  readonly said: string | undefined
  readonly todo: string
  /** Milliseconds until a retry makes sense. */
  readonly retryAfter: number | undefined
  /** The context window in tokens that a refusal named. */
  readonly window: number | undefined

  constructor(
    code: ModelErrorCode,
    message: string,
    details: {
      todo: string
      said?: string | undefined
      retryAfter?: number | undefined
      window?: number | undefined
      cause?: unknown
    },
  ) {
    super(message, { cause: details.cause })
    this.name = 'ModelError'
    this.code = code
    this.todo = details.todo
    this.said = details.said
    this.retryAfter = details.retryAfter
    this.window = details.window
  }
}
