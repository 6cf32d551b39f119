import { isObject, type JsonObject } from '../../../src-shared/base/json.ts'
import type { CreateMessageParams, SamplingMessage } from '../../../src-shared/mcp/client-requests.ts'
import type { ContentBlock, SamplingContent } from '../../../src-shared/mcp/content.ts'
import type { Tool } from '../../../src-shared/mcp/primitives.ts'
import type { ModelContent, ModelMessage, ModelRequest, ModelToolCall } from '../../models/model-provider.ts'
import { blocksOf } from './sampling-blocks.ts'
import type { ToolNames } from './sampling-names.ts'

export function toldWords({ name, title, description }: Tool): string {
  return description ?? title ?? name
}

/** The request to a model; `system` includes the ticked context. */
export function modelRequest(
  params: CreateMessageParams,
  details: {
    readonly model: string
    readonly system: string
    readonly messages: readonly SamplingMessage[]
    readonly maxTokens: number
    readonly names: ToolNames
  },
): ModelRequest {
  const { tools = [], toolChoice, temperature, stopSequences } = params
  const userId = passedMetadata(params.metadata).user_id
  return {
    model: details.model,
    system: details.system,
    messages: details.messages.flatMap((message, at) => modelMessages(message, details.messages.slice(0, at), details.names)),
    tools: tools.map((tool) => ({
      name: details.names.wire(tool.name),
      description: toldWords(tool),
      // The schema was received as JSON.
      inputSchema: tool.inputSchema as unknown as JsonObject,
    })),
    maxTokens: details.maxTokens,
    ...(temperature !== undefined && { temperature }),
    ...(stopSequences?.length && { stopSequences }),
    ...(tools.length > 0 && toolChoice?.mode && { toolChoice: toolChoice.mode }),
    ...(userId !== undefined && { userId }),
    purpose: 'sampling',
  }
}

/** The only member of `metadata` that is sent to providers (SAMP-25). */
export function passedMetadata(metadata: CreateMessageParams['metadata']): { readonly user_id?: string } {
  const id = isObject(metadata) ? metadata.user_id : undefined
  return typeof id === 'string' && id.length > 0 && id.length <= 256 ? { user_id: id } : {}
}

function modelMessages(
  { role, content }: SamplingMessage,
  before: readonly SamplingMessage[],
  names: ToolNames,
): readonly ModelMessage[] {
  const blocks = blocksOf(content)
  if (role === 'assistant') {
    const text = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
    const toolCalls = blocks.flatMap((block): ModelToolCall[] =>
      // The input was received as JSON.
      block.type === 'tool_use' ? [{ id: block.id, name: names.wire(block.name), arguments: block.input as JsonObject }] : [],
    )
    return [{ role: 'assistant', text, toolCalls }]
  }
  const results = blocks.flatMap((block): ModelMessage[] => {
    if (block.type !== 'tool_result') return []
    const toolName = names.wire(toolNameOf(block.toolUseId, before))
    return [
      {
        role: 'tool',
        callId: block.toolUseId,
        toolName,
        content: block.content.flatMap(resultContent),
        isError: block.isError ?? false,
      },
    ]
  })
  const said = blocks.flatMap(userContent)
  return said.length > 0 ? [...results, { role: 'user', content: said }] : results
}

function toolNameOf(id: string, before: readonly SamplingMessage[]): string {
  for (const { content } of before) {
    for (const block of blocksOf(content)) if (block.type === 'tool_use' && block.id === id) return block.name
  }
  return 'tool'
}

function userContent(block: SamplingContent): ModelContent[] {
  if (block.type === 'text') return [{ type: 'text', text: block.text }]
  return block.type === 'image' ? [{ type: 'image', data: block.data, mimeType: block.mimeType }] : []
}

function resultContent(block: ContentBlock): ModelContent[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text }]
    case 'image':
      return [{ type: 'image', data: block.data, mimeType: block.mimeType }]
    case 'resource':
      return 'text' in block.resource ? [{ type: 'text', text: block.resource.text }] : []
    case 'resource_link':
      return [{ type: 'text', text: block.uri }]
    default:
      return []
  }
}

export function needsOf(messages: readonly SamplingMessage[]): { readonly images: boolean; readonly audio: boolean } {
  const blocks = messages.flatMap(({ content }) => blocksOf(content))
  const inResults = blocks.flatMap((block) => (block.type === 'tool_result' ? block.content : []))
  const has = (type: string) => blocks.some((block) => block.type === type) || inResults.some((block) => block.type === type)
  return { images: has('image'), audio: has('audio') }
}

/** Rough number of tokens; an image counts as a thousand. */
export function roughTokens(
  system: string,
  messages: readonly SamplingMessage[],
  tools: CreateMessageParams['tools'] = [],
): number {
  let characters = system.length + JSON.stringify(tools).length
  let images = 0
  for (const block of messages.flatMap(({ content }) => blocksOf(content))) {
    if (block.type === 'text') characters += block.text.length
    else if (block.type === 'image' || block.type === 'audio') images += 1
    else characters += JSON.stringify(block).length
  }
  return Math.ceil(characters / 4) + images * 1000
}
