import { isObject } from '../../../src-shared/base/json.ts'
import type { CallToolResult } from '../../../src-shared/mcp/content.ts'
import type { CompletionResult, GetPromptResult, PromptMessage, ReadResourceResult } from '../../../src-shared/mcp/primitives.ts'
import { type Border, boundedInTurns, type Fields, list, object, replaced, ShapeError, warn, without } from './border.ts'
import { contentBlock, contentBlocks, resourceContents } from './content-shapes.ts'
import { LimitError } from './limits.ts'

/** The results of our requests. Each function throws ShapeError or LimitError for an unusable result. */

/** One page of a list. Entries are checked later, so that an invalid one does not cost the rest. */
export interface ListedPage {
  readonly entries: readonly unknown[]
  readonly nextCursor?: string
  /** Milliseconds that it stays valid, in the modern era. */
  readonly ttl?: number
}

const DAY = 24 * 60 * 60_000

/** Milliseconds that a result stays valid: 0 by default, at most a day (V26-CACHE-2). */
export function ttlOf({ ttlMs }: Fields): number {
  return typeof ttlMs === 'number' && Number.isFinite(ttlMs) ? Math.min(DAY, Math.max(0, ttlMs)) : 0
}

/** A missing or null cursor ends the list, an empty one does not (TRAP-60). */
export function page(key: string): (result: Fields, border: Border) => ListedPage {
  return (result, border) => {
    const found = { entries: list(result[key], key, border), ...(!border.traits.session && { ttl: ttlOf(result) }) }
    const { nextCursor } = result
    if (nextCursor === undefined || nextCursor === null) return found
    if (typeof nextCursor === 'string') return { ...found, nextCursor }
    warn(border, 'The list’s cursor is not a text; the list ends here.')
    return found
  }
}

export async function callToolResult(result: Fields, border: Border): Promise<CallToolResult> {
  const content = contentBlocks(result.content, 'content', border)
  let rest = result
  if (result.isError !== undefined && typeof result.isError !== 'boolean') {
    warn(border, 'isError is not a boolean; the result is taken for an error.')
    rest = { ...rest, isError: true }
  }
  const { structuredContent } = result
  if (structuredContent !== undefined) {
    if (!border.traits.structuredContent) rest = without(rest, ['structuredContent'])
    else if (!isObject(structuredContent) && !border.traits.anyStructuredContent) {
      warn(border, 'structuredContent is not an object; it was left out.')
      rest = without(rest, ['structuredContent'])
    }
  }
  if (rest._meta !== undefined && !isObject(rest._meta)) rest = without(rest, ['_meta'])
  if (Object.keys(rest).length > 1) {
    // Content blocks were bounded one by one.
    const { content: _, ...others } = rest
    await boundedInTurns(others, 'The result', border.limits)
  }
  const checked = content === rest.content ? rest : replaced(rest, 'content', content)
  return checked as unknown as CallToolResult // Every member of the type was checked.
}

/** An invalid item is left out with a warning; the others stay (SCHEMA-17). */
export function readResourceResult(result: Fields, border: Border): ReadResourceResult {
  const contents = list(result.contents, 'contents', border).flatMap((value, at) => {
    try {
      return [resourceContents(value, `contents[${at}]`, border)]
    } catch (error) {
      if (!(error instanceof ShapeError || error instanceof LimitError)) throw error
      warn(border, `An item was left out: ${error.message}`)
      return []
    }
  })
  return { contents }
}

/** One entry of a list of skills; its members are checked with those of the list. */
export function skillResult(result: Fields): { readonly skill: Fields } {
  return { skill: object(result.skill, 'skill') }
}

export function getPromptResult(result: Fields, border: Border): GetPromptResult {
  const messages = list(result.messages, 'messages', border).map((value, at) => promptMessage(value, `messages[${at}]`, border))
  return { messages, ...(typeof result.description === 'string' && { description: result.description }) }
}

function promptMessage(value: unknown, path: string, border: Border): PromptMessage {
  const { role, content } = object(value, path)
  // No other roles exist (SCHEMA-15).
  if (role !== 'user' && role !== 'assistant') throw new ShapeError(`${path}.role`, 'must be user or assistant')
  return { role, content: contentBlock(content, `${path}.content`, border) }
}

/** At most 100 values, in the server's order (COMP-07, COMP-09). */
export function completionResult(result: Fields, border: Border): CompletionResult {
  const { values, total, hasMore } = object(result.completion, 'completion')
  const all = list(values, 'completion.values', border)
  if (all.length > 100) warn(border, `The server offered ${all.length} completions; only the first 100 are used.`)
  const texts = all.slice(0, 100).map((value, at) => {
    if (typeof value === 'string' && value.length <= border.limits.maxLabelLength) return value
    throw new ShapeError(`completion.values[${at}]`, 'must be a string')
  })
  const more = hasMore === true || all.length > 100
  return {
    values: texts,
    ...(Number.isSafeInteger(total) && { total: Number(total) }),
    ...((more || hasMore === false) && { hasMore: more }),
  }
}

export function emptyResult(): Record<string, never> {
  return {}
}
