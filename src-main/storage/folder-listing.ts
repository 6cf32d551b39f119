import { readdir, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, normalize } from 'node:path'
import type { FolderListing } from '../../src-shared/contract/projects.ts'
import { StorageError } from './base/storage.ts'

const MAX_FOLDERS = 1000
const SUGGESTED = ['', 'Documents', 'Desktop', 'Downloads', 'Projects', 'projects', 'src', 'code']

/** The visible folders in a folder, and its files if wanted, for a person who chooses one. The home folder by default. */
export async function readFolder(path = homedir(), files = false): Promise<FolderListing> {
  if (!isAbsolute(path) || path.includes('\0')) throw new StorageError('io', 'Enter the full path of a folder.')
  const folder = normalize(path)
  const { folders: names, files: fileNames } = await entriesIn(folder)
  const parent = dirname(folder)
  return {
    path: folder,
    ...(parent !== folder && { parent }),
    folders: names.slice(0, MAX_FOLDERS),
    suggestions: await existing(SUGGESTED.map((name) => join(homedir(), name))),
    ...(files && { files: fileNames.slice(0, MAX_FOLDERS) }),
    truncated: names.length > MAX_FOLDERS || (files && fileNames.length > MAX_FOLDERS),
  }
}

async function entriesIn(folder: string): Promise<{ folders: string[]; files: string[] }> {
  try {
    const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => !name.startsWith('.'))
    const names = (of: typeof entries) => of.map(({ name }) => name).sort((a, b) => a.localeCompare(b))
    return {
      folders: names(entries.filter((entry) => entry.isDirectory())),
      files: names(entries.filter((entry) => entry.isFile())),
    }
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
