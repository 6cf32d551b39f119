import { access, chmod, constants, mkdir, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, posix, resolve, win32 } from 'node:path'
import { isObject } from '../../../src-shared/base/json.ts'
import { readJsonFile, writeJsonFile } from './json-file.ts'
import { StorageError } from './storage.ts'
import { isSystemError, storageError } from './storage-errors.ts'

/** Increased when older programs can no longer use the folder as a whole. */
const FOLDER_FORMAT = 1

export interface DataFolder {
  /** Absolute. */
  readonly path: string
  readonly stamp: string
  readonly lock: string
  readonly holder: string
  readonly database: string
  /** Copies of the database from before migrations. */
  readonly copies: string
  readonly blobs: string
  readonly secrets: string
  readonly servers: string
  /** Holds a backup until it is downloaded. */
  readonly backup: string
  /** The data of a planned restore; `restoreNote` is the plan. */
  readonly restore: string
  readonly restoreNote: string
  /** Data that a restore replaced, a folder for each time. */
  readonly earlier: string
  /** Blobs that nothing refers to, each with the time since when. */
  readonly unused: string
}

export function layOut(folder: string): DataFolder {
  const path = resolve(folder)
  return {
    path,
    stamp: join(path, 'parley.json'),
    lock: join(path, 'lock.db'),
    holder: join(path, 'lock.json'),
    database: join(path, 'parley.db'),
    copies: join(path, 'copies'),
    blobs: join(path, 'blobs'),
    secrets: join(path, 'secrets.json'),
    servers: join(path, 'mcp.json'),
    backup: join(path, 'backup'),
    restore: join(path, 'restore'),
    restoreNote: join(path, 'restore.json'),
    earlier: join(path, 'earlier'),
    unused: join(path, 'unused.json'),
  }
}

/** The usual folder of each system for the data of an application. `os` as `process.platform`. */
export function defaultDataFolder(os: string, env: Readonly<Record<string, string | undefined>>): string {
  if (os === 'win32') {
    const home = env.USERPROFILE ?? homedir()
    return win32.join(env.APPDATA ?? win32.join(home, 'AppData', 'Roaming'), 'Parley')
  }
  const home = env.HOME ?? homedir()
  if (os === 'darwin') return posix.join(home, 'Library', 'Application Support', 'Parley')
  // Relative values must be ignored: https://specifications.freedesktop.org/basedir-spec/latest/
  const data = env.XDG_DATA_HOME && isAbsolute(env.XDG_DATA_HOME) ? env.XDG_DATA_HOME : posix.join(home, '.local', 'share')
  return posix.join(data, 'Parley')
}

/** Makes the folder, private and writable. Throws StorageError `read-only`, `full`, `io`. */
export async function prepareFolder(folder: DataFolder): Promise<void> {
  if (folder.path === resolve(homedir()) || folder.path === dirname(folder.path)) {
    throw new StorageError('io', `${folder.path} is not for Parley alone. Choose a folder that only Parley uses.`)
  }
  try {
    await mkdir(folder.path, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      // On a read-only disk the recursive form says ENOENT; the plain one says why.
      if (isSystemError(error, 'ENOENT')) return mkdir(folder.path, { mode: 0o700 })
      throw error
    })
  } catch (error) {
    if (isSystemError(error, 'EEXIST', 'ENOTDIR')) {
      throw new StorageError('io', `${folder.path} cannot be the data folder: there is a file in the way. Choose another folder.`)
    }
    throw storageError(error, `The data folder ${folder.path} could not be made`)
  }
  try {
    await closeToOthers(folder.path, 0o700)
    await access(folder.path, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw storageError(error, `The data folder ${folder.path} cannot be used`)
  }
}

/** Removes the permissions of other accounts from a file or folder of ours. Leaves shared folders such as /tmp alone. */
export async function closeToOthers(path: string, mode: number): Promise<void> {
  if (process.platform === 'win32') return
  const found = await stat(path)
  const ours = found.uid === process.getuid?.()
  const sticky = (found.mode & 0o1000) !== 0
  if (ours && !sticky && (found.mode & 0o077) !== 0) await chmod(path, mode)
}

/** Marks the folder as ours, and refuses one that a newer program marked. Call it with the lock held. */
export async function checkStamp(folder: DataFolder): Promise<void> {
  const stamp = await readJsonFile(folder.stamp)
  if (stamp === undefined) return writeJsonFile(folder.stamp, { format: FOLDER_FORMAT })
  const format = isObject(stamp) && typeof stamp.format === 'number' ? stamp.format : FOLDER_FORMAT
  if (format > FOLDER_FORMAT) {
    throw new StorageError(
      'newer-version',
      `The data folder ${folder.path} was written by a newer Parley (format ${format}; this one knows ${FOLDER_FORMAT}). Nothing was changed. Start the newer Parley, or choose another data folder.`,
    )
  }
}
