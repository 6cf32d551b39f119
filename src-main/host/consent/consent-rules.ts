import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { defined } from '../../../src-shared/base/defined.ts'
import { InTurn } from '../../../src-shared/base/in-turn.ts'
import { canonicalJson } from '../../../src-shared/base/json.ts'
import { parseJson } from '../../../src-shared/base/parse-json.ts'
import type { ConsentRule, ConsentRuleView, NamedPlace, PausedRules, PersonRule } from '../../../src-shared/contract/consent.ts'
import { consentRule, MAX_RULES, onlyReads, POWERS } from '../../../src-shared/contract/consent.ts'
import type { ConversationHead } from '../../../src-shared/contract/conversations.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ConsentRuleId, ConversationId, MessageId, ServerId, TurnId } from '../../../src-shared/contract/ids.ts'
import type { ProjectHead } from '../../../src-shared/contract/projects.ts'
import { type RuleDraft, ruleWords } from '../../consent/offers.ts'
import type { ConversationProvenance } from '../../consent/provenance.ts'
import { clausesOf, RuleBook, withoutServer } from '../../consent/rules.ts'
import { cut } from '../core/content-views.ts'
import { comparedDefinition } from '../core/fingerprint.ts'
import type { HostCore } from '../core/host-core.ts'
import { KeptRecords } from '../core/kept-records.ts'
import type { AvailableTool } from '../servers/server-tools.ts'
import type { Servers } from '../servers/servers.ts'
import { home } from './path-facts.ts'

/** Characters of a definition in a dialog. */
const DEFINITION_LIMIT = 12_000

const DAY = 24 * 60 * 60 * 1000

export interface JudgedConversation {
  readonly project: Pick<ProjectHead, 'id' | 'name'> | undefined
  readonly place: NamedPlace
  readonly reading: { readonly seen: ConversationProvenance; readonly last: MessageId | undefined; has(id: MessageId): boolean }
}

/** Every conversation with a running turn is loaded. */
export type ConversationOf = (id: ConversationId) => JudgedConversation | undefined

interface RulesParts extends Pick<HostCore, 'storage' | 'clock' | 'state'> {
  readonly servers: Servers
  readonly conversationOf: ConversationOf
}

/** The person's rules: stores, counts and lists them, and gives them to the engine as one book. */
export class ConsentRules {
  readonly #parts: RulesParts
  readonly #rules: KeptRecords<'consent-rule'>
  /** Definitions that rules were made for, by fingerprint. */
  readonly #definitions: KeptRecords<'tool-definition'>
  /** Two equal rules at once would each remove the other as the older one. */
  readonly #keeping = new InTurn()
  #book: RuleBook | undefined

  constructor(parts: RulesParts) {
    this.#parts = parts
    const { records } = parts.storage
    this.#rules = new KeptRecords(records, 'consent-rule', {
      isDurable: ({ scope }) => scope !== 'task',
      onChange: () => {
        this.#book = undefined
      },
    })
    this.#definitions = new KeptRecords(records, 'tool-definition')
    parts.state.onEvent((_seq, event) => {
      if (event.type === 'projects.changed') void this.#forgetProjects().catch(() => {}) // They hold nowhere; the next start tries again.
    })
  }

  /** Drops rules of deleted conversations and migrates old ones. */
  async load(): Promise<void> {
    const { conversations } = this.#parts.storage
    await this.#definitions.load()
    await this.#rules.load(async (stored) => {
      const rule = presentRule(stored)
      if (!rule || !this.#hasProject(rule)) return undefined
      return !rule.conversationId || (await conversations.head(rule.conversationId)) ? rule : undefined
    })
  }

  get book(): RuleBook {
    this.#book ??= new RuleBook(this.#rules.values())
    return this.#book
  }

  /** True if a rule allows readings in a conversation: the offer for all servers is made only once. */
  allowsReadingIn(conversationId: ConversationId): boolean {
    return this.#rules
      .values()
      .some(
        (rule) =>
          rule.effect === 'allow' &&
          rule.conversationId === conversationId &&
          (rule.messageId === undefined || this.#parts.conversationOf(conversationId)?.reading.has(rule.messageId)) &&
          clausesOf(rule).some(({ powers }) => onlyReads(powers)),
      )
  }

  /** Stores the rule of an answer. It does not answer open questions, whose arguments nobody has approved. */
  async remember(
    draft: RuleDraft,
    where: { conversationId: ConversationId; turnId: TurnId },
    tools: readonly AvailableTool[],
  ): Promise<void> {
    const { project, reading } = this.#parts.conversationOf(where.conversationId) ?? {}
    const messageId = reading?.last
    if (draft.scope === 'project' && !project) throw new HostError('not-found', 'This conversation is no longer in a project.')
    await this.#keep(
      {
        ...draft,
        id: randomUUID() as ConsentRuleId,
        effect: 'allow',
        ...(draft.scope === 'conversation' && { conversationId: where.conversationId, ...(messageId && { messageId }) }),
        ...(draft.scope === 'project' && project && { projectId: project.id }),
        ...(draft.scope === 'task' && { conversationId: where.conversationId, turnId: where.turnId }),
        madeAt: this.#parts.clock.now(),
        uses: 0,
      },
      tools,
    )
  }

  /** Adds a rule from Settings. */
  async add({ tool, ...rule }: PersonRule): Promise<ConsentRuleId> {
    const id = randomUUID() as ConsentRuleId
    await this.#keep(
      {
        ...rule,
        id,
        ...(tool !== undefined && { tools: { [tool]: '' } }),
        scope: rule.until === undefined ? 'always' : 'until',
        madeAt: this.#parts.clock.now(),
        uses: 0,
      },
      [],
    )
    return id
  }

  /** Copies the rules that ask or deny. Rejects if one cannot be stored. */
  async bindCopy(from: ConversationId, to: ConversationId): Promise<void> {
    const binding = this.#rules.values().filter(({ effect, conversationId }) => effect !== 'allow' && conversationId === from)
    const madeAt = this.#parts.clock.now()
    for (const { lastUsedAt: _lastUsedAt, ...rule } of binding) {
      await this.#keep({ ...rule, id: randomUUID() as ConsentRuleId, conversationId: to, madeAt, uses: 0 }, [])
    }
  }

  #keep(rule: ConsentRule, tools: readonly AvailableTool[]): Promise<void> {
    return this.#keeping.run(async () => {
      if (this.#rules.size >= MAX_RULES)
        throw new HostError('conflict', `You already have ${MAX_RULES} rules. Remove some in Settings first.`)
      const covered = new Set(clausesOf(rule).flatMap((clause) => Object.values(clause.tools ?? {})))
      for (const tool of tools)
        if (covered.has(tool.fingerprint) && !this.#definitions.has(tool.fingerprint))
          await this.#definitions.put(tool.fingerprint, { json: definitionOf(tool) })
      await this.#rules.put(rule.id, rule)
      const says = ruleKey(rule)
      for (const old of this.#rules.values()) if (old.id !== rule.id && ruleKey(old) === says) await this.#remove(old)
    })
  }

  /** Counts a use. The book keeps the old record, since uses do not affect verdicts. */
  used(id: ConsentRuleId): Promise<void> {
    const lastUsedAt = this.#parts.clock.now()
    return this.#rules.change(id, (rule) => ({ ...rule, uses: rule.uses + 1, lastUsedAt }))
  }

  /** The definition that a rule for this tool was made for, if it has changed. */
  definitionBefore(tool: AvailableTool): { readonly before?: string; readonly now: string } | undefined {
    const { serverId, fingerprint } = tool
    const seen = this.#rules
      .values()
      .filter(({ effect }) => effect === 'allow')
      .flatMap(clausesOf)
      .flatMap((clause) => (clause.serverId === serverId ? (clause.tools?.[tool.tool.name] ?? []) : []))
    const [before] = seen
    if (before === undefined || seen.includes(fingerprint)) return undefined
    const known = this.#definitions.get(before)
    return { ...(known && { before: known.json }), now: definitionOf(tool) }
  }

  /** Newest first, without rules of a running turn. */
  list(): readonly ConsentRuleView[] {
    const { conversations, projects } = this.#parts.state.snapshot
    return this.#rules
      .values()
      .filter(({ scope }) => scope !== 'task')
      .sort((a, b) => b.madeAt - a.madeAt)
      .map((rule) => {
        const names = new Map(
          clausesOf(rule).flatMap(({ serverId }): [string, string][] =>
            serverId ? [[serverId, this.#parts.servers.configured.find(serverId)?.record.name ?? serverId]] : [],
          ),
        )
        const conversation = conversations.find((head) => head.id === rule.conversationId)
        const projectName = projects.find((project) => project.id === rule.projectId)?.name
        const paused = this.#pauseReason(rule)
        return {
          ...rule,
          words: ruleWords(rule, names, { home }),
          ...(names.size > 0 && { serverNames: [...names.values()] }),
          ...(conversation && { conversationTitle: conversation.title }),
          ...(rule.conversationId && this.#hasEnded(conversation) && { ended: true as const }),
          ...defined({ projectName, paused }),
        }
      })
  }

  /** Rules paused by another version of the server, with the state of the tools that they allow. */
  pausedByUpdate(serverId: ServerId): PausedRules {
    const earlier = new Set(this.#parts.servers.earlierLaunches(serverId))
    const paused = this.#rules.values().filter((rule) => clausesOf(rule).some((clause) => isOfVersion(clause, serverId, earlier)))
    const tools = new Map(
      paused
        .flatMap(clausesOf)
        .flatMap((clause) => (isOfVersion(clause, serverId, earlier) ? Object.entries(clause.tools ?? {}) : [])),
    )
    const named = (is: (now: string | undefined, before: string) => boolean) =>
      [...tools].flatMap(([name, print]) => (is(this.#parts.servers.tools.find(serverId, name)?.fingerprint, print) ? name : []))
    return {
      rules: paused.length,
      same: named((now, before) => now === before),
      changed: named((now, before) => now !== undefined && now !== before),
      gone: named((now) => now === undefined),
    }
  }

  /** Binds them to the current version; tools with another definition stay paused. Throws HostError `conflict` for a launch that was not seen. */
  async resume(serverId: ServerId, launchIdentity: string): Promise<void> {
    if (this.#parts.servers.configured.find(serverId)?.record.launchIdentity !== launchIdentity)
      throw new HostError('conflict', 'The server has changed again.')
    const earlier = new Set(this.#parts.servers.earlierLaunches(serverId))
    const bound = <C extends Pick<ConsentRule, 'serverId' | 'launchIdentity'>>(clause: C): C =>
      isOfVersion(clause, serverId, earlier) ? { ...clause, launchIdentity } : clause
    for (const { id, effect } of this.#rules.values()) {
      if (effect !== 'allow') continue
      await this.#rules.change(id, (rule) => ({ ...bound(rule), ...(rule.also && { also: rule.also.map(bound) }) }))
    }
    this.#book = undefined
  }

  async revoke(id: ConsentRuleId): Promise<void> {
    const rule = this.#rules.get(id)
    if (!rule) throw new HostError('not-found', 'This rule no longer exists.')
    await this.#remove(rule)
  }

  /** Clauses for other servers stay. */
  async forgetServer(serverId: ServerId): Promise<void> {
    for (const rule of this.#rules.values()) {
      const rest = withoutServer(rule, serverId)
      if (!rest) await this.#remove(rule)
      else if (rest !== rule) {
        await this.#rules.change(rule.id, ({ uses }) => ({ ...rest, uses }))
        this.#book = undefined
      }
    }
  }

  async endTurn(turnId: TurnId): Promise<void> {
    for (const rule of this.#rules.values()) if (rule.turnId === turnId) await this.#remove(rule)
  }

  /** All stored rules, as a text for `import`. */
  export(): string {
    return JSON.stringify(
      { parley: 'consent-rules', rules: this.#rules.values().filter(({ scope }) => scope !== 'task') },
      null,
      2,
    )
  }

  /** Takes only rules that ask or deny: a file cannot allow anything. */
  async import(json: string): Promise<{ added: number; left: number }> {
    const rules = importedRules(json)
    const holding = rules.filter(({ effect }) => effect !== 'allow')
    for (const rule of holding) {
      const { conversationId: _conversation, messageId: _message, projectId: _project, turnId: _turn, ...kept } = rule
      await this.#keep({ ...kept, id: randomUUID() as ConsentRuleId, uses: 0, madeAt: this.#parts.clock.now() }, [])
    }
    return { added: holding.length, left: rules.length - holding.length }
  }

  /** True for a conversation that is archived, or without a message for a day. */
  #hasEnded(head: ConversationHead | undefined): boolean {
    return !head || head.archived === true || head.updatedAt < this.#parts.clock.now() - DAY
  }

  #hasProject({ projectId }: ConsentRule): boolean {
    return projectId === undefined || this.#parts.state.snapshot.projects.some(({ id }) => id === projectId)
  }

  async #forgetProjects(): Promise<void> {
    for (const rule of this.#rules.values()) if (!this.#hasProject(rule)) await this.#remove(rule)
  }

  /** A rule is paused only if all of its clauses are. */
  #pauseReason(rule: ConsentRule): ConsentRuleView['paused'] {
    if (rule.until !== undefined && rule.until <= this.#parts.clock.now()) return 'expired'
    const states = clausesOf(rule).map((clause) => this.#clausePauseReason(clause))
    return states.includes(undefined) ? undefined : states[0]
  }

  #clausePauseReason(rule: ConsentRule): ConsentRuleView['paused'] {
    if (rule.serverId === undefined) return undefined
    const record = this.#parts.servers.configured.find(rule.serverId)?.record
    if (!record) return 'server-removed'
    if (rule.effect !== 'allow') return undefined
    if (record.launchIdentity !== rule.launchIdentity) return 'launch-changed'
    if (!this.#parts.servers.configured.find(rule.serverId)?.offer) return undefined
    const states = Object.entries(rule.tools ?? {}).map(([name, fingerprint]) => {
      const tool = this.#parts.servers.tools.find(record.id, name)
      return !tool ? 'tool-unknown' : tool.fingerprint === fingerprint ? undefined : 'tool-changed'
    })
    return states.includes(undefined) ? undefined : (states.find((state) => state === 'tool-changed') ?? states[0])
  }

  async #remove(rule: ConsentRule): Promise<void> {
    await this.#rules.remove(rule.id)
    const printsOf = (one: ConsentRule) => clausesOf(one).flatMap(({ tools }) => Object.values(tools ?? {}))
    const kept = new Set(this.#rules.values().flatMap(printsOf))
    for (const fingerprint of printsOf(rule))
      if (!kept.has(fingerprint) && this.#definitions.has(fingerprint)) await this.#definitions.remove(fingerprint)
  }
}

const isOfVersion = (
  { serverId: of, launchIdentity }: Pick<ConsentRule, 'serverId' | 'launchIdentity'>,
  serverId: ServerId,
  earlier: ReadonlySet<string>,
) => of === serverId && launchIdentity !== undefined && earlier.has(launchIdentity)

/** The fingerprinted part of a definition, formatted and cut for a dialog. */
export function definitionOf(tool: AvailableTool): string {
  return cut(JSON.stringify(comparedDefinition(tool.tool), null, 2), DEFINITION_LIMIT)
}

/** A rule without its history, for finding equal ones; members may be in any order. */
function ruleKey({ id: _id, madeAt: _madeAt, uses: _uses, lastUsedAt: _lastUsedAt, ...says }: ConsentRule): string {
  return canonicalJson(parseJson(JSON.stringify(says)))
}

const ruleBefore = () =>
  z.object({
    id: z.string(),
    serverId: z.string(),
    tool: z.string(),
    launchIdentity: z.string(),
    fingerprint: z.string(),
    scope: z.enum(['always', 'conversation']),
    conversationId: z.string().optional(),
    madeAt: z.number(),
    uses: z.number(),
  })

/** Reads a stored rule. An old one allowed a tool with any arguments. Undefined for invalid ones. */
function presentRule(stored: unknown): ConsentRule | undefined {
  const present = consentRule().safeParse(stored)
  if (present.success) return present.data
  const before = ruleBefore().safeParse(stored)
  if (!before.success) return undefined
  const { tool, fingerprint, ...kept } = before.data
  const rule = {
    ...kept,
    effect: 'allow',
    tools: { [tool]: fingerprint },
    powers: [...POWERS],
    limits: [{ is: 'any' }],
  }
  const now = consentRule().safeParse(rule)
  return now.success ? now.data : undefined
}

function importedRules(json: string): readonly ConsentRule[] {
  let value: unknown
  try {
    value = parseJson(json)
  } catch (error) {
    throw new HostError(
      'invalid-params',
      `This is not JSON: ${error instanceof Error ? cut(error.message, 300) : 'it cannot be read'}`,
    )
  }
  const read = z.object({ rules: z.array(consentRule()).max(MAX_RULES) }).safeParse(value)
  if (!read.success) {
    const [issue] = read.error.issues
    throw new HostError(
      'invalid-params',
      `These are not rules: ${cut(`${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`, 300)}`,
    )
  }
  return read.data.rules
}
