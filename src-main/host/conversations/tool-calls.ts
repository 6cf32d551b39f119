import { randomUUID } from 'node:crypto'
import { within } from '../../../src-shared/base/clock.ts'
import type { JsonObject } from '../../../src-shared/base/json.ts'
import type { ToolCall } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId, MessageId, ToolCallId, TurnId } from '../../../src-shared/contract/ids.ts'
import { toolTitle } from '../../../src-shared/mcp/primitives.ts'
import { RoundError } from '../../client/round-error.ts'
import type { ModelToolCall, OfferedTool } from '../../models/model-provider.ts'
import {
  type Allowed,
  DeniedByRule,
  type PermissionParts,
  type RoundOrigin,
  RoundPermission,
} from '../consent/round-permission.ts'
import { aborted, CallEnded, notOffered, StoppedByPerson } from '../core/call-endings.ts'
import { boundedJson, boundedText, cut, InlineBudget, toolCallResult } from '../core/content-views.ts'
import { type Decision, keepDecision } from '../core/decisions.ts'
import type { HostCore } from '../core/host-core.ts'
import { PROGRESS_PACE, shownProgress, throttled } from '../core/throttled.ts'
import { offeredTool } from '../models/offered-tool.ts'
import type { AvailableTool } from '../servers/server-tools.ts'
import { repairedArguments } from './argument-repair.ts'
import { BUILT_IN_NAMES, type BuiltInAnswer } from './built-in-tools.ts'
import { callProblem } from './call-failures.ts'
import type { CallExtras } from './model-history.ts'
import { WireNames } from './wire-names.ts'

/** Milliseconds that a card waits for a stopped call's server to take the word; then it is over all the same. */
const TOLD_WITHIN = 2000
/** Bytes of the arguments that a record carries inline. */
const RECORD_ARGUMENTS = 8 * 1024

interface ToolCallsParts extends PermissionParts, Pick<HostCore, 'checkValue'> {}

/** The tools that the model may call in one round, by the names it knows. */
export interface Offer {
  readonly tools: readonly OfferedTool[]
  find(wireName: string): AvailableTool | undefined
}

/** A tool with the name that a model knows it by. */
export interface NamedTool {
  readonly available: AvailableTool
  readonly offered: OfferedTool
}

/** Where a call belongs. */
export interface CallPlace {
  readonly turnId: TurnId
  readonly messageId: MessageId
}

export interface CallContext {
  readonly conversationId: ConversationId
  readonly title: string
  readonly signal: AbortSignal
  /** Keeps and shows the record. */
  readonly show: (toolCall: ToolCall) => void
  /** Resolves when everything shown so far is on disk. */
  readonly written: () => Promise<void>
  /** Of the round that the call belongs to. */
  readonly permission: RoundPermission
  /** Runs one of Parley's own tools. */
  readonly builtIn: (tool: string, args: JsonObject) => Promise<BuiltInAnswer>
}

/** `unchecked` says why the schema could not judge them. */
interface FittingArguments {
  readonly args: JsonObject
  readonly unchecked?: string
}

/** The way of one call: from what the model wanted to what it is told. */
export class ToolCalls {
  readonly #parts: ToolCallsParts
  readonly #names = new WireNames(BUILT_IN_NAMES)

  constructor(parts: ToolCallsParts) {
    this.#parts = parts
  }

  /**
   * Every tool that is not hidden, by name: in whichever order servers start and list them, a provider's cache of the prompt holds.
   * A name does not depend on what is switched off where.
   */
  all(): readonly NamedTool[] {
    const available = this.#parts.servers.tools.all().filter((tool) => !tool.hidden)
    const names = this.#names.of(available.map(({ serverId, tool }) => ({ serverId, name: tool.name })))
    const named = available.map((tool, at) => ({
      available: tool,
      offered: offeredTool(tool.serverName, tool.tool, names[at]),
    }))
    return named.sort((a, b) => (a.offered.name < b.offered.name ? -1 : 1))
  }

  /** A turn begins: stale catalogs are read again. */
  freshen(): Promise<void> {
    return this.#parts.servers.catalogs.freshen()
  }

  /** `choose` leaves out what the model is not to see in this round, and adds tools of Parley's own. */
  offer(choose: (all: readonly NamedTool[]) => readonly OfferedTool[] = (all) => all.map(({ offered }) => offered)): Offer {
    const all = this.all()
    const tools = choose(all)
    const offered = new Set(tools.map(({ name }) => name))
    const byName = new Map(all.map((tool) => [tool.offered.name, tool.available]))
    return { tools, find: (name) => (offered.has(name) ? byName.get(name) : undefined) }
  }

  /** The permission for the calls of one round. */
  permission(origin: RoundOrigin, calls: number): RoundPermission {
    return new RoundPermission(this.#parts, origin, calls)
  }

  /** Results so far are read before the next calls are judged. */
  look(conversationId: ConversationId, transcript: Parameters<PermissionParts['consent']['readings']['look']>[1]): Promise<void> {
    return this.#parts.consent.readings.look(conversationId, transcript)
  }

  /** Rules for a task go with it. */
  endTurn(turnId: TurnId): Promise<void> {
    return this.#parts.consent.rules.endTurn(turnId)
  }

  /** The card of what the model wants, before anything is done about it. */
  async propose(call: ModelToolCall, offer: Offer, place: CallPlace): Promise<{ toolCall: ToolCall; extras: CallExtras }> {
    const tool = offer.find(call.name)
    const builtIn = !tool && BUILT_IN_NAMES.has(call.name) && offer.tools.some(({ name }) => name === call.name)
    const budget = new InlineBudget(RECORD_ARGUMENTS)
    const written = call.arguments
      ? await boundedJson(call.arguments, this.#parts.storage.blobs, budget)
      : await boundedText(call.broken ?? '', this.#parts.storage.blobs, budget).then(({ text, whole }) => ({
          json: text,
          ...(whole && { whole }),
        }))
    const toolCall: ToolCall = {
      id: randomUUID() as ToolCallId,
      ...place,
      ...(builtIn && { builtIn, serverName: 'Parley' }),
      ...(tool && { serverId: tool.serverId, serverName: tool.serverName, title: cut(toolTitle(tool.tool), 200) }),
      tool: cut(tool?.tool.name ?? call.name, 200),
      arguments: written,
      status: 'proposed',
      proposedAt: this.#parts.clock.now(),
    }
    const extras = { callId: call.id, wireName: call.name, ...(!call.arguments && { broken: true }) }
    return { toolCall, extras }
  }

  /** Takes a proposed call to its end; never rejects. `args` is absent when the model wrote no JSON object. */
  async run(proposed: ToolCall, args: JsonObject | undefined, context: CallContext): Promise<ToolCall> {
    const { clock } = this.#parts
    let call = proposed
    let sent = args
    let decision: Decided | undefined
    let told: Promise<void> | undefined
    const { permission } = context
    const leave = permission.leaver()
    const show = (change: Partial<ToolCall>) => {
      call = { ...call, ...change }
      context.show(call)
    }
    const showOverdue = (overdue: ToolCall['overdue']) => {
      const { overdue: _before, ...rest } = call
      call = rest
      show(overdue ? { overdue } : {})
    }
    const end = (change: Partial<ToolCall>) => {
      const { progress: _progress, cancelling: _cancelling, overdue: _overdue, paused, ...kept } = call
      call = kept
      const waits = paused && change.status === 'interrupted'
      show({ ...change, ...(waits && { paused }), finishedAt: clock.now() })
    }
    try {
      if (call.builtIn) {
        await this.#runBuiltIn(call, args, context, show, end)
        return call
      }
      const { args: fitting, unchecked } = await this.#fittingArguments(call, args, context.signal)
      sent = fitting
      if (unchecked) show({ unchecked })
      if (fitting !== args)
        show({ arguments: await boundedJson(fitting, this.#parts.storage.blobs, new InlineBudget(RECORD_ARGUMENTS)) })
      const asking = async () => {
        show({ status: 'asking' })
        // The card is there before the question about it.
        await context.written()
      }
      const begin = async (allowed: Allowed) => {
        const { by, why, powers } = allowed
        decision = allowedAs(allowed)
        show({ status: 'running', startedAt: call.startedAt ?? clock.now(), allowedBy: by, why, powers: [...powers] })
        // That it started is on disk before the server hears of it: after a crash it is known that it may have run.
        await context.written()
        context.signal.throwIfAborted()
        permission.confirm(call, allowed, fitting)
      }
      let allowed = await permission.obtain(call, fitting, context.signal, { leave, asking })
      await begin(allowed)
      const { tool } = allowed
      const progress = throttled(clock, PROGRESS_PACE, (value: NonNullable<ToolCall['progress']>) => show({ progress: value }))
      try {
        const result = await this.#parts.servers.calls.call(tool.serverId, tool.tool.name, fitting, {
          signal: context.signal,
          onCancelling: (word) => {
            told = word
          },
          origin: { conversationId: context.conversationId, toolCallId: call.id, title: context.title },
          patience: { id: call.id, show: showOverdue },
          onAsked: async () => {
            show({ paused: true })
            // The waiting call is on disk before the question: after a crash it can be made again.
            await context.written()
          },
          again: async () => {
            const renewed = await permission.renew(call, allowed, fitting, context.signal, asking)
            const { paused, ...going } = call
            if (renewed === allowed && !paused) return
            call = going
            allowed = renewed
            await begin(renewed)
          },
          onProgress: (reached) => progress.push(shownProgress(reached)),
        })
        const view = await toolCallResult(result, this.#parts.storage.blobs)
        progress.stop()
        end({ status: 'finished', result: view })
      } finally {
        progress.stop()
      }
    } catch (error) {
      if (error instanceof CallEnded) {
        if (error.status === 'declined') decision = declinedAs(error)
        end({ status: error.status, problem: error.problem })
      } else if (context.signal.aborted) {
        if (told && context.signal.reason instanceof StoppedByPerson) {
          showOverdue(undefined)
          show({ cancelling: true })
          await within(clock, TOLD_WITHIN, told)
        }
        end(aborted(context.signal.reason, call.startedAt !== undefined))
      } else {
        // Somebody said no to what the server asked for in the middle of it (V26-MRTR-12).
        const status = error instanceof RoundError && error.code === 'declined' ? 'declined' : 'failed'
        end({ status, problem: callProblem(error, call.serverName ?? call.tool) })
      }
    } finally {
      leave()
    }
    if (decision && sent) await this.#record(call, sent, decision, context)
    return call
  }

  /** Only reads, so nobody is asked and nothing stands in the ledger. */
  async #runBuiltIn(
    call: ToolCall,
    args: JsonObject | undefined,
    context: CallContext,
    show: (change: Partial<ToolCall>) => void,
    end: (change: Partial<ToolCall>) => void,
  ): Promise<void> {
    if (!args) throw brokenArguments(call)
    show({ status: 'running', startedAt: this.#parts.clock.now() })
    const answer = await context.builtIn(call.tool, args)
    if ('failed' in answer) {
      throw new CallEnded('failed', { code: 'invalid-arguments', what: answer.failed })
    }
    const content = [{ type: 'text' as const, text: answer.text }]
    end({ status: 'finished', result: await toolCallResult({ content, warnings: [] }, this.#parts.storage.blobs) })
  }

  /** The arguments, checked and where need be repaired; a call that cannot be made ends here, and nothing is sent. */
  async #fittingArguments(call: ToolCall, args: JsonObject | undefined, signal: AbortSignal): Promise<FittingArguments> {
    const { configured, tools } = this.#parts.servers
    if (!call.serverId) {
      throw new CallEnded('failed', {
        code: 'unknown-tool',
        what: `There is no tool named “${call.tool}”. Nothing was sent.`,
        todo: 'Use only the tools that are offered.',
      })
    }
    if (!args) throw brokenArguments(call)
    // Parley, or its server alone, may have been started a moment ago.
    await configured.find(call.serverId)?.nextClient(signal)
    const tool = tools.find(call.serverId, call.tool)
    if (!tool) throw new CallEnded('failed', notOffered(call))
    const { inputSchema } = tool.tool
    const verdict = await this.#parts.checkValue(inputSchema, args)
    if (verdict.is === 'valid') return { args }
    if (verdict.is === 'unchecked') return { args, unchecked: verdict.reason }
    const repaired = repairedArguments(inputSchema, args)
    if (repaired && (await this.#parts.checkValue(inputSchema, repaired)).is === 'valid') return { args: repaired }
    throw new CallEnded('failed', {
      code: 'invalid-arguments',
      what: `The arguments do not fit what “${call.tool}” takes. Nothing was sent.`,
      said: cut(verdict.problems.join('\n'), 2_000),
      todo: 'Call the tool again with arguments that fit its schema.',
    })
  }

  #record(call: ToolCall, args: JsonObject, decided: Decided, { conversationId }: CallContext): Promise<void> {
    const { configured } = this.#parts.servers
    const ended = call.result?.isError ? 'error' : call.status
    return keepDecision(this.#parts, {
      ...decided,
      conversationId,
      serverId: call.serverId ?? '',
      ...(call.serverName !== undefined && { serverName: call.serverName }),
      tool: call.tool,
      args,
      outcome: call.problem ? `${ended}: ${call.problem.code}` : ended,
      redact: (text) => configured.clean(text),
    })
  }
}

type Decided = Pick<Decision, 'decision' | 'why' | 'ruleId'>

function allowedAs({ by, why, rule }: Allowed): Decided {
  const decision = by === 'person' ? 'allowed-by-person' : by === 'free' ? 'free' : 'allowed-by-rule'
  return { decision, why, ...(rule !== undefined && { ruleId: rule }) }
}

function declinedAs(ended: CallEnded): Decided {
  const why = ended.problem.what
  if (ended instanceof DeniedByRule) return { decision: 'denied-by-rule', why, ruleId: ended.rule }
  return { decision: ended.problem.code === 'expired' ? 'unanswered' : 'denied', why }
}

function brokenArguments(call: ToolCall): CallEnded {
  return new CallEnded('failed', {
    code: 'broken-arguments',
    what: `The arguments for “${call.tool}” are not a JSON object. Nothing was sent.`,
    said: jsonError(call.arguments.json),
    todo: 'Call the tool again with one complete JSON object.',
  })
}

function jsonError(text: string): string {
  try {
    JSON.parse(text)
    return 'It is JSON, but not an object.'
  } catch (error) {
    return cut(error instanceof Error ? error.message : 'It is not JSON.', 300)
  }
}
