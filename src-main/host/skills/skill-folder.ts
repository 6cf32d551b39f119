import { constants } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { SKILL_FILE } from '../../../src-shared/contract/skills.ts'
import { readUpTo } from '../../storage/base/json-file.ts'
import {
  type ListedFile,
  type ListedSkill,
  listedFile,
  listedSkill,
  MAX_BYTES,
  MAX_FILES,
  readFrontmatter,
  SkillError,
  sha256,
} from './skill-text.ts'

const MAX_SKILLS = 100
/** Folders between a skill and its file. */
const MAX_DEPTH = 8
/** Bytes of all skills together. */
const MAX_ALL = 64 * 1024 * 1024

/** The skills in the person's folder, each a folder with a SKILL.md. Throws the error of the file system. */
export async function skillsIn(folder: string): Promise<readonly ListedSkill[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.flatMap((entry) => (entry.name.startsWith('.') || !mayBeSkill(entry) ? [] : [entry]))
  const skills: ListedSkill[] = []
  let room = MAX_ALL
  for (const entry of names.sort((one, other) => (one.name < other.name ? -1 : 1)).slice(0, MAX_SKILLS)) {
    const skill = await skillAt(folder, entry.name, entry.isSymbolicLink(), room)
    if (!skill) continue
    room -= skill.head.bytes
    skills.push(skill)
  }
  return skills
}

const mayBeSkill = (entry: { isDirectory(): boolean; isSymbolicLink(): boolean }) => entry.isDirectory() || entry.isSymbolicLink()

/** The bytes of one file of the person's skill. Throws SkillError. */
export async function readOwnFile(folder: string, skill: ListedSkill, path: string): Promise<Uint8Array> {
  const listed = listedFile(skill, path)
  return readPlainFile(join(folder, skill.head.ref.uri, listed.path), listed.size)
}

/** Undefined for a folder without a SKILL.md. */
async function skillAt(folder: string, name: string, linked: boolean, room: number): Promise<ListedSkill | undefined> {
  const about = { ref: { uri: name } }
  if (linked) return listedSkill({ ...about, problem: 'It is a link. Parley does not follow links in skills.' }, {}, [])
  const top = join(folder, name)
  let files: readonly ListedFile[] = []
  try {
    files = await filesIn(top, Math.min(room, MAX_BYTES))
    const main = files.find(({ path }) => path === SKILL_FILE)
    if (!main) return undefined
    const bytes = await readPlainFile(join(top, SKILL_FILE), main.size)
    return listedSkill(about, await readFrontmatter(new TextDecoder('utf-8', { fatal: true }).decode(bytes)), files)
  } catch (error) {
    const problem = error instanceof SkillError ? error.message : `It could not be read: ${String(error).slice(0, 200)}`
    return listedSkill({ ...about, problem }, {}, files)
  }
}

/** Every file with its digest. Throws SkillError for a link, and for more than a skill may have. */
async function filesIn(top: string, room: number): Promise<readonly ListedFile[]> {
  const files: ListedFile[] = []
  let bytes = 0
  const visit = async (within: readonly string[]): Promise<void> => {
    if (within.length > MAX_DEPTH) throw new SkillError(`Its folders are nested more than ${MAX_DEPTH} deep.`)
    for (const entry of await readdir(join(top, ...within), { withFileTypes: true })) {
      if (entry.name.startsWith('.')) continue
      const parts = [...within, entry.name]
      const path = parts.join('/')
      if (entry.isDirectory()) {
        await visit(parts)
        continue
      }
      if (!entry.isFile()) throw new SkillError(`“${path.slice(0, 200)}” is a link or a device.`)
      if (files.length === MAX_FILES) throw new SkillError(`It has more than ${MAX_FILES} files.`)
      const content = await readPlainFile(join(top, ...parts), room - bytes)
      bytes += content.byteLength
      files.push({ path, size: content.byteLength, digest: sha256(content) })
    }
  }
  await visit([])
  return files
}

/** Refuses a link that took the place of the file meanwhile, and a file of more than `most` bytes. */
async function readPlainFile(path: string, most: number): Promise<Uint8Array> {
  // Without O_NONBLOCK, opening a pipe waits for a writer.
  await using file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  const about = await file.stat()
  if (!about.isFile()) throw new SkillError('One of its files is not a plain file.')
  if (about.size > most) throw new SkillError('It is larger than 16 MiB, or all skills are larger than 64 MiB.')
  return readUpTo(file, about.size)
}
