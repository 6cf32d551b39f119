import type { ToolSwitches } from '../../src-shared/contract/settings.ts'
import { type SkillHead, type SkillRef, sameSkill } from '../../src-shared/contract/skills.ts'

/** Off, on, or off again because it changed since it was turned on. */
export function stateOf({ ref, fingerprint, problem }: SkillHead, { skills = [] }: ToolSwitches): 'on' | 'off' | 'changed' {
  const mine = skills.find((one) => sameSkill(one, ref))
  if (!mine || problem !== undefined) return 'off'
  return mine.seen === fingerprint ? 'on' : 'changed'
}

export function withoutSkill(switches: ToolSwitches, ref: SkillRef): ToolSwitches {
  return { ...switches, skills: (switches.skills ?? []).filter((one) => !sameSkill(one, ref)) }
}

/** Turns a skill on as it was seen. */
export function withSkill(switches: ToolSwitches, { ref, fingerprint }: SkillHead): ToolSwitches {
  const { skills = [], ...others } = withoutSkill(switches, ref)
  return { ...others, skills: [...skills, { ...ref, seen: fingerprint }] }
}
