import { randomUUID } from 'node:crypto'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ConsentRuleId, ConversationId, ServerId } from '../../../src-shared/contract/ids.ts'
import type { ConsentRule, ConsentRuleView } from '../../../src-shared/contract/settings.ts'
import { cut } from '../core/content-views.ts'
import { comparedDefinition } from '../core/fingerprint.ts'
import type { HostCore } from '../core/host-core.ts'
import type { AvailableTool } from '../servers/server-tools.ts'
import type { Servers } from '../servers/servers.ts'

/** Characters of a definition that a dialog compares. */
const DEFINITION_LIMIT = 12_000

export type Decision =
  | { readonly allow: true; readonly by: 'conversation-rule' | 'always-rule'; readonly rule: ConsentRuleId }
  | { readonly ask: true; readonly changed?: { readonly before?: string; readonly now: string } }

interface ConsentParts extends Pick<HostCore, 'storage' | 'clock' | 'state' | 'interactions'> {
  readonly servers: Servers
}

/**
 * Who may call what without asking again. A rule holds for one tool of one server, as it was defined and launched when the
 * person said yes; what the server claims about its tool never decides (TOOL-11).
 */
export class Consent {
  readonly #parts: ConsentParts
  #rules = new Map<string, ConsentRule>()
  /** Definitions that rules were made for, by fingerprint. */
  #definitions = new Map<string, { readonly json: string }>()

  constructor(parts: ConsentParts) {
    this.#parts = parts
  }

  /** Drops the rules of conversations that are gone for good. */
  async load(): Promise<void> {
    const { records, conversations } = this.#parts.storage
    this.#rules = await records.all('consent-rule')
    this.#definitions = await records.all('tool-definition')
    for (const rule of [...this.#rules.values()]) {
      if (rule.conversationId && !(await conversations.head(rule.conversationId))) await this.#remove(rule)
    }
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

  /** Whether the person always allows it, as it is defined and launched now. */
  coversAlways(tool: AvailableTool): boolean {
    return this.#rulesFor(tool.serverId, tool.tool.name).some((rule) => rule.scope === 'always' && covers(rule, tool))
  }

  /** Makes a rule durable. It decides calls from now on: a question that is open shows arguments that nobody has answered for. */
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
    await this.#parts.storage.records.put('tool-definition', rule.fingerprint, definition)
    await this.#parts.storage.records.put('consent-rule', rule.id, rule)
    this.#definitions.set(rule.fingerprint, definition)
    this.#rules.set(rule.id, rule)
    const replaced = this.#rulesFor(rule.serverId, rule.tool).filter(
      (old) => old.id !== rule.id && old.scope === scope && old.conversationId === rule.conversationId,
    )
    for (const old of replaced) await this.#remove(old)
    return rule
  }

  /** Counts that a rule allowed a call. */
  async used(id: ConsentRuleId): Promise<void> {
    const rule = this.#rules.get(id)
    if (!rule) return
    const counted = { ...rule, uses: rule.uses + 1, lastUsedAt: this.#parts.clock.now() }
    this.#rules.set(id, counted)
    await this.#parts.storage.records.put('consent-rule', id, counted)
  }

  /** Newest first; a rule that does not apply at present says why. */
  list(): readonly ConsentRuleView[] {
    const { conversations } = this.#parts.state.snapshot
    return [...this.#rules.values()]
      .sort((a, b) => b.madeAt - a.madeAt)
      .map((rule) => {
        const record = this.#parts.servers.configured.find(rule.serverId)?.record
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

  #rulesFor(serverId: ServerId, tool: string): ConsentRule[] {
    return [...this.#rules.values()].filter((rule) => rule.serverId === serverId && rule.tool === tool)
  }

  #asleep(rule: ConsentRule): ConsentRuleView['asleep'] {
    const record = this.#parts.servers.configured.find(rule.serverId)?.record
    if (!record) return 'server-removed'
    if (record.launchIdentity !== rule.launchIdentity) return 'launch-changed'
    if (record.state.is !== 'ready') return undefined
    const tool = this.#parts.servers.tools.find(rule.serverId, rule.tool)
    if (!tool) return 'tool-unknown'
    return tool.fingerprint === rule.fingerprint ? undefined : 'tool-changed'
  }

  async #remove(rule: ConsentRule): Promise<void> {
    await this.#parts.storage.records.remove('consent-rule', rule.id)
    this.#rules.delete(rule.id)
    if ([...this.#rules.values()].some((other) => other.fingerprint === rule.fingerprint)) return
    await this.#parts.storage.records.remove('tool-definition', rule.fingerprint)
    this.#definitions.delete(rule.fingerprint)
  }
}

function covers(rule: ConsentRule, tool: AvailableTool): boolean {
  return rule.launchIdentity === tool.launchIdentity && rule.fingerprint === tool.fingerprint
}

/** What the fingerprint covers, laid out for reading; cut where a dialog would no longer be read. */
export function definitionOf(tool: AvailableTool): string {
  return cut(JSON.stringify(comparedDefinition(tool.tool), null, 2), DEFINITION_LIMIT)
}
