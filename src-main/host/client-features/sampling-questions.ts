import type { AnswerTo } from '../../../src-shared/contract/interactions.ts'
import {
  type BudgetLeft,
  SAMPLING_BLOCKS,
  SAMPLING_MESSAGES,
  type SamplingRequestQuestion,
  type SamplingResultQuestion,
} from '../../../src-shared/contract/sampling.ts'
import type { CreateMessageParams } from '../../../src-shared/mcp/client-requests.ts'
import { editProblem } from '../core/block-edits.ts'
import { boundJson, boundText, InlineBudget } from '../core/content-views.ts'
import type { BlobHold } from '../core/transient-blobs.ts'
import { refusals } from './refusals.ts'
import { blocksOf, blockView, countBlocks, messageViews } from './sampling-blocks.ts'
import { NAME_LIMIT, type ToolNames, toldName, toolNames } from './sampling-names.ts'
import type { SampledReply } from './sampling-reply.ts'
import { passedMetadata, toldWords } from './sampling-request.ts'

/** Inline bytes of a question, of its 32 KiB. */
const QUESTION_BUDGET = 28 * 1024
/** Bytes counted for the JSON of a block and of a tool. */
const BLOCK_FRAME = 230
const TOOL_FRAME = 320
/** Bytes for the calls of a reply, of which there are at most 64. */
const REPLY_FRAMES = 20 * 1024
const TOOL_LIMIT = 32
/** Bytes of all names of tools and ids of their uses, which are always inline. */
const NAMES_LIMIT = 6 * 1024
/** Bytes of stop sequences, and of their JSON. */
const STOP_ROOM = 1024
const STOP_FRAME = 160

/** Throws ProtocolError for a request that is too long for a person to review. */
export function checkSize({ messages, tools = [] }: CreateMessageParams): void {
  if (messages.length === 0) throw refusals.invalid('messages must not be empty')
  const blocks = countBlocks(messages)
  if (messages.length > SAMPLING_MESSAGES || blocks > SAMPLING_BLOCKS) {
    throw refusals.invalid(`at most ${SAMPLING_MESSAGES} messages with ${SAMPLING_BLOCKS} blocks can be reviewed`)
  }
  if (tools.length > TOOL_LIMIT) throw refusals.invalid(`at most ${TOOL_LIMIT} tools can be reviewed`)
  const names = namesOf({ messages, tools })
  if (names.some((name) => name.length > NAME_LIMIT)) {
    throw refusals.invalid(`names of tools and ids of their uses can have at most ${NAME_LIMIT} characters`)
  }
  if (namesLength(names) > NAMES_LIMIT) {
    throw refusals.invalid(`all names of tools and ids of their uses can have at most ${NAMES_LIMIT} bytes together`)
  }
}

/** The texts that are always inline. */
function namesOf({ messages, tools = [] }: Pick<CreateMessageParams, 'messages' | 'tools'>): readonly string[] {
  const inBlocks = messages.flatMap(({ content }) =>
    blocksOf(content).flatMap((block) => {
      if (block.type === 'tool_use') return [block.id, block.name]
      return block.type === 'tool_result' ? [block.toolUseId] : []
    }),
  )
  return [...tools.map(({ name }) => name), ...inBlocks]
}

function namesLength(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + Buffer.byteLength(name), 0)
}

/** The inline budget for texts, after everything else in the question. */
export function roomForTexts(
  { messages, tools = [] }: CreateMessageParams,
  models: SamplingRequestQuestion['models'],
): InlineBudget {
  const names = namesLength(namesOf({ messages, tools }))
  const frames = countBlocks(messages) * BLOCK_FRAME + tools.length * TOOL_FRAME + names + STOP_ROOM + STOP_FRAME
  return new InlineBudget(Math.max(0, QUESTION_BUDGET - frames - Buffer.byteLength(JSON.stringify(models))))
}

/** Facts that are not part of the server's request. */
type RequestFacts = Pick<SamplingRequestQuestion, 'model' | 'reason' | 'models' | 'tokenCap' | 'inputTokens'> & {
  readonly offers: SamplingRequestQuestion['context']['offers']
  readonly left: BudgetLeft | undefined
}

/** The first page: everything that would be sent to the model. */
export async function requestQuestion(
  params: CreateMessageParams,
  { offers, left, ...facts }: RequestFacts,
  hold: BlobHold,
  budget: InlineBudget,
): Promise<SamplingRequestQuestion> {
  const names = toolNames(params.tools)
  return {
    ...facts,
    ...(params.systemPrompt !== undefined && { systemPrompt: await boundText(params.systemPrompt, hold, budget) }),
    messages: await messageViews(params.messages, hold, budget, names),
    maxTokens: params.maxTokens,
    ...(params.temperature !== undefined && { temperature: params.temperature }),
    stopSequences: await boundJson(params.stopSequences ?? [], hold, new InlineBudget(STOP_ROOM)),
    metadata: { ...passedMetadata(params.metadata) },
    tools: await shownTools(params.tools, names, hold, budget),
    ...(params.toolChoice?.mode && { toolChoice: params.toolChoice.mode }),
    context: { asked: params.includeContext ?? 'none', offers },
    ...(left && { budget: left }),
  }
}

async function shownTools(
  tools: CreateMessageParams['tools'] = [],
  names: ToolNames,
  hold: BlobHold,
  budget: InlineBudget,
): Promise<SamplingRequestQuestion['tools']> {
  return Promise.all(
    tools.map(async (tool) => ({
      ...toldName(tool.name, names),
      description: await boundText(toldWords(tool), hold, budget),
      schema: await boundJson(tool.inputSchema, hold, budget),
    })),
  )
}

/** The second page, after the model's reply or failure. `noAgain` is the reason why no other reply is possible. */
export async function finishedQuestion(
  question: SamplingResultQuestion,
  reply: SampledReply,
  hold: BlobHold,
  noAgain: string | undefined,
): Promise<SamplingResultQuestion> {
  const budget = new InlineBudget(QUESTION_BUDGET - REPLY_FRAMES)
  const again = noAgain !== undefined && { noAgain }
  if (reply.is === 'failed') {
    const text = await boundText(reply.written, hold, budget)
    const blocks = reply.written === '' ? [] : [{ n: 0, type: 'text' as const, ...text }]
    return { ...question, state: 'failed', blocks, problem: reply.problem, ...again }
  }
  const blocks = []
  for (const [n, block] of reply.content.entries()) blocks.push(await blockView(block, n, hold, budget))
  const { stopReason, usage } = reply
  return { ...question, state: 'done', blocks, stopReason, ...(usage && { usage }), ...again }
}

/** The reason to reject an answer to the second page. */
export function resultProblem(given: AnswerTo<'sampling-result'>, question: SamplingResultQuestion): string | undefined {
  if (given.decision === 'again') {
    if (question.state === 'writing') return 'The reply is still being written.'
    return question.noAgain
  }
  if (given.decision === 'decline') return undefined
  if (question.state !== 'done') return 'There is no complete reply to send.'
  if (given.blocks.length === 0) return 'Nothing is left to send.'
  return editProblem(given.blocks, question.blocks.length)
}
