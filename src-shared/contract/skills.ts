import { z } from 'zod'
import type { ServerId } from './ids.ts'
import { type Given, id, text } from './schema-parts.ts'

/** The file of a skill that is read first. */
export const SKILL_FILE = 'SKILL.md'
/** Skills that can be on in one place. */
export const SKILLS_ON = 64

/** A skill by its server and URI, or by its folder within the person's folder (SKILL-1). */
export type SkillRef = Given<typeof skillRef>
export const skillRef = () => z.strictObject({ serverId: id<ServerId>().exactOptional(), uri: text(2048).min(1) })

/** A skill that is on, with the fingerprint of its files as the person saw them: after a change it is off (SKILL-5). */
export type SkillSwitch = Given<typeof skillSwitch>
export const skillSwitch = () => skillRef().extend({ seen: text(100) })

export const skillKey = ({ serverId, uri }: SkillRef) => JSON.stringify([serverId, uri])

export const sameSkill = (one: SkillRef, other: SkillRef) => skillKey(one) === skillKey(other)

export interface SkillHead {
  readonly ref: SkillRef
  /** Absent for one of the person's own. */
  readonly serverName?: string
  readonly name: string
  readonly description: string
  /** SHA-256 of its frontmatter and of the digests of its files. */
  readonly fingerprint: string
  readonly files: number
  readonly bytes: number
  /** Why it cannot be turned on. */
  readonly problem?: string
}

export interface ListedSkills {
  readonly skills: readonly SkillHead[]
  /** Places that could not be listed, as sentences. */
  readonly problems: readonly string[]
}

export interface SkillText {
  readonly head: SkillHead
  readonly path: string
  /** Absent for a file that is not text. */
  readonly text?: string
  readonly files: readonly { readonly path: string; readonly size: number }[]
}
