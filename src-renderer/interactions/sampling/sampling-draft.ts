import { isObject } from '../../../src-shared/base/json.ts'
import type { SamplingModel, SamplingRequestQuestion, SamplingSend } from '../../../src-shared/contract/sampling.ts'
import type { ModelRef } from '../../../src-shared/contract/settings.ts'
import { type BlockEdits, editsToSend, readBlockEdits } from './block-edits.ts'

/** A person's changes of a sampling request; absent members are as they came. */
export interface SamplingDraft extends BlockEdits {
  /** Null leaves the system prompt out. */
  readonly system?: string | null
  readonly model?: ModelRef
  /** As typed. */
  readonly maxTokens?: string
  /** Ids of the ticked offers. */
  readonly context: readonly string[]
}

/** Roughly, as the host counts. */
const CHARACTERS_PER_TOKEN = 4

export function readSamplingDraft(kept: unknown): SamplingDraft {
  const { system, model, maxTokens, context } = isObject(kept) ? kept : {}
  return {
    ...readBlockEdits(kept),
    ...((typeof system === 'string' || system === null) && { system }),
    // The ids came from a window of this host, which checks them once more.
    ...(isObject(model) && { model: model as unknown as ModelRef }),
    ...(typeof maxTokens === 'string' && { maxTokens }),
    context: Array.isArray(context) ? context.filter((id) => typeof id === 'string') : [],
  }
}

export function chosenModel({ models, model }: SamplingRequestQuestion, draft: SamplingDraft): SamplingModel {
  const wanted = draft.model ?? model
  return models.find((one) => sameModel(one.model, wanted)) ?? { model: wanted, name: wanted.model }
}

export function sameModel(a: ModelRef, b: ModelRef): boolean {
  return a.provider === b.provider && a.model === b.model
}

/** The cap on the reply, or what is wrong with what was typed. */
export function tokenLimit({ tokenCap }: SamplingRequestQuestion, { maxTokens }: SamplingDraft): number | string {
  if (maxTokens === undefined) return tokenCap
  const limit = Number(maxTokens)
  if (!Number.isInteger(limit) || limit < 1) return 'Enter a whole number, 1 or more.'
  return limit > tokenCap ? `Enter ${tokenCap} or less.` : limit
}

/** The answer that sends what is on screen; a sentence where it cannot be sent so. */
export function samplingAnswer(question: SamplingRequestQuestion, draft: SamplingDraft): SamplingSend | string {
  const maxTokens = tokenLimit(question, draft)
  if (typeof maxTokens === 'string') return maxTokens
  const messages = question.messages.flatMap(({ role, blocks }) => {
    const kept = editsToSend(blocks, draft)
    return kept.length === 0 ? [] : [{ role, blocks: kept }]
  })
  if (messages.length === 0) return 'Nothing is left to send.'
  const system = draft.system === '' ? null : draft.system
  return {
    decision: 'send',
    model: chosenModel(question, draft).model,
    ...(system !== undefined && { systemPrompt: system }),
    messages,
    maxTokens,
    context: draft.context,
  }
}

interface Estimate {
  readonly input: number
  readonly output: number
  /** US dollars at most; absent where the price is not known. */
  readonly cost?: number
}

/** The rough cost of sending. */
export function estimate(question: SamplingRequestQuestion, draft: SamplingDraft): Estimate {
  const ticked = question.context.offers.filter(({ id }) => draft.context.includes(id))
  const change = question.messages
    .flatMap(({ blocks }) => blocks)
    .reduce(
      (sum, block) => {
        if (block.type !== 'text' || block.whole) return sum
        const after = draft.removed.includes(block.n) ? '' : (draft.texts[block.n] ?? block.text)
        return sum + after.length - block.text.length
      },
      systemChange(question, draft),
    )
  const input = Math.max(
    0,
    question.inputTokens + Math.ceil(change / CHARACTERS_PER_TOKEN) + ticked.reduce((sum, { tokens }) => sum + tokens, 0),
  )
  const limit = tokenLimit(question, draft)
  const output = typeof limit === 'number' ? limit : question.tokenCap
  const { price } = chosenModel(question, draft)
  return { input, output, ...(price && { cost: (input * price.input + output * price.output) / 1_000_000 }) }
}

function systemChange({ systemPrompt }: SamplingRequestQuestion, { system }: SamplingDraft): number {
  if (system === undefined || systemPrompt?.whole) return 0
  return (system?.length ?? 0) - (systemPrompt?.text.length ?? 0)
}

/** "at most $0.02"; never in more detail than a cent. */
export function costInWords(amount: number | undefined): string {
  if (amount === undefined) return 'cost unknown'
  if (amount === 0) return 'free'
  return amount < 0.01 ? 'less than $0.01' : `at most $${amount.toFixed(2)}`
}
