import { lstat, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join } from 'node:path'
import type { JsonObject } from '../../../src-shared/base/json.ts'
import { readAct } from '../../consent/act.ts'
import type { JudgedTool } from '../../consent/powers.ts'
import { ConversationProvenance } from '../../consent/provenance.ts'
import type { PathFacts } from '../../consent/read-path.ts'
import { hasNoHooks, plainRepository } from './git-facts.ts'

export const home = homedir()

/** Paths of one call that are looked for; where others lead is not known, so the call is asked about. */
const PATHS = 200

/** Where the paths of a call really lie, links followed as far as there is something, and what its Git finds: what its reading asks for, and nothing else. */
export async function pathFacts(tool: JudgedTool, args: JsonObject, base: string | undefined): Promise<PathFacts> {
  const [wanted, inside, folders] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const noting = (asked: Set<string>) => ({
    get(path: string) {
      asked.add(path)
      return path
    },
  })
  const facts = { home, resolved: noting(wanted), repositories: noting(inside), hookless: { has: () => true } }
  readAct(tool, args, { ...facts, seen: new ConversationProvenance(), ...(base !== undefined && { base }) })
  const resolved = new Map<string, string>()
  const plain = new Set<string>()
  for (const path of [...wanted].slice(0, PATHS)) {
    const real = await realOf(path)
    if (real === undefined) continue
    resolved.set(path, real)
    const is = await kindOf(real)
    if (is === 'folder') folders.add(real)
    if (is !== 'other') plain.add(real)
  }
  const repositories = new Map<string, string>()
  const hookless = new Set<string>()
  for (const folder of [...inside].slice(0, PATHS)) {
    const repository = await plainRepository(folder)
    if (repository === undefined) continue
    repositories.set(folder, repository)
    if (await hasNoHooks(repository)) hookless.add(repository)
  }
  return { home, resolved, folders, plain, repositories, hookless }
}

/** The real path of what is there, with the rest of the way as it is written; undefined where the way cannot be followed. */
async function realOf(path: string): Promise<string | undefined> {
  // A path of another system lies on another computer, where nobody can look.
  if (!isAbsolute(path)) return path
  let [there, rest] = [path, '']
  for (;;) {
    try {
      return join(await realpath(there), rest)
    } catch (error) {
      if (!isMissing(error)) return undefined
    }
    // A link to nothing leads wherever something is made by it.
    if (await isThere(there)) return undefined
    const above = dirname(there)
    if (above === there) return path
    rest = join(basename(there), rest)
    there = above
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    return !isMissing(error)
  }
}

/** `plain` is a file that is no program and has no other name, and where nothing is yet. */
async function kindOf(path: string): Promise<'folder' | 'plain' | 'other'> {
  if (!isAbsolute(path)) return 'other'
  try {
    const found = await stat(path)
    if (found.isDirectory()) return 'folder'
    return found.isFile() && found.nlink === 1 && (found.mode & EXECUTABLE) === 0 ? 'plain' : 'other'
  } catch (error) {
    // Where nobody may look, anything may be.
    return isMissing(error) ? 'plain' : 'other'
  }
}

/** Anybody may run it. Windows tells nothing by these: there its kind does. */
const EXECUTABLE = 0o111

const isMissing = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
