import { within } from '../../../src-shared/base/clock.ts'
import { defined } from '../../../src-shared/base/defined.ts'
import type { JsonObject } from '../../../src-shared/base/json.ts'
import { parseJson } from '../../../src-shared/base/parse-json.ts'
import { isOfModel, type ToolCall, type ToolCallResult } from '../../../src-shared/contract/conversations.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ServerId, ToolCallId } from '../../../src-shared/contract/ids.ts'
import type { About } from '../../../src-shared/contract/interactions.ts'
import type { CallToolResult } from '../../../src-shared/mcp/content.ts'
import { RoundError } from '../../client/round-error.ts'
import type { TaskNews } from '../../client/task-run.ts'
import { ProtocolError } from '../../protocol/shapes/json-rpc.ts'
import type { AppPages, ViewOf } from '../apps/app-pages.ts'
import {
  type Allowed,
  DeniedByRule,
  type FittedCall,
  type PermissionParts,
  type PermittedCall,
  type RoundOrigin,
  RoundPermission,
} from '../consent/round-permission.ts'
import { abortedCall, CallEnded, LeftInBackground, notOffered, StoppedByPerson } from '../core/call-endings.ts'
import { boundJson, cut, InlineBudget, toolCallResult } from '../core/content-views.ts'
import { type Decision, keepDecision } from '../core/decisions.ts'
import { throttledProgress } from '../core/throttled.ts'
import { unanswered } from '../core/unanswered.ts'
import type { AskedReading } from '../servers/person-rules.ts'
import type { ServerCalls } from '../servers/server-calls.ts'
import type { SkillReader } from '../skills/skills.ts'
import { repairedArguments } from './argument-repair.ts'
import type { BuiltInTools } from './built-in-tools.ts'
import { callProblem } from './call-failures.ts'
import type { ConversationJournal } from './conversation-journal.ts'
import { reviewedResult } from './result-review.ts'
import { backgroundCall, type KeptTask, type ProposedCall, RunningCall } from './running-call.ts'

/** Inline bytes of a call's arguments in its record. */
export const RECORD_ARGUMENTS = 8 * 1024
/** Milliseconds for which a stopped call waits until its server has received the cancellation. */
const CANCEL_TIMEOUT = 2000

export interface RoundCallsParts extends PermissionParts {
  readonly apps: AppPages
}

export interface RoundsTurn extends RoundOrigin {
  readonly journal: ConversationJournal
  /** Absent for a view, which cannot name a tool of Parley. */
  readonly builtIns?: BuiltInTools
  /** Runs with each state of a call. */
  readonly onCall?: (toolCall: ToolCall) => void
  /** Runs with a result as the server sent it. */
  readonly onResult?: (result: CallToolResult) => void
  /** Runs with a call that the person does not wait for. */
  readonly onLeft?: (call: ProposedCall) => void
  /** Runs when `waitingOn` or `overdue` may have changed. */
  readonly onChange: () => void
}

/** Runs all calls of one reply at once: fits them to their tools, permits them with one question, and runs the allowed ones. */
export class RoundCalls {
  readonly #parts: RoundCallsParts
  readonly #turn: RoundsTurn
  readonly #permission: RoundPermission
  readonly #open = new Map<ToolCallId, RunningCall>()

  constructor(parts: RoundCallsParts, turn: RoundsTurn) {
    this.#parts = parts
    this.#turn = turn
    this.#permission = new RoundPermission(parts, turn)
  }

  /** True if a call is past its deadline. */
  get overdue(): boolean {
    return [...this.#open.values()].some(({ toolCall }) => toolCall.overdue)
  }

  get waitingOn(): 'person' | 'tools' | undefined {
    const status = new Set([...this.#open.values()].map(({ toolCall }) => toolCall.status))
    return status.has('asking') ? 'person' : status.has('running') ? 'tools' : undefined
  }

  async run(calls: readonly ProposedCall[]): Promise<void> {
    const opened = calls.map((call) => this.#opened(call))
    const held = opened.filter(({ toolCall }) => toolCall.received)
    const others = opened.filter(({ toolCall }) => !toolCall.received)
    const continued = [
      ...held.map((call) => this.#showAgain(call)),
      ...others.flatMap((call) => (call.task ? this.#continue(call, call.task) : [])),
    ]
    const fitted = await Promise.all(others.flatMap((call) => (call.task ? [] : this.#fit(call))))
    const permitted = this.#permission.permit(fitted.filter((call) => call !== undefined))
    await Promise.all([...continued, ...permitted.map((call) => this.#run(call))])
    this.#turn.signal.throwIfAborted()
  }

  /** Stops one call; the others continue. */
  cancel(id: ToolCallId): void {
    const open = this.#open.get(id)
    if (!open) throw new HostError('not-found', 'This call has already ended.')
    open.stop()
  }

  has(id: ToolCallId): boolean {
    return this.#open.has(id)
  }

  /** Lets the turn go on without the result of a task (TASK-31). */
  leave(id: ToolCallId): void {
    const open = this.#open.get(id)
    if (open?.toolCall.status !== 'running') throw new HostError('not-found', 'This call has already ended.')
    if (!open.task || !this.#turn.onLeft) throw new HostError('conflict', 'The server does not run this call in the background.')
    open.leave()
  }

  cancelUnstarted(): void {
    for (const call of this.#open.values()) if (call.toolCall.startedAt === undefined) call.stop()
  }

  #opened(pending: ProposedCall): RunningCall {
    const { journal, onChange, onCall, signal } = this.#turn
    const call = new RunningCall(pending, {
      turn: signal,
      show: (toolCall, extras) => {
        journal.push({ type: 'toolCall.changed', toolCall }, extras)
        this.#showBackground(toolCall)
        onCall?.(toolCall)
        onChange()
      },
      written: () => journal.flush(),
    })
    this.#open.set(pending.toolCall.id, call)
    return call
  }

  /** Lists the call for every window while its server runs it as a task (TASK-33). */
  #showBackground(toolCall: ToolCall): void {
    const { state } = this.#parts
    const known = state.snapshot.background.find(({ id }) => id === toolCall.id)
    if (!toolCall.task || toolCall.status !== 'running') {
      if (known) state.emit({ type: 'background.removed', id: toolCall.id })
      return
    }
    const { conversationId, title, onLeft } = this.#turn
    const call = { ...backgroundCall(toolCall, { id: conversationId, title }), ...(onLeft && { awaited: true as const }) }
    if (JSON.stringify(known) !== JSON.stringify(call)) state.emit({ type: 'background.changed', call })
  }

  #close({ toolCall }: RunningCall): void {
    this.#open.delete(toolCall.id)
    this.#turn.onChange()
  }

  /** The call with valid arguments; undefined when it failed here, or Parley's own tool answered it. */
  async #fit(call: RunningCall): Promise<FittedCall<RunningCall> | undefined> {
    let asked: AskedReading | undefined
    let declined: Decided | undefined
    try {
      if (!call.toolCall.builtIn) return { call, args: await this.#fittingArguments(call) }
      await this.#answer(call, (reading) => {
        asked = reading
        return this.#permission.allowReading(call, reading)
      })
    } catch (error) {
      if (error instanceof CallEnded && error.status === 'declined') declined = declinedAs(error)
      await this.#fail(call, error)
    }
    if (asked) await this.#recordReading(call.toolCall, asked, declined)
    this.#close(call)
    return undefined
  }

  /** Sends the call once it is allowed, and records its end. */
  async #run({ allowed: permitted, ...fitted }: PermittedCall<RunningCall>): Promise<void> {
    const { call } = fitted
    let { args } = fitted
    let decision: Decided | undefined
    let cancellation: Promise<void> | undefined
    const begin = async (given: Allowed) => {
      decision = allowedAs(given)
      const { by, why, powers } = given
      const startedAt = call.toolCall.startedAt ?? this.#parts.clock.now()
      // The start is saved before the call is sent, so that after a crash it is known that it may have run.
      const edited = given.edited ? await this.#edited(call, given.edited) : {}
      await call.keep({ ...edited, status: 'running', startedAt, allowedBy: by, why, powers: [...powers], paused: undefined })
      call.signal.throwIfAborted()
      this.#permission.confirm(call.toolCall, given, args)
      return given
    }
    try {
      const given = await permitted
      args = given.edited ?? args
      let allowed = await begin(given)
      const viewOf = this.#turn.app ? undefined : this.#parts.apps.begin(allowed.tool, call.signal)
      const options: SendOptions = {
        offline: allowed.tool.offline,
        onCancelling: (sent) => {
          cancellation = sent
        },
        // The pause is saved before the question, so that the call can be made again after a crash.
        onAsked: () => call.keep({ paused: true }),
        again: async () => {
          const renewed = await this.#permission.renew({ call, args }, allowed)
          if (renewed !== allowed || call.toolCall.paused) allowed = await begin(renewed)
        },
      }
      await this.#send(call, allowed.tool, args, options, viewOf)
    } catch (error) {
      if (error instanceof CallEnded && error.status === 'declined') decision = declinedAs(error)
      await this.#fail(call, error, cancellation)
    }
    if (decision) await this.#record(call.toolCall, args, decision, args === fitted.args ? undefined : fitted.args)
    this.#close(call)
  }

  /** Asks the server about a task that it ran before a restart. The call was allowed then and is not made again (TASK-20, TASK-21). */
  async #continue(call: RunningCall, task: KeptTask): Promise<void> {
    const { serverId, tool } = call.toolCall
    try {
      const server = serverId && this.#parts.servers.configured.find(serverId)
      await server?.clients.returning(call.signal)
      if (!server || server.record.launchIdentity !== task.launchIdentity) {
        throw new CallEnded('failed', {
          code: 'task-lost',
          what: 'The server was replaced, so it was not asked for the result.',
          todo: 'It may have taken effect: check before you try again.',
        })
      }
      call.show({ status: 'running', problem: undefined, finishedAt: undefined })
      await this.#send(call, { serverId: server.id, tool: { name: tool } }, {}, { task })
    } catch (error) {
      await this.#fail(call, error)
    }
    this.#close(call)
  }

  /** Makes the call, or goes on with its task, and records its result. */
  async #send(
    call: RunningCall,
    { serverId, tool }: { readonly serverId: ServerId; readonly tool: { readonly name: string } },
    args: JsonObject,
    options: SendOptions,
    viewOf?: ViewOf,
  ): Promise<void> {
    const { clock } = this.#parts
    const progress = throttledProgress(clock, (reached) => {
      const { progress: value, total } = reached
      const { task } = call.toolCall
      // Kept so that a restart shows where the task was (TASK-35).
      const kept = { progress: value, ...(total !== undefined && { total }), at: clock.now() }
      call.show({ progress: reached, ...(task && { task: { ...task, reached: kept } }) })
    })
    try {
      const result = await this.#parts.servers.calls.call(serverId, tool.name, args, {
        ...options,
        signal: call.signal,
        origin: { conversationId: this.#turn.conversationId, toolCallId: call.toolCall.id, title: this.#turn.title },
        overdue: { id: call.toolCall.id, show: (overdue) => call.show({ overdue }) },
        onProgress: progress.push,
        onUnanswered: (sentence) => call.show({ unanswered: sentence }),
        onBlocked: (blocked) => call.show({ blocked }),
        onTask: (news) => this.#onTask(call, serverId, news),
        // The server goes on while Parley is closed.
        leavesTask: (reason) => !(reason instanceof StoppedByPerson),
      })
      this.#turn.onResult?.(result)
      const view = await toolCallResult(result, this.#parts.storage.blobs)
      const app = await viewOf?.(result)
      progress.stop()
      if (view.isError) this.#noteOpenQuestion(call)
      if (isOfModel(call.toolCall) && this.#isReviewed(serverId, tool.name)) return await this.#review(call, view, app)
      call.end({ status: 'finished', result: view, ...(app && { app }) }, this.#parts.clock.now())
    } finally {
      progress.stop()
    }
  }

  /** True if the person wants to see the results of this tool before the model does. */
  #isReviewed(serverId: ServerId, tool: string): boolean {
    const options = this.#parts.servers.configured.find(serverId)?.record.options
    return options !== undefined && (options.reviewResults || options.reviewedTools.includes(tool))
  }

  /** Waits until the person lets the model have the result, or what they leave of it. The view of a changed one would show it whole. */
  async #review(call: RunningCall, received: ToolCallResult, app?: ToolCall['app']): Promise<void> {
    const arrived = this.#parts.clock.now()
    await call.keep({ status: 'asking', received, progress: undefined, problem: undefined })
    const { serverName = '', tool, id } = call.toolCall
    const { conversationId, title } = this.#turn
    const about: About = {
      serverId: call.toolCall.serverId as ServerId,
      serverName,
      origin: 'model',
      conversationId,
      toolCallId: id,
      cause: `“${cut(tool, 80)}” of “${cut(serverName, 80)}” answered in “${cut(title, 80)}”.`,
    }
    const result = await reviewedResult(this.#parts, call.toolCall, received, about, call.signal)
    const isWhole = result === received
    call.end(
      { status: 'finished', ...(result && { result }), ...(isWhole && { received: undefined, ...(app && { app }) }) },
      arrived,
    )
  }

  /** Asks again about a result that waited for the person before a restart. */
  async #showAgain(call: RunningCall): Promise<void> {
    const { received } = call.toolCall
    try {
      if (received) await this.#review(call, received)
    } catch (error) {
      await this.#fail(call, error)
    }
    const { allowedBy: by, why = '' } = call.toolCall
    if (by) await this.#record(call.toolCall, call.args ?? {}, allowedAs({ by, why }))
    this.#close(call)
  }

  async #onTask(call: RunningCall, serverId: ServerId, { ref, statusMessage, unconfirmed }: TaskNews): Promise<void> {
    const server = this.#parts.servers.configured.find(serverId)
    if (!call.toolCall.task && server) await call.keepTask({ ...ref, launchIdentity: server.record.launchIdentity })
    const reached = call.toolCall.task?.reached
    call.show({
      task: {
        ...defined({ reached, message: statusMessage, unconfirmed }),
      },
    })
  }

  /** Notes on the call that its server gave up waiting for an answer, since a server need not cancel its question. */
  #noteOpenQuestion(call: RunningCall): void {
    const open = this.#parts.state.snapshot.interactions.find(
      ({ about }) => about.origin === 'server' && about.toolCallId === call.toolCall.id,
    )
    if (open) call.show({ unanswered: unanswered(open.kind, 'stopped') })
  }

  /** `cancellation` resolves when it has been sent to the server. */
  async #fail(call: RunningCall, error: unknown, cancellation?: Promise<void>): Promise<void> {
    const { clock } = this.#parts
    const { signal, toolCall } = call
    if (signal.reason instanceof LeftInBackground) return this.#turn.onLeft?.(call.proposed)
    if (error instanceof CallEnded) return call.end({ status: error.status, problem: error.problem }, clock.now())
    if (signal.aborted) {
      if (cancellation && signal.reason instanceof StoppedByPerson) {
        call.show({ cancelling: true, overdue: undefined })
        await within(clock, CANCEL_TIMEOUT, cancellation)
      }
      return call.end(abortedCall(signal.reason, toolCall.startedAt !== undefined, call.toolCall), clock.now())
    }
    if (error instanceof ProtocolError) this.#noteOpenQuestion(call)
    // The person refused a question of the server during the call (V26-MRTR-12).
    const status = error instanceof RoundError && error.code === 'declined' ? 'declined' : 'failed'
    call.end({ status, problem: callProblem(error, toolCall.serverName ?? toolCall.tool) }, clock.now())
  }

  /** Answers with one of Parley's own tools, which only read: no consent is needed unless a rule of the person asks about a skill. */
  async #answer(call: RunningCall, ask: SkillReader['ask']): Promise<void> {
    const { clock, storage } = this.#parts
    if (!call.args) throw brokenArguments(call.toolCall)
    call.show({ status: 'running', startedAt: clock.now() })
    const answer = await this.#turn.builtIns?.run(call.toolCall.tool, call.args, async (reading) => {
      await ask(reading)
      call.show({ status: 'running', allowedBy: 'person', why: reading.why })
    })
    if (!answer) throw new CallEnded('failed', notOffered(call.toolCall))
    if ('failed' in answer) throw new CallEnded('failed', { code: 'invalid-arguments', what: answer.failed })
    const content = [{ type: 'text' as const, text: answer.text }]
    const from = 'from' in answer ? answer.from : {}
    call.end({ ...from, status: 'finished', result: await toolCallResult({ content, warnings: [] }, storage.blobs) }, clock.now())
  }

  /** The arguments, validated and if necessary repaired. Throws CallEnded. */
  async #fittingArguments(call: RunningCall): Promise<JsonObject> {
    const { checkValue, servers, storage } = this.#parts
    const { serverId, tool: name } = call.toolCall
    if (!serverId) {
      throw new CallEnded('failed', {
        code: 'unknown-tool',
        what: `The model called a tool that it does not have: “${name}”. Nothing was sent.`,
      })
    }
    const { args } = call
    if (!args) throw brokenArguments(call.toolCall)
    // The server may still be starting, for example after a restart of Parley.
    await servers.configured.find(serverId)?.listed(call.signal)
    const tool = servers.tools.find(serverId, name, this.#turn.app ? 'app' : 'model')
    if (!tool) throw new CallEnded('failed', notOffered(call.toolCall))
    const { inputSchema } = tool.tool
    const verdict = await checkValue(inputSchema, args)
    if (verdict.is === 'valid') return args
    if (verdict.is === 'unchecked') {
      call.show({ unchecked: verdict.reason })
      return args
    }
    const repaired = repairedArguments(inputSchema, args)
    if (repaired && (await checkValue(inputSchema, repaired)).is === 'valid') {
      call.show({ arguments: await boundJson(repaired, storage.blobs, new InlineBudget(RECORD_ARGUMENTS)) })
      return repaired
    }
    throw new CallEnded('failed', {
      code: 'invalid-arguments',
      what: `The arguments do not fit the schema of “${name}”. Nothing was sent.`,
      said: cut(verdict.problems.join('\n'), 2_000),
    })
  }

  /** The changes of a call's record when the person edited its arguments. */
  async #edited({ toolCall }: RunningCall, args: JsonObject): Promise<Partial<ToolCall>> {
    const shown = await boundJson(args, this.#parts.storage.blobs, new InlineBudget(RECORD_ARGUMENTS))
    return { arguments: shown, proposed: toolCall.proposed ?? toolCall.arguments }
  }

  /** A stopped call has no entry, since nobody decided about it. */
  async #recordReading(call: ToolCall, { serverId, serverName, uri, why }: AskedReading, declined?: Decided): Promise<void> {
    const allowed = call.allowedBy === 'person' ? ({ decision: 'allowed-by-person', why } as const) : undefined
    const decided = declined ?? allowed
    if (decided) await this.#record({ ...call, serverId, serverName, tool: 'resources/read' }, { uri }, decided)
  }

  #record(call: ToolCall, args: JsonObject, decided: Decided, proposed?: JsonObject): Promise<void> {
    const { configured } = this.#parts.servers
    const ended = call.result?.isError ? 'error' : call.status
    const reviewed = call.status === 'finished' && call.received && (call.result ? 'changed' : 'withheld')
    const ending = call.problem?.code ?? reviewed
    return keepDecision(this.#parts, {
      ...decided,
      conversationId: this.#turn.conversationId,
      toolCallId: call.id,
      serverId: call.serverId ?? '',
      ...(call.serverName !== undefined && { serverName: call.serverName }),
      tool: call.tool,
      ...(this.#turn.app && { byApp: true as const }),
      ...(call.undoes !== undefined && { undoes: true as const }),
      args,
      proposed,
      outcome: ending ? `${ended}: ${ending}` : ended,
      redact: (text) => configured.clean(text),
    })
  }
}

type SendOptions = Partial<Parameters<ServerCalls['call']>[3]>
type Decided = Pick<Decision, 'decision' | 'why' | 'ruleId'>

function allowedAs({ by, why, rule }: Pick<Allowed, 'by' | 'why' | 'rule'>): Decided {
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
  })
}

function jsonError(text: string): string {
  try {
    parseJson(text)
    return 'It is JSON, but not an object.'
  } catch (error) {
    return cut(error instanceof Error ? error.message : 'It is not JSON.', 300)
  }
}
