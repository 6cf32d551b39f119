import type { ConsentRuleView } from '../../src-shared/contract/settings.ts'

/** Why a rule does not count at present. */
export const ASLEEP_WORDS: Readonly<Record<NonNullable<ConsentRuleView['asleep']>, string>> = {
  'launch-changed': 'Asleep: how the server is reached was changed. You are asked again.',
  'tool-changed': 'Asleep: the tool is not as it was when you allowed it. You are asked again.',
  'server-removed': 'Asleep: its server was removed.',
  'tool-unknown': 'Asleep: the server is not connected or does not offer this tool at present.',
}

/** Those whose server or tool is named so. */
export function rulesNamed(rules: readonly ConsentRuleView[], search: string): readonly ConsentRuleView[] {
  const wanted = search.trim().toLowerCase()
  return rules.filter((rule) => `${rule.serverName} ${rule.tool}`.toLowerCase().includes(wanted))
}
