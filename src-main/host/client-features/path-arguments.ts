import { isAbsolute, normalize, posix, sep, win32 } from 'node:path'
import type { JsonValue } from '../../../src-shared/base/json.ts'
import type { OutsidePath } from '../../../src-shared/contract/roots.ts'

const SHOWN = 8
const LOOKED_AT = 2_000
const LONGEST = 4_096

/**
 * Values that look like full paths and lie outside every one of the folders, judged by their text alone: a mark for the person who
 * is asked, no fence (ROOT-20). Without folders nothing can be outside.
 */
export function outsidePaths(value: JsonValue, folders: readonly string[]): readonly OutsidePath[] {
  if (folders.length === 0) return []
  const found: OutsidePath[] = []
  const waiting: { readonly at: string; readonly value: JsonValue }[] = [{ at: '', value }]
  for (let looked = 0; looked < LOOKED_AT && found.length < SHOWN; looked++) {
    const next = waiting.shift()
    if (!next) break
    if (typeof next.value === 'string') {
      const path = pathIn(next.value)
      if (path !== undefined && !folders.some((folder) => isIn(path, folder))) found.push({ argument: next.at, path })
    } else if (Array.isArray(next.value)) {
      for (const [n, member] of next.value.entries()) waiting.push({ at: `${next.at}[${n}]`, value: member })
    } else if (typeof next.value === 'object' && next.value !== null) {
      for (const [name, member] of Object.entries(next.value)) {
        waiting.push({ at: next.at === '' ? name.slice(0, 80) : `${next.at}.${name.slice(0, 80)}`, value: member })
      }
    }
  }
  return found
}

/** The path that a text is, normalised; undefined when it does not look like a full one. */
function pathIn(text: string): string | undefined {
  if (text.length > LONGEST || /[\n\r\0]/.test(text)) return undefined
  const plain = text.startsWith('file://') ? fromFileUrl(text) : text
  if (plain === undefined) return undefined
  if (/^~([\\/]|$)/.test(plain)) return plain
  if (/^[A-Za-z]:[\\/]/.test(plain) || plain.startsWith('\\\\')) return win32.normalize(plain)
  if (/^\.\.([\\/]|$)/.test(plain)) return plain
  return isAbsolute(plain) && !plain.startsWith('//') ? normalize(plain) : undefined
}

function fromFileUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  try {
    const path = decodeURIComponent(new URL(text).pathname)
    return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path
  } catch {
    return undefined
  }
}

/** Windows knows no case in paths. */
function isIn(path: string, folder: string): boolean {
  const windows = /^([A-Za-z]:|\\\\)/.test(folder)
  const rules = windows ? win32 : sep === '\\' ? win32 : posix
  const [a, b] = windows ? [path.toLowerCase(), folder.toLowerCase()] : [path, folder]
  const way = rules.relative(b, a)
  return rules.isAbsolute(a) && !rules.isAbsolute(way) && way !== '..' && !way.startsWith(`..${rules.sep}`)
}
