import { posix, win32 } from 'node:path'
import type { JsonObject } from '../../src-shared/base/json.ts'

/** The host's facts about paths before the verdict: the engine itself touches no disk. */
export interface PathFacts {
  /** The person's home folder. */
  readonly home: string
  /** Path as the argument has it, normalised → where it really lies, links followed; undefined where nobody looked or none can tell. */
  readonly resolved: { get(path: string): string | undefined }
  /** Holds where folders really lie, of those that were looked up. */
  readonly folders?: { has(path: string): boolean }
  /** Holds the real paths at which nothing is yet, or what no program is and no other name leads to. */
  readonly plain?: { has(path: string): boolean }
  /** Folder → that of the repository that Git finds from there, if its configuration was read and names no program. */
  readonly repositories?: { get(folder: string): string | undefined }
  /** Holds those of the repositories that have no hooks: recording in them runs nothing. */
  readonly hookless?: { has(repository: string): boolean }
}

/** Takes every path for the one that is written, as where a call is read for more than its paths. */
export const AS_WRITTEN: PathFacts['resolved'] = { get: (path) => path }

const WINDOWS = /^(?:[A-Za-z]:[\\/]|\\\\)/
const LONGEST = 4_096

/** True if a text can only be a full path. */
export function looksLikePath(text: string): boolean {
  return (
    text.length <= LONGEST &&
    !/[\n\r\0]/.test(text) &&
    (/^(?:\/(?!\/)|~(?:[\\/]|$)|\.\.?(?:[\\/]|$)|file:\/\/)/.test(text) || WINDOWS.test(text))
  )
}

/** The full path that a text names, normalised; undefined when that depends on a folder that nobody knows. */
export function fullPath(text: string, { home }: PathFacts, base?: string): string | undefined {
  if (text.length > LONGEST || /[\n\r\0]/.test(text) || text.includes('%2e') || text.includes('%2E')) return undefined
  let plain = text
  if (text.startsWith('file://')) {
    const url = URL.parse(text)
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
  if (/[$`*?]|%[A-Za-z]+%/.test(plain)) return undefined
  if (WINDOWS.test(plain)) return win32.normalize(plain)
  if (plain.startsWith('/')) return posix.normalize(plain)
  if (base === undefined) return undefined
  return WINDOWS.test(base) ? win32.join(base, plain) : posix.join(base, plain)
}

/** The folder that a call has its command run in, by one of these arguments; undefined where none says so. */
export function workingFolder(args: JsonObject, names: object, facts: PathFacts, base?: string): string | undefined {
  for (const name of Object.keys(args)) {
    const value = WORKING.test(name) && Object.hasOwn(names, name) ? args[name] : undefined
    if (typeof value === 'string' && value !== '') return fullPath(value, facts, base)
  }
  return undefined
}
const WORKING = /^(?:cwd|work_?dir|working_?dir(?:ectory)?|working_?folder)$/i

/** Where a path really lies; undefined where the host did not find out: what is not known is asked about. */
export function realPath(path: string, { resolved }: PathFacts): string | undefined {
  return resolved.get(path)
}

/** A piece that is made of dots. */
const DOTS = /\/\.\.?(?:\/|$)/
/** Full, normalised, not of Windows and not the root: no piece is empty or made of dots. */
export const isPlain = (path: string) =>
  path === '' ||
  (path.startsWith('/') && !path.endsWith('/') && !path.includes('//') && !(path.includes('/.') && DOTS.test(path)))

/** Windows and its names know no case. */
export function isWithin(path: string, folder: string): boolean {
  // Nearly all that are compared are plain, and this is done for every limit of every rule.
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

/** `~/shop` for what lies at home. */
export function shownPath(path: string, { home }: Pick<PathFacts, 'home'>): string {
  if (path === home) return '~'
  return home !== '' && isWithin(path, home) ? `~${path.slice(home.length)}` : path
}
