import { isObject, type JsonObject } from '../../../src-shared/base/json.ts'
import type { Power } from '../../../src-shared/contract/consent.ts'
import type { Message, ToolCall, ToolCallResult } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId, MessageId, ToolCallId } from '../../../src-shared/contract/ids.ts'
import { type Act, readAct } from '../../consent/act.ts'
import { agreedTo, broughtBack, ran } from '../../consent/answers.ts'
import { isVouched } from '../../consent/powers.ts'
import { ConversationProvenance } from '../../consent/provenance.ts'
import { AS_WRITTEN } from '../../consent/read-path.ts'
import type { ConversationStore } from '../../storage/base/storage.ts'
import type { HostCore } from '../core/host-core.ts'
import { type Listener, type ModelReader, modelContent, partContent } from '../models/model-content.ts'
import type { Servers } from '../servers/servers.ts'
import type { JudgedTools } from './judged-tools.ts'
import { home } from './path-facts.ts'

type Transcript = Awaited<ReturnType<ConversationStore['transcript']>>

/** Conversations without a turn whose readings are kept in memory; those of another are made again from its messages. */
const KEPT = 20
/** Bytes of one result or part that are looked at, whatever of it a model is given. */
const ROOM = 384 * 1024
const GONE: readonly Power[] = ['reads', 'brings-in']

interface Reading {
  readonly seen: ConversationProvenance
  readonly messages: Set<MessageId>
  readonly calls: Set<ToolCallId>
}

interface ReadingsParts extends Pick<HostCore, 'storage' | 'state'> {
  readonly servers: Servers
  readonly judged: JudgedTools
}

/** The readings of each conversation: the person's words, and results of calls. */
export class Readings {
  readonly #parts: ReadingsParts
  readonly #readings = new Map<ConversationId, Reading>()

  constructor(parts: ReadingsParts) {
    this.#parts = parts
  }

  /** Empty for none, and for one that was not looked at yet. */
  of(conversationId: ConversationId | undefined): ConversationProvenance {
    return (conversationId && this.#readings.get(conversationId)?.seen) || new ConversationProvenance()
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
        await this.#result(call, call.result, reading.seen)
      }
    }
  }

  async load(conversationId: ConversationId): Promise<ConversationProvenance> {
    if (!this.#readings.has(conversationId)) {
      await this.look(conversationId, await this.#parts.storage.conversations.transcript(conversationId))
    }
    return this.of(conversationId)
  }

  /** An edit or a fork removes messages, so the record is built again. */
  #open(conversationId: ConversationId, { messages }: Transcript): Reading {
    const present = new Set(messages.map(({ message }) => message.id))
    let reading = this.#readings.get(conversationId)
    if (!reading || [...reading.messages].some((id) => !present.has(id)))
      reading = { seen: new ConversationProvenance(), messages: new Set(), calls: new Set() }
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
  async #said(message: Message, seen: ConversationProvenance): Promise<void> {
    const { imported, origin } = message
    const typed: string[] = []
    const brought: string[] = []
    for (const part of message.parts) {
      const own = part.type === 'text' && !origin && !imported
      const heard = await this.#heard(seen, (reader) => partContent(part, { serverName: '' }, reader))
      if (own) typed.push(...heard)
      else brought.push(...heard)
    }
    if (message.role === 'user') seen.person(typed.join('\n'))
    const what = imported ? 'an imported conversation' : origin ? 'a prompt' : 'an attachment'
    if (brought.length > 0) seen.result('', { call: message.id, what }, brought, GONE)
  }

  /** A file may say anything of its calls: what an imported one asked and brought back is nobody's that is known here. */
  async #result(call: ToolCall, result: ToolCallResult, seen: ConversationProvenance): Promise<void> {
    const source = { call: call.id, what: `${call.tool} of ${call.serverName ?? 'Parley'}` }
    const heard = await this.#heard(seen, (reader) => modelContent(result, { tool: '', serverName: '' }, reader))
    if (call.imported) return seen.result('', source, [call.arguments.json, ...heard], GONE)
    const act = this.#act(call, seen)
    if (!act) return seen.result(call.serverId ?? '', source, heard, call.powers ?? GONE)
    if (call.allowedBy === 'person') agreedTo(act, seen)
    ran(act, seen)
    broughtBack(act, source, heard, seen, call.powers ?? (isVouched(act.known) ? act.powers : GONE))
  }

  /** Others' words that models can be given, by the very code that gives them to models. */
  async #heard(seen: ConversationProvenance, give: (reader: ModelReader) => Promise<unknown>): Promise<string[]> {
    const texts: string[] = []
    let room = ROOM
    const listener: Listener = {
      get room() {
        return room
      },
      hear(text, whole) {
        texts.push(text)
        room = Math.max(0, room - text.length)
        if (!whole) seen.heardInPart()
      },
    }
    await give({ blobs: this.#parts.storage.blobs, listener })
    return texts
  }

  #act(call: ToolCall, seen: ConversationProvenance): Act | undefined {
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
