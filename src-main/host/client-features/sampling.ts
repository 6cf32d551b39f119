import { orAborted } from '../../../src-shared/base/or-aborted.ts'
import type { InteractionId, ServerId } from '../../../src-shared/contract/ids.ts'
import type {
  BudgetLeft,
  SamplingRequestQuestion,
  SamplingResultQuestion,
  SamplingSend,
} from '../../../src-shared/contract/sampling.ts'
import type { ModelRef } from '../../../src-shared/contract/settings.ts'
import type { CreateMessageParams, CreateMessageResult, SamplingMessage } from '../../../src-shared/mcp/client-requests.ts'
import type { SamplingContent } from '../../../src-shared/mcp/content.ts'
import { ModelError, type ModelProvider, type ModelRequest } from '../../models/model-provider.ts'
import type { Cause } from '../../protocol/peer/client-features.ts'
import { ProtocolError } from '../../protocol/shapes/json-rpc.ts'
import { StorageError } from '../../storage/base/storage.ts'
import { editProblem } from '../core/block-edits.ts'
import type { HostCore } from '../core/host-core.ts'
import { InteractionExpired } from '../core/interactions.ts'
import type { BlobHold } from '../core/transient-blobs.ts'
import { chooseModel } from '../models/model-choice.ts'
import { modelProblem } from '../models/model-stream.ts'
import type { OpenModel, Providers } from '../models/providers.ts'
import type { PersonRules } from '../servers/person-rules.ts'
import { refusals } from './refusals.ts'
import { blocksOf, edited, editedMessages, fittedMessages } from './sampling-blocks.ts'
import { type ContextText, contextOffers, tickedContext } from './sampling-context.ts'
import { shownModels, unsuitableFor, usableModels } from './sampling-models.ts'
import { toolNames } from './sampling-names.ts'
import type { SamplingPolicy } from './sampling-policy.ts'
import { checkSize, finishedQuestion, requestQuestion, resultProblem, roomForTexts } from './sampling-questions.ts'
import { type SampledReply, sampleReply } from './sampling-reply.ts'
import { modelRequest, roughTokens } from './sampling-request.ts'
import type { AskContext, ServerQuestions } from './server-questions.ts'

/** Tokens of one reply, whatever a server asks for (SAMP-24). */
const TOKEN_CAP = 32_000

interface SamplingParts extends Pick<HostCore, 'interactions' | 'state' | 'clock' | 'storage'> {
  readonly questions: ServerQuestions
  readonly policy: SamplingPolicy
  readonly rules: PersonRules
  readonly providers: Providers
}

interface Approved {
  readonly params: CreateMessageParams
  readonly answer: SamplingSend
  readonly messages: readonly SamplingMessage[]
  readonly system: string
  readonly follows: InteractionId
}

/**
 * Lets a server use the person's model. The person reviews the request and then the reply, and may change or refuse both (SAMP-03 to
 * SAMP-07). Nothing is sent to a model before the first answer, and nothing to the server before the second.
 */
export class Sampling {
  readonly #parts: SamplingParts

  constructor(parts: SamplingParts) {
    this.#parts = parts
  }

  /** Rejects with the ProtocolError that the server gets. */
  async createMessage(serverId: ServerId, params: CreateMessageParams, cause: Cause): Promise<CreateMessageResult> {
    const { policy, questions, rules, storage } = this.#parts
    if (!policy.allows(serverId)) throw refusals.samplingOff()
    checkSize(params)
    questions.admit(serverId)
    if (this.#exhausted(serverId)) throw refusals.budgetUsed()
    const { tools = [] } = params
    if ((await rules.ruledRequest(serverId, 'sampling/createMessage', { tools: tools.map(({ name }) => name) })) === 'deny')
      throw refusals.deniedByRule()
    const asked = questions.attributionOf(serverId, cause)
    const hold = storage.blobs.hold()
    try {
      const approved = await this.#review(serverId, params, asked, hold)
      for (;;) {
        // Other requests may have used up the budget during the review. Nothing is awaited from here to the count.
        if (this.#exhausted(serverId)) throw refusals.budgetUsed()
        const result = await this.#reply(serverId, approved, asked, hold)
        if (result) return result
      }
    } catch (error) {
      if (error instanceof ProtocolError) throw error
      if (error instanceof InteractionExpired) throw refusals.unanswered()
      if (asked.signal.aborted) throw refusals.declined()
      if (error instanceof StorageError) throw refusals.failed('The request is too large to be shown')
      throw error
    } finally {
      hold.release()
    }
  }

  /** Asks the first page. */
  async #review(serverId: ServerId, params: CreateMessageParams, asked: AskContext, hold: BlobHold): Promise<Approved> {
    const { state, questions } = this.#parts
    const { providers, settings, conversations } = state.snapshot
    const models = usableModels(providers, params.messages)
    const origin = asked.call?.origin
    const talking = conversations.find(({ id }) => id === origin?.conversationId)?.model
    const own = settings.samplingModel ?? talking ?? settings.defaultModel
    const choice = chooseModel(params.modelPreferences, models, own)
    const inputTokens = roughTokens(params.systemPrompt ?? '', params.messages, params.tools)
    const left = this.#parts.policy.left(serverId)
    const shown = shownModels(models, choice.model)
    const budget = roomForTexts(params, shown)
    const tokenCap = Math.min(params.maxTokens, TOKEN_CAP, left ? left.tokens - inputTokens : TOKEN_CAP)
    if (tokenCap < 1) throw refusals.budgetUsed()
    const offers = await contextOffers(
      params.includeContext ?? 'none',
      { serverId, call: asked.call },
      this.#parts.storage,
      hold,
      budget,
    )
    const question = await requestQuestion(
      params,
      {
        model: choice.model,
        reason: choice.reason,
        models: shown,
        tokenCap,
        offers: offers.map(({ offer }) => offer),
        inputTokens,
        left,
      },
      hold,
      budget,
    )
    let follows = '' as InteractionId
    const answer = await questions.ask('sampling-request', asked, question, {
      onOpen: (id) => {
        follows = id
      },
      check: (given) => (given.decision === 'send' ? this.#sendProblem(given, params, question) : undefined),
    })
    if (answer.decision === 'decline') {
      const none = models.length > 0 && models.every(({ unsuitable }) => unsuitable !== undefined)
      throw none ? refusals.failed(`No model can take this content. ${models[0]?.unsuitable ?? ''}`.trim()) : refusals.declined()
    }
    return {
      params,
      answer,
      messages: editedMessages(answer.messages, params),
      system: systemOf(params, answer, offers),
      follows,
    }
  }

  #sendProblem(answer: SamplingSend, params: CreateMessageParams, question: SamplingRequestQuestion): string | undefined {
    const blocks = params.messages.reduce((sum, { content }) => sum + blocksOf(content).length, 0)
    const wrong = editProblem(
      answer.messages.flatMap((message) => message.blocks),
      blocks,
    )
    if (wrong) return wrong
    const messages = editedMessages(answer.messages, params)
    if (messages.length === 0) return 'Nothing is left to send.'
    if (answer.maxTokens > question.tokenCap) return `At most ${question.tokenCap} tokens can be asked for.`
    const provider = this.#parts.state.snapshot.providers.find(({ id }) => id === answer.model.provider)
    const entry = provider?.models.find(({ id }) => id === answer.model.model)
    if (!entry) return 'This model is no longer available. Choose another one.'
    const unsuitable = unsuitableFor(entry, messages)
    return unsuitable && `${unsuitable} Remove it, or choose another model.`
  }

  /** Asks the second page; undefined when the person wants another reply. */
  async #reply(
    serverId: ServerId,
    approved: Approved,
    asked: AskContext,
    hold: BlobHold,
  ): Promise<CreateMessageResult | undefined> {
    const { interactions, questions } = this.#parts
    const { answer, follows } = approved
    const writing = new AbortController()
    let id: InteractionId | undefined
    let question: SamplingResultQuestion = { follows, model: answer.model, state: 'writing', blocks: [] }
    let reply: SampledReply | undefined
    const signal = AbortSignal.any([asked.signal, writing.signal])
    const grow = (text: string) => id && interactions.grow(id, text)
    const finish = async (finished: SampledReply) => {
      reply = finished
      const noAgain = this.#exhausted(serverId) ? 'The budget of this server is used up.' : undefined
      question = await finishedQuestion(question, finished, hold, noAgain)
      if (id) interactions.change(id, 'sampling-result', question)
    }
    const written = this.#write(serverId, approved, signal, grow)
      .then(finish)
      .catch(async (error: unknown) => {
        // After the question has closed nobody sees the problem.
        if (!signal.aborted) await finish({ is: 'failed', problem: modelProblem(error, this.#parts.clock.now()), written: '' })
      })
    try {
      const given = await questions.ask('sampling-result', asked, question, {
        continues: true,
        onOpen: (opened) => {
          id = opened
        },
        check: (one) => resultProblem(one, question),
      })
      if (given.decision === 'again') return undefined
      if (reply?.is === 'failed') throw refusals.failed('The model could not answer')
      if (given.decision === 'decline' || reply?.is !== 'done') throw refusals.replyDeclined()
      return resultOf(edited(given.blocks, reply.content), reply)
    } finally {
      writing.abort(new DOMException('The reply is no longer wanted.', 'AbortError'))
      await written
      // The input of a stopped model is still paid for.
      if (!reply) await this.#count(serverId, { requests: 0, tokens: roughTokens(approved.system, approved.messages) })
    }
  }

  async #write(
    serverId: ServerId,
    { params, answer, messages, system }: Approved,
    signal: AbortSignal,
    grow: (text: string) => unknown,
  ): Promise<SampledReply> {
    const { clock, providers } = this.#parts
    const names = toolNames(params.tools)
    await this.#count(serverId, { requests: 1, tokens: 0 })
    signal.throwIfAborted()
    const { provider, fitImage } = await openOrFail(providers, answer.model)
    const fitted = fitImage ? await orAborted(fittedMessages(messages, fitImage), signal) : messages
    const details = { model: answer.model.model, system, messages: fitted, maxTokens: answer.maxTokens, names }
    const request = modelRequest(params, details)
    const reply = await sampleReply(provider, request, { names, clock, signal, grow })
    await this.#count(serverId, { requests: 0, tokens: tokensOf(reply, request, messages) })
    return reply
  }

  async #count(serverId: ServerId, more: BudgetLeft): Promise<void> {
    await this.#parts.policy.count(serverId, more).catch(() => {}) // It counts at once; only a restart would lose it.
  }

  #exhausted(serverId: ServerId): boolean {
    const left = this.#parts.policy.left(serverId)
    return left !== undefined && (left.requests < 1 || left.tokens < 1)
  }
}

/** A provider that cannot be opened becomes one whose stream fails, so that the second page shows the problem. */
async function openOrFail(providers: Providers, model: ModelRef): Promise<Pick<OpenModel, 'provider'> & Partial<OpenModel>> {
  try {
    return await providers.open(model)
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    const provider: ModelProvider = {
      listModels: async () => [],
      // biome-ignore lint/correctness/useYield: it fails before it has anything to say
      async *stream() {
        throw error
      },
    }
    return { provider }
  }
}

function systemOf(params: CreateMessageParams, answer: SamplingSend, offers: readonly ContextText[]): string {
  const prompt = answer.systemPrompt === undefined ? params.systemPrompt : answer.systemPrompt
  const context = tickedContext(offers, answer.context)
  return [prompt, context].filter((part) => part).join('\n\n')
}

/** Names the model that really answered, and includes nothing of the request (SAMP-11, SEC-15). */
function resultOf(content: readonly SamplingContent[], reply: Extract<SampledReply, { is: 'done' }>): CreateMessageResult {
  const usesTools = content.some(({ type }) => type === 'tool_use')
  const stopReason = reply.stopReason === 'toolUse' && !usesTools ? 'endTurn' : reply.stopReason
  const [only] = content
  return { role: 'assistant', content: content.length === 1 && only ? only : content, model: reply.model, stopReason }
}

function tokensOf(reply: SampledReply, request: ModelRequest, messages: readonly SamplingMessage[]): number {
  if (reply.is === 'done' && reply.usage) return reply.usage.input + reply.usage.output
  const written = reply.is === 'done' ? JSON.stringify(reply.content) : reply.written
  return roughTokens(request.system, messages) + Math.ceil(written.length / 4)
}
