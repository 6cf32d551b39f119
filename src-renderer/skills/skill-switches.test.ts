import { describe, expect, it } from 'vitest'
import { NO_SWITCHES } from '../../src-shared/contract/settings.ts'
import type { SkillHead } from '../../src-shared/contract/skills.ts'
import { skillState } from './skill-switches.ts'

const head: SkillHead = {
  ref: { uri: 'expenses' },
  name: 'expenses',
  description: '',
  fingerprint: 'now',
  files: 1,
  bytes: 1,
}
const seen = (as: string) => ({ ...NO_SWITCHES, skills: [{ uri: 'expenses', seen: as }] })

describe('the state of a skill', () => {
  it.each([
    ['off', NO_SWITCHES, NO_SWITCHES],
    ['on', seen('now'), seen('now')],
    ['on', seen('now'), seen('before')],
    ['on-in-project', NO_SWITCHES, seen('now')],
    ['on-in-project', seen('before'), seen('now')],
    ['changed', NO_SWITCHES, seen('before')],
    ['changed', seen('before'), NO_SWITCHES],
  ])('is %s by the switches of the conversation and its project', (state, here, inProject) => {
    expect(skillState(head, here, inProject)).toBe(state)
  })

  it('is off where it cannot be used', () => {
    expect(skillState({ ...head, problem: 'It is a link.' }, seen('now'), seen('now'))).toBe('off')
  })

  it('does not depend on a server’s skill at the same address', () => {
    const [mine] = seen('now').skills
    const other = { ...NO_SWITCHES, skills: [{ ...mine!, serverId: 'other' as never }] }
    expect(skillState(head, other)).toBe('off')
  })
})
