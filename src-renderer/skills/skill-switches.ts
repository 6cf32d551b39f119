import { NO_SWITCHES, type ToolSwitches } from '../../src-shared/contract/settings.ts'
import { type SkillHead, type SkillRef, sameSkill } from '../../src-shared/contract/skills.ts'

export type SkillState = 'on' | 'on-in-project' | 'off' | 'changed'

/** Off, on here or by the project, or off again because it changed since it was turned on. */
export function skillState({ ref, fingerprint, problem }: SkillHead, here: ToolSwitches, inProject = NO_SWITCHES): SkillState {
  if (problem !== undefined) return 'off'
  const [mine, others] = [here, inProject].map(({ skills = [] }) => skills.find((one) => sameSkill(one, ref)))
  if (mine?.seen === fingerprint) return 'on'
  if (others?.seen === fingerprint) return 'on-in-project'
  return mine || others ? 'changed' : 'off'
}

export const isSkillOn = (state: SkillState) => state === 'on' || state === 'on-in-project'

export function withoutSkill(switches: ToolSwitches, ref: SkillRef): ToolSwitches {
  return { ...switches, skills: (switches.skills ?? []).filter((one) => !sameSkill(one, ref)) }
}

/** Turns a skill on as it was seen. */
export function withSkill(switches: ToolSwitches, { ref, fingerprint }: SkillHead): ToolSwitches {
  const { skills = [], ...others } = withoutSkill(switches, ref)
  return { ...others, skills: [...skills, { ...ref, seen: fingerprint }] }
}
