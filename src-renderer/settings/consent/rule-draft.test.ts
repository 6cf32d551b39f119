import { describe, expect, it } from 'vitest'
import { MAX_LIMITS, personRule } from '../../../src-shared/contract/consent.ts'
import { EMPTY_RULE, personRuleOf, ruleProblems } from './rule-draft.ts'

const now = new Date('2026-05-04T12:00:00').getTime()

describe('a rule written by hand', () => {
  it('asks about everything when nothing is filled in, and the host accepts it', () => {
    const rule = personRuleOf(EMPTY_RULE)
    expect(ruleProblems(EMPTY_RULE, now)).toEqual({})
    expect(rule).toEqual({ effect: 'ask', powers: [], limits: [] })
    expect(personRule().safeParse(rule).success).toBe(true)
  })

  it('has a limit for each line, hosts in standard spelling, and ends with its last day', () => {
    const rule = personRuleOf({
      ...EMPTY_RULE,
      effect: 'deny',
      tool: ' write ',
      powers: ['sends'],
      folders: '/srv/shop\n\n /srv/shop \nC:\\notes',
      hosts: 'https://EXAMPLE.com/\nbücher.example:8080',
      recipients: 'a@b.example',
      until: '2026-05-04',
    })
    expect(rule).toEqual({
      effect: 'deny',
      tool: 'write',
      powers: ['sends'],
      limits: [
        { is: 'folder', path: '/srv/shop' },
        { is: 'folder', path: 'C:\\notes' },
        { is: 'host', host: 'example.com' },
        { is: 'host', host: 'xn--bcher-kva.example:8080' },
        { is: 'recipient', address: 'a@b.example' },
      ],
      until: new Date('2026-05-04T23:59:59.999').getTime(),
    })
    expect(personRule().safeParse(rule).success).toBe(true)
  })

  it.each([
    ['folders', 'notes/today'],
    ['hosts', 'example.com/path'],
    ['hosts', 'me@example.com'],
    ['hosts', 'two words'],
    ['recipients', Array.from({ length: MAX_LIMITS + 1 }, (_, n) => `r${n}`).join('\n')],
    ['until', '2026-05-03'],
  ] as const)('explains what is wrong in %s', (field, value) => {
    expect(Object.keys(ruleProblems({ ...EMPTY_RULE, [field]: value }, now))).toEqual([field])
  })

  it('may end today', () => {
    expect(ruleProblems({ ...EMPTY_RULE, until: '2026-05-04' }, now)).toEqual({})
  })
})
