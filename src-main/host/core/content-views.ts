import {
  type BlobRef,
  type BoundedJson,
  type BoundedText,
  type ContentView,
  INLINE_LIMIT,
} from '../../../src-shared/contract/blobs.ts'
import type { ToolCallResult } from '../../../src-shared/contract/conversations.ts'
import { URI_LIMIT } from '../../../src-shared/contract/topics.ts'
import type {
  Annotations,
  CallToolResult,
  ContentBlock,
  EmbeddedResource,
  Icon,
  ResourceLink,
} from '../../../src-shared/mcp/content.ts'
import type { BlobStore } from '../../storage/base/storage.ts'
import { jsonInTurns } from '../../threads/json-pieces.ts'
import { textHead as headOfPieces } from '../../transports/json-in-turns.ts'
import { shownIcons } from './icons.ts'

/** Blocks kept of one result; a warning counts the rest. */
const BLOCK_LIMIT = 64
/** Inline bytes of a result; the rest of the record's 32 KiB is for its arguments and names. */
const RESULT_BUDGET = 20 * 1024
/** Bytes counted for a block's references, names and JSON. */
const BLOCK_FRAME = 200
/** Characters kept of a block's name, title, description or address. */
const WORD_LIMIT = 512

/** Stores content that is binary or too long to travel inline. */
export type BlobSink = Pick<BlobStore, 'put'>

/** The bytes that one record may still carry inline; content that does not fit goes whole to the blobs folder. */
export class InlineBudget {
  #left: number

  constructor(bytes: number = INLINE_LIMIT) {
    this.#left = bytes
  }

  /** Takes up to `wanted` bytes and returns the number it got. */
  take(wanted: number): number {
    const got = Math.min(wanted, Math.max(0, this.#left))
    this.#left -= got
    return got
  }
}

/** The text if it fits, else its head and a reference to the whole. */
export async function boundText(text: string, blobs: BlobSink, budget = new InlineBudget()): Promise<BoundedText> {
  const bytes = Buffer.byteLength(text)
  const got = budget.take(bytes)
  if (got >= bytes) return { text }
  return { text: headOf(text, got), whole: await blobs.put(text, 'text/plain;charset=utf-8') }
}

export async function boundJson(value: unknown, blobs: BlobSink, budget = new InlineBudget()): Promise<BoundedJson> {
  const pieces: Buffer[] = []
  for await (const piece of jsonInTurns(value)) pieces.push(Buffer.from(piece))
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0)
  const got = budget.take(bytes)
  if (got >= bytes) return { json: Buffer.concat(pieces).toString('utf8') }
  return { json: headOfPieces(pieces, got), whole: await blobs.put(pieces, 'application/json') }
}

/** A tool's result for the page: bounded, with binary and long content by reference. */
export async function toolCallResult(
  result: CallToolResult & { readonly warnings: readonly string[] },
  blobs: BlobSink,
): Promise<ToolCallResult> {
  const budget = new InlineBudget(RESULT_BUDGET)
  const warnings = result.warnings.slice(0, 8).map((warning) => cut(warning, WORD_LIMIT))
  const kept = result.content.slice(0, BLOCK_LIMIT)
  if (kept.length < result.content.length) {
    warnings.push(`${result.content.length - kept.length} more blocks were left out.`)
  }
  const content: ContentView[] = []
  for (const block of kept) {
    budget.take(BLOCK_FRAME)
    content.push(await toContentView(block, blobs, budget))
  }
  const { structuredContent } = result
  const structured = structuredContent === undefined ? undefined : await boundJson(structuredContent, blobs, budget)
  return { isError: result.isError === true, content, ...(structured && { structured }), warnings }
}

export async function toContentView(block: ContentBlock, blobs: BlobSink, budget: InlineBudget): Promise<ContentView> {
  switch (block.type) {
    case 'text':
      return { type: 'text', ...(await boundText(block.text, blobs, budget)), ...annotated(block) }
    case 'image':
    case 'audio':
      return { type: block.type, blob: await blobs.put(bytesOf(block.data), knownMime(block.mimeType)), ...annotated(block) }
    case 'resource':
      return await resourceView(block, blobs, budget)
    case 'resource_link':
      return {
        type: 'resource_link',
        uri: address(block.uri, budget),
        name: cut(block.name, WORD_LIMIT),
        ...(block.title !== undefined && { title: cut(block.title, WORD_LIMIT) }),
        ...(block.description !== undefined && { description: cut(block.description, WORD_LIMIT) }),
        ...(block.mimeType !== undefined && { mimeType: knownMime(block.mimeType) }),
        ...(block.size !== undefined && { size: block.size }),
        ...linkIcons(block, budget),
        ...annotated(block),
      }
    case 'unknown':
      return { type: 'unknown', kind: cut(block.kind, 80), reason: cut(block.reason, WORD_LIMIT) }
    default:
      // A type that a newer client lets through is a placeholder, never a crash.
      return { type: 'unknown', kind: 'unknown', reason: 'This kind of content is not known.' }
  }
}

async function resourceView(block: EmbeddedResource, blobs: BlobSink, budget: InlineBudget): Promise<ContentView> {
  const { resource } = block
  const mimeType = resource.mimeType === undefined ? undefined : knownMime(resource.mimeType)
  const frame = {
    type: 'resource' as const,
    uri: address(resource.uri, budget),
    ...(mimeType && { mimeType }),
    ...annotated(block),
  }
  if ('text' in resource) return { ...frame, content: await boundText(resource.text, blobs, budget) }
  return { ...frame, content: await blobs.put(bytesOf(resource.blob), mimeType ?? 'application/octet-stream') }
}

/** The whole address while there is room, because a click reads it (RES-03). */
function address(uri: string, budget: InlineBudget): string {
  if (uri.length <= WORD_LIMIT) return uri
  return uri.length <= URI_LIMIT && budget.take(uri.length) === uri.length ? uri : cut(uri, WORD_LIMIT)
}

function linkIcons({ icons }: ResourceLink, budget: InlineBudget): { icons?: readonly Icon[] } {
  const shown = shownIcons(icons)
  const length = shown.icons?.[0]?.src.length ?? 0
  return length > 0 && budget.take(length) === length ? shown : {}
}

export function isBlobRef(content: BoundedText | BlobRef): content is BlobRef {
  return 'blob' in content
}

/** The first `bytes` bytes as whole characters. */
export function headOf(text: string, bytes: number): string {
  if (text.length * 3 <= bytes) return text
  const cutBytes = Buffer.from(text.slice(0, bytes), 'utf8').subarray(0, bytes)
  // A character that was cut in two decodes to U+FFFD at the end.
  return cutBytes.toString('utf8').replace(/(?<!\uFFFD)\uFFFD+$/, '')
}

export function cut(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters - 1)}…`
}

function annotated(block: { readonly annotations?: Annotations }): { annotations?: Annotations } {
  return block.annotations ? { annotations: block.annotations } : {}
}

/** The client has checked that it is strict base64 (SCHEMA-17). */
function bytesOf(base64: string): Uint8Array {
  return Buffer.from(base64, 'base64')
}

/** The claimed MIME type if it is well-formed, else octet-stream. */
export function knownMime(claimed: string): string {
  return /^[\w.+-]+\/[\w.+-]+(;[ \w.+=-]*)?$/.test(claimed) && claimed.length <= 120 ? claimed : 'application/octet-stream'
}
