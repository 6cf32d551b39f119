import { isObject, type JsonObject } from '../../../src-shared/base/json.ts'
import type { Power } from '../../../src-shared/contract/consent.ts'
import type { Message, ToolCall } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId, MessageId, ToolCallId } from '../../../src-shared/contract/ids.ts'
import { type Act, readAct } from '../../consent/act.ts'
import { agreedTo, broughtBack, ran } from '../../consent/answers.ts'
import { isVouched } from '../../consent/powers.ts'
import { AS_WRITTEN } from '../../consent/read-path.ts'
import { Seen } from '../../consent/seen.ts'
import type { BlobStore, ConversationStore } from '../../storage/base/storage.ts'
import type { HostCore } from '../core/host-core.ts'
import type { Servers } from '../servers/servers.ts'
import type { JudgedTools } from './judged-tools.ts'
import { home } from './path-facts.ts'

type Transcript = Awaited<ReturnType<ConversationStore['transcript']>>

/** Conversations without a turn whose readings are kept in memory; those of another are made again from its messages. */
const KEPT = 20
/** Bytes of one text that are looked at. */
const TEXT = 400_000
const GONE: readonly Power[] = ['reads', 'brings-in']

interface Reading {
  readonly seen: Seen
  readonly messages: Set<MessageId>
  readonly calls: Set<ToolCallId>
}

interface ReadingsParts extends Pick<HostCore, 'storage' | 'state'> {
  readonly servers: Servers
  readonly judged: JudgedTools
}

/** What each conversation has read so far: the person's words, and what calls brought back. */
export class Readings {
  readonly #parts: ReadingsParts
  readonly #readings = new Map<ConversationId, Reading>()

  constructor(parts: ReadingsParts) {
    this.#parts = parts
  }

  /** Empty for none, and for one that was not looked at yet. */
  of(conversationId: ConversationId | undefined): Seen {
    return (conversationId && this.#readings.get(conversationId)?.seen) || new Seen()
  }

  /** Takes in what is new of a conversation. */
  async look(conversationId: ConversationId, transcript: Transcript): Promise<void> {
    const reading = this.#open(conversationId, transcript)
    for (const { message } of transcript.messages) {
      if (!reading.messages.has(message.id)) {
        reading.messages.add(message.id)
        if (message.role === 'user' || message.imported) await this.#said(message, reading.seen)
      }
      for (const part of message.parts) {
        const call = part.type === 'tool-call' ? transcript.toolCalls.get(part.toolCallId)?.toolCall : undefined
        if (!call?.result || reading.calls.has(call.id)) continue
        reading.calls.add(call.id)
        await this.#result(call, reading.seen)
      }
    }
  }

  async load(conversationId: ConversationId): Promise<Seen> {
    if (!this.#readings.has(conversationId)) {
      await this.look(conversationId, await this.#parts.storage.conversations.transcript(conversationId))
    }
    return this.of(conversationId)
  }

  /** What was edited away or forked is no longer there: the whole is made again. */
  #open(conversationId: ConversationId, { messages }: Transcript): Reading {
    const present = new Set(messages.map(({ message }) => message.id))
    let reading = this.#readings.get(conversationId)
    if (!reading || [...reading.messages].some((id) => !present.has(id)))
      reading = { seen: new Seen(), messages: new Set(), calls: new Set() }
    this.#readings.delete(conversationId)
    this.#readings.set(conversationId, reading)
    for (const id of this.#readings.keys()) {
      if (this.#readings.size <= KEPT) break
      // A question of a running turn is judged by what was read, however long it is open.
      if (id !== conversationId && !this.#isRunning(id)) this.#readings.delete(id)
    }
    return reading
  }

  #isRunning(id: ConversationId): boolean {
    return this.#parts.state.snapshot.conversations.some((head) => head.id === id && head.turn === 'running')
  }

  /** Only what they typed here is theirs: what they attached, a prompt of a server, or a message of an imported file comes from there. */
  async #said(message: Message, seen: Seen): Promise<void> {
    const typed: string[] = []
    const brought: string[] = []
    const { imported, origin } = message
    for (const part of message.parts) {
      const texts = await textsOf(part, this.#parts.storage.blobs)
      if (part.type === 'text' && !origin && !imported) typed.push(...texts)
      else brought.push(...texts)
    }
    if (message.role === 'user') seen.person(typed.join('\n'))
    const what = imported ? 'an imported conversation' : origin ? 'a prompt' : 'an attachment'
    if (brought.length > 0) seen.result('', { call: message.id, what }, brought.join('\n'), GONE)
  }

  /** A file may say anything of its calls: what an imported one brought back is nobody's that is known here. */
  async #result(call: ToolCall, seen: Seen): Promise<void> {
    const text = (await textsOf(call.result, this.#parts.storage.blobs)).join('\n')
    const source = { call: call.id, what: `${call.tool} of ${call.serverName ?? 'Parley'}` }
    const act = call.imported ? undefined : this.#act(call, seen)
    if (!act) return seen.result(call.imported ? '' : (call.serverId ?? ''), source, text, call.powers ?? GONE)
    if (call.allowedBy === 'person') agreedTo(act, seen)
    ran(act, seen)
    broughtBack(act, source, text, seen, call.powers ?? (isVouched(act.known) ? act.powers : GONE))
  }

  #act(call: ToolCall, seen: Seen): Act | undefined {
    const tool = call.serverId && this.#parts.servers.tools.find(call.serverId, call.tool)
    const args = tool ? parsed(call.arguments.json) : undefined
    return tool && args && readAct(this.#parts.judged.of(tool), args, { home, resolved: AS_WRITTEN, seen })
  }
}

function parsed(json: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return isObject(value) ? (value as JsonObject) : undefined
  } catch {
    return undefined
  }
}

/** Every text in a part or result, whole where it lies in a blob. */
async function textsOf(view: unknown, blobs: BlobStore): Promise<string[]> {
  if (Array.isArray(view)) return (await Promise.all(view.map((one: unknown) => textsOf(one, blobs)))).flat()
  if (typeof view === 'string') return [view]
  if (!isObject(view)) return []
  const { whole } = view
  if (isObject(whole) && typeof whole.blob === 'string') {
    // Its head and tail are read below.
    const bytes = await blobs.read(whole.blob, { offset: 0, length: TEXT }).catch(() => undefined)
    if (bytes) return [Buffer.from(bytes).toString('utf8')]
  }
  const { type: _type, mimeType: _mimeType, blob: _blob, ...members } = view
  return (await Promise.all(Object.values(members).map((one) => textsOf(one, blobs)))).flat()
}
