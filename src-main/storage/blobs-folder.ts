import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, realpath, rename, rm, stat, utimes } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { InTurnBy } from '../../src-shared/base/in-turn.ts'
import type { BlobRef } from '../../src-shared/contract/blobs.ts'
import { type BlobContent, hashPieces, piecesOf } from './base/blob-content.ts'
import { readUpTo, syncFolder, writeDurably } from './base/json-file.ts'
import { type BlobStore, StorageError } from './base/storage.ts'
import { isSystemError, storageError } from './base/storage-errors.ts'

const NAME = /^[0-9a-f]{64}$/
/** The longest character of UTF-8, in bytes. */
const MAX_CHARACTER_LENGTH = 4

/** Content by its SHA-256, in 256 folders by the first two digits. */
export class BlobsFolder implements BlobStore {
  readonly #folder: string
  readonly #incoming: string
  /** The start of this host by the clock of the disk. */
  #started = 0
  readonly #turns = new InTurnBy<string>()

  private constructor(folder: string) {
    this.#folder = folder
    this.#incoming = join(folder, 'incoming')
  }

  static async open(path: string): Promise<BlobsFolder> {
    try {
      await mkdir(path, { recursive: true, mode: 0o700 })
      const folder = new BlobsFolder(await realpath(path))
      // Left by an earlier host that did not finish writing.
      await rm(folder.#incoming, { recursive: true, force: true })
      await mkdir(folder.#incoming, { mode: 0o700 })
      folder.#started = (await stat(folder.#incoming)).mtimeMs
      return folder
    } catch (error) {
      throw storageError(error, `The folder ${path} could not be made`)
    }
  }

  async put(content: BlobContent, mimeType: string): Promise<BlobRef> {
    const pieces = piecesOf(content)
    const { blob, bytes } = await hashPieces(pieces)
    const folder = join(this.#folder, blob.slice(0, 2))
    const target = join(folder, blob)
    const reference: BlobRef = { blob, bytes, mimeType }
    try {
      if (await this.#keepIfThere(target, bytes)) return reference
      const temporary = join(this.#incoming, `${blob}.${randomBytes(6).toString('hex')}`)
      await writeDurably(temporary, pieces)
      if (await mkdir(folder, { recursive: true, mode: 0o700 })) await syncFolder(this.#folder)
      await rename(temporary, target)
      await syncFolder(folder)
      return reference
    } catch (error) {
      throw storageError(error, 'Content could not be kept')
    }
  }

  /** Blobs written before `before` and before this start. */
  async olderThan(before: number): Promise<readonly { name: string; bytes: number }[]> {
    const found: { name: string; bytes: number }[] = []
    try {
      for (const entry of await readdir(this.#folder, { withFileTypes: true, recursive: true })) {
        if (!entry.isFile() || !NAME.test(entry.name) || entry.parentPath === this.#incoming) continue
        const { size, mtimeMs } = await stat(join(entry.parentPath, entry.name))
        if (mtimeMs < Math.min(before, this.#started)) found.push({ name: entry.name, bytes: size })
      }
    } catch (error) {
      throw storageError(error, 'Stored content could not be checked')
    }
    return found
  }

  /** Removes a blob, unless it was put again meanwhile. */
  remove(blob: string, before: number): Promise<boolean> {
    const target = join(this.#folder, blob.slice(0, 2), blob)
    return this.#turns.run(target, async () => {
      try {
        if ((await stat(target)).mtimeMs >= Math.min(before, this.#started)) return false
        await rm(target)
        return true
      } catch (error) {
        if (isSystemError(error, 'ENOENT')) return false
        throw storageError(error, 'Content could not be removed')
      }
    })
  }

  /** Touches a blob that is there already, so that it is not removed before something refers to it. */
  #keepIfThere(target: string, bytes: number): Promise<boolean> {
    return this.#turns.run(target, async () => {
      if ((await sizeOf(target)) !== bytes) return false
      const now = new Date()
      await utimes(target, now, now)
      return true
    })
  }

  async has(blob: string): Promise<boolean> {
    return NAME.test(blob) && (await sizeOf(join(this.#folder, blob.slice(0, 2), blob))) !== undefined
  }

  async read(blob: string, range?: { offset: number; length: number }): Promise<Uint8Array> {
    const { bytes } = await this.#read(blob, range)
    return bytes
  }

  async text(blob: string, offset: number, length: number): Promise<{ text: string; next?: number }> {
    const { bytes, size } = await this.#read(blob, { offset, length: Math.max(length, MAX_CHARACTER_LENGTH) })
    const start = offset === 0 ? 0 : continuation(bytes)
    const end = offset + bytes.length < size ? wholeCharacters(bytes) : bytes.length
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start, end))
    const next = offset + end
    return next < size ? { text, next } : { text }
  }

  async #read(blob: string, range?: { offset: number; length: number }): Promise<{ bytes: Uint8Array; size: number }> {
    try {
      await using file = await open(await this.#locate(blob), 'r')
      const { size } = await file.stat()
      const offset = range ? Math.min(Math.max(0, Math.trunc(range.offset)), size) : 0
      const length = range ? Math.min(Math.max(0, Math.trunc(range.length)), size - offset) : size
      return { bytes: await readUpTo(file, length, offset), size }
    } catch (error) {
      if (isSystemError(error, 'ENOENT')) throw new StorageError('io', 'This content is no longer stored.', { cause: error })
      throw storageError(error, 'Content could not be read')
    }
  }

  /** A symbolic link that leads out of the folder is not followed. */
  async #locate(blob: string): Promise<string> {
    if (!NAME.test(blob)) throw new StorageError('io', 'This is not the name of any content.')
    const real = await realpath(join(this.#folder, blob.slice(0, 2), blob))
    if (!real.startsWith(this.#folder + sep)) throw new StorageError('io', 'This content is outside the data folder.')
    return real
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw storageError(error, 'Stored content could not be found')
  }
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

/** The number of bytes at the start that belong to a character from before. */
function continuation(bytes: Uint8Array): number {
  let n = 0
  while (n < MAX_CHARACTER_LENGTH - 1 && isContinuation(bytes[n])) n += 1
  return n
}

/** The length without a character that the end cuts. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(MAX_CHARACTER_LENGTH, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (isContinuation(byte)) continue
    const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return needs > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}
