import type { JsonObject } from '../base/json.ts'
import type { Meta, Role, SamplingContent } from './content.ts'
import type { Root, Tool } from './primitives.ts'

// Params and results of requests that a server may send (specification: client features).

interface ModelHint {
  /** Substring of a model's name (SAMP-15). */
  readonly name?: string
}

export interface ModelPreferences {
  readonly hints?: readonly ModelHint[]
  /** Each 0 to 1. */
  readonly costPriority?: number
  readonly speedPriority?: number
  readonly intelligencePriority?: number
}

export interface SamplingMessage {
  readonly role: Role
  /** Several blocks only since 2025-11-25. */
  readonly content: SamplingContent | readonly SamplingContent[]
}

export interface CreateMessageParams {
  readonly messages: readonly SamplingMessage[]
  readonly maxTokens: number
  readonly modelPreferences?: ModelPreferences
  readonly systemPrompt?: string
  readonly includeContext?: 'none' | 'thisServer' | 'allServers'
  readonly temperature?: number
  readonly stopSequences?: readonly string[]
  readonly metadata?: JsonObject
  /** Since 2025-11-25, and only when `sampling.tools` was declared. */
  readonly tools?: readonly Tool[]
  readonly toolChoice?: { readonly mode?: 'auto' | 'required' | 'none' }
}

export interface CreateMessageResult {
  readonly role: Role
  /** One block; several only since 2025-11-25. */
  readonly content: SamplingContent | readonly SamplingContent[]
  /** The model really used (SAMP-11). */
  readonly model: string
  readonly stopReason?: 'endTurn' | 'stopSequence' | 'maxTokens' | 'toolUse' | (string & {})
}

export type ElicitValue = string | number | boolean | readonly string[]

export interface ElicitFormParams {
  readonly mode?: 'form'
  readonly message: string
  /** A flat object schema (ELIC-17). */
  readonly requestedSchema: JsonObject
  readonly _meta?: Meta
}

/** Since 2025-11-25. */
export interface ElicitUrlParams {
  readonly mode: 'url'
  readonly message: string
  readonly url: string
  /** Until 2025-11-25. */
  readonly elicitationId?: string
  readonly _meta?: Meta
}

export type ElicitParams = ElicitFormParams | ElicitUrlParams

/** A refusal is a result, never an error (ELIC-15). `reject` is the draft profile's word for `decline`. */
export interface ElicitResult {
  readonly action: 'accept' | 'decline' | 'cancel'
  /** Only with accept (ELIC-14). */
  readonly content?: Record<string, ElicitValue>
}

export interface ListRootsResult {
  readonly roots: readonly Root[]
}
