import { readdir, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, normalize } from 'node:path'
import type { FolderListing } from '../../src-shared/contract/projects.ts'
import { StorageError } from './base/storage.ts'

const MAX_FOLDERS = 1000
const SUGGESTED = ['', 'Documents', 'Desktop', 'Downloads', 'Projects', 'projects', 'src', 'code']

/** The visible folders in a folder, for a person who chooses one. The home folder by default. */
export async function readFolder(path = homedir()): Promise<FolderListing> {
  if (!isAbsolute(path) || path.includes('\0')) throw new StorageError('io', 'That is not an absolute path of a folder.')
  const folder = normalize(path)
  const names = await foldersIn(folder)
  const parent = dirname(folder)
  return {
    path: folder,
    ...(parent !== folder && { parent }),
    folders: names.slice(0, MAX_FOLDERS),
    suggestions: await existing(SUGGESTED.map((name) => join(homedir(), name))),
    truncated: names.length > MAX_FOLDERS,
  }
}

async function foldersIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map((entry) => entry.name)
      .sort((a, b) => a.localeCompare(b))
  } catch (cause) {
    throw new StorageError('io', `“${folder}” cannot be read. Choose another folder.`, { cause })
  }
}

async function existing(folders: readonly string[]): Promise<string[]> {
  const found = await Promise.all(folders.map(async (folder) => ((await isFolder(folder)) ? [folder] : [])))
  return found.flat()
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    return false
  }
}
