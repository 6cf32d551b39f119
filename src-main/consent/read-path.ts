import { posix, win32 } from 'node:path'
import type { JsonObject } from '../../src-shared/base/json.ts'

/** Facts that the host finds out before the verdict: the engine itself reads no disk. */
export interface PathFacts {
  /** The person's home folder. */
  readonly home: string
  /** Normalized path → real path; undefined if not looked up or unknown, and then the call needs a question. */
  readonly resolved: { get(path: string): string | undefined }
  /** The real paths of folders. */
  readonly folders?: { has(path: string): boolean }
  /** Real paths without a file yet, or with one that is not executable and has no other hard link. */
  readonly plain?: { has(path: string): boolean }
  /** Folder → its Git repository, if the repository's configuration runs no program. */
  readonly repositories?: { get(folder: string): string | undefined }
  /** Repositories without hooks, in which a commit runs nothing. */
  readonly hookless?: { has(repository: string): boolean }
}

/** Takes every path as it is written, for readings that need no real paths. */
export const AS_WRITTEN: PathFacts['resolved'] = { get: (path) => path }

const WINDOWS = /^(?:[A-Za-z]:[\\/]|\\\\)/
const LONGEST = 4_096

/** True if a text has the form of a path, after blanks that a server may drop. */
export function looksLikePath(text: string): boolean {
  if (text.length > LONGEST || text.includes('\n')) return false
  return /^\s*(?:\/(?!\/)|~(?:[\\/]|$)|\.\.?(?:[\\/]|$)|file:)/i.test(text) || WINDOWS.test(text.trimStart())
}

/** The normalized absolute path; undefined if it depends on an unknown folder. */
export function fullPath(text: string, { home }: PathFacts, base?: string): string | undefined {
  if (text.length > LONGEST || /[\n\r\0]/.test(text) || text.includes('%2e') || text.includes('%2E')) return undefined
  let plain = text
  if (/^\s*file:/i.test(text)) {
    // `file:x` is a path in the root to some, and in the working folder to others.
    const url = /^\s*file:\//i.test(text) ? URL.parse(text) : null
    if (!url) return undefined
    if (url.host !== '' && url.host !== 'localhost') return undefined
    try {
      plain = decodeURIComponent(url.pathname).replace(/^\/(?=[A-Za-z]:)/, '')
    } catch {
      return undefined
    }
  }
  if (/^~(?:[\\/]|$)/.test(plain)) plain = home + plain.slice(1)
  else if (plain.startsWith('~')) return undefined
  if (/^\s|[$`*?]|%[A-Za-z]+%/.test(plain)) return undefined
  if (WINDOWS.test(plain)) return win32.normalize(plain)
  if (plain.startsWith('/')) return posix.normalize(plain)
  if (base === undefined) return undefined
  return WINDOWS.test(base) ? win32.join(base, plain) : posix.join(base, plain)
}

/** The working folder of a call's command, from its arguments. */
export function workingFolder(args: JsonObject, names: object, facts: PathFacts, base?: string): string | undefined {
  for (const name of Object.keys(args).sort()) {
    const value = WORKING.test(name) && Object.hasOwn(names, name) ? args[name] : undefined
    if (typeof value === 'string' && value !== '') return fullPath(value, facts, base)
  }
  return undefined
}
const WORKING = /^(?:cwd|work_?dir|working_?dir(?:ectory)?|working_?folder)$/i

const DOTS = /\/\.\.?(?:\/|$)/
/** True for a normalized absolute POSIX path, for which comparing texts is enough. */
export const isPlain = (path: string) =>
  path === '' ||
  (path.startsWith('/') && !path.endsWith('/') && !path.includes('//') && !(path.includes('/.') && DOTS.test(path)))

/** Ignores case on Windows. */
export function isWithin(path: string, folder: string): boolean {
  // A shortcut for most paths, since this runs for every limit of every rule.
  if (isPlain(folder) && isPlain(path))
    return path.startsWith(folder) && (path.length === folder.length || path[folder.length] === '/')
  const windows = WINDOWS.test(folder)
  if (windows !== WINDOWS.test(path)) return false
  const rules = windows ? win32 : posix
  const [a, b] = windows ? [path.toLowerCase(), folder.toLowerCase()] : [path, folder]
  const way = rules.relative(b, a)
  return !rules.isAbsolute(way) && way !== '..' && !way.startsWith(`..${rules.sep}`)
}

export function folderOf(path: string): string {
  return WINDOWS.test(path) ? win32.dirname(path) : posix.dirname(path)
}

/** Shortens the home folder to `~`. */
export function shownPath(path: string, { home }: Pick<PathFacts, 'home'>): string {
  if (path === home) return '~'
  return home !== '' && isWithin(path, home) ? `~${path.slice(home.length)}` : path
}
