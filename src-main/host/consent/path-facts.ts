import { realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { JsonObject, JsonValue } from '../../../src-shared/base/json.ts'
import { fullPath, looksLikePath, type PathFacts, workingFolder } from '../../consent/read-path.ts'

/** The only file of this room that touches the disk: it looks where paths lead, and reads nothing. */

export const home = homedir()

const PATHS = 200
const LEVELS = 40

/** Where the paths among arguments really lie, links followed as far as there is something. */
export async function pathFacts(args: JsonObject, base: string | undefined): Promise<PathFacts> {
  const resolved = new Map<string, string>()
  const facts = { home, resolved }
  const look = async (text: string, from: string | undefined) => {
    const path = fullPath(text, facts, from)
    if (path !== undefined && !resolved.has(path)) resolved.set(path, await real(path))
  }
  // Commands name what lies in their folder without a word of it.
  const cwd = workingFolder(args, args, facts, base)
  if (cwd !== undefined)
    for (const text of Object.values(args))
      for (const word of typeof text === 'string' && text.length <= 4_096 ? text.split(/[\s'"=]+/).slice(0, 50) : [])
        if (/^[^-]/.test(word)) await look(word, cwd)
  for (const text of textsIn(args)) {
    await look(text, base)
    if (resolved.size >= PATHS) break
  }
  return facts
}

/** The real path of what is there, with the rest of the way as it is written. */
async function real(path: string): Promise<string> {
  let [there, rest] = [path, '']
  for (let level = 0; level < LEVELS; level++) {
    try {
      return join(await realpath(there), rest)
    } catch {
      const above = dirname(there)
      if (above === there) return path
      rest = join(basename(there), rest)
      there = above
    }
  }
  return path
}

function* textsIn(value: JsonValue): Generator<string> {
  const waiting: JsonValue[] = [value]
  for (let looked = 0; looked < 2_000; looked++) {
    const next = waiting.pop()
    if (next === undefined) return
    if (typeof next === 'string') {
      if (next.length > 4_096) continue
      if (looksLikePath(next) || /^[\w@.-]+(?:[\\/][\w@. -]+)+$/.test(next)) yield next
      else if (next.includes('/')) for (const word of next.split(/\s+/).slice(0, 50)) if (looksLikePath(word)) yield word
    } else if (Array.isArray(next)) waiting.push(...next.slice(0, 500))
    else if (next !== null && typeof next === 'object')
      for (const member of Object.values(next).slice(0, 500)) if (member !== undefined) waiting.push(member)
  }
}
