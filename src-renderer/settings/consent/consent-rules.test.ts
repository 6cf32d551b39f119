import { describe, expect, it } from 'vitest'
import type { ConsentRuleView } from '../../../src-shared/contract/consent.ts'
import type { ConsentRuleId, ConversationId } from '../../../src-shared/contract/ids.ts'
import { scopeLabel, searchRules } from './consent-rules.ts'
import { importSummary } from './rules-file.ts'

const rule = (change: Partial<ConsentRuleView>): ConsentRuleView => ({
  id: 'r' as ConsentRuleId,
  effect: 'allow',
  powers: [],
  limits: [],
  scope: 'always',
  madeAt: 0,
  uses: 0,
  words: 'filesystem reads ~/shop',
  ...change,
})

describe('rules in Settings', () => {
  it('are found by every visible word and by their tools', () => {
    const shop = rule({ serverNames: ['filesystem', 'git'], tools: { list_directory: 'f' } })
    const deny = rule({ effect: 'deny', words: 'what sends' })
    expect(searchRules([shop, deny], 'SHOP reads')).toEqual([shop])
    expect(searchRules([shop, deny], 'list_dir')).toEqual([shop])
    expect(searchRules([shop, deny], 'deny any server')).toEqual([deny])
    expect(searchRules([shop, deny], 'shop sends')).toEqual([])
    expect(searchRules([shop, deny], '  ')).toEqual([shop, deny])
  })

  it('say where and how long they hold', () => {
    const day = (at: number) => `day ${at}`
    expect(scopeLabel(rule({}), day)).toBe('Always')
    expect(scopeLabel(rule({ scope: 'until', until: 7 }), day)).toBe('Until day 7')
    const conversation = { scope: 'conversation', conversationId: 'c' as ConversationId } as const
    expect(scopeLabel(rule({ ...conversation, conversationTitle: 'Shop' }), day)).toBe('In “Shop”')
    expect(scopeLabel(rule({ ...conversation, conversationTitle: ' ' }), day)).toBe('In “New conversation”')
  })

  it('from a file that would allow are counted as left out', () => {
    expect(importSummary({ added: 1, left: 0 })).toBe('1 rule added.')
    expect(importSummary({ added: 0, left: 2 })).toBe('0 rules added. 2 rules left out: a file cannot allow calls.')
  })
})
