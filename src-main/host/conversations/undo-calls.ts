import type { Lifetime } from '../../../src-shared/base/lifetime.ts'
import type { ToolCall } from '../../../src-shared/contract/conversations.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ToolCallId } from '../../../src-shared/contract/ids.ts'
import { StoppedByPerson } from '../core/call-endings.ts'
import { type CallingConversation, callBesideReply } from './app-calls.ts'
import { reverseOf } from './file-history.ts'

interface UndoingConversation extends CallingConversation {
  readonly parts: CallingConversation['parts'] & { readonly lifetime: Lifetime }
  /** Reads the transcript for consent. */
  read(): Promise<void>
}

interface Running {
  readonly controller: AbortController
  call?: ToolCall
  /** True once the person was asked, who knows then why it was not done. */
  asked?: boolean
}

const isDone = ({ status, result }: ToolCall) => status === 'finished' && !result?.isError

/** Undoes for the person what a call did to a file: by another call to the same server, between turns, with a question like any call. */
export class UndoCalls {
  readonly #conversation: UndoingConversation
  #running: Running | undefined

  constructor(conversation: UndoingConversation) {
    this.#conversation = conversation
  }

  get busy(): boolean {
    return this.#running !== undefined
  }

  async can(id: ToolCallId): Promise<boolean> {
    return (await this.#reverse(id)) !== undefined
  }

  /** Resolves when the call has ended, also when the person denied it. Throws HostError. */
  async run(id: ToolCallId): Promise<void> {
    const { journal, parts } = this.#conversation
    if (this.#conversation.head.turn === 'running')
      throw new HostError('conflict', 'The model is still working here. Stop it first.')
    if (this.#running) throw new HostError('conflict', 'Another change is being undone. Answer its question first.')
    const running: Running = { controller: new AbortController() }
    this.#running = running
    try {
      const found = await this.#reverse(id)
      if (!found) throw new HostError('conflict', 'It is no longer certain what was in the file before.')
      const { of, reverse } = found
      await this.#conversation.read()
      const signal = AbortSignal.any([parts.lifetime.signal, running.controller.signal])
      const onCall = (call: ToolCall) => {
        running.call = call
        running.asked ||= call.status === 'asking'
        // In one write with the end of the call, so that neither is kept without the other.
        if (isDone(call)) journal.push({ type: 'toolCall.changed', toolCall: { ...of, undone: true } })
      }
      const ended = await callBesideReply(this.#conversation, of, { tool: reverse.tool, undoes: id }, reverse.args, {
        signal,
        onCall,
      })
      await journal.flush()
      if (!isDone(ended) && !(ended.status === 'declined' && running.asked))
        throw new HostError('unavailable', ended.problem?.what ?? 'The server could not undo it.')
    } catch (error) {
      if (!(error instanceof StoppedByPerson)) throw error
    } finally {
      this.#running = undefined
    }
  }

  /** Takes back the question about a call that has not begun. */
  withdraw(): void {
    if (this.#running?.call?.startedAt === undefined) this.#running?.controller.abort(new StoppedByPerson())
  }

  async #reverse(id: ToolCallId) {
    await this.#conversation.journal.flush()
    const { calls, storage } = this.#conversation.parts
    const tree = await storage.messages.tree(this.#conversation.id)
    const of = tree.toolCalls.find((call) => call.id === id)
    if (of?.serverId === undefined) return undefined
    const reverse = await reverseOf(of, tree, calls.publishedName(of.serverId), storage.blobs)
    return reverse && { of, reverse }
  }
}
