import type OpenAI from 'openai'
import { defined } from '../../src-shared/base/defined.ts'
import type { ModelEntry, TokenUsage } from '../../src-shared/contract/settings.ts'
import { listedModel } from './listed-model.ts'
import type { ModelContent, ModelDelta, ModelMessage, ModelProvider, ModelRequest } from './model-provider.ts'
import { openAiClient } from './openai-client.ts'
import type { ProviderOptions } from './provider-options.ts'
import { brokenStream, withModelErrors } from './sdk-error.ts'
import { withServedWindows } from './served-windows.ts'
import { usageFromSdk } from './token-usage.ts'
import { modelToolCall } from './tool-arguments.ts'

type Chat = OpenAI.Chat.ChatCompletionCreateParamsStreaming
type Part = OpenAI.Chat.ChatCompletionContentPart

/** Chat Completions, as served by Ollama, LM Studio, llama.cpp, vLLM and many others. Most need no key. */
export function createOpenAiChatProvider(options: ProviderOptions & { readonly baseUrl: string }): ModelProvider {
  const served = { name: options.name, address: options.baseUrl }
  const connect = openAiClient(options, options.baseUrl, () => 'none')

  return withModelErrors(served, {
    async listModels(signal) {
      const models: ModelEntry[] = []
      for await (const row of (await connect()).models.list({ signal })) {
        const model = listedModel(row)
        if (model) models.push(model)
        if (models.length >= 1000) break
      }
      models.sort((a, b) => a.id.localeCompare(b.id))
      const { baseUrl, fetch = globalThis.fetch } = options
      return withServedWindows(models, { baseUrl, fetch, signal })
    },

    async *stream(request, signal) {
      const chunks = await (await connect()).chat.completions.create(bodyOf(request), { signal })
      yield* deltasOf(chunks, { ...served, model: request.model })
    },
  })
}

function bodyOf(request: ModelRequest): Chat {
  return {
    model: request.model,
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      ...(request.system !== '' ? [{ role: 'system' as const, content: request.system }] : []),
      ...messagesOf(request.messages),
    ],
    ...defined({
      max_tokens: request.maxTokens,
      user: request.userId,
      reasoning_effort: request.effort,
      temperature: request.temperature,
    }),
    ...(request.stopSequences?.length && { stop: [...request.stopSequences] }),
    ...(request.tools.length > 0 && {
      tools: request.tools.map(({ name, description, inputSchema }) => ({
        type: 'function' as const,
        function: { name, description, parameters: inputSchema },
      })),
      ...(request.toolChoice && { tool_choice: request.toolChoice }),
    }),
  }
}

/** A tool message holds text only, so images of results follow in a user message after all results of the round. */
function messagesOf(messages: readonly ModelMessage[]): OpenAI.Chat.ChatCompletionMessageParam[] {
  const out: OpenAI.Chat.ChatCompletionMessageParam[] = []
  let images: Part[] = []
  const flush = () => {
    if (images.length > 0)
      out.push({ role: 'user', content: [{ type: 'text', text: 'Images from the tool results above:' }, ...images] })
    images = []
  }
  for (const message of messages) {
    if (message.role === 'tool') {
      out.push({ role: 'tool', tool_call_id: message.callId, content: textOf(message.content) })
      images.push(...message.content.filter(({ type }) => type === 'image').map(partOf))
      continue
    }
    flush()
    if (message.role === 'user') {
      const plain = message.content.every(({ type }) => type === 'text')
      out.push({ role: 'user', content: plain ? textOf(message.content) : message.content.map(partOf) })
      continue
    }
    out.push({
      role: 'assistant',
      content: message.text,
      ...(message.toolCalls.length > 0 && {
        tool_calls: message.toolCalls.map(({ id, name, arguments: given }) => ({
          id,
          type: 'function' as const,
          // Some servers parse these again, so broken JSON of a model is not sent back.
          function: { name, arguments: JSON.stringify(given ?? {}) },
        })),
      }),
    })
  }
  flush()
  return out
}

const textOf = (content: readonly ModelContent[]) =>
  content.map((part) => (part.type === 'text' ? part.text : `(${part.type})`)).join('\n')

function partOf(content: ModelContent): Part {
  if (content.type === 'text') return { type: 'text', text: content.text }
  if (content.type === 'document') return { type: 'file', file: { filename: content.name, file_data: dataUrl(content) } }
  return { type: 'image_url', image_url: { url: dataUrl(content) } }
}

const dataUrl = ({ mimeType, data }: { readonly mimeType: string; readonly data: string }) => `data:${mimeType};base64,${data}`

async function* deltasOf(
  chunks: AsyncIterable<OpenAI.Chat.ChatCompletionChunk>,
  served: { name: string; address: string; model: string },
): AsyncGenerator<ModelDelta> {
  const calls = new Map<number, { id: string; name: string; written: string }>()
  let finish: string | null = null
  let model = served.model
  let usage: TokenUsage | undefined
  for await (const chunk of chunks) {
    model = chunk.model || model
    if (chunk.usage) {
      const { prompt_tokens: input, completion_tokens: output, prompt_tokens_details: of } = chunk.usage
      usage = usageFromSdk(input, output, of?.cached_tokens, of?.cache_write_tokens)
    }
    const choice = chunk.choices?.[0]
    if (!choice) continue
    // The API has no reasoning; servers that send it use one of these names.
    const { reasoning_content: thought, reasoning } = choice.delta as { reasoning_content?: string; reasoning?: string }
    const thinking = thought ?? reasoning
    if (typeof thinking === 'string' && thinking !== '') yield { type: 'thinking', text: thinking }
    if (choice.delta.content) yield { type: 'text', text: choice.delta.content }
    if (choice.delta.refusal) yield { type: 'text', text: choice.delta.refusal }
    for (const [at, part] of (choice.delta.tool_calls ?? []).entries()) {
      const index = part.index ?? calls.size + at
      let call = calls.get(index)
      if (!call) {
        call = { id: part.id || `call-${index + 1}`, name: part.function?.name ?? '', written: '' }
        calls.set(index, call)
        yield { type: 'tool-call-started', id: call.id, name: call.name }
      } else if (part.function?.name && call.name === '') call.name = part.function.name
      call.written += part.function?.arguments ?? ''
    }
    finish = choice.finish_reason ?? finish
  }
  if (finish === null) throw brokenStream(served)
  for (const { id, name, written } of calls.values()) yield { type: 'tool-call', call: modelToolCall(id, name, written) }
  yield { type: 'done', stopReason: stopReason(finish, calls.size), model, ...(usage && { usage }) }
}

function stopReason(finish: string, calls: number): Extract<ModelDelta, { type: 'done' }>['stopReason'] {
  if (finish === 'length') return 'max-tokens'
  if (finish === 'content_filter') return 'refused'
  return calls > 0 ? 'tool-use' : 'end'
}
