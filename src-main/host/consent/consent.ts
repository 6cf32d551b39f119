import type { JsonObject } from '../../../src-shared/base/json.ts'
import type { NamedPlace, VerdictView } from '../../../src-shared/contract/consent.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ConversationId, ServerId, TurnId } from '../../../src-shared/contract/ids.ts'
import { type Act, readAct } from '../../consent/act.ts'
import { type DescribedTool, namedElsewhere } from '../../consent/named-elsewhere.ts'
import { type AskedCall, type DraftedOffer, offersFor } from '../../consent/offers.ts'
import type { JudgedTool } from '../../consent/powers.ts'
import { ConversationProvenance } from '../../consent/provenance.ts'
import type { PathFacts } from '../../consent/read-path.ts'
import { sqlIsReadable } from '../../consent/read-sql.ts'
import { type JudgedRequest, requestTool } from '../../consent/requests.ts'
import { type Verdict, verdictOf } from '../../consent/verdict.ts'
import { keepDecision } from '../core/decisions.ts'
import type { HostCore } from '../core/host-core.ts'
import type { HeldRequest, PersonRules } from '../servers/person-rules.ts'
import type { AvailableTool } from '../servers/server-tools.ts'
import type { Servers } from '../servers/servers.ts'
import { ConsentRules, type ConversationOf } from './consent-rules.ts'
import { JudgedTools } from './judged-tools.ts'
import { pathFacts } from './path-facts.ts'
import { ConversationReading } from './readings.ts'

const NOWHERE: NamedPlace = { folders: [], hosts: [], recipients: [] }

interface ConsentParts extends Pick<HostCore, 'storage' | 'clock' | 'state' | 'onLost'> {
  readonly servers: Servers
  readonly conversationOf: ConversationOf
}

export interface TurnOrigin {
  readonly conversationId: ConversationId
  readonly turnId: TurnId
}

/** A call with the engine's verdict. */
export interface JudgedCall {
  readonly tool: AvailableTool
  readonly act: Act
  readonly verdict: Verdict
  readonly facts: PathFacts
  readonly place: NamedPlace
}

/** Gathers the facts for the consent engine, and keeps the person's answers (decision 0027). */
export class Consent implements PersonRules {
  readonly rules: ConsentRules
  readonly judged: JudgedTools
  /** The provenance of everything in each conversation. */
  readonly readings = { of: (id: ConversationId) => this.#parts.conversationOf(id)?.reading.seen ?? new ConversationProvenance() }
  readonly #parts: ConsentParts

  constructor(parts: ConsentParts) {
    this.#parts = parts
    this.rules = new ConsentRules(parts)
    this.judged = new JudgedTools(parts)
  }

  reading(): ConversationReading {
    return new ConversationReading({ ...this.#parts, judged: this.judged })
  }

  async load(): Promise<void> {
    await sqlIsReadable.catch((error: unknown) => this.#parts.onLost('sql', error))
    await this.rules.load()
    await this.judged.load()
  }

  async forgetServer(serverId: ServerId): Promise<void> {
    await this.rules.forgetServer(serverId)
    await this.judged.forgetServer(serverId)
  }

  /** Looks up paths and repositories beforehand, so that the verdict itself awaits nothing. */
  facts(tool: JudgedTool, args: JsonObject): Promise<PathFacts> {
    return pathFacts(tool, args, this.#base(tool.serverId))
  }

  judge(tool: AvailableTool, args: JsonObject, facts: PathFacts, origin: Partial<TurnOrigin>): JudgedCall {
    const { conversationId, turnId } = origin
    const conversation = conversationId && this.#parts.conversationOf(conversationId)
    const project = conversation?.project
    const seen = conversation?.reading.seen ?? new ConversationProvenance()
    const base = this.#base(tool.serverId)
    const place = this.#place(tool.serverId, conversation?.place)
    const act = readAct(this.judged.of(tool), args, { ...facts, seen, ...(base !== undefined && { base }) })
    const verdict = verdictOf(act, {
      rules: this.rules.book,
      place,
      seen,
      namedBy: namedElsewhere(act.tool, this.#described()),
      now: this.#parts.clock.now(),
      ...(conversationId !== undefined && { conversationId }),
      ...(conversation && { isShown: (id) => conversation.reading.has(id) }),
      ...(turnId !== undefined && { turnId }),
      ...(project && { projectId: project.id }),
    })
    return { tool, act, verdict, facts, place }
  }

  *#described(): Iterable<DescribedTool> {
    for (const one of this.#parts.servers.tools.all())
      if (!one.hidden) yield { tool: this.judged.of(one), description: one.tool.description ?? '' }
  }

  unmetTools(serverId: ServerId, launchIdentity: string): { readonly count: number; readonly of: number } {
    return this.judged.unmet(serverId, launchIdentity)
  }

  /** Applies the person's rules to a call by hand, which has no conversation. */
  async ruledByHand(tool: AvailableTool, args: JsonObject): Promise<'allow' | 'deny' | undefined> {
    const { verdict } = this.judge(tool, args, await this.facts(this.judged.of(tool), args), {})
    if (verdict.is === 'deny') return 'deny'
    return verdict.is === 'allow' && verdict.by === 'rule' ? 'allow' : undefined
  }

  bindCopy(from: ConversationId, to: ConversationId): Promise<void> {
    return this.rules.bindCopy(from, to)
  }

  /** Applies rules and the search for secrets to a request that is no tool call; a denial is recorded in the ledger. */
  async ruledRequest(
    serverId: ServerId,
    method: JudgedRequest,
    args: JsonObject,
    conversationId?: ConversationId,
  ): Promise<'deny' | HeldRequest | undefined> {
    const { configured } = this.#parts.servers
    const record = configured.find(serverId)?.record
    if (!record) return undefined
    const seen = new ConversationProvenance()
    const tool = requestTool({ serverId, serverName: record.name, launchIdentity: record.launchIdentity }, method)
    const act = readAct(tool, args, { ...(await this.facts(tool, args)), seen })
    const project = conversationId && this.#parts.conversationOf(conversationId)?.project
    const verdict = verdictOf(act, {
      rules: this.rules.book,
      place: NOWHERE,
      seen,
      now: this.#parts.clock.now(),
      ...(conversationId !== undefined && { conversationId }),
      ...(project && { projectId: project.id }),
    })
    if (verdict.is === 'ask') {
      const { why, guards, rule } = verdict
      return rule || guards.some(({ guard }) => guard === 'secrets') ? { powers: act.powers, why, guards } : undefined
    }
    if (verdict.is === 'allow') return undefined
    await keepDecision(this.#parts, {
      ...(conversationId !== undefined && { conversationId }),
      serverId,
      serverName: record.name,
      tool: method,
      args,
      decision: 'denied-by-rule',
      why: verdict.why,
      ruleId: verdict.rule.id,
      outcome: 'declined: denied',
      redact: (text) => configured.clean(text),
    })
    return 'deny'
  }

  /** The rules offered to the person for calls that are asked about. */
  offers(judged: readonly JudgedCall[], conversationId: ConversationId | undefined): readonly DraftedOffer[] {
    const [first] = judged
    if (!first) return []
    const all = this.judged.all()
    const conversation = conversationId && this.#parts.conversationOf(conversationId)
    const seen = conversation?.reading.seen ?? new ConversationProvenance()
    const asked = judged.flatMap(({ act, verdict }): AskedCall[] =>
      verdict.is === 'ask'
        ? [{ act, verdict, siblings: all.filter(({ serverId }) => serverId === act.tool.serverId), readings: seen.readings }]
        : [],
    )
    const place = { ...first.place, folders: [...new Set(judged.flatMap((one) => one.place.folders))] }
    const others = conversationId !== undefined && !this.rules.allowsReadingIn(conversationId) ? { others: all } : {}
    const project = conversation?.project
    return offersFor(asked, { place, facts: first.facts, ...others, ...(project && { project: project.name }) })
  }

  /** The verdict on a call, in a conversation that was read, and its reasons. Throws HostError `not-found` without the tool. */
  async simulate(serverId: ServerId, tool: string, args: JsonObject, conversationId?: ConversationId): Promise<VerdictView> {
    const found = this.#parts.servers.tools.find(serverId, tool)
    if (!found) throw new HostError('not-found', `There is no tool named “${tool}” on this server now.`)
    const facts = await this.facts(this.judged.of(found), args)
    const judged = this.judge(found, args, facts, conversationId === undefined ? {} : { conversationId })
    const { act, verdict } = judged
    return {
      is: verdict.is,
      why: verdict.why,
      powers: act.powers,
      known: act.known,
      touches: act.touches,
      guards: verdict.is === 'ask' ? verdict.guards : [],
      offers: verdict.is === 'ask' ? this.offers([judged], conversationId).map(({ draft: _draft, ...offer }) => offer) : [],
      ...('rule' in verdict && verdict.rule && { rule: verdict.rule.id }),
    }
  }

  /** The named places of a conversation and of a server. */
  #place(serverId: ServerId, named: NamedPlace = NOWHERE): NamedPlace {
    const told = this.#parts.servers.configured.find(serverId)?.record.folders ?? []
    const editable = told.flatMap((folder) => (folder.editable ? folder.path : []))
    return {
      ...named,
      folders: [...new Set([...named.folders, ...told.map(({ path }) => path)])],
      editable: [...(named.editable ?? []), ...editable],
    }
  }

  /** The folder that a local server's relative paths start from. */
  #base(serverId: string): string | undefined {
    const launch = this.#parts.servers.configured.find(serverId as ServerId)?.record.launch
    return launch?.type === 'local' ? launch.cwd : undefined
  }
}
