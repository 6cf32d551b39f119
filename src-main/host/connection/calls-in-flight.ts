import type { ConversationId, ServerId, ToolCallId } from '../../../src-shared/contract/ids.ts'
import type { RequestId } from '../../protocol/shapes/json-rpc.ts'
import { cut } from '../core/content-views.ts'

/** Where a call comes from, when a conversation made it. */
export interface CallOrigin {
  readonly conversationId: ConversationId
  readonly toolCallId: ToolCallId
  /** The conversation's, for people. */
  readonly title: string
}

export interface CallInFlight {
  /** The tool; the prompt or the address when it is a prompt or a read that somebody waits for. */
  readonly tool: string
  readonly is?: 'prompt' | 'read'
  readonly origin?: CallOrigin
  /** Aborts when the person stops it; not when it ends by itself. */
  readonly signal: AbortSignal
  /** A question of its server ended without an answer of the person, in a sentence for them. */
  readonly onUnanswered?: (sentence: string) => void
}

/** For a person who is asked because of it. */
export function causeOf({ tool, is, origin }: CallInFlight): string {
  if (is === 'prompt') return `Because you want the prompt “${cut(tool, 80)}”.`
  if (is === 'read') return `Because you read “${cut(tool, 80)}”.`
  const where = origin ? `in “${cut(origin.title || 'a new conversation', 80)}”` : 'that you ran'
  return `Because of the call to “${cut(tool, 80)}” ${where}.`
}

/** Which tool calls, reads and prompts wait for an answer, so that a question of a server can be told from which of them it came. */
export class CallsInFlight {
  readonly #calls = new Map<ServerId, Map<RequestId, CallInFlight>>()

  /** `sent` takes every id under which the call travels; `end` forgets it. */
  begin(serverId: ServerId, call: CallInFlight): { sent: (id: RequestId) => void; end: () => void } {
    const calls = this.#calls.get(serverId) ?? new Map<RequestId, CallInFlight>()
    this.#calls.set(serverId, calls)
    const ids: RequestId[] = []
    return {
      sent: (id) => {
        ids.push(id)
        calls.set(id, call)
      },
      end: () => {
        // A new connection starts its ids again: the entry is deleted only while it is still this call's.
        for (const id of ids) if (calls.get(id) === call) calls.delete(id)
      },
    }
  }

  /** Every call that was sent to a server and waits, the oldest first. */
  of(serverId: ServerId): readonly CallInFlight[] {
    return [...new Set(this.#calls.get(serverId)?.values())]
  }

  find(serverId: ServerId, id: RequestId | undefined): CallInFlight | undefined {
    return id === undefined ? undefined : this.#calls.get(serverId)?.get(id)
  }

  among(serverId: ServerId, ids: readonly RequestId[]): readonly CallInFlight[] {
    return ids.flatMap((id) => this.find(serverId, id) ?? [])
  }
}
