import type { Problem } from './errors.ts'
import type { ConsentRuleId, ConversationId, ProviderId, ServerId } from './ids.ts'

/** A language model and who serves it. */
export interface ModelRef {
  readonly provider: ProviderId
  readonly model: string
}

/** Tokens of one request, as the provider counts them. */
export interface TokenUsage {
  /** All that was read, cached or not. */
  readonly input: number
  readonly output: number
  /** Of the input: read from the provider's cache, for a fraction of the price. */
  readonly cacheRead?: number
  /** Of the input: written to it. */
  readonly cacheWrite?: number
}

export type ProviderKind = 'demo' | 'anthropic' | 'openai' | 'openai-compatible'

export interface ModelEntry {
  readonly id: string
  readonly name: string
  /** Tokens; absent when unknown. */
  readonly contextWindow?: number
  /** The person set the window. */
  readonly ownWindow?: true
  readonly vision?: boolean
}

/** Whether a provider has what it needs; the key itself never comes back. */
export type KeyState = 'saved' | 'missing' | 'not-needed' | 'saved-elsewhere' | 'memory-only'

export interface ProviderRecord {
  readonly id: ProviderId
  readonly kind: ProviderKind
  readonly name: string
  /** For openai-compatible, and to override the others. */
  readonly baseUrl?: string
  readonly key: KeyState
  readonly models: readonly ModelEntry[]
  /** Identifiers among them that were entered by hand. */
  readonly ownModels?: readonly string[]
  /** Why its models could not be listed. */
  readonly problem?: Problem
  readonly state: 'idle' | 'looking' | 'ready'
}

/** What the page sends to add or change a provider. */
export interface ProviderConfig {
  readonly kind: Exclude<ProviderKind, 'demo'>
  readonly name: string
  readonly baseUrl?: string
  /** Models to offer beside those that the provider lists. */
  readonly models?: readonly string[]
}

/** Tokens that a person may say a model takes in. */
export const WINDOW_RANGE = { least: 256, most: 100_000_000 } as const

export const DEMO_PROVIDER_ID = 'demo' as ProviderId
export const DEMO_MODEL: ModelRef = { provider: DEMO_PROVIDER_ID, model: 'demo' }

export interface Settings {
  readonly theme: 'system' | 'light' | 'dark'
  readonly defaultModel: ModelRef
  /** Model rounds in one turn before it stops and asks. */
  readonly roundLimit: number
  /** Milliseconds a question stays open before it ends by itself. */
  readonly questionLife: number
  /** Percent of a model's window that tool definitions may take before the model searches for tools instead; 1 to 100. */
  readonly toolShare: number
  /** The newcomer's page was finished or closed. */
  readonly welcomed: boolean
}

export const DEFAULT_SETTINGS: Settings = {
  theme: 'system',
  defaultModel: DEMO_MODEL,
  roundLimit: 25,
  questionLife: 30 * 60_000,
  toolShare: 10,
  welcomed: false,
}

/** A remembered permission: one tool of one server, as it was defined and launched when the person said yes (decision 0007). */
export interface ConsentRule {
  readonly id: ConsentRuleId
  readonly serverId: ServerId
  readonly tool: string
  readonly launchIdentity: string
  readonly fingerprint: string
  readonly scope: 'always' | 'conversation'
  readonly conversationId?: ConversationId
  readonly madeAt: number
  readonly lastUsedAt?: number
  readonly uses: number
}

/** A rule as Settings lists it. */
export interface ConsentRuleView extends ConsentRule {
  readonly serverName: string
  readonly conversationTitle?: string
  /** Why it does not apply at present. */
  readonly asleep?: 'launch-changed' | 'tool-changed' | 'server-removed' | 'tool-unknown'
}
