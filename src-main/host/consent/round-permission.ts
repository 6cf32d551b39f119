import { defined } from '../../../src-shared/base/defined.ts'
import type { InTurn } from '../../../src-shared/base/in-turn.ts'
import { canonicalJson, type JsonObject } from '../../../src-shared/base/json.ts'
import type { BoundedJson } from '../../../src-shared/contract/blobs.ts'
import { type ConsentCall, type Offer, onlyReads, type Power, type Scope } from '../../../src-shared/contract/consent.ts'
import type { ToolCall } from '../../../src-shared/contract/conversations.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'
import type { ConsentRuleId, ServerId } from '../../../src-shared/contract/ids.ts'
import type { About, AnswerTo } from '../../../src-shared/contract/interactions.ts'
import { BLOCKED_SHOWN, type BlockedReach, toolHints } from '../../../src-shared/contract/servers.ts'
import { toolTitle } from '../../../src-shared/mcp/primitives.ts'
import { recordApproval, recordDenial, recordSent } from '../../consent/answers.ts'
import { argumentOrder } from '../../consent/argument-order.ts'
import { distinguishingArgument } from '../../consent/distinguishing-argument.ts'
import { isSure } from '../../consent/guards.ts'
import { isGraveName } from '../../consent/names.ts'
import { type PathFacts, shownPath } from '../../consent/read-path.ts'
import { asksForKeys } from '../../consent/verdict.ts'
import { mirroredNames } from '../../protocol/mirrored-arguments.ts'
import { CallEnded, notOffered } from '../core/call-endings.ts'
import { boundJson, cut, InlineBudget } from '../core/content-views.ts'
import type { HostCore } from '../core/host-core.ts'
import { InteractionExpired, TooManyQuestions } from '../core/interactions.ts'
import type { AskedReading } from '../servers/person-rules.ts'
import type { AvailableTool } from '../servers/server-tools.ts'
import type { Servers } from '../servers/servers.ts'
import type { Consent, JudgedCall, TurnOrigin } from './consent.ts'
import { definitionOf } from './consent-rules.ts'

/** Bytes of all inline arguments of a question, and characters of all descriptions. */
const QUESTION_ARGUMENTS = 12 * 1024
const DESCRIPTIONS = 4_000
/** Characters of the argument that distinguishes a call. */
const MAX_DISTINGUISHING_LENGTH = 4_000
/** Arguments that a question puts in order, and characters of their names; the others follow. */
const ORDERED = 40
const ORDERED_NAME = 200
/** Questions about one call whose tool keeps changing while they are open. */
const ASK_LIMIT = 4
/** Calls of one question; another question follows for the rest of the round. */
const CALLS_PER_QUESTION = 25

export interface PermissionParts extends Pick<HostCore, 'storage' | 'interactions' | 'state' | 'clock' | 'checkValue'> {
  readonly servers: Servers
  readonly consent: Consent
}

export interface Allowed {
  readonly tool: AvailableTool
  readonly by: NonNullable<ToolCall['allowedBy']>
  readonly why: string
  readonly rule?: ConsentRuleId
  /** By the tool's current definition. */
  readonly powers: readonly Power[]
  /** The allowed arguments, as canonical JSON. */
  readonly args: string
  /** The arguments, if the person changed them. */
  readonly edited?: JsonObject
}

/** The person said what tools do, so the question is judged again. */
class Said extends Error {}

export class DeniedByRule extends CallEnded {
  readonly rule: ConsentRuleId

  constructor(rule: ConsentRuleId) {
    super('declined', DENIED_BY_RULE)
    this.rule = rule
  }
}

export interface RoundOrigin extends TurnOrigin {
  readonly title: string
  readonly signal: AbortSignal
  /** The view that makes the calls instead of the model. */
  readonly app?: AppOrigin
}

/** A server's view. Rules for the model do not cover its calls, and a person can let it call a tool while it is open (APP-15). */
export interface AppOrigin {
  /** Fingerprints of the tools that it may call while it is open. */
  readonly allowed: Set<string>
  /** The time of the last denial, after which calls wait until the person acts in the view (APP-17). */
  deniedAt?: number | undefined
  /** Its questions come one by one, so that an answer holds for the calls that wait. */
  readonly questions: InTurn
}

interface RoundCall {
  readonly toolCall: ToolCall
  /** Aborts with the call or its turn. */
  readonly signal: AbortSignal
  /** Called once before the person is asked. */
  asking(): Promise<void>
}

/** A call of an existing tool with valid arguments. */
export interface FittedCall<C extends RoundCall = RoundCall> {
  readonly call: C
  readonly args: JsonObject
}

/** `allowed` settles when a rule or the person has decided. */
export interface PermittedCall<C extends RoundCall = RoundCall> extends FittedCall<C> {
  readonly allowed: Promise<Allowed>
}

type ShownCall = Pick<UndecidedCall, 'shown' | 'facts' | 'hidden'>

/** A call without a decision so far. */
class UndecidedCall {
  readonly call: RoundCall
  /** `args`, `shown`, `facts` and `hidden` change together when the person changes the arguments. */
  args: JsonObject
  shown: BoundedJson
  facts: PathFacts
  /** The model's arguments, once the person has changed them. */
  proposed: BoundedJson | undefined
  rejected: ConsentCall['rejected']
  /** False for a call that has begun and needs another question. */
  readonly editable: boolean
  /** Folders that the arguments name and that the server's fence hides. */
  hidden: readonly BlockedReach[]
  readonly #decision = Promise.withResolvers<Allowed>()
  decided = false
  told = false
  times = 0
  /** The tool as of the last question. */
  asked: AvailableTool | undefined

  constructor({ call, args }: FittedCall, { shown, facts, hidden }: ShownCall, before: AvailableTool | undefined) {
    this.call = call
    this.args = args
    this.shown = shown
    this.facts = facts
    this.hidden = hidden
    this.asked = before
    this.editable = before === undefined
    call.signal.addEventListener('abort', () => this.refuse(call.signal.reason), { once: true })
  }

  get allowed(): Promise<Allowed> {
    return this.#decision.promise
  }

  allow(allowed: Allowed): void {
    this.decided = true
    this.#decision.resolve(allowed)
  }

  refuse(reason: unknown): void {
    this.decided = true
    this.#decision.reject(reason)
  }
}

/** False where there is nothing to change. */
const takesArguments = ({ inputSchema }: AvailableTool['tool'], args: JsonObject) =>
  Object.keys(args).length > 0 || Object.keys(inputSchema.properties ?? {}).length > 0

/** Gets permission for the calls of a turn from rules or the person, in one question per round that shows exactly what would be sent (SEC-08). */
export class RoundPermission {
  readonly #parts: PermissionParts
  readonly #origin: RoundOrigin

  constructor(parts: PermissionParts, origin: RoundOrigin) {
    this.#parts = parts
    this.#origin = origin
  }

  /**
   * Decides about all calls of a round. There is one promise per call, so that calls allowed by a rule run while the question about the
   * others is open.
   */
  permit<C extends RoundCall>(calls: readonly FittedCall<C>[]): readonly PermittedCall<C>[] {
    const permitted = calls.map((fitted) => {
      const waiting = this.#prepared(fitted, calls.length)
      return { ...fitted, waiting, allowed: waiting.then(({ allowed }) => allowed) }
    })
    const decide = () => this.#decide(permitted.map(({ waiting }) => waiting))
    void (this.#origin.app ? this.#origin.app.questions.run(decide) : decide())
    return permitted
  }

  /** Keeps the permission while the tool is unchanged, and otherwise judges the call again (V26-MRTR-18). */
  async renew(fitted: FittedCall, allowed: Allowed): Promise<Allowed> {
    if (same(this.#tool(fitted.call.toolCall), allowed.tool)) return allowed
    const waiting = this.#prepared(fitted, 1, allowed.tool)
    void this.#decide([waiting])
    return (await waiting).allowed
  }

  /** The last check before a call is sent: it must be exactly what was allowed (SEC-26). */
  confirm(call: ToolCall, allowed: Allowed, args: JsonObject): void {
    if (!same(this.#tool(call), allowed.tool) || canonicalJson(args) !== allowed.args)
      throw new CallEnded('failed', keepsChanging(call))
  }

  /** Asks about a reading that is no call of a tool. Throws CallEnded unless it is allowed. */
  async allowReading(call: RoundCall, { skill, serverId, serverName, uri, ...held }: AskedReading): Promise<void> {
    const { interactions, storage, consent } = this.#parts
    await call.asking()
    const method = 'resources/read'
    const shown: ConsentCall = {
      toolCallId: call.toolCall.id,
      skill,
      serverId,
      serverName,
      tool: method,
      title: method,
      description: '',
      arguments: await boundJson({ uri }, storage.blobs, new InlineBudget(QUESTION_ARGUMENTS)),
      order: [],
      hints: toolHints({}),
      fingerprint: method,
      known: 'protocol',
      ...held,
    }
    const about = this.#about([{ ...call.toolCall, serverId, serverName }])
    try {
      await interactions.room(about, call.signal)
      const answer = await interactions.ask('tool-consent', about, { calls: [shown], offers: [] }, call.signal)
      if (answer.decision === 'allow') return
    } catch (error) {
      throw error instanceof InteractionExpired ? new CallEnded('declined', EXPIRED) : error
    }
    consent.readings.of(this.#origin.conversationId).recordDenial()
    throw new CallEnded('declined', DENIED)
  }

  async #prepared(fitted: FittedCall, calls: number, before?: AvailableTool): Promise<UndecidedCall> {
    const { storage, consent } = this.#parts
    const { call, args } = fitted
    const budget = new InlineBudget(Math.floor(QUESTION_ARGUMENTS / Math.min(calls, CALLS_PER_QUESTION)))
    const shown = await boundJson(args, storage.blobs, budget)
    await this.#runningFence(call)
    const tool = this.#tool(call.toolCall)
    const facts = await consent.facts(consent.judged.of(tool), args)
    const hidden = await this.#hidden(tool, args, facts)
    call.signal.throwIfAborted()
    return new UndecidedCall(fitted, { shown, facts, hidden }, before)
  }

  /** The folders that a call names, its server's fence hides, and nobody has said to keep out. */
  async #hidden(tool: AvailableTool, args: JsonObject, facts: PathFacts): Promise<readonly BlockedReach[]> {
    const { servers, consent } = this.#parts
    const server = servers.configured.find(tool.serverId)
    const { fence, keptOut = [] } = server?.record.options ?? {}
    if (!server || !fence || this.#origin.app) return []
    const { touches, powers } = consent.judge(tool, args, facts, this.#origin).act
    const paths = touches.flatMap((touch) => (touch.is === 'path' && touch.path !== undefined ? [touch.path] : []))
    const hidden = await servers.fences.hidden(paths, !onlyReads(powers), { program: server.program, policy: fence })
    return hidden.filter(({ name }) => !keptOut.includes(name)).slice(0, BLOCKED_SHOWN)
  }

  /** True for a folder that the person has not heard of: one that was kept out before waits in the Inbox. */
  #isNews({ call: { toolCall }, hidden }: UndecidedCall): boolean {
    const server = toolCall.serverId && this.#parts.servers.configured.find(toolCall.serverId)
    const known = server ? server.refusals.reaches.beyond(server.record.options.fence) : []
    return hidden.some(({ name }) => !known.some((one) => one.name === name))
  }

  /** Starts a fenced server that is idle: only a running process shows what its fence keeps from it. */
  async #runningFence({ toolCall, signal }: RoundCall): Promise<void> {
    const server = toolCall.serverId && this.#parts.servers.configured.find(toolCall.serverId)
    if (server?.record.options.fence && server.record.state.is === 'idle') await server.clients.next(signal)
  }

  async #decide(prepared: readonly Promise<UndecidedCall>[]): Promise<void> {
    const all = (await Promise.allSettled(prepared)).flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    const open = () => all.filter(({ decided }) => !decided)
    try {
      while (open().length > 0) await this.#askOnce(open)
    } catch (error) {
      for (const one of open()) one.refuse(error)
    }
  }

  async #askOnce(open: () => readonly UndecidedCall[]): Promise<void> {
    if (this.#toAsk(open()).length === 0) return
    const untold = open().filter(({ told }) => !told)
    for (const one of untold) one.told = true
    await Promise.all(untold.map(({ call }) => call.asking()))
    const [first] = open()
    if (!first) return
    await this.#parts.interactions.room(this.#about([first.call.toolCall]), this.#origin.signal)
    // No await from here to the question, so that it shows what was judged.
    const asked = this.#toAsk(open()).slice(0, CALLS_PER_QUESTION)
    if (asked.length === 0) return
    const answer = await this.#ask(asked)
    if (answer) await this.#answered(asked, answer)
  }

  /** Decides calls that need no question, and returns the others in the model's order. */
  #toAsk(open: readonly UndecidedCall[]): { one: UndecidedCall; judged: JudgedCall }[] {
    const { consent } = this.#parts
    const asked: { one: UndecidedCall; judged: JudgedCall }[] = []
    for (const one of open) {
      try {
        const judged = lookedAt(one, consent.judge(this.#tool(one.call.toolCall), one.args, one.facts, this.#origin))
        const { verdict } = judged
        if (verdict.is === 'deny') one.refuse(new DeniedByRule(verdict.rule.id))
        else if (this.#origin.app) {
          const shown = askedByApp(judged)
          if (this.#origin.app.deniedAt !== undefined) one.refuse(new CallEnded('declined', DENIED_BEFORE))
          else if (this.#origin.app.allowed.has(judged.tool.fingerprint) && isPlainReading(judged))
            this.#allow(one, shown, 'view-open', VIEW_OPEN)
          else asked.push({ one, judged: shown })
        } else if (verdict.is === 'ask') asked.push({ one, judged })
        else if (this.#isNews(one)) asked.push({ one, judged: { ...judged, verdict: { is: 'ask', why: HIDDEN, guards: [] } } })
        else this.#allow(one, judged, verdict.by === 'free' ? 'free' : ruleKind(verdict.rule.scope), verdict.why)
        // A failure to count a use must not fail the call.
        if (verdict.is === 'allow' && verdict.by === 'rule' && !this.#origin.app)
          void consent.rules.used(verdict.rule.id).catch(() => {}) // As above.
      } catch (error) {
        one.refuse(error)
      }
    }
    return asked
  }

  #allow(one: UndecidedCall, { tool, act, verdict }: JudgedCall, by: Allowed['by'], why: string): void {
    if (one.decided) return
    recordSent(act, this.#parts.consent.readings.of(this.#origin.conversationId))
    const rule = verdict.is === 'allow' && verdict.by === 'rule' ? { rule: verdict.rule.id } : {}
    one.allow({
      tool,
      by,
      why,
      ...rule,
      powers: act.powers,
      args: canonicalJson(one.args),
      ...(one.proposed && { edited: one.args }),
    })
  }

  /** Undefined if there is no room for another question, all calls were stopped, or they are to be judged again. */
  async #ask(asked: readonly { one: UndecidedCall; judged: JudgedCall }[]): Promise<AnswerTo<'tool-consent'> | undefined> {
    const { interactions, consent } = this.#parts
    const opening = openingOffer(asked)
    const offers = opening ? [opening, ...this.#offers(asked)] : this.#offers(asked)
    const question = { calls: asked.map(({ one, judged }) => this.#shown(one, judged, asked)), offers }
    const about = this.#about(asked.map(({ one }) => one.call.toolCall))
    const stopped = new AbortController()
    void Promise.allSettled(asked.map(({ one }) => one.allowed)).then(([end]) =>
      stopped.abort(end?.status === 'rejected' ? end.reason : undefined),
    )
    const forget = consent.judged.said.on((serverId) => {
      if (asked.some(({ judged }) => judged.tool.serverId === serverId)) stopped.abort(new Said('You said what its tools do.'))
    })
    const signal = AbortSignal.any([this.#origin.signal, stopped.signal])
    try {
      return await interactions.ask('tool-consent', about, question, signal, {
        check: (answer) => {
          if (answer.decision === 'edit')
            return question.calls.some((call) => call.editable && call.toolCallId === answer.call)
              ? undefined
              : 'The arguments of this call cannot be changed.'
          const unknown =
            answer.decision === 'allow' && answer.offer !== undefined && !offers.some(({ id }) => id === answer.offer)
          return unknown ? 'This rule was not offered.' : undefined
        },
      })
    } catch (error) {
      if (error instanceof TooManyQuestions || error instanceof Said) return undefined
      for (const { one } of asked) one.refuse(error instanceof InteractionExpired ? new CallEnded('declined', EXPIRED) : error)
      return undefined
    } finally {
      forget()
    }
  }

  #offers(asked: readonly { readonly judged: JudgedCall }[]): readonly Offer[] {
    const judged = asked.map((one) => one.judged)
    if (!this.#origin.app) {
      const offers = this.#parts.consent.offers(judged, this.#origin.conversationId)
      return offers.map(({ draft: _draft, ...offer }) => offer)
    }
    return judged.every(isPlainReading) ? [{ id: WHILE_OPEN, label: 'Allow while the view is open', scope: 'task' }] : []
  }

  #shown(
    { shown, call: { toolCall: call }, asked, args, editable, proposed, rejected }: UndecidedCall,
    { tool, act, verdict }: JudgedCall,
    round: readonly { one: UndecidedCall; judged: JudgedCall }[],
  ): ConsentCall {
    const changed = this.#parts.consent.rules.definitionBefore(tool) ?? changedSince(asked, tool)
    const telling = distinguishingArgument(
      act,
      round.flatMap(({ judged }) => (judged.act !== act && judged.tool.fingerprint === tool.fingerprint ? judged.act : [])),
    )
    const possible = act.powers.filter((power) => !isSure(act, power))
    const mirrored = mirroredNames(tool.mirrored ?? [], args).map((name) => cut(name, 200))
    return {
      toolCallId: call.id,
      serverId: tool.serverId,
      serverName: tool.serverName,
      tool: tool.tool.name,
      title: cut(toolTitle(tool.tool), 200),
      description: cut(tool.tool.description ?? '', Math.floor(DESCRIPTIONS / round.length)),
      arguments: shown,
      order: argumentOrder(act)
        .slice(0, ORDERED)
        .filter((name) => name.length <= ORDERED_NAME),
      ...(editable && round.length === 1 && takesArguments(tool.tool, args) && { editable }),
      ...defined({ proposed, rejected }),
      ...(call.unchecked && { unchecked: call.unchecked }),
      ...(mirrored.length > 0 && { mirrored }),
      hints: tool.hints,
      ...(this.#origin.app && { byApp: true as const }),
      ...(call.undoes !== undefined && { undoes: true as const }),
      fingerprint: tool.fingerprint,
      powers: act.powers,
      ...(possible.length > 0 && { possible }),
      ...(!onlyReads(act.powers) && isGraveName(tool.tool.name) && { grave: true as const }),
      known: act.known,
      ...(telling !== undefined && { telling: cut(telling, MAX_DISTINGUISHING_LENGTH) }),
      why: verdict.why,
      guards: verdict.is === 'ask' ? verdict.guards.slice(0, 12) : [],
      ...(changed && { changed }),
    }
  }

  async #answered(asked: readonly { one: UndecidedCall; judged: JudgedCall }[], answer: AnswerTo<'tool-consent'>): Promise<void> {
    const { consent } = this.#parts
    if (answer.decision === 'edit') {
      const edited = asked.find(({ one }) => one.call.toolCall.id === answer.call)
      if (edited) await this.#edit(edited.one, answer.arguments)
      return
    }
    const ticked = new Set(answer.decision === 'allow' ? answer.calls : [])
    const opens = answer.decision === 'allow' && answer.offer === OPEN_FENCE
    if (opens) await this.#openFences(asked.map(({ one }) => one).filter(({ call }) => ticked.has(call.toolCall.id)))
    const allowed: JudgedCall[] = []
    const settle: (() => void)[] = []
    for (const { one, judged } of asked) {
      // Stopped while the question was open.
      if (one.decided) continue
      one.times += 1
      one.asked = judged.tool
      const { toolCall } = one.call
      if (!ticked.has(toolCall.id)) {
        // The person denies their own undo, which says nothing about the model.
        if (toolCall.undoes === undefined) recordDenial(judged.act, consent.readings.of(this.#origin.conversationId))
        if (this.#origin.app) this.#origin.app.deniedAt = this.#parts.clock.now()
        one.refuse(new CallEnded('declined', DENIED))
        continue
      }
      try {
        const now = this.#tool(toolCall)
        if (same(now, judged.tool)) {
          const behind = opens ? consent.judge(now, one.args, one.facts, this.#origin) : judged
          // The person was not asked about powers that only the wider fence gives.
          if (!behind.act.powers.every((power) => judged.act.powers.includes(power))) continue
          allowed.push(behind)
          settle.push(() => this.#allow(one, behind, 'person', whyAsked(judged)))
        } else if (one.times >= ASK_LIMIT) one.refuse(new CallEnded('failed', keepsChanging(toolCall)))
      } catch (error) {
        one.refuse(error)
      }
    }
    for (const { act } of allowed) recordApproval(act, consent.readings.of(this.#origin.conversationId))
    if (answer.decision === 'allow' && answer.offer === WHILE_OPEN)
      for (const { tool } of allowed) this.#origin.app?.allowed.add(tool.fingerprint)
    // Offers are computed again for the allowed calls only, so that a denied call cannot widen the rule.
    const offer =
      answer.decision === 'allow' && answer.offer !== undefined && !this.#origin.app
        ? consent.offers(allowed, this.#origin.conversationId).find(({ id }) => id === answer.offer)
        : undefined
    if (offer) await this.#remember(offer.draft, allowed)
    for (const go of settle) go()
  }

  /** Opens the fences for what the calls name, as the person just said, each once. */
  async #openFences(calls: readonly UndecidedCall[]): Promise<void> {
    for (const [serverId, named] of hiddenBy(calls)) {
      await this.#parts.servers.controls.openFurther(serverId, named, this.#origin.signal)
    }
    for (const one of calls) one.hidden = []
  }

  /** Takes the person's arguments if they are valid. The call is then judged, and asked about, again. */
  async #edit(one: UndecidedCall, args: JsonObject): Promise<void> {
    const { storage, consent, checkValue } = this.#parts
    const tool = this.#tool(one.call.toolCall)
    const verdict = await checkValue(tool.tool.inputSchema, args)
    if (verdict.is === 'invalid') {
      one.rejected = { json: JSON.stringify(args, null, 2), why: cut(verdict.problems.join('\n'), 2_000) }
      return
    }
    const shown = await boundJson(args, storage.blobs, new InlineBudget(QUESTION_ARGUMENTS))
    const facts = await consent.facts(consent.judged.of(tool), args)
    one.hidden = await this.#hidden(tool, args, facts)
    one.rejected = undefined
    one.proposed ??= one.call.toolCall.arguments
    one.args = args
    one.shown = shown
    one.facts = facts
  }

  async #remember(draft: Parameters<Consent['rules']['remember']>[0], allowed: readonly JudgedCall[]): Promise<void> {
    try {
      await this.#parts.consent.rules.remember(
        draft,
        this.#origin,
        allowed.map(({ tool }) => tool),
      )
    } catch (error) {
      const tools = allowed.map(({ tool }) => `“${tool.tool.name}”`).join(', ')
      this.#parts.state.notice(
        'warning',
        {
          code: 'rule-not-kept',
          what: `Your permission for ${cut(tools, 200)} could not be saved. It applied this once.`,
          ...(error instanceof Error && { said: cut(error.message, 600) }),
          todo: 'You will be asked again next time.',
        },
        this.#parts.clock.now(),
      )
    }
  }

  /** The current tool: servers may restart and change while a question is open. */
  #tool(call: ToolCall): AvailableTool {
    const tool = call.serverId && this.#parts.servers.tools.find(call.serverId, call.tool, this.#origin.app ? 'app' : 'model')
    if (!tool || tool.hidden) throw new CallEnded('failed', notOffered(call))
    return tool
  }

  #about(asked: readonly ToolCall[]): About {
    const [call] = asked
    const { conversationId, title } = this.#origin
    const serverName = call?.serverName ?? ''
    const where = `in “${cut(title, 80)}”`
    return {
      // Every call in a question has passed `#tool`, so it has a server.
      serverId: call?.serverId as About['serverId'],
      serverName,
      origin: this.#origin.app ? 'app' : 'model',
      conversationId,
      ...(call && { toolCallId: call.id }),
      cause: this.#origin.app
        ? `A view of “${cut(serverName, 80)}” calls “${cut(call?.tool ?? '', 80)}” ${where}.`
        : call?.undoes !== undefined
          ? `You undo a change ${where}.`
          : asked.length > 1
            ? `The model makes ${asked.length} calls ${where}.`
            : `The model calls “${cut(call?.tool ?? '', 80)}” ${where}.`,
    }
  }
}

const DENIED: Problem = { code: 'denied', what: 'Denied. Nothing was sent.' }
/** Calls of a view are refused after a denial, until the person acts in it. */
export const DENIED_BEFORE: Problem = {
  code: 'denied',
  what: 'You denied a call of this view. It may ask again once you use it.',
}
const DENIED_BY_RULE: Problem = {
  code: 'denied',
  what: 'Your rule denies this call. Nothing was sent.',
  todo: 'See Settings, Consent rules.',
}
const EXPIRED: Problem = {
  code: 'expired',
  what: 'No answer in time, so the call was not made.',
  todo: 'Ask again, or set a longer question timeout in Settings.',
}

function keepsChanging(call: ToolCall): Problem {
  return {
    code: 'tool-changes',
    what: `“${call.tool}” kept changing while you were asked. Nothing was sent.`,
    todo: 'Check the server before you use it again.',
  }
}

/** Arguments that the person changed are shown once more, even if a rule allows them: the person allows what they last saw. */
function lookedAt({ proposed }: UndecidedCall, judged: JudgedCall): JudgedCall {
  if (!proposed || judged.verdict.is !== 'allow') return judged
  return { ...judged, verdict: { is: 'ask', why: 'You changed the arguments.', guards: [] } }
}

const WHILE_OPEN = 'while-open'
const VIEW_OPEN = 'You let this view call it while it is open.'

/** A view's call is asked about even if a rule or its place would allow the model the same. */
function askedByApp(judged: JudgedCall): JudgedCall {
  const guards = judged.verdict.is === 'ask' ? judged.verdict.guards : []
  return { ...judged, verdict: { is: 'ask', why: 'A view of this server asks for it, not the model.', guards } }
}

/** A reading that no guard holds: all that a view may repeat while it is open. */
const isPlainReading = ({ act, verdict }: JudgedCall) =>
  onlyReads(act.powers) && act.unread === undefined && !asksForKeys(act) && (verdict.is !== 'ask' || verdict.guards.length === 0)

/** A fence is opened by this answer alone, never by a rule. */
const OPEN_FENCE = 'open-fence'
const HIDDEN = 'The fence of this server hides a folder that the call names.'

function hiddenBy(calls: readonly UndecidedCall[]): ReadonlyMap<ServerId, readonly BlockedReach[]> {
  const found = new Map<ServerId, BlockedReach[]>()
  for (const { hidden, call } of calls)
    if (call.toolCall.serverId && hidden.length > 0)
      found.set(call.toolCall.serverId, [...(found.get(call.toolCall.serverId) ?? []), ...hidden])
  return found
}

/** “Allow once and let git see ~/shop”; undefined where no fence hides anything. */
function openingOffer(asked: readonly { readonly one: UndecidedCall; readonly judged: JudgedCall }[]): Offer | undefined {
  const lets = [...hiddenBy(asked.map(({ one }) => one))].map(([serverId, hidden]) => {
    const { tool, facts } = asked.find(({ judged }) => judged.tool.serverId === serverId)?.judged ?? {}
    const write = hidden.some((reach) => reach.write)
    const folders = [...new Set(hidden.map(({ name }) => (facts ? shownPath(name, facts) : name)))]
    return `let “${cut(tool?.serverName ?? '', 80)}” ${write ? 'change files in' : 'see'} ${folders.join(', ')}`
  })
  return lets.length === 0 ? undefined : { id: OPEN_FENCE, label: `Allow once and ${lets.join(', ')}`, scope: 'always' }
}

const ruleKind = (scope: Scope): Allowed['by'] => (scope === 'until' ? 'always-rule' : `${scope}-rule`)

function whyAsked({ verdict }: JudgedCall): string {
  const guards = verdict.is === 'ask' ? verdict.guards.map(({ text }) => text) : []
  return cut(['You allowed it.', verdict.why, ...guards].join(' '), 2_000)
}

function same(a: AvailableTool, b: AvailableTool): boolean {
  return a.fingerprint === b.fingerprint && a.launchIdentity === b.launchIdentity
}

function changedSince(asked: AvailableTool | undefined, now: AvailableTool): { before: string; now: string } | undefined {
  if (!asked || asked.fingerprint === now.fingerprint) return undefined
  return { before: definitionOf(asked), now: definitionOf(now) }
}
