import type { AnswerTo } from '../../../src-shared/contract/interactions.ts'
import {
  type BudgetLeft,
  SAMPLING_BLOCKS,
  SAMPLING_MESSAGES,
  type SamplingRequestQuestion,
  type SamplingResultQuestion,
} from '../../../src-shared/contract/sampling.ts'
import type { CreateMessageParams } from '../../../src-shared/mcp/client-requests.ts'
import { boundedJson, boundedText, byteLength, cut, InlineBudget } from '../core/content-views.ts'
import type { BlobHold } from '../core/transient-blobs.ts'
import { refusal } from './refusals.ts'
import { blockView, countBlocks, editProblem, messageViews } from './sampling-blocks.ts'
import type { SampledReply } from './sampling-reply.ts'
import { passedMetadata } from './sampling-request.ts'

/** Bytes that a question carries inline, of its 32 KiB. */
const QUESTION_BUDGET = 28 * 1024
/** Bytes that the frame of a block, and of a tool, take of it. */
const BLOCK_FRAME = 230
const TOOL_FRAME = 320
/** What the calls of a reply take; there are at most 64. */
const REPLY_FRAMES = 20 * 1024
const TOOL_LIMIT = 32
const STOP_SEQUENCES = 8
const STOP_LENGTH = 40
const TEXT_LIMIT = 60

/** What a person could not read through is not put before them. */
export function checkSize({ messages, tools = [] }: CreateMessageParams): void {
  if (messages.length === 0) throw refusal.invalid('messages must not be empty')
  const blocks = countBlocks(messages)
  if (messages.length > SAMPLING_MESSAGES || blocks > SAMPLING_BLOCKS) {
    throw refusal.invalid(`at most ${SAMPLING_MESSAGES} messages with ${SAMPLING_BLOCKS} blocks can be reviewed`)
  }
  if (tools.length > TOOL_LIMIT) throw refusal.invalid(`at most ${TOOL_LIMIT} tools can be reviewed`)
}

/** Room for texts once everything else of a question has its place. */
export function roomForTexts(
  { messages, tools = [] }: CreateMessageParams,
  models: SamplingRequestQuestion['models'],
): InlineBudget {
  const frames = countBlocks(messages) * BLOCK_FRAME + tools.length * TOOL_FRAME
  return new InlineBudget(Math.max(0, QUESTION_BUDGET - frames - byteLength(JSON.stringify(models))))
}

/** What was found out for the person beside what the server asks. */
export type RequestFacts = Pick<SamplingRequestQuestion, 'model' | 'reason' | 'models' | 'tokenCap' | 'inputTokens'> & {
  readonly offers: SamplingRequestQuestion['context']['offers']
  readonly left: BudgetLeft | undefined
}

/** The first page: everything that would be sent, long texts by reference. */
export async function requestQuestion(
  params: CreateMessageParams,
  { offers, left, ...facts }: RequestFacts,
  hold: BlobHold,
  budget: InlineBudget,
): Promise<SamplingRequestQuestion> {
  return {
    ...facts,
    ...(params.systemPrompt !== undefined && { systemPrompt: await boundedText(params.systemPrompt, hold, budget) }),
    messages: await messageViews(params.messages, hold, budget),
    maxTokens: params.maxTokens,
    ...(params.temperature !== undefined && { temperature: params.temperature }),
    stopSequences: (params.stopSequences ?? []).slice(0, STOP_SEQUENCES).map((one) => cut(one, STOP_LENGTH)),
    metadata: { ...passedMetadata(params.metadata) },
    tools: await shownTools(params.tools, hold, budget),
    ...(params.toolChoice?.mode && { toolChoice: params.toolChoice.mode }),
    context: { asked: params.includeContext ?? 'none', offers },
    ...(left && { budget: left }),
  }
}

async function shownTools(
  tools: CreateMessageParams['tools'] = [],
  hold: BlobHold,
  budget: InlineBudget,
): Promise<SamplingRequestQuestion['tools']> {
  return Promise.all(
    tools.map(async ({ name, description = '', inputSchema }) => ({
      name: cut(name, 80),
      description: cut(description, TEXT_LIMIT),
      // What a short description leaves out stands where schemas have theirs.
      schema: await boundedJson(description.length > TEXT_LIMIT ? { description, ...inputSchema } : inputSchema, hold, budget),
    })),
  )
}

/** The second page once the model has answered, or could not. `noAgain` says why no other reply can be had. */
export async function finishedQuestion(
  question: SamplingResultQuestion,
  reply: SampledReply,
  hold: BlobHold,
  noAgain: string | undefined,
): Promise<SamplingResultQuestion> {
  const budget = new InlineBudget(QUESTION_BUDGET - REPLY_FRAMES)
  const again = noAgain !== undefined && { noAgain }
  if (reply.is === 'failed') {
    const text = await boundedText(reply.written, hold, budget)
    const blocks = reply.written === '' ? [] : [{ n: 0, type: 'text' as const, ...text }]
    return { ...question, state: 'failed', blocks, problem: reply.problem, ...again }
  }
  const blocks = []
  for (const [n, block] of reply.content.entries()) blocks.push(await blockView(block, n, hold, budget))
  const { model, stopReason, usage } = reply
  return { ...question, state: 'done', modelName: cut(model, 120), blocks, stopReason, ...(usage && { usage }), ...again }
}

/** Why this answer to the second page cannot be taken. */
export function resultProblem(given: AnswerTo<'sampling-result'>, question: SamplingResultQuestion): string | undefined {
  if (given.decision === 'again') {
    if (question.state === 'writing') return 'The reply is still being written.'
    return question.noAgain
  }
  if (given.decision === 'decline') return undefined
  if (question.state !== 'done') return 'There is no complete reply to return.'
  if (given.blocks.length === 0) return 'There is nothing left to return.'
  return editProblem(given.blocks, question.blocks.length)
}
