import { randomBytes } from 'node:crypto'
import { type FileHandle, lstat, open, readdir, readFile, readlink, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { JsonValue } from '../../../src-shared/base/json.ts'
import { parseJson } from '../../../src-shared/base/parse-json.ts'
import type { BlobContent } from './blob-content.ts'
import { StorageError } from './storage.ts'
import { isSystemError, storageError } from './storage-errors.ts'

/** The file's value; undefined when there is no file. Throws StorageError `unparsable`, `io`, `read-only`. */
export async function readJsonFile(path: string): Promise<JsonValue | undefined> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined
    throw storageError(error, `${path} could not be read`)
  }
  try {
    return parseJson(text) as JsonValue
  } catch (cause) {
    throw new StorageError('unparsable', `${path} is not valid JSON and is left as it is. Repair it, or move it away.`, { cause })
  }
}

/** The names in a folder; none when there is no folder. Throws StorageError where it cannot be read. */
export async function fileNamesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return []
    throw storageError(error, `${folder} could not be read`)
  }
}

export function writeJsonFile(path: string, value: unknown): Promise<void> {
  return replaceFile(path, `${JSON.stringify(value, null, 2)}\n`)
}

/**
 * Replaces a file as a whole, readable by its owner only: readers see the old content or the new, also after a crash.
 * A symbolic link stays, and what it points to is replaced.
 */
export async function replaceFile(path: string, content: string): Promise<void> {
  await replaceFileIf(path, content, async () => true)
}

/** The same, unless `wanted` is false just before the rename. Returns its answer. */
export async function replaceFileIf(path: string, content: string, wanted: () => Promise<boolean>): Promise<boolean> {
  const target = await followLinks(path)
  const temporary = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`)
  try {
    await writeDurably(temporary, content)
    if (!(await wanted())) {
      await rm(temporary, { force: true })
      return false
    }
    await rename(temporary, target)
    await syncFolder(dirname(target))
    return true
  } catch (error) {
    await rm(temporary, { force: true })
    throw storageError(error, `${path} could not be written`)
  }
}

/** Makes a new owner-only file whose content has reached the disk. */
export async function writeDurably(path: string, content: BlobContent): Promise<void> {
  await using file = await open(path, 'wx', 0o600)
  await file.writeFile(content)
  await file.sync()
}

/** Reads `length` bytes, or fewer at the end of the file. */
export async function readUpTo(file: FileHandle, length: number, offset = 0): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, offset + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}

/** Makes a rename in this folder durable. Windows cannot open folders and needs no sync. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  await using handle = await open(folder, 'r')
  await handle.sync()
}

/** The path at the end of a chain of links; nothing needs to be there yet. */
export async function followLinks(path: string): Promise<string> {
  let at = resolve(path)
  for (let links = 0; links < 40; links += 1) {
    try {
      if (!(await lstat(at)).isSymbolicLink()) return at
      at = resolve(dirname(at), await readlink(at))
    } catch (error) {
      if (isSystemError(error, 'ENOENT')) return at
      throw storageError(error, `${path} could not be followed`)
    }
  }
  throw new StorageError('io', `${path} is a circle of symbolic links. Remove it.`)
}
