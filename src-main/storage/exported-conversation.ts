import { z } from 'zod'
import { parseJson } from '../../src-shared/base/parse-json.ts'
import {
  type BlobRef,
  type BoundedText,
  blobName,
  type ContentView,
  mimeType,
  RECORD_LIMIT,
} from '../../src-shared/contract/blobs.ts'
import {
  MAX_EXPORTED,
  type Message,
  type MessagePart,
  message,
  type ToolCall,
  type ToolCallResult,
  tags,
  toolCall,
  VERSION_LIMIT,
} from '../../src-shared/contract/conversations.ts'
import type { MessageId } from '../../src-shared/contract/ids.ts'
import { type Frozen, id, text, time, whole } from '../../src-shared/contract/schema-parts.ts'
import { modelRef } from '../../src-shared/contract/settings.ts'
import type { MessagePlace } from './base/storage.ts'

export const EXPORT_FORMAT = 'parley-conversation'
export const EXPORTS_FORMAT = 'parley-conversations'

/** The file is not an exported conversation; `message` is for the person. */
export class ExportError extends Error {}

const MESSAGES = 50_000

const place = () =>
  z.object({ id: id<MessageId>(), parent: id<MessageId>().exactOptional(), hidden: whole({ least: 0, most: MESSAGES }) })

/** A conversation as a file: its records, and the content that they refer to by hash. */
export type ExportedConversation = Frozen<z.output<typeof FILE>>
const FILE = z.object({
  format: z.literal(EXPORT_FORMAT),
  /** 2: some messages have other versions. */
  version: z.union([z.literal(1), z.literal(2)]),
  title: text(1000),
  createdAt: time(),
  updatedAt: time(),
  model: modelRef(),
  tags: tags().exactOptional(),
  messages: z.array(message()).max(MESSAGES),
  /** The places of all messages, in their order; without it, each follows the one before. */
  tree: z.array(place()).max(MESSAGES).exactOptional(),
  toolCalls: z.array(toolCall()).max(MESSAGES),
  // Invalid base64 fails later, when the content does not match its hash.
  blobs: z.record(blobName(), z.object({ mimeType: mimeType(), base64: z.string() })),
})

export type ExportedConversations = Frozen<z.output<typeof FILES>>
const FILES = z.object({
  format: z.literal(EXPORTS_FORMAT),
  version: z.literal(1),
  conversations: z.array(z.unknown()).min(1).max(MAX_EXPORTED),
})

export interface ReadExport {
  readonly file: ExportedConversation
  readonly warnings: readonly string[]
}

/** Reads a file that may come from anywhere. Throws ExportError. */
export function readExports(json: string): readonly ReadExport[] {
  let parsed: unknown
  try {
    parsed = parseJson(json)
  } catch (error) {
    throw new ExportError(`This is not JSON: ${error instanceof Error ? error.message.slice(0, 200) : 'it cannot be read'}.`)
  }
  const several = FILES.safeParse(parsed)
  return several.success ? several.data.conversations.map(readOne) : [readOne(parsed)]
}

function readOne(parsed: unknown): ReadExport {
  const checked = FILE.safeParse(parsed)
  if (!checked.success) {
    const where = checked.error.issues[0]?.path.map(String).join('.').slice(0, 100)
    throw new ExportError(`This is not a conversation that Parley exported${where ? ` (at ${where})` : ''}.`)
  }
  const file = checked.data
  const ids = new Set(file.messages.map((one) => one.id))
  if (ids.size < file.messages.length) throw new ExportError('The file has a message twice.')
  for (const record of [...file.messages, ...file.toolCalls]) {
    if (JSON.stringify(record).length > RECORD_LIMIT) throw new ExportError('The file has a message that is too large.')
  }
  if (file.tree) checkTree(file.messages, file.tree)
  const repair = new ImportRepair(new Set(Object.keys(file.blobs)))
  const messages = file.messages.map((one) => repair.message(one))
  const toolCalls = file.toolCalls.filter((call) => ids.has(call.messageId)).map((call) => repair.call(call))
  const warnings = repair.missing > 0 ? [`${repair.missing} contents are not in the file.`] : []
  return { file: { ...file, messages, toolCalls }, warnings }
}

/** Throws ExportError unless messages follow earlier ones, and those shown or hidden together are a path. */
function checkTree(messages: readonly Message[], tree: readonly MessagePlace[]): void {
  const latest = new Map<number, MessageId>()
  const versions = new Map<MessageId | undefined, number>()
  const before = new Set<MessageId | undefined>([undefined])
  const fits = tree.every(({ id, parent, hidden }, at) => {
    const count = (versions.get(parent) ?? 0) + 1
    const follows = latest.has(hidden) || hidden === 0 ? parent === latest.get(hidden) : before.has(parent)
    versions.set(parent, count)
    latest.set(hidden, id)
    before.add(id)
    return id === messages[at]?.id && follows && count <= VERSION_LIMIT
  })
  const isWhole = tree.length === messages.length && (tree.length === 0 || latest.has(0))
  if (!fits || !isWhole) throw new ExportError('The versions of messages in the file contradict each other.')
}

export function blobsOf({ messages, toolCalls }: Pick<ExportedConversation, 'messages' | 'toolCalls'>): readonly BlobRef[] {
  const found = new Map<string, BlobRef>()
  const add = (reference: BlobRef | undefined) => reference && found.set(reference.blob, reference)
  const content = (one: BoundedText | BlobRef) => add('blob' in one ? one : one.whole)
  const block = (one: ContentView) => {
    if (one.type === 'text') add(one.whole)
    else if (one.type === 'image' || one.type === 'audio') add(one.blob)
    else if (one.type === 'resource') content(one.content)
  }
  for (const { parts } of messages) {
    for (const one of parts) {
      if (one.type === 'text' || one.type === 'thinking') add(one.whole)
      else if (one.type === 'content') block(one.content)
      else if (one.type === 'resource' || one.type === 'file') for (const item of one.items) content(item.content)
    }
  }
  for (const call of toolCalls) {
    add(call.arguments.whole)
    add(call.proposed?.whole)
    for (const result of [call.result, call.received]) {
      add(result?.structured?.whole)
      for (const one of result?.content ?? []) block(one)
    }
  }
  return [...found.values()]
}

const UNFINISHED: readonly ToolCall['status'][] = ['proposed', 'asking', 'running']

/** Removes references to content that the file lacks, which would never load, and ends everything that was under way. */
class ImportRepair {
  missing = 0
  readonly #has: ReadonlySet<string>

  constructor(has: ReadonlySet<string>) {
    this.#has = has
  }

  message(one: Message): Message {
    const status = one.status === 'streaming' ? 'interrupted' : one.status
    return { ...one, status, parts: one.parts.map((each) => this.#part(each)), imported: true }
  }

  #part(one: MessagePart): MessagePart {
    if (one.type === 'text' || one.type === 'thinking') return this.#text(one)
    if (one.type === 'content') return { ...one, content: this.#view(one.content) }
    if (one.type !== 'resource' && one.type !== 'file') return one
    const items = one.items.map((item) => ({ ...item, content: this.#content(item.content) }))
    if (one.type === 'file') return { ...one, items }
    // A file must not make this host subscribe to a server, and has no earlier version of the resource.
    const { changedSince: _changed, before: _before, ...kept } = one
    return { ...kept, subscribed: false, items }
  }

  call(call: ToolCall): ToolCall {
    const status = UNFINISHED.includes(call.status) ? 'interrupted' : call.status
    // Only this host itself records the decision about a call, its powers and its view.
    const { allowedBy: _allowedBy, powers: _powers, app: _app, result, received, ...kept } = call
    return {
      ...kept,
      status,
      arguments: this.#text(call.arguments),
      ...(result && { result: this.#result(result) }),
      ...(received && { received: this.#result(received) }),
      imported: true,
    }
  }

  #result(result: ToolCallResult): ToolCallResult {
    const { content, structured } = result
    return {
      ...result,
      content: content.map((one) => this.#view(one)),
      ...(structured && { structured: this.#text(structured) }),
    }
  }

  #view(one: ContentView): ContentView {
    if (one.type === 'text') return this.#text(one)
    if (one.type === 'resource') return { ...one, content: this.#content(one.content) }
    if ((one.type === 'image' || one.type === 'audio') && !this.#known(one.blob)) {
      return { type: 'unknown', kind: one.type, reason: 'It was not in the imported file.' }
    }
    return one
  }

  #content(one: BoundedText | BlobRef): BoundedText | BlobRef {
    if (!('blob' in one)) return this.#text(one)
    return this.#known(one) ? one : { text: '[it was not in the imported file]' }
  }

  #text<T extends { readonly whole?: BlobRef }>(one: T): T {
    if (!one.whole || this.#known(one.whole)) return one
    const { whole: _whole, ...head } = one
    // Only the optional `whole` is missing.
    return head as unknown as T
  }

  #known({ blob }: BlobRef): boolean {
    const known = this.#has.has(blob)
    if (!known) this.missing += 1
    return known
  }
}
