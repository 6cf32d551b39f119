import { isObject, type JsonObject } from '../../../src-shared/base/json.ts'
import type { ProviderKind } from '../../../src-shared/contract/settings.ts'
import type { ModelContent, ModelMessage, OfferedTool } from '../../models/model-provider.ts'
import { pointedAt } from '../../models/schema-rewriting.ts'

/** Characters of Latin text per token, roughly. */
const CHARACTERS: Readonly<Record<ProviderKind, number>> = { anthropic: 3.5, openai: 4, 'openai-compatible': 4, demo: 4 }
/** Tokens of an image of unknown size: the size that providers reduce images to. */
const IMAGE: Readonly<Record<ProviderKind, number>> = { anthropic: 1600, openai: 1100, 'openai-compatible': 1100, demo: 0 }
const PAGE_TEXT = 700
/** Overhead of a message or a call. */
const FRAME = 6
/** Overhead of a tool, including its name. */
const TOOL_FRAME = 12
/** Characters of a schema that are sent. */
const MAX_WRITTEN = 64 * 1024
/** Depth of references that are followed. */
const MAX_FOLLOWED = 32
/** Characters of Chinese, Japanese and Korean, which are about a token each. */
const WIDE = /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]/g

export function textTokens(text: string, kind: ProviderKind): number {
  if (text === '') return 0
  const wide = text.match(WIDE)?.length ?? 0
  return Math.ceil(wide + (text.length - wide) / CHARACTERS[kind])
}

/**
 * Follows the providers' published formulas: Anthropic counts a token per 750 pixels, OpenAI squares of 512 pixels after reducing the
 * shorter side to 768.
 */
export function imageTokens(kind: ProviderKind, size?: { readonly width: number; readonly height: number }): number {
  if (!size || kind === 'demo') return IMAGE[kind]
  const { width, height } = size
  if (kind === 'anthropic') return Math.min(IMAGE.anthropic, Math.ceil((width * height) / 750))
  const scale = Math.min(1, 2048 / Math.max(width, height))
  const shorter = Math.min(1, 768 / (Math.min(width, height) * scale)) * scale
  return 85 + 170 * Math.ceil((width * shorter) / 512) * Math.ceil((height * shorter) / 512)
}

export function contentTokens(content: readonly ModelContent[], kind: ProviderKind): number {
  return content.reduce(
    (sum, block) =>
      sum +
      (block.type === 'text'
        ? textTokens(block.text, kind)
        : block.type === 'image'
          ? imageTokens(kind, block.size)
          : pageTokens(block.pages, kind)),
    0,
  )
}

/** A page of a PDF counts as a full page of text and as an image. */
function pageTokens(pages: number, kind: ProviderKind): number {
  return pages * (PAGE_TEXT + IMAGE[kind])
}

export function messageTokens(message: ModelMessage, kind: ProviderKind): number {
  if (message.role !== 'assistant') return FRAME + contentTokens(message.content, kind)
  const calls = message.toolCalls.reduce(
    (sum, call) => sum + FRAME + textTokens(call.name + (call.broken ?? JSON.stringify(call.arguments ?? {})), kind),
    0,
  )
  return FRAME + textTokens(message.text, kind) + calls
}

const definitions = new WeakMap<object, number>()

/**
 * Tokens of a tool's definition. Every screen shows this count. The name is part of the overhead, because a tool's wire name may change
 * with other tools. Computed once per schema, since definitions are many and long.
 */
export function toolTokens({ description, inputSchema }: OfferedTool, kind: ProviderKind): number {
  let characters = definitions.get(inputSchema)
  if (characters === undefined) {
    characters = writtenOut(inputSchema)
    definitions.set(inputSchema, characters)
  }
  return TOOL_FRAME + Math.ceil((description.length + characters) / CHARACTERS[kind])
}

/** Characters of a schema as it is sent, with references expanded. Each definition is measured once, however often it is used. */
function writtenOut(schema: JsonObject): number {
  const sizes = new Map<string, number>()
  const sizeOf = (value: unknown, followed: number): number => {
    if (Array.isArray(value)) return value.reduce((sum, one) => sum + sizeOf(one, followed) + 1, 2)
    if (!isObject(value)) return JSON.stringify(value)?.length ?? 0
    const pointed = typeof value.$ref === 'string' ? referred(value.$ref, followed + 1) : 0
    return Object.entries(value).reduce(
      (sum, [name, one]) => (NOT_SENT.has(name) ? sum : sum + name.length + 4 + sizeOf(one, followed)),
      2 + pointed,
    )
  }
  const referred = (reference: string, followed: number): number => {
    const known = sizes.get(reference)
    if (known !== undefined || followed > MAX_FOLLOWED) return known ?? 0
    // A cycle is expanded once.
    sizes.set(reference, 0)
    const size = Math.min(MAX_WRITTEN, sizeOf(pointedAt(schema, reference), followed))
    sizes.set(reference, size)
    return size
  }
  return Math.min(MAX_WRITTEN, sizeOf(schema, 0))
}

/** Definitions count where they are used. */
const NOT_SENT = new Set(['$defs', 'definitions', '$ref', '$schema', '$id'])

/** Windows of model families, the most specific first; a fallback, since windows change. */
const WINDOWS: readonly (readonly [RegExp, number])[] = [
  [/gpt-4\.1/, 1_047_576],
  [/gpt-5/, 400_000],
  [/gpt-4o|gpt-4-turbo/, 128_000],
  [/gpt-3\.5/, 16_385],
  [/gpt-4/, 8_192],
  [/\bo\d/, 200_000],
  [/claude/, 200_000],
  [/gemini/, 1_048_576],
]

/** Window of a model in tokens, by its provider or else its family; undefined when neither is known. */
export function windowOf(
  model: { readonly id: string; readonly contextWindow?: number } | undefined,
  id: string,
): number | undefined {
  if (model?.contextWindow !== undefined) return model.contextWindow
  const name = id.slice(0, 200).toLowerCase()
  return WINDOWS.find(([pattern]) => pattern.test(name))?.[1]
}
