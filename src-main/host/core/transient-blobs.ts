import type { BlobRef } from '../../../src-shared/contract/blobs.ts'
import { type BlobContent, hashPieces, piecesOf } from '../../storage/base/blob-content.ts'
import { type BlobStore, StorageError } from '../../storage/base/storage.ts'

/** Bytes of all held content, so that a server cannot fill the memory with questions. */
const HELD_LIMIT = 256 * 1024 * 1024

/** Content that lives as long as a question or preview; `release` forgets all that was put. */
export interface BlobHold extends Pick<BlobStore, 'put'> {
  release(): void
}

interface Held {
  readonly bytes: Buffer
  holds: number
}

/** Keeps content of open questions and previews in memory only (SAMP-30), and everything else in the blobs folder. */
export class TransientBlobs implements BlobStore {
  readonly #kept: BlobStore
  readonly #held = new Map<string, Held>()
  #size = 0

  constructor(kept: BlobStore) {
    this.#kept = kept
  }

  hold(): BlobHold {
    const mine: string[] = []
    return {
      put: async (content, mimeType) => {
        const bytes = Buffer.concat(piecesOf(content))
        const { blob } = await hashPieces([bytes])
        this.#add(blob, bytes)
        mine.push(blob)
        return { blob, bytes: bytes.length, mimeType }
      },
      release: () => {
        for (const blob of mine.splice(0)) this.#drop(blob)
      },
    }
  }

  put(content: BlobContent, mimeType: string): Promise<BlobRef> {
    return this.#kept.put(content, mimeType)
  }

  async has(blob: string): Promise<boolean> {
    return this.#held.has(blob) || (await this.#kept.has(blob))
  }

  async read(blob: string, range?: { offset: number; length: number }): Promise<Uint8Array> {
    const held = this.#held.get(blob)
    if (!held) return this.#kept.read(blob, range)
    return range ? held.bytes.subarray(range.offset, range.offset + range.length) : held.bytes
  }

  async text(blob: string, offset: number, length: number): Promise<{ text: string; next?: number }> {
    const held = this.#held.get(blob)?.bytes
    if (!held) return this.#kept.text(blob, offset, length)
    let end = Math.min(held.length, offset + length)
    // A byte 10xxxxxx continues a UTF-8 character, which must not be split.
    while (end < held.length && end > offset && ((held[end] ?? 0) & 0xc0) === 0x80) end -= 1
    return { text: held.toString('utf8', offset, end), ...(end < held.length && { next: end }) }
  }

  #add(blob: string, bytes: Buffer): void {
    const held = this.#held.get(blob)
    if (held) {
      held.holds += 1
      return
    }
    if (this.#size + bytes.length > HELD_LIMIT)
      throw new StorageError('full', 'The open questions already hold too much content.')
    this.#size += bytes.length
    this.#held.set(blob, { bytes, holds: 1 })
  }

  #drop(blob: string): void {
    const held = this.#held.get(blob)
    if (!held || --held.holds > 0) return
    this.#held.delete(blob)
    this.#size -= held.bytes.length
  }
}
