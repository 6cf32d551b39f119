import { z } from 'zod'
import type { Role } from '../mcp/content.ts'
import type { BlobRef, BoundedJson, BoundedText, ContentView } from './blobs.ts'
import type { Problem } from './errors.ts'
import { count, decline, type Given, MAX_TEXT_LENGTH, text, whole } from './schema-parts.ts'
import { type ModelRef, modelRef, type TokenUsage } from './settings.ts'

/** The most messages, and blocks in all of them (parts of tool results count, too), that a request may have: a person is to read them. */
export const SAMPLING_MESSAGES = 64
export const SAMPLING_BLOCKS = 64

/**
 * One block of a sampling request or reply as a person reads it. `n` is its number within its question, counted from 0 over all
 * messages: an answer refers to it. Long texts are their head and a reference (`blob.text` gives the whole), media are references
 * (`blob.link`). They are held in memory for as long as the question is open, and are never written to disk.
 */
export type SampledBlock =
  | ({ readonly n: number; readonly type: 'text' } & BoundedText)
  | { readonly n: number; readonly type: 'image' | 'audio'; readonly blob: BlobRef }
  /** The model used a tool of the server's own request; this host never runs it. */
  | ({ readonly n: number; readonly type: 'tool_use'; readonly id: string; readonly input: BoundedJson } & SampledName)
  | {
      readonly n: number
      readonly type: 'tool_result'
      readonly toolUseId: string
      readonly isError: boolean
      readonly content: readonly SampledPart[]
    }

/** A tool's name, and the one that the model is told in its place where providers do not take it as it is. */
export interface SampledName {
  readonly name: string
  readonly sentAs?: string
}

/** Of a link the model is told the address: `whole` has it where `uri` is but its head. */
export type SampledPart = Exclude<ContentView, Link> | (Link & { readonly whole?: BlobRef })
type Link = Extract<ContentView, { type: 'resource_link' }>

export interface SampledMessage {
  readonly role: Role
  readonly blocks: readonly SampledBlock[]
}

/** A block as the person left it: `keep` names an untouched one by its `n`; a text that was edited or added travels whole. */
export type BlockEdit = Given<typeof blockEdit>
const blockEdit = () => z.union([z.strictObject({ keep: count() }), z.strictObject({ text: text(MAX_TEXT_LENGTH) })])
const blockEdits = () => z.array(blockEdit()).max(1000)

/** A message without blocks is left out. */
export type MessageEdit = Given<typeof messageEdit>
const messageEdit = () => z.strictObject({ role: z.enum(['user', 'assistant']), blocks: blockEdits() })

/** A model that the person may choose instead. */
export interface SamplingModel {
  readonly model: ModelRef
  /** “Claude Sonnet 4.5 (Anthropic)”. */
  readonly name: string
  /** Why it cannot take this request as it is: “It cannot hear audio.” Sending to it is refused until that is taken out. */
  readonly unsuitable?: string
  /** US dollars per million tokens, roughly, where this host knows the family. */
  readonly price?: { readonly input: number; readonly output: number }
}

/** Something that can be added to the request for the model to read. Nothing is added unless it is ticked (SAMP-23). */
export interface ContextOffer {
  readonly id: string
  /** “Answers of “Files” in “Trip to Rome””. */
  readonly label: string
  /** Exactly the text that is added. */
  readonly preview: BoundedText
  /** Roughly. */
  readonly tokens: number
}

/** The rest of a budget. */
export type BudgetLeft = Given<typeof budgetLeft>
export const budgetLeft = () => z.strictObject({ requests: count(), tokens: count() })

/** First page, “Review sampling request”: a server wants to use the person's model. */
export interface SamplingRequestQuestion {
  /** The server's text; editable. */
  readonly systemPrompt?: BoundedText
  readonly messages: readonly SampledMessage[]
  readonly model: ModelRef
  /** Why this model, in words: “Hint “sonnet” → Claude Sonnet 4.5; speed preferred.” */
  readonly reason: string
  /** Every model that could be chosen, the chosen one first; at most 24. */
  readonly models: readonly SamplingModel[]
  /** The server's request. */
  readonly maxTokens: number
  /** The most that can be sent: the server's wish, this host's cap and the budget, whichever is least. */
  readonly tokenCap: number
  readonly temperature?: number
  /** An array of texts. */
  readonly stopSequences: BoundedJson
  /** Members of `metadata` that are passed to the provider; all others are dropped. */
  readonly metadata: Readonly<Record<string, string>>
  /**
   * Tools of the server's request (2025-11-25): the model is told of them, and what it uses goes back to the server. The description
   * is the tool's, or its title, or its name; the schema may have another of its own.
   */
  readonly tools: readonly (SampledName & { readonly description: BoundedText; readonly schema: BoundedJson })[]
  readonly toolChoice?: 'auto' | 'required' | 'none'
  /** The context that the server asked for (`includeContext`), and the context that could be added. */
  readonly context: { readonly asked: 'none' | 'thisServer' | 'allServers'; readonly offers: readonly ContextOffer[] }
  /** Tokens of what is sent, roughly; with `price` of a model and `maxTokens` it gives the cost at most. */
  readonly inputTokens: number
  /** With policy “budget” only. */
  readonly budget?: BudgetLeft
}

/** `systemPrompt` absent: as it came; null: left out; a text: replaced. `context` are the ticked offers' ids. */
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
 * Second page, “Review reply”. It opens when the request was sent, and grows: `interaction.grew` appends text to the last block,
 * `interaction.changed` replaces the question when the reply is complete or failed. Sending is possible when `done`, once more when
 * `done` or `failed`, Decline at any time: it stops the model.
 */
export interface SamplingResultQuestion {
  /** The interaction in which the request was reviewed. */
  readonly follows: string
  readonly model: ModelRef
  /** The model that really answers, as the server will be told (SAMP-11). */
  readonly modelName: string
  readonly state: 'writing' | 'done' | 'failed'
  readonly blocks: readonly SampledBlock[]
  /** In the words of the protocol: endTurn, maxTokens, stopSequence, toolUse, … */
  readonly stopReason?: string
  readonly usage?: TokenUsage
  /** Why it failed. */
  readonly problem?: Problem
  /** Why “Again” is not possible: the budget is used up. */
  readonly noAgain?: string
}

/** Only the blocks travel: role, model and stop reason are the host's. At least one block. */
const samplingReturn = () => z.strictObject({ decision: z.literal('return'), blocks: blockEdits() })
export const samplingResultAnswer = () =>
  z.discriminatedUnion('decision', [samplingReturn(), z.strictObject({ decision: z.literal('again') }), decline()])

/** Characters of a reply that a question shows while it grows; the whole is there once it is done. */
export const GROWING_LIMIT = 16 * 1024

/** Appends streamed text. */
export function growReply(question: SamplingResultQuestion, text: string): SamplingResultQuestion {
  const last = question.blocks.at(-1)
  if (last?.type === 'text')
    return { ...question, blocks: [...question.blocks.slice(0, -1), { ...last, text: last.text + text }] }
  return { ...question, blocks: [...question.blocks, { n: question.blocks.length, type: 'text', text }] }
}
