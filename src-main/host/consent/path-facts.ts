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

/** Paths of one call that are looked up; more than that stay unknown, so the call needs a question. */
const PATHS = 200

/** Looks up exactly the paths and repositories that reading the call asks for. */
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

/** Resolves the existing part of a path and appends the rest; undefined if a link cannot be followed. */
async function realOf(path: string): Promise<string | undefined> {
  // A path of another system is on another computer and cannot be looked up.
  if (!isAbsolute(path)) return path
  let [there, rest] = [path, '']
  for (;;) {
    try {
      return join(await realpath(there), rest)
    } catch (error) {
      if (!isMissing(error)) return undefined
    }
    // A dangling link decides where a new file is created.
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

/** `plain` is a missing file, or one that is not executable and has no other hard link. */
async function kindOf(path: string): Promise<'folder' | 'plain' | 'other'> {
  if (!isAbsolute(path)) return 'other'
  try {
    const found = await stat(path)
    if (found.isDirectory()) return 'folder'
    return found.isFile() && found.nlink === 1 && (found.mode & EXECUTABLE) === 0 ? 'plain' : 'other'
  } catch (error) {
    // A path that may not be read can be anything.
    return isMissing(error) ? 'plain' : 'other'
  }
}

/** Execute permission for anybody. Windows has none; there the extension decides. */
const EXECUTABLE = 0o111

const isMissing = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
