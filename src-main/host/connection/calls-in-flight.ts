import type { Clock } from '../../../src-shared/base/clock.ts'
import type { ConversationId, ServerId, ToolCallId } from '../../../src-shared/contract/ids.ts'
import type { RequestId } from '../../protocol/shapes/json-rpc.ts'
import { cut } from '../core/content-views.ts'

export interface CallOrigin {
  readonly conversationId: ConversationId
  readonly toolCallId: ToolCallId
  readonly title: string
}

export interface CallInFlight {
  /** Name of the tool or prompt, or address of the resource. */
  readonly tool: string
  readonly is?: 'prompt' | 'read'
  readonly origin?: CallOrigin
  /** Aborts only when the person stops the call. */
  readonly signal: AbortSignal
  /** Receives a sentence when a question of its server ended without the person's answer. */
  readonly onUnanswered?: (sentence: string) => void
}

/** Milliseconds in which the system tells of a file that a call changed. */
const TRACES = 2000

/** The sentence that tells a person why they are asked. */
export function causeOf({ tool, is, origin }: CallInFlight): string {
  if (is === 'prompt') return `Because you chose the prompt “${cut(tool, 80)}”.`
  if (is === 'read') return `Because you read “${cut(tool, 80)}”.`
  const where = origin ? `in “${cut(origin.title || 'a new conversation', 80)}”` : 'that you ran'
  return `Because of the call to “${cut(tool, 80)}” ${where}.`
}

/** The tool calls, reads and prompts that wait for an answer, so that a server's question can be traced to its cause. */
export class CallsInFlight {
  readonly #calls = new Map<ServerId, Map<RequestId, CallInFlight>>()
  readonly #clock: Clock
  #running = 0
  #lastEnd = Number.NEGATIVE_INFINITY

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** True if a call of any server ran at that time or later, or had just ended. Its traces may be seen only now. */
  busySince(at: number): boolean {
    return this.#running > 0 || this.#lastEnd >= at - TRACES
  }

  /** `sent` records each request id of the call; `end` forgets them. */
  begin(serverId: ServerId, call: CallInFlight): { sent: (id: RequestId) => void; end: () => void } {
    const calls = this.#calls.get(serverId) ?? new Map<RequestId, CallInFlight>()
    this.#calls.set(serverId, calls)
    const ids: RequestId[] = []
    this.#running += 1
    return {
      sent: (id) => {
        ids.push(id)
        calls.set(id, call)
      },
      end: () => {
        this.#running -= 1
        this.#lastEnd = this.#clock.now()
        // A new connection reuses ids, so only entries that are still this call's are deleted.
        for (const id of ids) if (calls.get(id) === call) calls.delete(id)
      },
    }
  }

  /** Every call that waits for a server's answer, the oldest first. */
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
