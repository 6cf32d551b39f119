import { matchesWords } from '../../../src-shared/base/matches-words.ts'
import type { ConsentRuleView } from '../../../src-shared/contract/consent.ts'
import { UNTITLED } from '../../state/selectors.ts'
import { visibleText } from '../../ui/visible-text.ts'

export const EFFECT_LABELS: Readonly<Record<ConsentRuleView['effect'], string>> = { allow: 'Allow', ask: 'Ask', deny: 'Deny' }

/** Reasons why a rule does not apply now. */
export const PAUSE_LABELS: Readonly<Record<NonNullable<ConsentRuleView['paused']>, string>> = {
  'launch-changed': 'Paused: the server changed',
  'tool-changed': 'Paused: the tool changed',
  'server-removed': 'Paused: the server was removed',
  'tool-unknown': 'Paused: the server does not offer the tool now',
  expired: 'Expired',
}

/** The scope of a rule and its end; `day` formats a time. */
export function scopeLabel(rule: ConsentRuleView, day: (at: number) => string): string {
  if (rule.until !== undefined) return `Until ${day(rule.until)}`
  if (rule.conversationId !== undefined) return `In “${visibleText(rule.conversationTitle?.trim() || UNTITLED)}”`
  if (rule.projectId !== undefined) return `In the project “${visibleText(rule.projectName ?? '')}”`
  return 'Always'
}

export const ruleServers = ({ serverNames }: ConsentRuleView) => serverNames?.join(', ') ?? 'Any server'

/** The rules whose text, servers, tools or conversation contain every word of the search. */
export function searchRules(rules: readonly ConsentRuleView[], search: string): readonly ConsentRuleView[] {
  return rules.filter((rule) => {
    const { effect, words, conversationTitle = '', projectName = '', tools = {}, also = [] } = rule
    const covered = [tools, ...also.map((clause) => clause.tools)].flatMap((one) => Object.keys(one))
    const texts = [EFFECT_LABELS[effect], words, ruleServers(rule), conversationTitle, projectName, ...covered]
    return matchesWords(texts.join(' '), search)
  })
}
