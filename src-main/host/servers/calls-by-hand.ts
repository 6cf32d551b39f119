import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../../../src-shared/base/json.ts'
import { blockedSentence } from '../../../src-shared/contract/blocked-sentence.ts'
import type { CallByHand, ToolCallResult } from '../../../src-shared/contract/conversations.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ServerId, ToolCallId } from '../../../src-shared/contract/ids.ts'
import { cut, toolCallResult } from '../core/content-views.ts'
import { type Decision, keepDecision } from '../core/decisions.ts'
import type { HostCore } from '../core/host-core.ts'
import { asHostError } from '../core/host-errors.ts'
import { throttledProgress } from '../core/throttled.ts'
import type { ConfiguredServers } from './configured-servers.ts'
import type { PersonRules } from './person-rules.ts'
import type { ServerCalls } from './server-calls.ts'
import type { ServerTools } from './server-tools.ts'

interface ByHandParts extends Pick<HostCore, 'topics' | 'storage' | 'clock' | 'platform' | 'state'> {
  readonly configured: ConfiguredServers
  readonly tools: ServerTools
  readonly calls: ServerCalls
  readonly rules: PersonRules
}

/** Runs the calls that a person makes on a server's page, and shows them to every window that follows the server. */
export class CallsByHand {
  readonly #parts: ByHandParts
  readonly #running = new Map<ServerId, ReadonlyMap<ToolCallId, CallByHand>>()

  constructor(parts: ByHandParts) {
    this.#parts = parts
  }

  /** Running calls to a server, the oldest first. */
  of(serverId: ServerId): readonly CallByHand[] {
    return [...(this.#running.get(serverId)?.values() ?? [])]
  }

  /**
   * Runs a tool, after a confirmation outside of the page where the shell has one. The ledger gets it like every other call (TOOL-10).
   * Throws HostError.
   */
  async call(
    serverId: ServerId,
    tool: string,
    args: JsonObject,
    signal: AbortSignal,
    id: ToolCallId = randomUUID() as ToolCallId,
  ): Promise<ToolCallResult> {
    const { storage, clock, calls, configured } = this.#parts
    if ([...this.#running.values()].some((running) => running.has(id))) {
      throw new HostError('conflict', 'This call is already running.')
    }
    const serverName = configured.find(serverId)?.record.name
    let why = 'You ran it.'
    const record = (outcome: string, decision: Decision['decision'] = 'by-hand') =>
      keepDecision(this.#parts, {
        serverId,
        tool,
        args,
        decision,
        why,
        outcome,
        ...(serverName !== undefined && { serverName }),
        redact: (text) => configured.clean(text),
      })
    let call: CallByHand = { id, tool: cut(tool, 200), startedAt: clock.now() }
    const show = (next: CallByHand) => {
      call = next
      this.#show(serverId, id, next)
    }
    show(call)
    const progress = throttledProgress(clock, (reached) => show({ ...call, progress: reached }))
    /** The reason why a question of its server got no answer. */
    let unanswered: string | undefined
    let blocked: readonly string[] = []
    try {
      const shown = this.#parts.tools.find(serverId, tool)?.fingerprint
      why = await this.#confirmed(serverId, tool, args, shown, signal)
      const result = await calls.call(serverId, tool, args, {
        signal,
        again: () => this.#unchanged(serverId, tool, shown),
        onUnanswered: (sentence) => {
          unanswered = sentence
        },
        onBlocked: (reaches) => {
          blocked = reaches.map(blockedSentence)
        },
        onProgress: progress.push,
        overdue: {
          id,
          show: (overdue) => {
            const { overdue: _before, ...rest } = call
            show(overdue ? { ...rest, overdue } : rest)
          },
        },
      })
      await record(result.isError ? 'error' : 'finished')
      const warnings = [...(unanswered === undefined ? [] : [unanswered]), ...blocked, ...result.warnings]
      return await toolCallResult({ ...result, warnings }, storage.blobs)
    } catch (error) {
      if (error instanceof NotAllowed) {
        why = error.why
        await record('declined: denied', error.decision)
      } else await record(signal.aborted ? 'cancelled' : 'failed')
      const told = asHostError(error)
      const before = [unanswered, ...blocked].filter((sentence) => sentence !== undefined)
      if (!told || before.length === 0) throw told ?? error
      throw new HostError(told.code, [...before, told.message].join(' '), told.data)
    } finally {
      progress.stop()
      this.#show(serverId, id, undefined)
    }
  }

  /**
   * Returns the reason why the call may run. Asks the person where the shell has a confirmation, unless one of their rules covers the
   * call; the server's hints decide nothing.
   */
  async #confirmed(
    serverId: ServerId,
    tool: string,
    args: JsonObject,
    shown: string | undefined,
    signal: AbortSignal,
  ): Promise<string> {
    const { platform, configured, tools, rules } = this.#parts
    const server = configured.get(serverId)
    const client = await server.clients.started(signal)
    const { record } = server
    this.#unchanged(serverId, tool, shown)
    const known = tools.find(serverId, tool)
    const rule = known && (await rules.ruledByHand(known, args))
    if (rule === 'deny') {
      const message = `Your rule denies this call of “${tool}”. The rules are in Settings.`
      throw new NotAllowed('denied-by-rule', 'You ran it; a rule denies it.', message)
    }
    if (!platform.confirmCall) return 'You ran it.'
    if (rule === 'allow') return 'You ran it; a rule allows it.'
    if (!(await platform.confirmCall({ server: record.name, tool, args }, signal))) {
      throw new NotAllowed('denied', 'You ran it and did not confirm it.', 'Denied. Nothing was sent.')
    }
    signal.throwIfAborted()
    if (configured.connected(serverId) === client) return 'You ran it and confirmed it.'
    throw new HostError('conflict', `“${record.name}” was restarted while you were asked. Nothing was sent. Try again.`)
  }

  /** Throws HostError `conflict` when the tool is no longer the one that the person saw. */
  #unchanged(serverId: ServerId, tool: string, shown: string | undefined): void {
    if (this.#parts.tools.find(serverId, tool)?.fingerprint === shown) return
    throw new HostError('conflict', `“${cut(tool, 80)}” has just changed. Nothing was run. Check it and run it again.`)
  }

  #show(serverId: ServerId, id: ToolCallId, call: CallByHand | undefined): void {
    const running = new Map(this.#running.get(serverId))
    if (call) running.set(id, call)
    else running.delete(id)
    if (running.size > 0) this.#running.set(serverId, running)
    else this.#running.delete(serverId)
    this.#parts.topics.emit(`server/${serverId}`, { type: 'calls.changed', calls: [...running.values()] })
  }
}

/** A rule or the person does not allow the call; `why` is for the ledger. */
class NotAllowed extends HostError {
  readonly decision: Decision['decision']
  readonly why: string

  constructor(decision: Decision['decision'], why: string, message: string) {
    super('refused', message)
    this.decision = decision
    this.why = why
  }
}
