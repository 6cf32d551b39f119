import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type Anthropic from '@anthropic-ai/sdk'
import type OpenAI from 'openai'
import { refusalOf } from './api-refusals.ts'

/** Which of the three streaming formats was spoken. */
export type ModelApiName = 'anthropic' | 'responses' | 'chat'

export interface ModelApiRequest {
  readonly api: ModelApiName
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Record<string, unknown>
}

/** A reply of the model. Tool arguments are text, so that a test can break them. */
export interface ModelReply {
  readonly text?: string
  /** The text is said once more each time that this says so. */
  readonly again?: () => boolean | Promise<boolean>
  readonly thinking?: string
  readonly calls?: readonly { readonly name: string; readonly arguments: string; readonly id?: string }[]
  /** An HTTP failure instead of a stream. */
  readonly failure?: { readonly status: number; readonly body: unknown; readonly headers?: Record<string, string> }
  /** Ends the connection after so many events, in the middle of the stream. */
  readonly breakAfter?: number
  /** Events per second; as fast as possible by default. */
  readonly rate?: number
  /** Waits for this before the last events. */
  readonly hold?: Promise<unknown>
  readonly stop?: 'length'
  /** Billed tokens of the prompt; 12 plain ones by default. */
  readonly prompt?: { readonly plain: number; readonly read: number; readonly written: number }
}

export interface ModelApi {
  /** Without a path: Anthropic's base URL; the OpenAI ones add /v1. */
  readonly url: string
  readonly requests: ModelApiRequest[]
  close(): Promise<void>
}

const APIS: Readonly<Record<string, 'anthropic' | 'responses' | 'chat'>> = {
  '/v1/messages': 'anthropic',
  '/v1/responses': 'responses',
  '/v1/chat/completions': 'chat',
}

/**
 * A loopback server that speaks the exact streaming formats of the three model APIs and refuses what they are documented to refuse.
 * Their SDKs type it, so that drift breaks the type check. While `lists` is false it has no list of models.
 */
export async function startModelApi(
  answer: (request: ModelApiRequest, n: number) => ModelReply | Promise<ModelReply>,
  lists: () => boolean = () => true,
): Promise<ModelApi> {
  const requests: ModelApiRequest[] = []
  const server = createServer(async (message, response) => {
    let text = ''
    for await (const chunk of message) text += chunk
    const path = message.url ?? ''
    if (message.method === 'GET' && path.startsWith('/v1/models') && lists()) return json(response, 200, models(message.headers))
    const api = APIS[path.replace(/\?.*/, '')]
    // Extras of local model servers are missing here.
    if (message.method !== 'POST' || !api) return json(response, 404, { error: { message: `no ${message.method} ${path}` } })
    const request = { api, path, headers: message.headers, body: JSON.parse(text || '{}') } as const
    requests.push(request)
    const refusal = refusalOf(api, request.body, text)
    if (refusal) return json(response, 400, { error: { type: 'invalid_request_error', message: refusal } })
    const reply = await answer(request, requests.length - 1)
    if (reply.failure) return json(response, reply.failure.status, reply.failure.body, reply.failure.headers)
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
    let sent = 0
    const start = performance.now()
    for await (const line of STREAMS[api](reply, String(request.body.model))) {
      if (reply.breakAfter !== undefined && sent >= reply.breakAfter) return response.destroy()
      response.write(line)
      sent += 1
      const early = reply.rate === undefined ? 0 : start + (sent * 1000) / reply.rate - performance.now()
      if (early > 1) await new Promise((resolve) => setTimeout(resolve, early))
    }
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

function models(headers: IncomingHttpHeaders): unknown {
  if (headers['anthropic-version']) {
    const data = ['claude-sonnet-5-5', 'claude-haiku-5-5'].map((id) => ({
      type: 'model',
      id,
      display_name: id.replaceAll('-', ' '),
      created_at: '2026-01-01T00:00:00Z',
      max_input_tokens: 200_000,
    }))
    return { data, has_more: false, first_id: data[0]?.id, last_id: data.at(-1)?.id }
  }
  const data = ['gpt-5', 'text-embedding-3-small', 'llama3.2'].map((id) => ({
    id,
    object: 'model',
    created: 0,
    owned_by: 'test',
  }))
  return { object: 'list', data }
}

/** Tokens of the prompt as OpenAI counts them, including cached ones. */
const promptTokens = ({ prompt }: ModelReply) => (prompt ? prompt.plain + prompt.read + prompt.written : 12)

/** Cuts text into the small pieces in which it streams. */
const pieces = (text: string) => text.match(/[\s\S]{1,7}/g) ?? []

async function* spoken({ text = '', again }: ModelReply): AsyncGenerator<string> {
  do yield* pieces(text)
  while (await again?.())
}

const STREAMS: Record<ModelApiName, (reply: ModelReply, model: string) => AsyncGenerator<string>> = {
  async *anthropic(reply, model) {
    const event = (data: Anthropic.RawMessageStreamEvent) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
    const { plain = 12, read, written } = reply.prompt ?? {}
    const usage = {
      input_tokens: plain,
      output_tokens: 1,
      ...(reply.prompt && { cache_read_input_tokens: read, cache_creation_input_tokens: written }),
    } as Anthropic.Usage
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    } as unknown as Anthropic.Message
    yield event({ type: 'message_start', message })
    let index = 0
    if (reply.thinking) {
      yield event({ type: 'content_block_start', index, content_block: { type: 'thinking', thinking: '', signature: '' } })
      for (const thinking of pieces(reply.thinking)) {
        yield event({
          type: 'content_block_delta',
          index,
          delta: { type: 'thinking_delta', thinking } as Anthropic.ThinkingDelta,
        })
      }
      yield event({ type: 'content_block_delta', index, delta: { type: 'signature_delta', signature: 'signed' } })
      yield event({ type: 'content_block_stop', index: index++ })
    }
    if (reply.text) {
      yield event({ type: 'content_block_start', index, content_block: { type: 'text', text: '', citations: null } })
      for await (const text of spoken(reply))
        yield event({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } })
      await reply.hold
      yield event({ type: 'content_block_stop', index: index++ })
    } else await reply.hold
    for (const [n, call] of (reply.calls ?? []).entries()) {
      const block = { type: 'tool_use', id: call.id ?? `toolu_${n + 1}`, name: call.name, input: {} } as Anthropic.ToolUseBlock
      yield event({ type: 'content_block_start', index, content_block: block })
      for (const partial_json of pieces(call.arguments)) {
        yield event({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json } })
      }
      yield event({ type: 'content_block_stop', index: index++ })
    }
    const stop_reason = reply.stop === 'length' ? 'max_tokens' : reply.calls?.length ? 'tool_use' : 'end_turn'
    yield event({
      type: 'message_delta',
      delta: { stop_reason, stop_sequence: null } as Anthropic.RawMessageDeltaEvent['delta'],
      usage: { output_tokens: 34 } as Anthropic.MessageDeltaUsage,
    })
    yield event({ type: 'message_stop' })
  },

  async *chat(reply, model) {
    const chunk = (
      delta: OpenAI.Chat.ChatCompletionChunk.Choice.Delta,
      finish: 'stop' | 'tool_calls' | 'length' | null = null,
    ) => {
      const data: OpenAI.Chat.ChatCompletionChunk = {
        id: 'chatcmpl-1',
        object: 'chat.completion.chunk',
        created: 1,
        model,
        choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }],
      }
      return `data: ${JSON.stringify(data)}\n\n`
    }
    yield chunk({ role: 'assistant', content: '' })
    for (const text of pieces(reply.thinking ?? ''))
      yield chunk({ reasoning_content: text } as OpenAI.Chat.ChatCompletionChunk.Choice.Delta)
    for await (const content of spoken(reply)) yield chunk({ content })
    await reply.hold
    for (const [index, call] of (reply.calls ?? []).entries()) {
      yield chunk({
        tool_calls: [
          { index, id: call.id ?? `call_${index + 1}`, type: 'function', function: { name: call.name, arguments: '' } },
        ],
      })
      for (const text of pieces(call.arguments)) yield chunk({ tool_calls: [{ index, function: { arguments: text } }] })
    }
    yield chunk({}, reply.stop === 'length' ? 'length' : reply.calls?.length ? 'tool_calls' : 'stop')
    const usage: OpenAI.Chat.ChatCompletionChunk = {
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      model,
      choices: [],
      usage: {
        prompt_tokens: promptTokens(reply),
        completion_tokens: 34,
        total_tokens: promptTokens(reply) + 34,
        ...(reply.prompt && { prompt_tokens_details: { cached_tokens: reply.prompt.read } }),
      },
    }
    yield `data: ${JSON.stringify(usage)}\n\n`
    yield 'data: [DONE]\n\n'
  },

  async *responses(reply, model) {
    let sequence_number = 0
    type Unnumbered<T> = T extends unknown ? Omit<T, 'sequence_number'> : never
    const event = (data: Unnumbered<OpenAI.Responses.ResponseStreamEvent>) =>
      `event: ${data.type}\ndata: ${JSON.stringify({ ...data, sequence_number: sequence_number++ })}\n\n`
    const response = (more: Partial<OpenAI.Responses.Response> = {}) =>
      ({
        id: 'resp_1',
        object: 'response',
        created_at: 1,
        model,
        output: [],
        status: 'in_progress',
        ...more,
      }) as OpenAI.Responses.Response
    yield event({ type: 'response.created', response: response() })
    yield event({ type: 'response.in_progress', response: response() })
    let output_index = 0
    if (reply.thinking) {
      const item: OpenAI.Responses.ResponseReasoningItem = {
        id: 'rs_1',
        type: 'reasoning',
        summary: [],
        encrypted_content: 'sealed',
      }
      yield event({ type: 'response.output_item.added', output_index, item })
      for (const delta of pieces(reply.thinking)) {
        yield event({ type: 'response.reasoning_summary_text.delta', item_id: item.id, output_index, summary_index: 0, delta })
      }
      yield event({ type: 'response.output_item.done', output_index: output_index++, item })
    }
    if (reply.text) {
      const item = {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        status: 'in_progress',
        content: [],
      } as OpenAI.Responses.ResponseOutputMessage
      const part: OpenAI.Responses.ResponseOutputText = { type: 'output_text', text: '', annotations: [] }
      yield event({ type: 'response.output_item.added', output_index, item })
      yield event({ type: 'response.content_part.added', item_id: item.id, output_index, content_index: 0, part })
      for await (const delta of spoken(reply)) {
        yield event({ type: 'response.output_text.delta', item_id: item.id, output_index, content_index: 0, delta, logprobs: [] })
      }
      await reply.hold
      yield event({
        type: 'response.output_text.done',
        item_id: item.id,
        output_index,
        content_index: 0,
        text: reply.text,
        logprobs: [],
      })
      yield event({ type: 'response.output_item.done', output_index: output_index++, item: { ...item, status: 'completed' } })
    } else await reply.hold
    for (const [n, call] of (reply.calls ?? []).entries()) {
      const item: OpenAI.Responses.ResponseFunctionToolCall = {
        type: 'function_call',
        id: `fc_${n + 1}`,
        call_id: call.id ?? `call_${n + 1}`,
        name: call.name,
        arguments: '',
      }
      const item_id = item.id as string
      yield event({ type: 'response.output_item.added', output_index, item })
      for (const delta of pieces(call.arguments)) {
        yield event({ type: 'response.function_call_arguments.delta', item_id, output_index, delta })
      }
      yield event({
        type: 'response.function_call_arguments.done',
        item_id,
        output_index,
        arguments: call.arguments,
      })
      yield event({
        type: 'response.output_item.done',
        output_index: output_index++,
        item: { ...item, arguments: call.arguments },
      })
    }
    const usage = {
      input_tokens: promptTokens(reply),
      output_tokens: 34,
      total_tokens: promptTokens(reply) + 34,
      input_tokens_details: { cached_tokens: reply.prompt?.read ?? 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    } as OpenAI.Responses.ResponseUsage
    if (reply.stop === 'length') {
      const incomplete_details = { reason: 'max_output_tokens' } as const
      yield event({ type: 'response.incomplete', response: response({ status: 'incomplete', incomplete_details, usage }) })
    } else yield event({ type: 'response.completed', response: response({ status: 'completed', usage }) })
  },
}
