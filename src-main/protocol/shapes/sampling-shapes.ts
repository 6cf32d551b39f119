import { isObject } from '../../../src-shared/base/json.ts'
import type { CreateMessageParams, CreateMessageResult } from '../../../src-shared/mcp/client-requests.ts'
import type { SamplingContent } from '../../../src-shared/mcp/content.ts'
import { type Border, bounded, type Fields, label, list, longText, object, ShapeError, without } from './border.ts'
import { contentBlocks, media } from './content-shapes.ts'
import { listedTool } from './definition-shapes.ts'
import { ErrorCode, ProtocolError } from './json-rpc.ts'
import type { Traits } from './version-traits.ts'

/** The params and answers of `sampling/createMessage`. Invalid params never reach a person (SAMP-33). */

interface DeclaredSampling {
  readonly tools: boolean
  readonly context: boolean
}

export function createMessageParams(params: Fields, border: Border, declared: DeclaredSampling): CreateMessageParams {
  bounded(params, 'The request', border.limits)
  const messages = list(params.messages, 'messages', border).map((value, at) => message(value, `messages[${at}]`, border))
  pairToolUses(messages)
  if (!Number.isSafeInteger(params.maxTokens) || Number(params.maxTokens) < 1) {
    throw new ShapeError('maxTokens', 'must be a positive integer')
  }
  if (params.systemPrompt !== undefined) longText(params.systemPrompt, 'systemPrompt', border)
  if (params.temperature !== undefined && typeof params.temperature !== 'number') {
    throw new ShapeError('temperature', 'must be a number')
  }
  if (params.stopSequences !== undefined) {
    for (const [at, sequence] of list(params.stopSequences, 'stopSequences', border).entries()) {
      label(sequence, `stopSequences[${at}]`, border)
    }
  }
  // `task` is ignored: we declare no tasks.
  const unused = ['_meta', 'task']
  if (!isObject(params.metadata)) unused.push('metadata')
  const context = params.includeContext
  const known = context === 'none' || context === 'thisServer' || context === 'allServers'
  if (!known || (border.traits.samplingTools && !declared.context)) unused.push('includeContext')
  if (!border.traits.samplingTools) unused.push('tools', 'toolChoice')
  else if ((params.tools !== undefined || params.toolChoice !== undefined) && !declared.tools) {
    throw new ShapeError('tools', 'must be absent, because this client did not declare sampling.tools')
  }
  const rest = without(params, [...unused, 'messages', 'modelPreferences', 'tools', 'toolChoice'])
  return {
    ...rest,
    messages,
    ...(params.modelPreferences !== undefined && { modelPreferences: preferences(params.modelPreferences, border) }),
    ...(border.traits.samplingTools && tools(params, border)),
    // Every member was checked above.
  } as unknown as CreateMessageParams
}

function tools(params: Fields, border: Border): Fields {
  const found: Fields = {}
  if (params.tools !== undefined) {
    found.tools = list(params.tools, 'tools', border).map((value, at) => {
      const { tool, unusable } = listedTool(value, `tools[${at}]`, border)
      if (unusable) throw new ShapeError(`tools[${at}].inputSchema`, 'must be a JSON Schema of the type “object”')
      return tool
    })
  }
  if (params.toolChoice !== undefined) {
    const { mode } = object(params.toolChoice, 'toolChoice')
    if (mode !== undefined && mode !== 'auto' && mode !== 'required' && mode !== 'none') {
      throw new ShapeError('toolChoice.mode', 'must be auto, required or none')
    }
    found.toolChoice = mode === undefined ? {} : { mode }
  }
  return found
}

function message(
  value: unknown,
  path: string,
  border: Border,
): { role: 'user' | 'assistant'; content: SamplingContent | SamplingContent[] } {
  const { role, content } = object(value, path)
  if (role !== 'user' && role !== 'assistant') throw new ShapeError(`${path}.role`, 'must be user or assistant')
  if (!Array.isArray(content)) return { role, content: samplingContent(content, `${path}.content`, border) }
  if (!border.traits.samplingTools) throw new ShapeError(`${path}.content`, 'must be one block of content')
  const blocks = list(content, `${path}.content`, border).map((block, at) =>
    samplingContent(block, `${path}.content[${at}]`, border),
  )
  return { role, content: blocks }
}

/** Text and images, audio since 2025-03-26, tool uses and results since 2025-11-25, never resources (SAMP-26). */
function samplingContent(value: unknown, path: string, border: Border): SamplingContent {
  const block = object(value, path)
  const { traits } = border
  switch (block.type) {
    case 'text':
      longText(block.text, `${path}.text`, border)
      break
    case 'audio':
      if (!traits.audio) throw new ShapeError(path, `must not be audio in ${traits.protocolVersion}`)
      media(block, path, border)
      break
    case 'image':
      media(block, path, border)
      break
    case 'tool_use':
      if (!traits.samplingTools) throw new ShapeError(path, `must not be the use of a tool in ${traits.protocolVersion}`)
      label(block.id, `${path}.id`, border)
      label(block.name, `${path}.name`, border)
      object(block.input, `${path}.input`)
      break
    case 'tool_result': {
      if (!traits.samplingTools) throw new ShapeError(path, `must not be the result of a tool in ${traits.protocolVersion}`)
      label(block.toolUseId, `${path}.toolUseId`, border)
      const content = contentBlocks(block.content, `${path}.content`, border)
      if (block.structuredContent !== undefined && !traits.anyStructuredContent) {
        object(block.structuredContent, `${path}.structuredContent`)
      }
      return { ...without(block, dropped(block, traits)), content } as unknown as SamplingContent
    }
    default:
      throw new ShapeError(`${path}.type`, 'must be a type of content that sampling knows')
  }
  return without(block, dropped(block, traits)) as unknown as SamplingContent
}

/** Models have no use for hints and `_meta`; tool uses and results keep theirs since 2026-07-28 (V26-SAMP-4). */
function dropped({ type }: Fields, { anyStructuredContent }: Traits): string[] {
  const kept = anyStructuredContent && (type === 'tool_use' || type === 'tool_result')
  return kept ? ['annotations'] : ['_meta', 'annotations']
}

type Pairable = { readonly role: string; readonly content: SamplingContent | readonly SamplingContent[] }

/** All results of tool uses must follow at once, alone in their message (2025-11-25 client/sampling#tool-use). */
function pairToolUses(messages: readonly Pairable[]): void {
  let open = new Set<string>()
  for (const [at, { role, content }] of messages.entries()) {
    const blocks = Array.isArray(content) ? content : [content as SamplingContent]
    const results = blocks.flatMap((block) => (block.type === 'tool_result' ? [block.toolUseId] : []))
    if (results.length > 0 && (role !== 'user' || results.length !== blocks.length)) {
      throw new ShapeError(`messages[${at}]`, 'must only hold results of tools, and come from the user')
    }
    if (results.some((id) => !open.has(id))) throw new ShapeError(`messages[${at}]`, 'holds a result of a tool that was not used')
    for (const id of results) open.delete(id)
    if (open.size > 0) throw new ShapeError(`messages[${at}]`, 'must hold the results of all tools used before it')
    const uses = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
    if (uses.length > 0 && role !== 'assistant')
      throw new ShapeError(`messages[${at}]`, 'uses tools, so it must come from the assistant')
    open = new Set(uses)
  }
  if (open.size > 0) throw new ShapeError('messages', 'must end with the results of all tools used')
}

/** Only hints, so that invalid ones are left out (SAMP-18, SAMP-19). */
function preferences(value: unknown, border: Border): Fields {
  if (!isObject(value)) throw new ShapeError('modelPreferences', 'must be an object')
  const found: Fields = {}
  for (const key of ['costPriority', 'speedPriority', 'intelligencePriority']) {
    const priority = value[key]
    if (typeof priority === 'number' && priority >= 0 && priority <= 1) found[key] = priority
  }
  if (Array.isArray(value.hints)) {
    found.hints = value.hints.slice(0, 100).flatMap((hint) => {
      const name = isObject(hint) ? hint.name : undefined
      return typeof name === 'string' && name.length <= border.limits.maxLabelLength ? [{ name }] : []
    })
  }
  return found
}

/** Our answer in the form of the revision: one block before 2025-11-25, with nothing newer in it (SCHEMA-22, SAMP-10). */
export function createMessageAnswer(result: CreateMessageResult, border: Border): Fields {
  const { role, content, model, stopReason } = result
  const blocks: readonly SamplingContent[] = Array.isArray(content) ? content : [content as SamplingContent]
  const sent = blocks.map((block) => {
    const fields = block as unknown as Fields
    return without(fields, dropped(fields, border.traits))
  })
  if (!border.traits.samplingTools) {
    const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []))
    const one =
      sent.length === 1 ? sent[0] : texts.length === blocks.length ? { type: 'text', text: texts.join('\n') } : undefined
    const known = one?.type === 'text' || one?.type === 'image' || (one?.type === 'audio' && border.traits.audio)
    if (!one || !known) {
      throw new ProtocolError(ErrorCode.internal, `The model’s reply cannot be put into ${border.traits.protocolVersion}.`)
    }
    return { role, content: one, model, ...(stopReason !== undefined && { stopReason }) }
  }
  return { role, content: sent.length === 1 ? sent[0] : sent, model, ...(stopReason !== undefined && { stopReason }) }
}
