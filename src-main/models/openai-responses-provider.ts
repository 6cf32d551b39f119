import type OpenAI from 'openai'
import type { JsonObject } from '../../src-shared/base/json.ts'
import type { ModelEntry } from '../../src-shared/contract/settings.ts'
import type { ModelContent, ModelDelta, ModelMessage, ModelProvider, ModelRequest } from './model-provider.ts'
import { openAiClient } from './openai-client.ts'
import type { ProviderOptions } from './provider-options.ts'
import { brokenStream, failedInStream, noKey, withModelErrors } from './sdk-error.ts'
import { usageFromSdk } from './token-usage.ts'
import { modelToolCall } from './tool-arguments.ts'

type Responses = OpenAI.Responses.ResponseCreateParamsStreaming

/** Reasoning models return encrypted reasoning on request; others refuse the request. */
const REASONS = /^(o\d|gpt-([5-9]|\d\d))(?!.*chat)/
/** OpenAI's own models; another server may speak the same format. */
const OWN = /^(?:gpt-|chatgpt-|o\d|codex)/
/** OpenAI's models without vision. */
const BLIND = /^gpt-3\.5|^gpt-4(?:-\d{4})?$|^o[13]-mini|^o1-preview/

/** OpenAI's Responses API through its SDK, which loads at the first request. Nothing is stored at the provider. */
export function createOpenAiProvider(options: ProviderOptions): ModelProvider {
  const served = { name: options.name, address: options.baseUrl ?? 'https://api.openai.com/v1' }
  const connect = openAiClient(options, served.address, () => {
    throw noKey(served)
  })

  return withModelErrors(served, {
    async listModels(signal) {
      const models: ModelEntry[] = []
      for await (const { id } of (await connect()).models.list({ signal })) {
        models.push({ id, name: id, ...(OWN.test(id) && { vision: !BLIND.test(id) }) })
      }
      return models.sort((a, b) => a.id.localeCompare(b.id))
    },

    async *stream(request, signal) {
      const events = await (await connect()).responses.create(bodyOf(request), { signal })
      yield* deltasOf(events, { ...served, model: request.model })
    },
  })
}

function bodyOf(request: ModelRequest): Responses {
  return {
    model: request.model,
    stream: true,
    store: false,
    input: request.messages.flatMap(itemsOf),
    ...(request.system !== '' && { instructions: request.system }),
    ...(REASONS.test(request.model) && { include: ['reasoning.encrypted_content'] }),
    ...(request.effort !== undefined && { reasoning: { effort: request.effort } }),
    ...(request.maxTokens !== undefined && { max_output_tokens: request.maxTokens }),
    ...(request.userId !== undefined && { safety_identifier: request.userId.slice(0, 64) }),
    ...(request.temperature !== undefined && !REASONS.test(request.model) && { temperature: request.temperature }),
    ...(request.tools.length > 0 && {
      tools: request.tools.map(({ name, description, inputSchema }) => ({
        type: 'function' as const,
        name,
        description,
        parameters: inputSchema,
        strict: false,
      })),
      parallel_tool_calls: true,
      ...(request.toolChoice && { tool_choice: request.toolChoice }),
    }),
  }
}

/** An item of a reply to send back. Reasoning must come before the items that it led to. */
type Kept =
  | OpenAI.Responses.ResponseReasoningItem
  | OpenAI.Responses.ResponseFunctionToolCall
  | (OpenAI.Responses.EasyInputMessage & { type: 'message' })

function itemsOf(message: ModelMessage): OpenAI.Responses.ResponseInputItem[] {
  if (message.role === 'user') return [{ role: 'user', content: message.content.map(inputOf) }]
  if (message.role === 'tool') {
    return [{ type: 'function_call_output', call_id: message.callId, output: message.content.map(inputOf) }]
  }
  const state = message.providerState?.openai
  // Earlier versions kept the reasoning alone, this one keeps all items in order.
  const kept = Array.isArray(state) ? (state as unknown as Kept[]) : []
  if (kept.some(({ type }) => type !== 'reasoning')) return kept
  return [
    ...kept,
    ...(message.text !== '' ? [{ role: 'assistant' as const, content: message.text }] : []),
    ...message.toolCalls.map(({ id, name, arguments: given, broken }) => ({
      type: 'function_call' as const,
      call_id: id,
      name,
      arguments: given ? JSON.stringify(given) : (broken ?? '{}'),
    })),
  ]
}

type Input = OpenAI.Responses.ResponseInputText | OpenAI.Responses.ResponseInputImage | OpenAI.Responses.ResponseInputFile

function inputOf(content: ModelContent): Input {
  if (content.type === 'text') return { type: 'input_text', text: content.text }
  const url = `data:${content.mimeType};base64,${content.data}`
  if (content.type === 'document') return { type: 'input_file', filename: content.name, file_data: url }
  return { type: 'input_image', detail: 'auto', image_url: url }
}

function usageOf({ input_tokens: input, output_tokens: output, input_tokens_details: of }: OpenAI.Responses.ResponseUsage) {
  // Its type is not optional, but other servers leave it out.
  const details = of as typeof of | undefined
  return usageFromSdk(input, output, details?.cached_tokens, details?.cache_write_tokens)
}

async function* deltasOf(
  events: AsyncIterable<OpenAI.Responses.ResponseStreamEvent>,
  served: { name: string; address: string; model: string },
): AsyncGenerator<ModelDelta> {
  const kept: Kept[] = []
  let said = ''
  let calls = 0
  let refused = false
  for await (const event of events) {
    switch (event.type) {
      case 'response.output_text.delta':
        said += event.delta
        yield { type: 'text', text: event.delta }
        break
      case 'response.refusal.delta':
        refused = true
        said += event.delta
        yield { type: 'text', text: event.delta }
        break
      case 'response.reasoning_summary_text.delta':
        yield { type: 'thinking', text: event.delta }
        break
      case 'response.output_item.added':
        if (event.item.type === 'function_call') {
          yield { type: 'tool-call-started', id: event.item.call_id, name: event.item.name }
        }
        break
      case 'response.output_item.done':
        if (event.item.type === 'function_call') {
          calls += 1
          const { call_id, name, arguments: written } = event.item
          kept.push({ type: 'function_call', call_id, name, arguments: written })
          yield { type: 'tool-call', call: modelToolCall(event.item.call_id, event.item.name, event.item.arguments) }
        } else if (event.item.type === 'reasoning' && event.item.encrypted_content) kept.push(event.item)
        else if (event.item.type === 'message' && said !== '') {
          kept.push({ type: 'message', role: 'assistant', content: said })
          said = ''
        }
        break
      case 'response.failed':
        throw failedInStream(served, event.response.error?.code, event.response.error?.message)
      case 'error':
        throw failedInStream(served, event.code ?? undefined, event.message)
      case 'response.completed':
      case 'response.incomplete': {
        const { usage, model, incomplete_details: cut } = event.response
        const whole = refused ? 'refused' : calls > 0 ? 'tool-use' : 'end'
        yield {
          type: 'done',
          stopReason: cut?.reason === 'max_output_tokens' ? 'max-tokens' : cut?.reason === 'content_filter' ? 'refused' : whole,
          model,
          ...(usage && { usage: usageOf(usage) }),
          ...(kept.some(({ type }) => type === 'reasoning') && { providerState: { openai: kept as unknown as JsonObject[] } }),
        }
        return
      }
    }
  }
  throw brokenStream(served)
}
