import { constants, watch } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, normalize, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FolderChoice, FolderSuggestion, SharedFolder } from '../../../src-shared/contract/projects.ts'
import type { Root } from '../../../src-shared/mcp/primitives.ts'

/** Roots on this machine's disk: the only file of the host that touches it. */

export type RootVerdict =
  | { readonly ok: true; readonly path: string }
  /** `why` is one sentence for the person. */
  | { readonly ok: false; readonly why: string }

/**
 * Resolves a chosen path: absolute, without `..` and without links on the way, there, readable, a folder or a file, and not
 * within `forbidden`, the host's own data (ROOT-09, ROOT-10, ROOT-15).
 */
export async function resolveRoot(chosen: string, forbidden: readonly string[]): Promise<RootVerdict> {
  const refused = (why: string): RootVerdict => ({ ok: false, why })
  if (chosen.includes('\0') || !isAbsolute(chosen)) return refused(`“${shown(chosen)}” is not a full path.`)
  try {
    const path = await realpath(normalize(chosen))
    const found = await stat(path)
    if (!found.isDirectory() && !found.isFile()) return refused(`“${shown(path)}” is neither a folder nor a file.`)
    await access(path, constants.R_OK)
    const own = await Promise.all(forbidden.map((folder) => realpath(folder).catch(() => folder)))
    if (own.some((folder) => isWithin(path, folder))) return refused(`“${shown(path)}” holds Parley’s own data.`)
    return { ok: true, path }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'ENOENT' || code === 'ENOTDIR') return refused(`“${shown(chosen)}” does not exist.`)
    if (code === 'EACCES' || code === 'EPERM') return refused(`“${shown(chosen)}” cannot be read.`)
    return refused(`“${shown(chosen)}” cannot be used (${String(code) || 'unknown error'}).`)
  }
}

/** How a shared folder stands now. One that leads elsewhere since it was chosen is not the one that was chosen. */
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

/** As a server is told of it: an address with all that needs it escaped, on Windows with its drive (ROOT-05). */
export function rootOf({ path, name }: FolderChoice, options: { readonly windows?: boolean } = {}): Root {
  const separator = options.windows ? /[\\/]/ : sep
  const last = path.split(separator).filter(Boolean).at(-1)
  return { uri: pathToFileURL(path, options).href, name: name ?? last ?? path }
}

/** Fires when something may have changed about a path; says nothing about what. Returns the undo. */
export function watchPath(path: string, onMaybe: () => void): () => void {
  // The folder that holds it hears of its end and its return; itself may be gone.
  const watchers = [...new Set([dirname(path), path])].flatMap((watched) => {
    try {
      const watcher = watch(watched, { persistent: false }, (_event, name) => {
        if (watched === path ? name === basename(path) : name === null || name === basename(path)) onMaybe()
      })
      watcher.on('error', onMaybe)
      return [watcher]
    } catch {
      // Not there, or no watch left to give: looking from time to time has to do.
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
const SUGGESTIONS = 8
const CLIMB = 12

/** Folders under version control around the given places, each with why; never shared by itself (ROOT-19). */
export async function suggestFolders(
  places: readonly { readonly path: string; readonly because: string }[],
  taken: readonly string[],
): Promise<readonly FolderSuggestion[]> {
  const found = new Map<string, FolderSuggestion>()
  for (const { path, because } of places) {
    if (found.size >= SUGGESTIONS) break
    if (!isAbsolute(path) || path.includes('\0')) continue
    const repository = await repositoryAround(path)
    if (!repository || taken.includes(repository.path) || found.has(repository.path)) continue
    const name = basename(repository.path)
    found.set(repository.path, { path: repository.path, ...(name && { name }), why: `${repository.kind} repository ${because}` })
  }
  return [...found.values()]
}

async function repositoryAround(start: string): Promise<{ path: string; kind: string } | undefined> {
  let folder = await realpath(normalize(start)).catch(() => undefined) // A folder that is not there has no repository.
  for (let step = 0; folder !== undefined && step < CLIMB; step++) {
    for (const [mark, kind] of VERSION_CONTROL) {
      // It is not there: the next place is looked at.
      if (await stat(join(folder, mark)).catch(() => undefined)) return { path: folder, kind }
    }
    const parent = dirname(folder)
    folder = parent === folder ? undefined : parent
  }
  return undefined
}

/** True if `path` is `folder` or lies in it, by their text. */
function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || (!isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`))
}

const shown = (path: string) => (path.length > 200 ? `${path.slice(0, 200)}…` : path)
