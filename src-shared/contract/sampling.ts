import { z } from 'zod'
import type { Role } from '../mcp/content.ts'
import type { BlobRef, BoundedJson, BoundedText, ContentView } from './blobs.ts'
import type { Problem } from './errors.ts'
import { count, decline, type Given, MAX_TEXT_LENGTH, text, whole } from './schema-parts.ts'
import { type ModelRef, modelRef, type TokenUsage } from './settings.ts'

/** Messages of a request, and blocks in all of them including parts of tool results: a person has to read them. */
export const SAMPLING_MESSAGES = 64
export const SAMPLING_BLOCKS = 64

/**
 * One block of a sampling request or reply. Answers refer to its number `n`, counted from 0 over all messages of its question. Long
 * texts and media are references (`blob.text`, `blob.link`) to content in memory that lasts as long as the question.
 */
export type SampledBlock =
  | ({ readonly n: number; readonly type: 'text' } & BoundedText)
  | { readonly n: number; readonly type: 'image' | 'audio'; readonly blob: BlobRef }
  /** A call of one of the request's tools; the server runs it, never this host. */
  | ({ readonly n: number; readonly type: 'tool_use'; readonly id: string; readonly input: BoundedJson } & SampledName)
  | {
      readonly n: number
      readonly type: 'tool_result'
      readonly toolUseId: string
      readonly isError: boolean
      readonly content: readonly SampledPart[]
    }

/** A tool's name, and `sentAs` for a provider that does not accept it. */
export interface SampledName {
  readonly name: string
  readonly sentAs?: string
}

/** The model gets the address of a link: `whole` has all of it when `uri` is cut. */
export type SampledPart = Exclude<ContentView, Link> | (Link & { readonly whole?: BlobRef })
type Link = Extract<ContentView, { type: 'resource_link' }>

export interface SampledMessage {
  readonly role: Role
  readonly blocks: readonly SampledBlock[]
}

/** `keep` is the `n` of an unchanged block; `text` an edited or added one. */
export type BlockEdit = Given<typeof blockEdit>
const blockEdit = () => z.union([z.strictObject({ keep: count() }), z.strictObject({ text: text(MAX_TEXT_LENGTH) })])
export const blockEdits = () => z.array(blockEdit()).max(1000)

/** A message without blocks is dropped. */
export type MessageEdit = Given<typeof messageEdit>
const messageEdit = () => z.strictObject({ role: z.enum(['user', 'assistant']), blocks: blockEdits() })

export interface SamplingModel {
  readonly model: ModelRef
  /** “Claude Sonnet 4.5 (Anthropic)”. */
  readonly name: string
  /** Why it cannot take this request: “It cannot hear audio.” The request must be edited before it can be sent. */
  readonly unsuitable?: string
  /** US dollars per million tokens, approximately; absent for unknown families. */
  readonly price?: { readonly input: number; readonly output: number }
}

/** Context that the person may add to the request; nothing is added by default (SAMP-23). */
export interface ContextOffer {
  readonly id: string
  /** “Answers of “Files” in “Trip to Rome””. */
  readonly label: string
  /** The exact text to add. */
  readonly preview: BoundedText
  /** An estimate. */
  readonly tokens: number
}

export type BudgetLeft = Given<typeof budgetLeft>
export const budgetLeft = () => z.strictObject({ requests: count(), tokens: count() })

/** First step: the person reviews a server's sampling request. */
export interface SamplingRequestQuestion {
  /** The server's; editable. */
  readonly systemPrompt?: BoundedText
  readonly messages: readonly SampledMessage[]
  readonly model: ModelRef
  /** Why this model was chosen: “Hint “sonnet” → Claude Sonnet 4.5; speed preferred.” */
  readonly reason: string
  /** Models to choose from, the chosen one first; at most 24. */
  readonly models: readonly SamplingModel[]
  /** As the server requested. */
  readonly maxTokens: number
  /** The smallest of `maxTokens`, this host's cap and the budget. */
  readonly tokenCap: number
  readonly temperature?: number
  /** An array of texts. */
  readonly stopSequences: BoundedJson
  /** The members of `metadata` that the provider gets. */
  readonly metadata: Readonly<Record<string, string>>
  /**
   * Tools of the request (2025-11-25). The model may call them, and the server gets the calls. The description falls back to the title
   * or the name.
   */
  readonly tools: readonly (SampledName & { readonly description: BoundedText; readonly schema: BoundedJson })[]
  readonly toolChoice?: 'auto' | 'required' | 'none'
  /** `includeContext` of the request, and what can be added. */
  readonly context: { readonly asked: 'none' | 'thisServer' | 'allServers'; readonly offers: readonly ContextOffer[] }
  /** An estimate, for the maximum cost. */
  readonly inputTokens: number
  /** Only with the policy `budget`. */
  readonly budget?: BudgetLeft
}

/** `systemPrompt`: absent keeps the server's, null drops it. `context` has the ids of the chosen offers. */
export type SamplingSend = Given<typeof samplingSend>
const samplingSend = () =>
  z.strictObject({
    decision: z.literal('send'),
    model: modelRef(),
    systemPrompt: text(MAX_TEXT_LENGTH).nullable().exactOptional(),
    messages: z.array(messageEdit()).max(1000),
    /** From 1 to `tokenCap`. */
    maxTokens: whole({ least: 1, most: Number.MAX_SAFE_INTEGER }),
    context: z.array(text(200)).max(100),
  })
export const samplingRequestAnswer = () => z.discriminatedUnion('decision', [samplingSend(), decline()])

/**
 * Second step: the person reviews the reply. `interaction.grew` appends to the last block while it is written; `interaction.changed`
 * replaces the question when it is done or failed. Decline works at any time and stops the model.
 */
export interface SamplingResultQuestion {
  /** The interaction of the first step. */
  readonly follows: string
  readonly model: ModelRef
  readonly state: 'writing' | 'done' | 'failed'
  readonly blocks: readonly SampledBlock[]
  /** The protocol's: endTurn, maxTokens, stopSequence, toolUse, … */
  readonly stopReason?: string
  readonly usage?: TokenUsage
  readonly problem?: Problem
  /** Why the reply cannot be regenerated: the budget is used up. */
  readonly noAgain?: string
}

/** At least one block. Role, model and stop reason are the host's. */
const samplingReturn = () => z.strictObject({ decision: z.literal('return'), blocks: blockEdits() })
export const samplingResultAnswer = () =>
  z.discriminatedUnion('decision', [samplingReturn(), z.strictObject({ decision: z.literal('again') }), decline()])

/** Characters of a reply to show while it is written; when done, all of it is shown. */
export const GROWING_LIMIT = 16 * 1024

/** Appends streamed text. */
export function growReply(question: SamplingResultQuestion, text: string): SamplingResultQuestion {
  const last = question.blocks.at(-1)
  if (last?.type === 'text')
    return { ...question, blocks: [...question.blocks.slice(0, -1), { ...last, text: last.text + text }] }
  return { ...question, blocks: [...question.blocks, { n: question.blocks.length, type: 'text', text }] }
}
