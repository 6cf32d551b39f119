import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../src-shared/base/clock.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ConsentRuleId, ConversationId, ServerId } from '../../../src-shared/contract/ids.ts'
import type { ConsentRule, ConsentRuleView } from '../../../src-shared/contract/settings.ts'
import type { RecordStore } from '../../storage/base/storage.ts'
import { cut } from '../core/content-views.ts'
import { comparedDefinition } from '../core/fingerprint.ts'
import type { HostState } from '../core/host-state.ts'
import type { Interactions } from '../core/interactions.ts'
import type { AvailableTool, ToolSource } from '../servers/tool-source.ts'

/** Characters of a definition that a dialog compares. */
const DEFINITION_LIMIT = 12_000

export type Decision =
  | { readonly allow: true; readonly by: 'conversation-rule' | 'always-rule'; readonly rule: ConsentRuleId }
  | { readonly ask: true; readonly changed?: { readonly before?: string; readonly now: string } }

interface ConsentParts {
  readonly records: RecordStore
  readonly clock: Clock
  readonly state: HostState
  readonly interactions: Interactions
  readonly tools: Pick<ToolSource, 'tool' | 'record'>
}

/**
 * Who may call what without asking again. A rule holds for one tool of one server, as it was defined and launched when the
 * person said yes; what the server claims about its tool never decides (decision 0007, TOOL-11).
 */
export class Consent {
  readonly #parts: ConsentParts
  readonly #rules: Map<string, ConsentRule>
  /** Definitions that rules were made for, by fingerprint. */
  readonly #definitions: Map<string, { readonly json: string }>

  private constructor(parts: ConsentParts, rules: Map<string, ConsentRule>, definitions: Map<string, { readonly json: string }>) {
    this.#parts = parts
    this.#rules = rules
    this.#definitions = definitions
  }

  static async open(parts: ConsentParts): Promise<Consent> {
    const [rules, definitions] = await Promise.all([parts.records.all('consent-rule'), parts.records.all('tool-definition')])
    return new Consent(parts, rules, definitions)
  }

  decide(tool: AvailableTool, conversationId: ConversationId): Decision {
    const here = this.#rulesFor(tool.serverId, tool.tool.name).filter(
      (rule) => rule.scope === 'always' || rule.conversationId === conversationId,
    )
    const rule = here.find((one) => covers(one, tool))
    if (rule) return { allow: true, by: rule.scope === 'always' ? 'always-rule' : 'conversation-rule', rule: rule.id }
    const before = here.find((one) => one.fingerprint !== tool.fingerprint)
    if (!before) return { ask: true }
    const known = this.#definitions.get(before.fingerprint)
    return { ask: true, changed: { ...(known && { before: known.json }), now: definitionOf(tool) } }
  }

  /** Makes a rule durable, then closes the other open questions that it covers. */
  async remember(tool: AvailableTool, scope: 'conversation' | 'always', conversationId: ConversationId): Promise<ConsentRule> {
    const rule: ConsentRule = {
      id: randomUUID() as ConsentRuleId,
      serverId: tool.serverId,
      tool: tool.tool.name,
      launchIdentity: tool.launchIdentity,
      fingerprint: tool.fingerprint,
      scope,
      ...(scope === 'conversation' && { conversationId }),
      madeAt: this.#parts.clock.now(),
      uses: 0,
    }
    const definition = { json: definitionOf(tool) }
    await this.#parts.records.put('tool-definition', rule.fingerprint, definition)
    await this.#parts.records.put('consent-rule', rule.id, rule)
    this.#definitions.set(rule.fingerprint, definition)
    this.#rules.set(rule.id, rule)
    const replaced = this.#rulesFor(rule.serverId, rule.tool).filter(
      (old) => old.id !== rule.id && old.scope === scope && old.conversationId === rule.conversationId,
    )
    for (const old of replaced) await this.#remove(old)
    this.#settleCovered(rule)
    return rule
  }

  /** Counts that a rule allowed a call. */
  async used(id: ConsentRuleId): Promise<void> {
    const rule = this.#rules.get(id)
    if (!rule) return
    const counted = { ...rule, uses: rule.uses + 1, lastUsedAt: this.#parts.clock.now() }
    this.#rules.set(id, counted)
    await this.#parts.records.put('consent-rule', id, counted)
  }

  /** Newest first; a rule that does not apply at present says why. */
  list(): readonly ConsentRuleView[] {
    const { conversations } = this.#parts.state.snapshot
    return [...this.#rules.values()]
      .sort((a, b) => b.madeAt - a.madeAt)
      .map((rule) => {
        const record = this.#parts.tools.record(rule.serverId)
        const title = conversations.find((head) => head.id === rule.conversationId)?.title
        const asleep = this.#asleep(rule)
        return {
          ...rule,
          serverName: record?.name ?? rule.serverId,
          ...(title !== undefined && { conversationTitle: title }),
          ...(asleep && { asleep }),
        }
      })
  }

  async revoke(id: ConsentRuleId): Promise<void> {
    const rule = this.#rules.get(id)
    if (!rule) throw new HostError('not-found', 'This rule no longer exists.')
    await this.#remove(rule)
  }

  async forgetServer(serverId: ServerId): Promise<void> {
    for (const rule of [...this.#rules.values()]) if (rule.serverId === serverId) await this.#remove(rule)
  }

  /** Drops the rules of conversations that are gone for good. */
  async forgetConversations(exists: (id: ConversationId) => Promise<boolean>): Promise<void> {
    for (const rule of [...this.#rules.values()]) {
      if (rule.conversationId && !(await exists(rule.conversationId))) await this.#remove(rule)
    }
  }

  #rulesFor(serverId: ServerId, tool: string): ConsentRule[] {
    return [...this.#rules.values()].filter((rule) => rule.serverId === serverId && rule.tool === tool)
  }

  #asleep(rule: ConsentRule): ConsentRuleView['asleep'] {
    const record = this.#parts.tools.record(rule.serverId)
    if (!record) return 'server-removed'
    if (record.launchIdentity !== rule.launchIdentity) return 'launch-changed'
    if (record.state.is !== 'ready') return undefined
    const tool = this.#parts.tools.tool(rule.serverId, rule.tool)
    if (!tool) return 'tool-unknown'
    return tool.fingerprint === rule.fingerprint ? undefined : 'tool-changed'
  }

  async #remove(rule: ConsentRule): Promise<void> {
    await this.#parts.records.remove('consent-rule', rule.id)
    this.#rules.delete(rule.id)
    if ([...this.#rules.values()].some((other) => other.fingerprint === rule.fingerprint)) return
    await this.#parts.records.remove('tool-definition', rule.fingerprint)
    this.#definitions.delete(rule.fingerprint)
  }

  #settleCovered(rule: ConsentRule): void {
    this.#parts.interactions.settleWhere((open) => {
      if (open.kind !== 'tool-consent' || open.about.serverId !== rule.serverId || open.question.tool !== rule.tool)
        return undefined
      if (open.question.fingerprint !== rule.fingerprint) return undefined
      if (this.#parts.tools.tool(rule.serverId, rule.tool)?.launchIdentity !== rule.launchIdentity) return undefined
      if (rule.scope === 'conversation' && open.about.conversationId !== rule.conversationId) return undefined
      return { decision: 'allow', remember: 'once' }
    })
  }
}

function covers(rule: ConsentRule, tool: AvailableTool): boolean {
  return rule.launchIdentity === tool.launchIdentity && rule.fingerprint === tool.fingerprint
}

/** What the fingerprint covers, laid out for reading; cut where a dialog would no longer be read. */
export function definitionOf(tool: AvailableTool): string {
  return cut(JSON.stringify(comparedDefinition(tool.tool), null, 2), DEFINITION_LIMIT)
}
