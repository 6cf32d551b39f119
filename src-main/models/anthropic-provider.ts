import type Anthropic from '@anthropic-ai/sdk'
import type { JsonObject } from '../../src-shared/base/json.ts'
import type { ModelEntry, TokenUsage } from '../../src-shared/contract/settings.ts'
import { type BlockMessage, markedSystem, withBreakpoints } from './cache-breakpoints.ts'
import { anthropicTraits } from './listed-model.ts'
import type { ModelContent, ModelDelta, ModelMessage, ModelProvider, ModelRequest } from './model-provider.ts'
import type { ProviderOptions } from './provider-options.ts'
import { brokenStream, failedInStream, noKey, withModelErrors } from './sdk-error.ts'
import { usageFromSdk } from './token-usage.ts'
import { modelToolCall } from './tool-arguments.ts'

const DEFAULT_MAX_TOKENS = 8192
/** Thinking counts, too. */
const THINKING_MAX_TOKENS = 32_000
/** Models with adaptive thinking, for when the list of models was not loaded. */
const ADAPTIVE = /^claude-(?:(?:opus|sonnet)-4-[6-9]|[a-z]+-[5-9])(?!\d)/

/** Anthropic's Messages API through its SDK, which loads at the first request. */
export function createAnthropicProvider({ name, baseUrl, key, fetch, retries = 1 }: ProviderOptions): ModelProvider {
  const served = { name, address: baseUrl ?? 'https://api.anthropic.com' }
  let client: Promise<Anthropic> | undefined
  /** Model → true if it has adaptive thinking, by the list of models. */
  const adaptive = new Map<string, boolean>()
  const connect = () => {
    if (key === undefined) throw noKey(served)
    client ??= import('@anthropic-ai/sdk').then(
      // No key from the environment or from profiles: only the person's own.
      ({ default: Sdk }) =>
        new Sdk({
          apiKey: key,
          authToken: null,
          profile: null,
          baseURL: served.address,
          maxRetries: retries,
          ...(fetch && { fetch }),
        }),
    )
    return client
  }

  return withModelErrors(served, {
    async listModels(signal) {
      const models: ModelEntry[] = []
      for await (const model of (await connect()).models.list({ limit: 100 }, { signal })) {
        const { adaptive: adapts, ...traits } = anthropicTraits(model.capabilities)
        if (adapts !== undefined) adaptive.set(model.id, adapts)
        models.push({
          id: model.id,
          name: model.display_name,
          vision: true,
          ...traits,
          ...(model.max_input_tokens && { contextWindow: model.max_input_tokens }),
        })
        if (models.length >= 500) break
      }
      return models
    },

    async *stream(request, signal) {
      const body = bodyOf(request, adaptive.get(request.model))
      const events = await (await connect()).messages.create({ ...body, stream: true }, { signal })
      yield* deltasOf(events, { ...served, model: request.model })
    },
  })
}

function bodyOf(request: ModelRequest, adaptive = ADAPTIVE.test(request.model)): Anthropic.MessageCreateParamsNonStreaming {
  const choice = { auto: 'auto', required: 'any', none: 'none' } as const
  const messages = messagesOf(request.messages)
  return {
    model: request.model,
    max_tokens: request.maxTokens ?? (request.effort === undefined ? DEFAULT_MAX_TOKENS : THINKING_MAX_TOKENS),
    ...effortOf(request, adaptive),
    ...(request.system !== '' && { system: markedSystem(request.system) }),
    ...(request.userId !== undefined && { metadata: { user_id: request.userId } }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.stopSequences?.length && { stop_sequences: [...request.stopSequences] }),
    ...(request.tools.length > 0 && {
      tools: request.tools.map(({ name, description, inputSchema }) => ({
        name,
        description,
        input_schema: inputSchema as Anthropic.Tool.InputSchema,
      })),
      ...(request.toolChoice && { tool_choice: { type: choice[request.toolChoice] } }),
    }),
    // Sampling requests are not repeated, so caching them would only cost more.
    messages: (request.purpose ?? 'turn') === 'turn' ? withBreakpoints(messages) : messages,
  }
}

/** Requests a summary of the thinking; otherwise only its signature comes. */
function effortOf(
  { effort }: ModelRequest,
  adaptive: boolean,
): Pick<Anthropic.MessageCreateParams, 'thinking' | 'output_config'> {
  if (effort === undefined || effort === 'none' || effort === 'minimal') return {}
  return { output_config: { effort }, ...(adaptive && { thinking: { type: 'adaptive', display: 'summarized' } }) }
}

/** Merges neighbours of one role, since tool results must come first in the user message after their calls. */
function messagesOf(messages: readonly ModelMessage[]): BlockMessage[] {
  const merged: BlockMessage[] = []
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = contentOf(message)
    const last = merged.at(-1)
    if (last?.role === role) last.content.push(...content)
    else if (content.length > 0) merged.push({ role, content: [...content] })
  }
  return merged
}

function contentOf(message: ModelMessage): Anthropic.ContentBlockParam[] {
  if (message.role === 'user') return message.content.filter(isNotBlank).map(blockOf)
  if (message.role === 'tool') {
    return [
      {
        type: 'tool_result',
        tool_use_id: message.callId,
        is_error: message.isError,
        content: message.content.filter(isNotBlank).map(blockOf),
      },
    ]
  }
  const kept = message.providerState?.anthropic
  if (Array.isArray(kept)) return kept as unknown as Anthropic.ContentBlockParam[]
  return [
    ...(message.text.trim() !== '' ? [{ type: 'text' as const, text: message.text }] : []),
    ...message.toolCalls.map(({ id, name, arguments: input = {} }) => ({ type: 'tool_use' as const, id, name, input })),
  ]
}

/** The API refuses blank texts. */
function isNotBlank(content: ModelContent): boolean {
  return content.type !== 'text' || content.text.trim() !== ''
}

function blockOf(content: ModelContent): Anthropic.TextBlockParam | Anthropic.ImageBlockParam | Anthropic.DocumentBlockParam {
  if (content.type === 'text') return { type: 'text', text: content.text }
  if (content.type === 'document') {
    const { data, mimeType: media_type, name: title } = content
    return { type: 'document', source: { type: 'base64', media_type, data }, title }
  }
  return {
    type: 'image',
    source: { type: 'base64', media_type: content.mimeType as Anthropic.Base64ImageSource['media_type'], data: content.data },
  }
}

/** The API counts tokens read from and written to its cache separately. */
function usageOf(usage: Anthropic.Usage | Anthropic.MessageDeltaUsage): TokenUsage {
  const { cache_read_input_tokens: read, cache_creation_input_tokens: written } = usage
  const input = (usage.input_tokens ?? 0) + (read ?? 0) + (written ?? 0)
  return usageFromSdk(input, usage.output_tokens, read, written)
}

const STOP_REASONS: Readonly<Record<string, Extract<ModelDelta, { type: 'done' }>['stopReason']>> = {
  end_turn: 'end',
  tool_use: 'tool-use',
  max_tokens: 'max-tokens',
  model_context_window_exceeded: 'max-tokens',
  stop_sequence: 'stop-sequence',
  refusal: 'refused',
}

/** A block that streams, with the JSON of a tool's input as far as it came. */
interface OpenBlock {
  readonly block: Anthropic.ContentBlockParam
  written: string
}

/** Adds a piece to its block; returns what is shown of it. */
function grow(entry: OpenBlock, delta: Anthropic.RawContentBlockDelta): ModelDelta | undefined {
  const { block } = entry
  switch (delta.type) {
    case 'text_delta':
      if (block.type === 'text') block.text += delta.text
      return { type: 'text', text: delta.text }
    case 'thinking_delta':
      if (block.type === 'thinking') block.thinking += delta.thinking
      return { type: 'thinking', text: delta.thinking }
    case 'signature_delta':
      if (block.type === 'thinking') block.signature = delta.signature
      return undefined
    case 'input_json_delta':
      entry.written += delta.partial_json
  }
  return undefined
}

async function* deltasOf(
  events: AsyncIterable<Anthropic.RawMessageStreamEvent>,
  served: { name: string; address: string; model: string },
): AsyncGenerator<ModelDelta> {
  const open = new Map<number, OpenBlock>()
  const finished: Anthropic.ContentBlockParam[] = []
  let model = served.model
  let usage: TokenUsage = { input: 0, output: 0 }
  let stop: string | null = null
  let over = false
  for await (const event of events) {
    switch (event.type) {
      case 'message_start':
        model = event.message.model
        usage = usageOf(event.message.usage)
        break
      case 'content_block_start': {
        const block = event.content_block
        if (block.type === 'tool_use') yield { type: 'tool-call-started', id: block.id, name: block.name }
        open.set(event.index, { block: block as Anthropic.ContentBlockParam, written: '' })
        break
      }
      case 'content_block_delta': {
        const entry = open.get(event.index)
        if (!entry) throw brokenStream(served, 'a delta of a block that never began')
        const grown = grow(entry, event.delta)
        if (grown) yield grown
        break
      }
      case 'content_block_stop': {
        const entry = open.get(event.index)
        if (!entry) break
        open.delete(event.index)
        if (entry.block.type === 'tool_use') {
          const call = modelToolCall(entry.block.id, entry.block.name, entry.written)
          entry.block.input = call.arguments ?? {}
          yield { type: 'tool-call', call }
        }
        finished.push(entry.block)
        break
      }
      case 'message_delta':
        stop = event.delta.stop_reason
        usage =
          typeof event.usage.input_tokens === 'number' ? usageOf(event.usage) : { ...usage, output: event.usage.output_tokens }
        break
      case 'message_stop':
        over = true
        break
      default: {
        // The SDK passes error events on unchanged.
        const other = event as { type: string; error?: { type?: string; message?: string } }
        if (other.type === 'error') throw failedInStream(served, other.error?.type, other.error?.message)
      }
    }
  }
  if (!over) throw brokenStream(served)
  // Signed thinking must return unchanged with the calls that it led to.
  const thought = finished.some(({ type }) => type === 'thinking' || type === 'redacted_thinking')
  yield {
    type: 'done',
    stopReason: STOP_REASONS[stop ?? ''] ?? 'other',
    usage,
    model,
    ...(thought && { providerState: { anthropic: finished as unknown as JsonObject[] } }),
  }
}
