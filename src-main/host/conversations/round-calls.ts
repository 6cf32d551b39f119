import type { JsonObject } from '../../../src-shared/base/json.ts'
import type { ToolCall } from '../../../src-shared/contract/conversations.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ToolCallId } from '../../../src-shared/contract/ids.ts'
import { StoppedByPerson } from '../core/call-endings.ts'
import type { CallContext, ToolCalls } from './tool-calls.ts'

/** A call that the model wants and that nothing was done about yet. */
export interface Pending {
  readonly toolCall: ToolCall
  /** Absent when the model wrote no JSON object. */
  readonly args: JsonObject | undefined
}

interface RoundCallsParts extends Omit<CallContext, 'permission'> {
  readonly calls: ToolCalls
  /** The reason that they wait, or that one is overdue, may have changed. */
  readonly onChange: () => void
}

/** The calls of one reply, all at once; the person is asked about them in one question. */
export class RoundCalls {
  readonly #parts: RoundCallsParts
  readonly #open = new Map<ToolCallId, { toolCall: ToolCall; controller: AbortController }>()

  constructor(parts: RoundCallsParts) {
    this.#parts = parts
  }

  /** One of them is past its deadline. */
  get overdue(): boolean {
    return [...this.#open.values()].some(({ toolCall }) => toolCall.overdue)
  }

  get waitingOn(): 'person' | 'tools' | undefined {
    const status = new Set([...this.#open.values()].map(({ toolCall }) => toolCall.status))
    return status.has('asking') ? 'person' : status.has('running') ? 'tools' : undefined
  }

  async run(calls: readonly Pending[]): Promise<void> {
    const { signal, conversationId, title } = this.#parts
    const turnId = calls[0]?.toolCall.turnId
    if (turnId === undefined) return
    const permission = this.#parts.calls.permission({ conversationId, turnId, title, signal }, calls.length)
    await Promise.all(
      calls.map(async ({ toolCall, args }) => {
        const controller = new AbortController()
        this.#open.set(toolCall.id, { toolCall, controller })
        await this.#parts.calls.run(toolCall, args, {
          ...this.#parts,
          permission,
          signal: AbortSignal.any([signal, controller.signal]),
          show: (changed) => {
            this.#open.set(changed.id, { toolCall: changed, controller })
            this.#parts.show(changed)
            this.#parts.onChange()
          },
        })
        this.#open.delete(toolCall.id)
        this.#parts.onChange()
      }),
    )
    signal.throwIfAborted()
  }

  /** Stops one; the others go on and the model is told. */
  cancel(id: ToolCallId): void {
    const open = this.#open.get(id)
    if (!open) throw new HostError('not-found', 'This call has ended already.')
    open.controller.abort(new StoppedByPerson())
  }
}
