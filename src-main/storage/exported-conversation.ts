import { z } from 'zod'
import type { Id } from '../../src-shared/base/json.ts'
import type { Attachment, ResourceItem } from '../../src-shared/contract/attachments.ts'
import type { BlobRef, BoundedText, ContentView } from '../../src-shared/contract/blobs.ts'
import type { Message, MessagePart, ToolCall, ToolCallResult } from '../../src-shared/contract/conversations.ts'
import type { ModelRef } from '../../src-shared/contract/settings.ts'

export const EXPORT_FORMAT = 'parley-conversation'

/** A conversation as a file: the records as they are, and the content that they refer to by its hash. */
export interface ExportedConversation {
  readonly format: typeof EXPORT_FORMAT
  readonly version: 1
  readonly title: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly model: ModelRef
  readonly tags?: readonly string[]
  readonly messages: readonly Message[]
  readonly toolCalls: readonly ToolCall[]
  readonly blobs: Readonly<Record<string, { readonly mimeType: string; readonly base64: string }>>
}

/** The file is not one; `message` is for the person. */
export class ExportError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ExportError'
  }
}

/** Characters of one record: it travels to windows whole. */
const RECORD_LIMIT = 64 * 1024
const MESSAGES = 50_000

const text = (longest: number) => z.string().max(longest)
const line = text(4096)
const id = <Name extends string>() =>
  text(200)
    .min(1)
    .transform((value) => value as Id<Name>)
const time = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER)
const blobName = z.string().regex(/^[0-9a-f]{64}$/)
const blobRef: z.ZodType<BlobRef> = z.object({ blob: blobName, bytes: time, mimeType: text(200) })
const whole = blobRef.exactOptional()
const boundedText = { text: text(RECORD_LIMIT), whole }
const boundedJson = z.object({ json: text(RECORD_LIMIT), whole })
const problem = z.object({
  code: text(100),
  what: line,
  said: line.exactOptional(),
  todo: line.exactOptional(),
})
const annotations = z
  .object({
    audience: z
      .array(z.enum(['user', 'assistant']))
      .max(2)
      .exactOptional(),
    priority: z.number().min(0).max(1).exactOptional(),
    lastModified: text(60).exactOptional(),
  })
  .exactOptional()
const modelRef = z.object({ provider: id<'provider'>(), model: text(300) })

const view: z.ZodType<ContentView> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), ...boundedText, annotations }),
  z.object({ type: z.enum(['image', 'audio']), blob: blobRef, annotations }),
  z.object({
    type: z.literal('resource'),
    uri: line,
    mimeType: text(200).exactOptional(),
    content: z.union([blobRef, z.object(boundedText)]),
    annotations,
  }),
  z.object({
    type: z.literal('resource_link'),
    uri: line,
    name: line,
    title: line.exactOptional(),
    description: line.exactOptional(),
    mimeType: text(200).exactOptional(),
    size: time.exactOptional(),
    annotations,
  }),
  z.object({ type: z.literal('unknown'), kind: text(200), reason: line }),
])

const items: z.ZodType<readonly ResourceItem[]> = z
  .array(
    z.object({
      uri: line,
      mimeType: text(200).exactOptional(),
      content: z.union([blobRef, z.object(boundedText)]),
    }),
  )
  .max(64)
const part: z.ZodType<MessagePart> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), ...boundedText }),
  z.object({ type: z.literal('thinking'), ...boundedText }),
  z.object({ type: z.literal('tool-call'), toolCallId: id<'tool-call'>() }),
  z.object({ type: z.literal('content'), content: view }),
  z.object({
    type: z.literal('resource'),
    id: id<'attachment'>(),
    serverId: id<'server'>(),
    serverName: line,
    uri: line,
    title: line,
    description: text(1000).exactOptional(),
    mimeType: text(200).exactOptional(),
    size: time,
    tokens: time,
    items,
    annotations,
    attachedAt: time,
    // A file never makes this host listen to a server.
    subscribed: z.boolean().transform(() => false),
    warnings: z.array(line).max(64),
  }),
])

/** Nothing of a file is under way here. */
const unfinished = new Set(['streaming', 'proposed', 'asking', 'running'])
const message: z.ZodType<Message> = z.object({
  id: id<'message'>(),
  turnId: id<'turn'>(),
  role: z.enum(['user', 'assistant']),
  at: time,
  parts: z.array(part).max(1000),
  status: z
    .enum(['streaming', 'done', 'failed', 'stopped', 'interrupted'])
    .transform((status) => (status === 'streaming' ? 'interrupted' : status)),
  origin: z
    .object({ kind: z.literal('prompt'), serverId: id<'server'>(), serverName: line, prompt: line, title: line })
    .exactOptional(),
  model: modelRef.exactOptional(),
  usage: z
    .object({ input: time, output: time, cacheRead: time.exactOptional(), cacheWrite: time.exactOptional() })
    .exactOptional(),
  problem: problem.exactOptional(),
})

const result: z.ZodType<ToolCallResult> = z.object({
  isError: z.boolean(),
  content: z.array(view).max(100),
  structured: boundedJson.exactOptional(),
  warnings: z.array(line).max(64),
})
const toolCall: z.ZodType<ToolCall> = z.object({
  id: id<'tool-call'>(),
  turnId: id<'turn'>(),
  messageId: id<'message'>(),
  serverId: id<'server'>().exactOptional(),
  builtIn: z.boolean().exactOptional(),
  serverName: line.exactOptional(),
  tool: line,
  title: line.exactOptional(),
  arguments: boundedJson,
  status: z
    .enum(['proposed', 'asking', 'running', 'finished', 'failed', 'declined', 'cancelled', 'interrupted'])
    .transform((status) => (unfinished.has(status) ? 'interrupted' : status)),
  proposedAt: time,
  startedAt: time.exactOptional(),
  finishedAt: time.exactOptional(),
  result: result.exactOptional(),
  problem: problem.exactOptional(),
  allowedBy: z.enum(['person', 'conversation-rule', 'always-rule']).exactOptional(),
})

const FILE: z.ZodType<ExportedConversation> = z.object({
  format: z.literal(EXPORT_FORMAT),
  version: z.literal(1),
  title: text(1000),
  createdAt: time,
  updatedAt: time,
  model: modelRef,
  tags: z.array(text(40)).max(12).exactOptional(),
  messages: z.array(message).max(MESSAGES),
  toolCalls: z.array(toolCall).max(MESSAGES),
  blobs: z.record(blobName, z.object({ mimeType: text(200), base64: z.base64() })),
})

/** Reads a file that may come from anywhere. Throws ExportError. */
export function readExport(json: string): { readonly file: ExportedConversation; readonly warnings: readonly string[] } {
  let parsed: unknown
  try {
    parsed = JSON.parse(json)
  } catch (error) {
    throw new ExportError(`This is no JSON: ${error instanceof Error ? error.message.slice(0, 200) : 'it cannot be read'}.`)
  }
  const checked = FILE.safeParse(parsed)
  if (!checked.success) {
    const where = checked.error.issues[0]?.path.map(String).join('.').slice(0, 100)
    throw new ExportError(`This is no conversation that Parley exported${where ? ` (at ${where})` : ''}.`)
  }
  const file = checked.data
  const ids = new Set(file.messages.map((one) => one.id))
  if (ids.size < file.messages.length) throw new ExportError('The file has a message twice.')
  for (const record of [...file.messages, ...file.toolCalls]) {
    if (JSON.stringify(record).length > RECORD_LIMIT) throw new ExportError('The file has a message that is too large.')
  }
  const mending = new Mending(new Set(Object.keys(file.blobs)))
  const messages = file.messages.map((one) => ({ ...one, parts: one.parts.map((each) => mending.part(each)) }))
  const toolCalls = file.toolCalls.filter((call) => ids.has(call.messageId)).map((call) => mending.call(call))
  const warnings = mending.missing > 0 ? [`${mending.missing} contents are not in the file.`] : []
  return { file: { ...file, messages, toolCalls }, warnings }
}

/** Everything that records refer to, each once. */
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
      else if (one.type === 'resource') for (const item of one.items) content(item.content)
    }
  }
  for (const call of toolCalls) {
    add(call.arguments.whole)
    add(call.result?.structured?.whole)
    for (const one of call.result?.content ?? []) block(one)
  }
  return [...found.values()]
}

/** Takes out references to what a file does not have, so that nothing waits for content that never comes. */
class Mending {
  missing = 0
  readonly #has: ReadonlySet<string>

  constructor(has: ReadonlySet<string>) {
    this.#has = has
  }

  part(one: MessagePart): MessagePart {
    if (one.type === 'text' || one.type === 'thinking') return this.#text(one)
    if (one.type === 'content') return { ...one, content: this.#view(one.content) }
    if (one.type !== 'resource') return one
    const attachment: Attachment = { ...one, items: one.items.map((item) => ({ ...item, content: this.#content(item.content) })) }
    return { type: 'resource', ...attachment }
  }

  call(call: ToolCall): ToolCall {
    const { result: before } = call
    const now = before && {
      ...before,
      content: before.content.map((one) => this.#view(one)),
      ...(before.structured && { structured: this.#text(before.structured) }),
    }
    return { ...call, arguments: this.#text(call.arguments), ...(now && { result: now }) }
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
    // Only `whole` is left out, which is optional.
    return head as unknown as T
  }

  #known({ blob }: BlobRef): boolean {
    const known = this.#has.has(blob)
    if (!known) this.missing += 1
    return known
  }
}
