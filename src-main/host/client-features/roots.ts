import { constants, watch } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, normalize, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isTooWide } from '../../../src-shared/base/wide-folders.ts'
import type { FolderChoice, FolderSuggestion, SharedFolder } from '../../../src-shared/contract/projects.ts'
import type { Root } from '../../../src-shared/mcp/primitives.ts'
import { isWithin } from '../../consent/read-path.ts'

export type RootVerdict =
  | { readonly ok: true; readonly path: string }
  /** `why` is one sentence for the person. */
  | { readonly ok: false; readonly why: string }

/**
 * Resolves a chosen path to its real path. It must be absolute, exist, be readable, be a folder or a file, and not lie in `forbidden`,
 * the host's own data (ROOT-09, ROOT-10, ROOT-15). One that is `editable` is narrower than a home.
 */
export async function resolveRoot(chosen: string, forbidden: readonly string[], editable = false): Promise<RootVerdict> {
  const refused = (why: string): RootVerdict => ({ ok: false, why })
  if (chosen.includes('\0') || !isAbsolute(chosen)) return refused(`“${shown(chosen)}” is not a full path.`)
  try {
    const path = await realpath(normalize(chosen))
    const found = await stat(path)
    if (!found.isDirectory() && !found.isFile()) return refused(`“${shown(path)}” is neither a folder nor a file.`)
    await access(path, constants.R_OK)
    const own = await Promise.all(forbidden.map((folder) => realpath(folder).catch(() => folder)))
    if (own.some((folder) => isWithin(path, folder))) return refused(`“${shown(path)}” holds Parley’s own data.`)
    if (editable && isTooWide(path, homedir()))
      return refused(`“${shown(path)}” is too large a folder to allow changes in. Choose one inside it.`)
    return { ok: true, path }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'ENOENT' || code === 'ENOTDIR') return refused(`“${shown(chosen)}” does not exist.`)
    if (code === 'EACCES' || code === 'EPERM') return refused(`“${shown(chosen)}” cannot be read.`)
    return refused(`“${shown(chosen)}” cannot be used (${String(code) || 'unknown error'}).`)
  }
}

/** The folders among the words of a launch, as real paths; none that is too wide to mean anything, and no file. */
export async function foldersAmong(words: readonly string[], forbidden: readonly string[]): Promise<readonly string[]> {
  const verdicts = await Promise.all(words.slice(0, MAX_ARGUMENTS).map((word) => resolveRoot(word, forbidden, true)))
  const found = verdicts.flatMap((verdict) => (verdict.ok ? verdict.path : []))
  const kinds = await Promise.all(found.map((path) => stat(path).catch(() => undefined))) // It was removed meanwhile.
  return found.filter((_path, at) => kinds[at]?.isDirectory())
}

/** The present state of a shared folder. A folder that became a link to elsewhere counts as missing. */
export async function folderState({ path }: FolderChoice): Promise<SharedFolder['state']> {
  try {
    if ((await realpath(path)) !== path) return 'missing'
    await access(path, constants.R_OK)
    return 'shared'
  } catch (error) {
    return error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM')
      ? 'unreadable'
      : 'missing'
  }
}

/** The folder as a file URL, escaped and on Windows with its drive (ROOT-05). */
export function rootOf({ path, name }: FolderChoice, options: { readonly windows?: boolean } = {}): Root {
  const separator = options.windows ? /[\\/]/ : sep
  const last = path.split(separator).filter(Boolean).at(-1)
  return { uri: pathToFileURL(path, options).href, name: name ?? last ?? path }
}

/** Calls `onMaybeChanged` when the path may have changed. Returns the undo. */
export function watchPath(path: string, onMaybeChanged: () => void): () => void {
  // The parent is watched too, because only it reports that the path went or came back.
  const watchers = [...new Set([dirname(path), path])].flatMap((watched) => {
    try {
      const watcher = watch(watched, { persistent: false }, (_event, name) => {
        if (watched === path ? name === basename(path) : name === null || name === basename(path)) onMaybeChanged()
      })
      watcher.on('error', onMaybeChanged)
      return [watcher]
    } catch {
      // The path is missing or the system is out of watches; the regular check covers it.
      return []
    }
  })
  return () => {
    for (const watcher of watchers) watcher.close()
  }
}

const VERSION_CONTROL = [
  ['.git', 'Git'],
  ['.hg', 'Mercurial'],
  ['.jj', 'Jujutsu'],
  ['.svn', 'Subversion'],
] as const
const MAX_SUGGESTIONS = 8
/** Arguments of a launch that are looked at. */
export const MAX_ARGUMENTS = 32
const MAX_LEVELS = 12

/** Suggests the repositories that contain the given places; none is shared by itself (ROOT-19). */
export async function suggestFolders(
  places: readonly { readonly path: string; readonly reason: string }[],
  taken: readonly string[],
): Promise<readonly FolderSuggestion[]> {
  const found = new Map<string, FolderSuggestion>()
  for (const { path, reason } of places) {
    if (found.size >= MAX_SUGGESTIONS) break
    if (!isAbsolute(path) || path.includes('\0')) continue
    const repository = await repositoryAround(path)
    if (!repository || taken.includes(repository.path) || found.has(repository.path)) continue
    const name = basename(repository.path)
    found.set(repository.path, { path: repository.path, ...(name && { name }), why: `${repository.kind} repository ${reason}` })
  }
  return [...found.values()]
}

async function repositoryAround(start: string): Promise<{ path: string; kind: string } | undefined> {
  let folder = await realpath(normalize(start)).catch(() => undefined) // A missing folder is in no repository.
  for (let level = 0; folder !== undefined && level < MAX_LEVELS; level++) {
    for (const [mark, kind] of VERSION_CONTROL) {
      // A failure means that this mark is not there.
      if (await stat(join(folder, mark)).catch(() => undefined)) return { path: folder, kind }
    }
    const parent = dirname(folder)
    folder = parent === folder ? undefined : parent
  }
  return undefined
}

const shown = (path: string) => (path.length > 200 ? `${path.slice(0, 200)}…` : path)
