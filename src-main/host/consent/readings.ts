import { objectIn } from '../../../src-shared/base/parse-json.ts'
import { withoutFileNames } from '../../../src-shared/base/plain-file-name.ts'
import type { Power } from '../../../src-shared/contract/consent.ts'
import type { Message, ToolCall, ToolCallResult } from '../../../src-shared/contract/conversations.ts'
import type { MessageId, ToolCallId } from '../../../src-shared/contract/ids.ts'
import { toolHints } from '../../../src-shared/contract/servers.ts'
import { type Act, readAct } from '../../consent/act.ts'
import { recordAgreedPlaces, recordChoices, recordDenial, recordEarlierCall, recordResult } from '../../consent/answers.ts'
import { isVouched, type JudgedTool } from '../../consent/powers.ts'
import { ConversationProvenance } from '../../consent/provenance.ts'
import { AS_WRITTEN } from '../../consent/read-path.ts'
import type { Transcript } from '../../storage/base/storage.ts'
import type { HostCore } from '../core/host-core.ts'
import { correctionFor, type ModelReader, modelContent, partContent, type TextObserver } from '../models/model-content.ts'
import type { Servers } from '../servers/servers.ts'
import type { JudgedTools } from './judged-tools.ts'
import { home } from './path-facts.ts'

/** Bytes of one result or part. */
const MAX_READ_BYTES = 384 * 1024
const UNKNOWN_CALL_POWERS: readonly Power[] = ['reads', 'brings-in']

interface ReadingParts extends Pick<HostCore, 'storage'> {
  readonly servers: Servers
  readonly judged: JudgedTools
}

/** Records the provenance of the person's words and of results in one conversation. */
export class ConversationReading {
  readonly #parts: ReadingParts
  readonly #messages = new Set<MessageId>()
  readonly #calls = new Set<ToolCallId>()
  #seen = new ConversationProvenance()

  constructor(parts: ReadingParts) {
    this.#parts = parts
  }

  get begun(): boolean {
    return this.#messages.size > 0
  }

  get seen(): ConversationProvenance {
    return this.#seen
  }

  get last(): MessageId | undefined {
    return [...this.#messages].at(-1)
  }

  has(id: MessageId): boolean {
    return this.#messages.has(id)
  }

  forget(): void {
    this.#seen = new ConversationProvenance()
    this.#messages.clear()
    this.#calls.clear()
  }

  /** Adds new messages. Reads everything again where some are gone. */
  async update(transcript: Transcript): Promise<void> {
    const present = new Set(transcript.messages.map(({ message }) => message.id))
    if ([...this.#messages].some((id) => !present.has(id))) this.forget()
    const seen = this.#seen
    const isReadAgain = !this.begun
    for (const { message } of transcript.messages) {
      if (!this.#messages.has(message.id)) {
        this.#messages.add(message.id)
        if (message.role === 'user' || message.imported || message.origin) await this.#addMessage(message, seen)
      }
      for (const part of message.parts) {
        const call = part.type === 'tool-call' ? transcript.toolCalls.get(part.toolCallId)?.toolCall : undefined
        if (isReadAgain && call) this.#recount(call, seen)
        const correction = call && correctionFor(call)
        if (!call || this.#calls.has(call.id) || (!call.result && !correction)) continue
        this.#calls.add(call.id)
        if (call.result) await this.#addResult(call, call.result, seen)
        else this.#addCorrection(call, correction ?? '', seen)
      }
    }
  }

  /** Only typed text is the person's; attachments with their names, prompts and imported messages come from elsewhere. */
  async #addMessage(message: Message, seen: ConversationProvenance): Promise<void> {
    const { imported, origin } = message
    const typed: string[] = []
    const brought: string[] = []
    for (const part of message.parts) {
      const own = part.type === 'text' && !origin && !imported
      const heard = await this.#textsGivenToModel(seen, (reader) => partContent(part, { serverName: '' }, reader))
      if (own) typed.push(...heard)
      else brought.push(...heard)
    }
    const names = message.parts.flatMap((part) => (part.type === 'file' ? part.title : []))
    if (message.role === 'user') seen.addMessage(withoutFileNames(typed.join('\n'), names))
    const what = imported ? 'an imported conversation' : origin ? 'a prompt' : 'an attachment'
    if (brought.length > 0) seen.addResult('', { call: message.id, what }, brought, UNKNOWN_CALL_POWERS)
  }

  /** An imported file may claim anything about its calls, so their arguments and results have an unknown source. */
  async #addResult(call: ToolCall, result: ToolCallResult, seen: ConversationProvenance): Promise<void> {
    const source = { call: call.id, what: `${call.tool} of ${call.serverName ?? 'Parley'}` }
    const heard = await this.#textsGivenToModel(seen, (reader) => modelContent(result, { tool: '', serverName: '' }, reader))
    if (call.imported) return seen.addResult('', source, [call.arguments.json, ...heard], UNKNOWN_CALL_POWERS)
    const act = call.builtIn ? undefined : this.#act(call, seen)
    if (!act) return seen.addResult(call.serverId ?? '', source, heard, call.powers ?? UNKNOWN_CALL_POWERS)
    if (call.allowedBy === 'person') recordAgreedPlaces(act, seen)
    recordChoices(act, seen)
    recordResult(act, source, heard, seen, call.powers ?? (isVouched(act.known) ? act.powers : UNKNOWN_CALL_POWERS))
  }

  /** Denials and counts of the last turn hold when it continues, for example after a restart. */
  #recount(call: ToolCall, seen: ConversationProvenance): void {
    if (call.builtIn) return
    if (call.status === 'declined' && call.problem?.code === 'denied') {
      const denied = this.#act(call, seen, unlistedTool(call))
      if (denied) recordDenial(denied, seen)
      else seen.recordDenial()
    }
    if (call.imported) return
    const act = call.startedAt === undefined ? undefined : this.#act(call, seen)
    if (act) recordEarlierCall(act, call.allowedBy === 'person', seen)
  }

  /** The schema of a tool, in words of its server, that the arguments did not fit. */
  #addCorrection(call: ToolCall, text: string, seen: ConversationProvenance): void {
    const act = this.#act(call, seen)
    if (call.builtIn || (act && isVouched(act.known))) return
    seen.addResult(call.serverId ?? '', { call: call.id, what: `${call.tool} of ${call.serverName ?? 'Parley'}` }, text, [
      'brings-in',
    ])
  }

  /** Uses the same code that gives texts to models, so that none is missed. */
  async #textsGivenToModel(seen: ConversationProvenance, give: (reader: ModelReader) => Promise<unknown>): Promise<string[]> {
    const texts: string[] = []
    let room = MAX_READ_BYTES
    const listener: TextObserver = {
      get remaining() {
        return room
      },
      onText(text, whole) {
        texts.push(text)
        room = Math.max(0, room - text.length)
        if (!whole) seen.markIncomplete()
      },
    }
    await give({ blobs: this.#parts.storage.blobs, listener })
    return texts
  }

  /** By the tool that its server has now, else by the given one. */
  #act(call: ToolCall, seen: ConversationProvenance, other?: JudgedTool): Act | undefined {
    const now = call.serverId && this.#parts.servers.tools.find(call.serverId, call.tool)
    const tool = now ? this.#parts.judged.of(now) : other
    const args = tool ? objectIn(call.arguments.json) : undefined
    return tool && args && readAct(tool, args, { home, resolved: AS_WRITTEN, seen })
  }
}

/** A tool that its server has no longer, or that a file claims. */
const unlistedTool = ({ serverId, serverName = '', tool }: ToolCall): JudgedTool => ({
  serverId: serverId ?? '',
  serverName,
  launchIdentity: '',
  name: tool,
  fingerprint: '',
  hints: toolHints({}),
  inputSchema: { type: 'object' },
})
