import { canonicalJson, type JsonObject } from '../../../src-shared/base/json.ts'
import type { BoundedJson } from '../../../src-shared/contract/blobs.ts'
import type { ConsentCall, Power, Scope } from '../../../src-shared/contract/consent.ts'
import type { ToolCall } from '../../../src-shared/contract/conversations.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'
import type { ConsentRuleId, ToolCallId } from '../../../src-shared/contract/ids.ts'
import type { About, AnswerTo } from '../../../src-shared/contract/interactions.ts'
import { toolTitle } from '../../../src-shared/mcp/primitives.ts'
import { allowedByPerson, letThrough } from '../../consent/answers.ts'
import { distinguishingArgument } from '../../consent/distinguishing-argument.ts'
import type { PathFacts } from '../../consent/read-path.ts'
import { mirroredNames } from '../../protocol/mirrored-arguments.ts'
import { CallEnded, notOffered } from '../core/call-endings.ts'
import { boundedJson, cut, InlineBudget } from '../core/content-views.ts'
import type { HostCore } from '../core/host-core.ts'
import { InteractionExpired, TooManyQuestions } from '../core/interactions.ts'
import type { AvailableTool } from '../servers/server-tools.ts'
import type { Servers } from '../servers/servers.ts'
import type { CallOrigin, Consent, Judged } from './consent.ts'
import { definitionOf } from './consent-rules.ts'

/** Bytes of all arguments of a question that it carries inline, and characters of all descriptions. */
const QUESTION_ARGUMENTS = 12 * 1024
const DESCRIPTIONS = 4_000
/** Characters of what names a call among its neighbours. */
const TELLING = 4_000
/** How often one call may be asked about because its tool changed while the question was open. */
const ASK_LIMIT = 4
/** Calls of one question; the others of the round are asked about after it. */
const CALLS = 25

export interface PermissionParts extends Pick<HostCore, 'storage' | 'interactions' | 'state' | 'clock'> {
  readonly servers: Servers
  readonly consent: Consent
}

export interface Allowed {
  readonly tool: AvailableTool
  readonly by: NonNullable<ToolCall['allowedBy']>
  readonly why: string
  readonly rule?: ConsentRuleId
  /** The powers of the call, as the tool is defined at this moment. */
  readonly powers: readonly Power[]
  /** The arguments that it was given for, canonical. */
  readonly args: string
}

/** A rule of the person denies it. */
export class DeniedByRule extends CallEnded {
  readonly rule: ConsentRuleId

  constructor(rule: ConsentRuleId) {
    super('declined', DENIED_BY_RULE)
    this.rule = rule
  }
}

/** The turn whose calls they are. */
export interface RoundOrigin extends CallOrigin {
  readonly title: string
  readonly signal: AbortSignal
}

interface Waiting {
  readonly call: ToolCall
  /** Among the calls of its round, as the model made them. */
  readonly place: number
  readonly args: JsonObject
  readonly shown: BoundedJson
  readonly facts: PathFacts
  readonly asking: () => Promise<void>
  readonly resolve: (allowed: Allowed) => void
  readonly reject: (error: unknown) => void
  told: boolean
  times: number
  /** As it was when the person was last asked. */
  asked?: AvailableTool
}

/** The permission for the calls of one round: from rules, or from the person, who is shown exactly what would be sent, in one question (SEC-08). */
export class RoundPermission {
  readonly #parts: PermissionParts
  readonly #origin: RoundOrigin
  readonly #waiting = new Map<ToolCallId, Waiting>()
  /** Calls of which it is not known yet whether they need one. */
  #expected: number
  readonly #leavers: (() => void)[] = []
  readonly #calls: number
  #deciding = false
  /** Takes the open question back: every call that waits was cancelled by itself. */
  #withdraw: (reason: unknown) => void = () => {}

  constructor(parts: PermissionParts, origin: RoundOrigin, calls: number) {
    this.#parts = parts
    this.#origin = origin
    this.#expected = calls
    this.#calls = Math.max(1, calls)
  }

  /** A call of the round that has ended, or whose need is known, is not waited for any more; each says so once. */
  leaver(): () => void {
    let left = false
    const leave = () => {
      if (left) return
      left = true
      this.#expected -= 1
      void this.#decide()
    }
    this.#leavers.push(leave)
    return leave
  }

  /** Resolves when a rule or the person allows the call, for the tool as it is defined at that moment. `asking` is told once, before the question. */
  async obtain(
    call: ToolCall,
    args: JsonObject,
    signal: AbortSignal,
    { asking, leave, before }: { asking: () => Promise<void>; leave: () => void; before?: AvailableTool },
  ): Promise<Allowed> {
    const shown = await boundedJson(
      args,
      this.#parts.storage.blobs,
      new InlineBudget(Math.floor(QUESTION_ARGUMENTS / Math.min(this.#calls, CALLS))),
    )
    const facts = await this.#parts.consent.facts(this.#parts.consent.judged.of(this.#tool(call)), args)
    signal.throwIfAborted()
    return new Promise<Allowed>((resolve, reject) => {
      const gone = () => {
        this.#waiting.delete(call.id)
        reject(signal.reason)
        if (this.#waiting.size === 0) this.#withdraw(signal.reason)
      }
      const settled =
        <T>(settle: (value: T) => void) =>
        (value: T) => {
          signal.removeEventListener('abort', gone)
          this.#waiting.delete(call.id)
          settle(value)
        }
      signal.addEventListener('abort', gone, { once: true })
      this.#waiting.set(call.id, {
        call,
        place: this.#leavers.indexOf(leave),
        args,
        shown,
        facts,
        asking,
        resolve: settled(resolve),
        reject: settled(reject),
        told: false,
        times: 0,
        ...(before && { asked: before }),
      })
      leave()
    })
  }

  /** The last look before the call is sent: what runs is what was allowed, to the letter (SEC-26). */
  confirm(call: ToolCall, allowed: Allowed, args: JsonObject): void {
    if (!same(this.#tool(call), allowed.tool) || canonicalJson(args) !== allowed.args)
      throw new CallEnded('failed', keepsChanging(call))
  }

  /** The same permission while the tool is unchanged; otherwise it is judged again (V26-MRTR-18). */
  async renew(
    call: ToolCall,
    allowed: Allowed,
    args: JsonObject,
    signal: AbortSignal,
    asking: () => Promise<void>,
  ): Promise<Allowed> {
    if (same(this.#tool(call), allowed.tool)) return allowed
    this.#expected += 1
    const leave = this.leaver()
    try {
      return await this.obtain(call, args, signal, { asking, leave, before: allowed.tool })
    } finally {
      leave()
    }
  }

  async #decide(): Promise<void> {
    if (this.#expected > 0 || this.#deciding) return
    this.#deciding = true
    try {
      while (this.#waiting.size > 0) await this.#askOnce()
    } catch (error) {
      for (const one of [...this.#waiting.values()]) one.reject(error)
    } finally {
      this.#deciding = false
    }
  }

  /** Settles what needs no person, and asks about the rest once. */
  async #askOnce(): Promise<void> {
    if (this.#toAsk().length === 0) return
    for (const one of [...this.#waiting.values()]) {
      if (!one.told) await one.asking()
      one.told = true
    }
    const [first] = this.#waiting.values()
    if (!first) return
    await this.#parts.interactions.room(this.#about([first]), this.#origin.signal)
    // From here to the question nothing is awaited: what is judged is what is asked.
    const asked = this.#toAsk().slice(0, CALLS)
    if (asked.length === 0) return
    const answer = await this.#ask(asked)
    if (!answer) return
    await this.#answered(asked, answer)
  }

  /** Calls that need the person; the others are settled on the way. */
  #toAsk(): { one: Waiting; judged: Judged }[] {
    const { consent } = this.#parts
    const asked: { one: Waiting; judged: Judged }[] = []
    // Calls become ready in any order; the question lists them in the order of the conversation.
    for (const one of [...this.#waiting.values()].sort((a, b) => a.place - b.place)) {
      try {
        const judged = consent.judge(this.#tool(one.call), one.args, one.facts, this.#origin)
        const { verdict } = judged
        if (verdict.is === 'deny') one.reject(new DeniedByRule(verdict.rule.id))
        else if (verdict.is === 'ask') asked.push({ one, judged })
        else this.#allow(one, judged, verdict.by === 'free' ? 'free' : ruleKind(verdict.rule.scope), verdict.why)
        // Counting a use is worth a try, not worth a failed call.
        if (verdict.is === 'allow' && verdict.by === 'rule') void consent.rules.used(verdict.rule.id).catch(() => {})
      } catch (error) {
        one.reject(error)
      }
    }
    return asked
  }

  #allow(one: Waiting, { tool, act, verdict }: Judged, by: Allowed['by'], why: string): void {
    letThrough(act, this.#parts.consent.readings.of(this.#origin.conversationId))
    const rule = verdict.is === 'allow' && verdict.by === 'rule' ? { rule: verdict.rule.id } : {}
    one.resolve({ tool, by, why, ...rule, powers: act.powers, args: canonicalJson(one.args) })
  }

  /** Undefined when another question took the last room. */
  async #ask(asked: readonly { one: Waiting; judged: Judged }[]): Promise<AnswerTo<'tool-consent'> | undefined> {
    const { consent, interactions } = this.#parts
    const offers = consent.offers(
      asked.map(({ judged }) => judged),
      this.#origin.conversationId,
    )
    const question = {
      calls: asked.map(({ one, judged }) => this.#shown(one, judged, asked)),
      offers: offers.map(({ draft: _draft, ...offer }) => offer),
    }
    const about = this.#about(asked.map(({ one }) => one))
    const withdrawn = new AbortController()
    this.#withdraw = (reason) => withdrawn.abort(reason)
    const signal = AbortSignal.any([this.#origin.signal, withdrawn.signal])
    try {
      return await interactions.ask('tool-consent', about, question, signal, {
        check: (answer) =>
          answer.decision === 'allow' && answer.offer !== undefined && !offers.some(({ id }) => id === answer.offer)
            ? 'This rule was not offered.'
            : undefined,
      })
    } catch (error) {
      if (error instanceof TooManyQuestions) return undefined
      for (const { one } of asked) one.reject(error instanceof InteractionExpired ? new CallEnded('declined', EXPIRED) : error)
      return undefined
    }
  }

  #shown(
    { shown, call, asked, args }: Waiting,
    { tool, act, verdict }: Judged,
    round: readonly { one: Waiting; judged: Judged }[],
  ): ConsentCall {
    const changed = this.#parts.consent.rules.definitionBefore(tool) ?? changedSince(asked, tool)
    const telling = distinguishingArgument(
      act,
      round.flatMap(({ judged }) => (judged.act !== act && judged.tool.fingerprint === tool.fingerprint ? judged.act : [])),
    )
    const mirrored = mirroredNames(tool.mirrored ?? [], args).map((name) => cut(name, 200))
    return {
      toolCallId: call.id,
      serverId: tool.serverId,
      serverName: tool.serverName,
      tool: tool.tool.name,
      title: cut(toolTitle(tool.tool), 200),
      description: cut(tool.tool.description ?? '', Math.floor(DESCRIPTIONS / round.length)),
      arguments: shown,
      ...(call.unchecked && { unchecked: call.unchecked }),
      ...(mirrored.length > 0 && { mirrored }),
      hints: tool.hints,
      fingerprint: tool.fingerprint,
      powers: act.powers,
      known: act.known,
      ...(telling !== undefined && { telling: cut(telling, TELLING) }),
      why: verdict.why,
      guards: verdict.is === 'ask' ? verdict.guards.slice(0, 12) : [],
      ...(changed && { changed }),
    }
  }

  async #answered(asked: readonly { one: Waiting; judged: Judged }[], answer: AnswerTo<'tool-consent'>): Promise<void> {
    const { consent } = this.#parts
    const ticked = new Set(answer.decision === 'allow' ? answer.calls : [])
    const allowed: Judged[] = []
    const settle: (() => void)[] = []
    for (const { one, judged } of asked) {
      one.times += 1
      one.asked = judged.tool
      if (!ticked.has(one.call.id)) {
        consent.readings.of(this.#origin.conversationId).denied()
        one.reject(new CallEnded('declined', DENIED))
        continue
      }
      try {
        if (same(this.#tool(one.call), judged.tool)) {
          allowed.push(judged)
          settle.push(() => this.#allow(one, judged, 'person', whyAsked(judged)))
        } else if (one.times >= ASK_LIMIT) one.reject(new CallEnded('failed', keepsChanging(one.call)))
      } catch (error) {
        one.reject(error)
      }
    }
    for (const { act } of allowed) allowedByPerson(act, consent.readings.of(this.#origin.conversationId))
    // Counted again over what was ticked: nothing that was unticked widens the rule.
    const offer =
      answer.decision === 'allow' && answer.offer !== undefined
        ? consent.offers(allowed, this.#origin.conversationId).find(({ id }) => id === answer.offer)
        : undefined
    if (offer) await this.#remember(offer.draft, allowed)
    for (const go of settle) go()
  }

  async #remember(draft: Parameters<Consent['rules']['remember']>[0], allowed: readonly Judged[]): Promise<void> {
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
          what: `Your permission for ${cut(tools, 200)} could not be saved. It held for this one time.`,
          ...(error instanceof Error && { said: cut(error.message, 600) }),
          todo: 'You will be asked again next time.',
        },
        this.#parts.clock.now(),
      )
    }
  }

  /** The tool as it is now: servers restart and change while a question is open. */
  #tool(call: ToolCall): AvailableTool {
    const tool = call.serverId && this.#parts.servers.tools.find(call.serverId, call.tool)
    if (!tool || tool.hidden) throw new CallEnded('failed', notOffered(call))
    return tool
  }

  #about(asked: readonly Waiting[]): About {
    const [first] = asked
    const { call } = first ?? {}
    const { conversationId, title } = this.#origin
    const serverName = call?.serverName ?? ''
    const where = `in “${cut(title, 80)}”`
    return {
      // Each call was checked to belong to a server before anybody is asked.
      serverId: call?.serverId as About['serverId'],
      serverName,
      origin: 'model',
      conversationId,
      ...(call && { toolCallId: call.id }),
      cause:
        asked.length > 1
          ? `The model makes ${asked.length} calls ${where}.`
          : `The model calls “${cut(call?.tool ?? '', 80)}” ${where}.`,
    }
  }
}

const DENIED: Problem = { code: 'denied', what: 'You did not allow this call. Nothing was sent.' }
const DENIED_BY_RULE: Problem = {
  code: 'denied',
  what: 'A rule of yours denies this call. Nothing was sent.',
  todo: 'The rules are in Settings, under Consent.',
}
const EXPIRED: Problem = {
  code: 'expired',
  what: 'Nobody answered in time, so the call was not made.',
  todo: 'Ask again, or set a longer time for questions in Settings.',
}

function keepsChanging(call: ToolCall): Problem {
  return {
    code: 'tool-changes',
    what: `“${call.tool}” kept changing while it was to be allowed. Nothing was sent.`,
    todo: 'Look at the server before you use it again.',
  }
}

const ruleKind = (scope: Scope): Allowed['by'] => (scope === 'until' ? 'always-rule' : `${scope}-rule`)

function whyAsked({ verdict }: Judged): string {
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
