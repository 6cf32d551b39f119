import { type Act, type ReadingFacts, readAct } from '../../src-main/consent/act.ts'
import type { JudgedTool } from '../../src-main/consent/powers.ts'
import { ConversationProvenance } from '../../src-main/consent/provenance.ts'
import { AS_WRITTEN } from '../../src-main/consent/read-path.ts'
import { RuleBook } from '../../src-main/consent/rules.ts'
import { type Situation, type Verdict, verdictOf } from '../../src-main/consent/verdict.ts'
import type { JsonObject } from '../../src-shared/base/json.ts'
import type { ConsentRule, Power } from '../../src-shared/contract/consent.ts'
import type { ConsentRuleId, ConversationId, ServerId } from '../../src-shared/contract/ids.ts'
import { toolHints } from '../../src-shared/contract/servers.ts'

/** Targets of links; every other path is real. */
export const linked = (links: Readonly<Record<string, string>>) => ({ get: (path: string) => links[path] ?? path })

export const HERE = 'here' as ConversationId

/** A tool with its server's hints, if any. */
interface ToolOptions extends Partial<JudgedTool> {
  readonly claimed?: { readonly readOnly?: boolean; readonly destructive?: boolean; readonly openWorld?: boolean }
}

export function judgedTool(name: string, { claimed = {}, ...more }: ToolOptions = {}): JudgedTool {
  const { readOnly, openWorld } = claimed
  return {
    serverId: 'server',
    serverName: 'Server',
    launchIdentity: 'launch',
    name,
    fingerprint: 'print',
    hints: toolHints({
      ...(readOnly !== undefined && { readOnlyHint: readOnly }),
      ...(openWorld !== undefined && { openWorldHint: openWorld }),
    }),
    inputSchema: { type: 'object' },
    ...more,
  }
}

/** A tool whose powers the person has set. */
export const toolThat = (...defined: Power[]) => judgedTool('act', { defined, hints: toolHints({ openWorldHint: false }) })

export function actOf(tool: JudgedTool, args: JsonObject, facts: Partial<ReadingFacts> = {}): Act {
  return readAct(tool, args, { home: '/home/ana', resolved: AS_WRITTEN, seen: new ConversationProvenance(), ...facts })
}

/** A rule that allows this tool everything. */
export function ruleFor(tool: JudgedTool, more: Partial<ConsentRule> = {}): ConsentRule {
  return {
    id: 'rule' as ConsentRuleId,
    effect: 'allow',
    serverId: tool.serverId as ServerId,
    launchIdentity: tool.launchIdentity,
    tools: { [tool.name]: tool.fingerprint },
    powers: ['reads', 'brings-in', 'changes', 'destroys', 'sends', 'spends'],
    limits: [{ is: 'any' }],
    scope: 'conversation',
    conversationId: HERE,
    madeAt: 0,
    uses: 0,
    ...more,
  }
}

export function verdictOn(act: Act, rules: readonly ConsentRule[] = [], more: Partial<Situation> = {}): Verdict {
  return verdictOf(act, {
    rules: new RuleBook(rules),
    place: { folders: [], hosts: [], recipients: [] },
    seen: new ConversationProvenance(),
    conversationId: HERE,
    now: 1_000,
    ...more,
  })
}
