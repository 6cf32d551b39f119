import { createHash } from 'node:crypto'
import { canonicalJson, isObject, type JsonObject } from '../../../src-shared/base/json.ts'
import { SKILL_FILE, type SkillHead, type SkillRef } from '../../../src-shared/contract/skills.ts'

/** Limits of one skill (SKILL-6). */
export const MAX_FILES = 512
export const MAX_BYTES = 16 * 1024 * 1024
/** Bytes of one file that is given to a model or shown. */
export const MAX_TEXT = 256 * 1024
const MAX_FRONTMATTER = 16 * 1024
/** Characters, as the common format has them. */
const MAX_NAME = 64
const MAX_DESCRIPTION = 1024

/** A file as its source lists it; what is read later must match. */
export interface ListedFile {
  /** Relative to the skill, with slashes. */
  readonly path: string
  readonly size: number
  /** SHA-256 in lower-case hex digits. */
  readonly digest: string
}

export interface ListedSkill {
  readonly head: SkillHead
  readonly frontmatter: JsonObject
  readonly files: readonly ListedFile[]
}

/** A skill that cannot be used, with the reason as a sentence. */
export class SkillError extends Error {
  override readonly name = 'SkillError'
}

export const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** The skill with its fingerprint. One with a problem is listed, too, so that the person sees why. */
export function listedSkill(
  { ref, serverName, problem }: { readonly ref: SkillRef; readonly serverName?: string; readonly problem?: string },
  frontmatter: JsonObject,
  files: readonly ListedFile[],
): ListedSkill {
  const sorted = [...files].sort((one, other) => (one.path < other.path ? -1 : 1))
  const wrong = problem ?? problemOf(frontmatter, files)
  const said = (value: unknown, most: number) => (typeof value === 'string' ? value.slice(0, most) : '')
  const head: SkillHead = {
    ref,
    ...(serverName !== undefined && { serverName }),
    name: said(frontmatter.name, MAX_NAME) || ref.uri.slice(-MAX_NAME),
    description: said(frontmatter.description, MAX_DESCRIPTION),
    fingerprint: sha256(canonicalJson([frontmatter, sorted.map(({ path, digest }) => [path, digest])])),
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    ...(wrong !== undefined && { problem: wrong }),
  }
  return { head, frontmatter, files: sorted }
}

function problemOf({ name, description }: JsonObject, files: readonly ListedFile[]): string | undefined {
  if (!isLine(name, MAX_NAME)) return `Its name must be one line of at most ${MAX_NAME} characters.`
  if (typeof description !== 'string' || description.trim() === '' || description.length > MAX_DESCRIPTION)
    return `Its description must have 1 to ${MAX_DESCRIPTION} characters.`
  if (files.length > MAX_FILES) return `It has more than ${MAX_FILES} files.`
  if (files.reduce((sum, { size }) => sum + size, 0) > MAX_BYTES) return 'It is larger than 16 MiB.'
  if (!files.some(({ path }) => path === SKILL_FILE)) return `It has no ${SKILL_FILE}.`
  return undefined
}

const isLine = (value: unknown, most: number) =>
  typeof value === 'string' && value.trim() !== '' && value.length <= most && !/[\p{Cc}\p{Cf}]/u.test(value)

/** The frontmatter of a SKILL.md, with members that nothing here knows. Throws SkillError. */
export async function readFrontmatter(text: string): Promise<JsonObject> {
  const found = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)^---[ \t]*\r?$/m.exec(text.slice(0, MAX_FRONTMATTER))
  if (!found || found.index > 0)
    throw new SkillError(`${SKILL_FILE} does not begin with a frontmatter between two lines of “---”.`)
  const { parseDocument } = await import('yaml')
  let value: unknown
  try {
    const document = parseDocument(found[1] ?? '', { prettyErrors: false, stringKeys: true, logLevel: 'silent' })
    if (document.errors.length > 0) throw new Error(document.errors[0]?.message.split('\n')[0])
    value = document.toJS({ maxAliasCount: 0 })
  } catch (error) {
    const said = error instanceof Error ? error.message.slice(0, 200) : 'unknown error'
    throw new SkillError(`The frontmatter of ${SKILL_FILE} is not valid YAML: ${said}`)
  }
  if (!isObject(value)) throw new SkillError(`The frontmatter of ${SKILL_FILE} is not a list of names and values.`)
  return value as JsonObject
}

/** The entry of a file in its skill. Throws SkillError. */
export function listedFile(skill: ListedSkill, path: string): ListedFile {
  const listed = skill.files.find((file) => file.path === path)
  if (!listed) throw new SkillError(`The skill does not list the file “${path.slice(0, 200)}”.`)
  return listed
}

/** The text of a file with the listed size and digest; of SKILL.md also with the listed frontmatter (SKILL-2). Throws SkillError. */
export async function verifiedText(skill: ListedSkill, path: string, bytes: Uint8Array): Promise<string> {
  const listed = listedFile(skill, path)
  if (bytes.byteLength !== listed.size) throw new SkillError(`“${path}” differs in size from the listed file.`)
  if (sha256(bytes) !== listed.digest) throw new SkillError(`“${path}” differs from the listed file.`)
  const text = textOf(bytes)
  if (text === undefined) throw new SkillError(`“${path}” is not text.`)
  if (path === SKILL_FILE && canonicalJson(await readFrontmatter(text)) !== canonicalJson(skill.frontmatter))
    throw new SkillError(`The frontmatter of ${SKILL_FILE} differs from the listed one.`)
  return text
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}
