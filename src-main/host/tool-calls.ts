import { createHash, randomUUID } from 'node:crypto'
import type { Clock } from '../../src-shared/base/clock.ts'
import type { JsonObject } from '../../src-shared/base/json.ts'
import type { BoundedJson } from '../../src-shared/contract/blobs.ts'
import type { ConversationId, MessageId, ToolCall, ToolCallId, TurnId } from '../../src-shared/contract/conversations.ts'
import type { Problem } from '../../src-shared/contract/errors.ts'
import type { About, AnswerTo } from '../../src-shared/contract/interactions.ts'
import { type JsonSchemaObject, toolTitle } from '../../src-shared/mcp/primitives.ts'
import type { ModelToolCall, OfferedTool } from '../models/model-provider.ts'
import type { LedgerEntry, Storage } from '../storage/storage.ts'
import { repairedArguments } from './argument-repair.ts'
import { callProblem } from './call-failures.ts'
import { type Consent, definitionOf } from './consent.ts'
import { boundedJson, boundedText, cut, InlineBudget, toolCallResult } from './content-views.ts'
import type { HostState } from './host-state.ts'
import { InteractionExpired, type Interactions, TooManyQuestions } from './interactions.ts'
import type { CallExtras } from './model-history.ts'
import type { AvailableTool, ToolSource } from './servers.ts'
import { throttled } from './throttled.ts'
import { wireNames } from './wire-names.ts'

/** Milliseconds between two progress events of one call (ruling 22). */
const PROGRESS_PACE = 100
/** Bytes of the arguments that a record, and a question, carry inline. */
const RECORD_ARGUMENTS = 8 * 1024
const QUESTION_ARGUMENTS = 12 * 1024
const DESCRIPTION_LIMIT = 4_000
/** How often one call may be asked about because its tool changed while the question was open. */
const ASK_LIMIT = 4

/** A person stopped the turn or the call. */
export class StoppedByPerson extends Error {
  constructor() {
    super('You stopped it.')
    this.name = 'StoppedByPerson'
  }
}

/** Errors of the arguments against the schema, in words for the model; empty when they fit. */
export type CheckArguments = (schema: JsonSchemaObject, args: JsonObject) => Promise<readonly string[]>

interface ToolCallsParts {
  readonly tools: ToolSource
  readonly consent: Consent
  readonly interactions: Interactions
  readonly storage: Pick<Storage, 'blobs' | 'conversations'>
  readonly state: HostState
  readonly clock: Clock
  readonly checkArguments: CheckArguments
}

/** What the model may call in one round, and whose tool each name means. */
export interface Offer {
  readonly tools: readonly OfferedTool[]
  find(wireName: string): AvailableTool | undefined
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
}

/** A call that ends without having been sent, or without a result. */
class CallEnded extends Error {
  readonly status: 'failed' | 'declined'
  readonly problem: Problem

  constructor(status: 'failed' | 'declined', problem: Problem) {
    super(problem.what)
    this.status = status
    this.problem = problem
  }
}

/** The way of one call: from what the model wanted to what it is told. */
export class ToolCalls {
  readonly #parts: ToolCallsParts

  constructor(parts: ToolCallsParts) {
    this.#parts = parts
  }

  offer(): Offer {
    const available = this.#parts.tools.tools().filter((tool) => !tool.hidden)
    const names = wireNames(available.map((tool) => ({ serverId: tool.serverId, name: tool.tool.name })))
    const byName = new Map(available.map((tool, at) => [names[at] ?? '', tool]))
    const tools = available.map((tool, at) => ({
      name: names[at] ?? '',
      description: cut(`[${tool.serverName}] ${tool.tool.description ?? toolTitle(tool.tool)}`, DESCRIPTION_LIMIT),
      // A schema is JSON by nature: it came over the wire.
      inputSchema: tool.tool.inputSchema as unknown as JsonObject,
    }))
    return { tools, find: (name) => byName.get(name) }
  }

  /** The card of what the model wants, before anything is done about it. */
  async propose(call: ModelToolCall, offer: Offer, place: CallPlace): Promise<{ toolCall: ToolCall; extras: CallExtras }> {
    const tool = offer.find(call.name)
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
    let decision: LedgerEntry['decision'] | undefined
    const show = (change: Partial<ToolCall>) => {
      call = { ...call, ...change }
      context.show(call)
    }
    const end = (change: Partial<ToolCall>) => {
      const { progress: _progress, ...kept } = call
      call = kept
      show({ ...change, finishedAt: clock.now() })
    }
    try {
      const fitting = await this.#fittingArguments(call, args)
      if (fitting !== args)
        show({ arguments: await boundedJson(fitting, this.#parts.storage.blobs, new InlineBudget(RECORD_ARGUMENTS)) })
      const { tool, by } = await this.#allowed(call, fitting, context, () => show({ status: 'asking' }))
      decision = by === 'person' ? 'allowed-by-person' : 'allowed-by-rule'
      show({ status: 'running', startedAt: clock.now(), allowedBy: by })
      // That it started is on disk before the server hears of it: after a crash it is known that it may have run.
      await context.written()
      context.signal.throwIfAborted()
      const progress = throttled(clock, PROGRESS_PACE, (value: NonNullable<ToolCall['progress']>) => show({ progress: value }))
      try {
        const result = await this.#parts.tools.call(tool.serverId, tool.tool.name, fitting, {
          signal: context.signal,
          onProgress: ({ progress: done, total, message }) =>
            progress.push({
              progress: done,
              ...(total !== undefined && { total }),
              ...(message !== undefined && { message: cut(message, 300) }),
            }),
        })
        const view = await toolCallResult(result, this.#parts.storage.blobs)
        progress.stop()
        end({ status: 'finished', result: view })
      } finally {
        progress.stop()
      }
    } catch (error) {
      if (error instanceof CallEnded) {
        if (error.status === 'declined') decision = 'denied'
        end({ status: error.status, problem: error.problem })
      } else if (context.signal.aborted) {
        end(aborted(context.signal.reason, call.startedAt !== undefined))
      } else {
        end({ status: 'failed', problem: callProblem(error, call.serverName ?? call.tool) })
      }
    }
    if (decision) await this.#record(call, args, decision, context)
    return call
  }

  /** The arguments, checked and where need be repaired; a call that cannot be made ends here, and nothing is sent. */
  async #fittingArguments(call: ToolCall, args: JsonObject | undefined): Promise<JsonObject> {
    const tool = call.serverId && this.#parts.tools.tool(call.serverId, call.tool)
    if (!call.serverId) {
      throw new CallEnded('failed', {
        code: 'unknown-tool',
        what: `There is no tool named “${call.tool}”. Nothing was sent.`,
        todo: 'Use only the tools that are offered.',
      })
    }
    if (!args) {
      throw new CallEnded('failed', {
        code: 'broken-arguments',
        what: `The arguments for “${call.tool}” are not a JSON object. Nothing was sent.`,
        said: jsonError(call.arguments.json),
        todo: 'Call the tool again with one complete JSON object.',
      })
    }
    if (!tool) throw new CallEnded('failed', notOffered(call))
    const errors = await this.#parts.checkArguments(tool.tool.inputSchema, args)
    if (errors.length === 0) return args
    const repaired = repairedArguments(tool.tool.inputSchema, args)
    if (repaired && (await this.#parts.checkArguments(tool.tool.inputSchema, repaired)).length === 0) return repaired
    throw new CallEnded('failed', {
      code: 'invalid-arguments',
      what: `The arguments do not fit what “${call.tool}” takes. Nothing was sent.`,
      said: cut(errors.slice(0, 10).join('\n'), 2_000),
      todo: 'Call the tool again with arguments that fit its schema.',
    })
  }

  /** Returns when a rule or the person allows the call, for the tool as it is defined at that moment. */
  async #allowed(
    call: ToolCall,
    args: JsonObject,
    context: CallContext,
    asking: () => void,
  ): Promise<{ tool: AvailableTool; by: NonNullable<ToolCall['allowedBy']> }> {
    const about = this.#about(call, context)
    const shown = await boundedJson(args, this.#parts.storage.blobs, new InlineBudget(QUESTION_ARGUMENTS))
    let asked: AvailableTool | undefined
    for (let times = 0; times < ASK_LIMIT; ) {
      const ruled = await this.#byRule(call, context)
      if (ruled) return ruled
      if (times === 0) asking()
      await this.#parts.interactions.room(about, context.signal)
      // From here to the question nothing is awaited: what is decided is what is asked.
      const tool = this.#tool(call)
      const decision = this.#parts.consent.decide(tool, context.conversationId)
      if ('allow' in decision) continue
      const changed = decision.changed ?? changedSince(asked, tool)
      const answer = await this.#ask(call, tool, { shown, about, ...(changed && { changed }) }, context)
      if (!answer) continue
      times += 1
      asked = tool
      if (answer.decision === 'deny') throw new CallEnded('declined', DENIED)
      const now = this.#tool(call)
      if (now.fingerprint !== tool.fingerprint || now.launchIdentity !== tool.launchIdentity) continue
      if (answer.remember === 'once') return (await this.#byRule(call, context)) ?? { tool: now, by: 'person' }
      await this.#remember(now, answer.remember, context)
      return { tool: now, by: 'person' }
    }
    throw new CallEnded('failed', {
      code: 'tool-changes',
      what: `“${call.tool}” kept changing while you were asked about it. Nothing was sent.`,
      todo: 'Look at the server before you use it again.',
    })
  }

  /** Undefined when another call took the last room for a question. */
  async #ask(
    call: ToolCall,
    tool: AvailableTool,
    { shown, about, changed }: { shown: BoundedJson; about: About; changed?: { readonly before?: string; readonly now: string } },
    { signal }: CallContext,
  ): Promise<AnswerTo<'tool-consent'> | undefined> {
    const question = {
      tool: tool.tool.name,
      title: cut(toolTitle(tool.tool), 200),
      description: cut(tool.tool.description ?? '', DESCRIPTION_LIMIT),
      arguments: shown,
      hints: tool.hints,
      toolCallId: call.id,
      fingerprint: tool.fingerprint,
      ...(changed && { changed }),
    }
    try {
      return await this.#parts.interactions.ask('tool-consent', about, question, signal)
    } catch (error) {
      if (error instanceof TooManyQuestions) return undefined
      throw error instanceof InteractionExpired ? new CallEnded('declined', EXPIRED) : error
    }
  }

  async #byRule(
    call: ToolCall,
    context: CallContext,
  ): Promise<{ tool: AvailableTool; by: 'conversation-rule' | 'always-rule' } | undefined> {
    const tool = this.#tool(call)
    const decision = this.#parts.consent.decide(tool, context.conversationId)
    if (!('allow' in decision)) return undefined
    // Counting a use is worth a try, not worth a failed call.
    await this.#parts.consent.used(decision.rule).catch(() => {})
    return { tool, by: decision.by }
  }

  async #remember(tool: AvailableTool, scope: 'conversation' | 'always', { conversationId }: CallContext): Promise<void> {
    try {
      await this.#parts.consent.remember(tool, scope, conversationId)
    } catch (error) {
      this.#parts.state.notice(
        'warning',
        {
          code: 'rule-not-kept',
          what: `Your permission for “${tool.tool.name}” could not be saved. It held for this one call.`,
          ...(error instanceof Error && { said: cut(error.message, 600) }),
          todo: 'You will be asked again next time.',
        },
        this.#parts.clock.now(),
      )
    }
  }

  /** The tool as it is now: servers restart and change while a question is open (pain 16). */
  #tool(call: ToolCall): AvailableTool {
    const tool = call.serverId && this.#parts.tools.tool(call.serverId, call.tool)
    if (!tool) throw new CallEnded('failed', notOffered(call))
    return tool
  }

  #about(call: ToolCall, { conversationId, title }: CallContext): About {
    const serverName = call.serverName ?? ''
    return {
      // The call was checked to belong to a server before anybody is asked.
      serverId: call.serverId as About['serverId'],
      serverName,
      origin: 'model',
      conversationId,
      toolCallId: call.id,
      cause: `The model wants to call “${cut(call.tool, 80)}” on “${cut(serverName, 80)}” in “${cut(title, 80)}”.`,
    }
  }

  async #record(
    call: ToolCall,
    args: JsonObject | undefined,
    decision: LedgerEntry['decision'],
    context: CallContext,
  ): Promise<void> {
    const entry: LedgerEntry = {
      at: this.#parts.clock.now(),
      conversationId: context.conversationId,
      serverId: call.serverId ?? '',
      tool: call.tool,
      argumentsHash: createHash('sha256').update(JSON.stringify(args)).digest('hex'),
      decision,
      outcome: call.problem ? `${call.status}: ${call.problem.code}` : call.status,
    }
    // A full disk is told by the conversation's own writes.
    await this.#parts.storage.conversations.addLedger(entry).catch(() => {})
  }
}

const DENIED: Problem = { code: 'denied', what: 'You did not allow this call. Nothing was sent.' }
const EXPIRED: Problem = {
  code: 'expired',
  what: 'Nobody answered in time, so the call was not made.',
  todo: 'Ask again, or set a longer time for questions in Settings.',
}

function notOffered(call: ToolCall): Problem {
  return {
    code: 'tool-gone',
    what: `“${call.serverName ?? ''}” does not offer “${call.tool}” now. Nothing was sent.`,
    todo: 'Look at the server’s page: it may have stopped.',
  }
}

function changedSince(asked: AvailableTool | undefined, now: AvailableTool): { before: string; now: string } | undefined {
  if (!asked || asked.fingerprint === now.fingerprint) return undefined
  return { before: definitionOf(asked), now: definitionOf(now) }
}

/** How a call looks that was ended from outside. */
export function aborted(reason: unknown, started: boolean): Pick<ToolCall, 'status' | 'problem'> {
  const effect = started
    ? { todo: 'It may have taken effect: check before you try again.' }
    : { todo: 'Nothing was sent to the server.' }
  if (reason instanceof StoppedByPerson)
    return { status: 'cancelled', problem: { code: 'stopped', what: 'You stopped this call.', ...effect } }
  return { status: 'interrupted', problem: { code: 'interrupted', what: 'This call was interrupted.', ...effect } }
}

function jsonError(text: string): string {
  try {
    JSON.parse(text)
    return 'It is JSON, but not an object.'
  } catch (error) {
    return cut(error instanceof Error ? error.message : 'It is not JSON.', 300)
  }
}
