import type { JsonObject } from '../../../src-shared/base/json.ts'
import type { ToolCall } from '../../../src-shared/contract/conversations.ts'
import { StoppedByPerson } from '../core/call-endings.ts'

/** A call that the model wants and that nothing was done about yet. */
export interface Pending {
  readonly toolCall: ToolCall
  /** Absent when the model wrote no JSON object. */
  readonly args: JsonObject | undefined
}

interface RunningCallParts {
  readonly turn: AbortSignal
  /** Keeps and shows the record. */
  readonly show: (toolCall: ToolCall) => void
  /** Resolves when everything shown so far is on disk. */
  readonly written: () => Promise<void>
}

/** One call of a round until it has ended: its record, each change of which is kept and shown. */
export class RunningCall {
  /** As the model wrote them. */
  readonly args: JsonObject | undefined
  readonly signal: AbortSignal
  readonly #parts: RunningCallParts
  readonly #controller = new AbortController()
  #toolCall: ToolCall

  constructor({ toolCall, args }: Pending, parts: RunningCallParts) {
    this.#toolCall = toolCall
    this.args = args
    this.#parts = parts
    this.signal = AbortSignal.any([parts.turn, this.#controller.signal])
  }

  get toolCall(): ToolCall {
    return this.#toolCall
  }

  /** Members that are undefined are taken out of the record. */
  show(change: { readonly [K in keyof ToolCall]?: ToolCall[K] | undefined }): void {
    const changed = Object.entries({ ...this.#toolCall, ...change }).filter(([, value]) => value !== undefined)
    // Only optional members are ever set to undefined, and those are left out.
    this.#toolCall = Object.fromEntries(changed) as unknown as ToolCall
    this.#parts.show(this.#toolCall)
  }

  /** As `show`; resolves when it is on disk. */
  async keep(change: Parameters<RunningCall['show']>[0]): Promise<void> {
    this.show(change)
    await this.#parts.written()
  }

  /** The card is there before the question about it. */
  asking(): Promise<void> {
    return this.keep({ status: 'asking' })
  }

  end(change: Pick<ToolCall, 'status'> & Partial<ToolCall>, at: number): void {
    const waits = change.status === 'interrupted' ? {} : { paused: undefined }
    this.show({ progress: undefined, cancelling: undefined, overdue: undefined, ...waits, ...change, finishedAt: at })
  }

  stop(): void {
    this.#controller.abort(new StoppedByPerson())
  }
}
