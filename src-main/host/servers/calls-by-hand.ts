import { createHash, randomUUID } from 'node:crypto'
import type { JsonObject } from '../../../src-shared/base/json.ts'
import type { CallByHand, ToolCallResult } from '../../../src-shared/contract/conversations.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ServerId, ToolCallId } from '../../../src-shared/contract/ids.ts'
import { cut, toolCallResult } from '../core/content-views.ts'
import { canonicalJson } from '../core/fingerprint.ts'
import type { HostCore } from '../core/host-core.ts'
import { asHostError } from '../core/host-errors.ts'
import { PROGRESS_PACE, shownProgress, throttled } from '../core/throttled.ts'
import type { ServerCalls } from './server-calls.ts'

/** Calls that a person makes on a server's page. While one runs, every window that follows the server sees it. */
export class CallsByHand {
  readonly #core: Pick<HostCore, 'topics' | 'storage' | 'clock'>
  readonly #calls: ServerCalls
  readonly #running = new Map<ServerId, ReadonlyMap<ToolCallId, CallByHand>>()

  constructor(core: Pick<HostCore, 'topics' | 'storage' | 'clock'>, calls: ServerCalls) {
    this.#core = core
    this.#calls = calls
  }

  /** Under way at a server, oldest first. */
  of(serverId: ServerId): readonly CallByHand[] {
    return [...(this.#running.get(serverId)?.values() ?? [])]
  }

  /** The click is the consent; it stands in the ledger like every other call (TOOL-10). */
  async call(
    serverId: ServerId,
    tool: string,
    args: JsonObject,
    signal: AbortSignal,
    id: ToolCallId = randomUUID() as ToolCallId,
  ): Promise<ToolCallResult> {
    const { storage, clock } = this.#core
    if ([...this.#running.values()].some((running) => running.has(id))) {
      throw new HostError('conflict', 'This call is under way already.')
    }
    const entry = {
      at: clock.now(),
      serverId,
      tool,
      argumentsHash: createHash('sha256').update(canonicalJson(args)).digest('hex'),
      decision: 'by-hand' as const,
    }
    // A full disk takes no result away: the call was made.
    const record = (outcome: string) => storage.conversations.addLedger({ ...entry, outcome }).catch(() => {})
    let call: CallByHand = { id, tool: cut(tool, 200), startedAt: clock.now() }
    const show = (next: CallByHand) => {
      call = next
      this.#show(serverId, id, next)
    }
    show(call)
    const progress = throttled(clock, PROGRESS_PACE, (reached: NonNullable<CallByHand['progress']>) =>
      show({ ...call, progress: reached }),
    )
    try {
      const result = await this.#calls.call(serverId, tool, args, {
        signal,
        onProgress: (reached) => progress.push(shownProgress(reached)),
        patience: {
          id,
          show: (overdue) => {
            const { overdue: _before, ...rest } = call
            show(overdue ? { ...rest, overdue } : rest)
          },
        },
      })
      await record(result.isError ? 'error' : 'finished')
      return await toolCallResult(result, storage.blobs)
    } catch (error) {
      await record(signal.aborted ? 'cancelled' : 'failed')
      throw asHostError(error) ?? error
    } finally {
      progress.stop()
      this.#show(serverId, id, undefined)
    }
  }

  #show(serverId: ServerId, id: ToolCallId, call: CallByHand | undefined): void {
    const running = new Map(this.#running.get(serverId))
    if (call) running.set(id, call)
    else running.delete(id)
    if (running.size > 0) this.#running.set(serverId, running)
    else this.#running.delete(serverId)
    this.#core.topics.emit(`server/${serverId}`, { type: 'calls.changed', calls: [...running.values()] })
  }
}
