import { randomUUID } from 'node:crypto'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { HostCore } from '../core/host-core.ts'

/** Uploads at a time; another one drops the oldest. */
const MAX_UPLOADS = 4
/** Milliseconds for one upload. */
const UPLOAD_LIFE = 5 * 60_000

interface Upload {
  readonly pieces: string[]
  characters: number
  readonly forget: () => void
}

export interface UploadPiece {
  readonly piece: string
  /** Absent for the first piece. */
  readonly upload?: string
  readonly last: boolean
}

interface UploadsParts extends Pick<HostCore, 'clock' | 'lifetime'> {
  /** Characters of one file. */
  readonly limit: number
  /** The error for a longer file. */
  readonly tooLong: string
}

/** Files that a window sends in pieces, because a frame is too short for them. They are kept in memory until complete. */
export class Uploads {
  readonly #parts: UploadsParts
  readonly #uploads = new Map<string, Upload>()

  constructor(parts: UploadsParts) {
    this.#parts = parts
    parts.lifetime.onEnd(() => {
      for (const upload of [...this.#uploads.values()]) upload.forget()
    })
  }

  /** Returns the whole text with the last piece. Throws HostError `not-found` or `invalid-params`. */
  take({ piece, upload: name, last }: UploadPiece): { is: 'more'; upload: string } | { is: 'whole'; text: string } {
    const key = name ?? randomUUID()
    const upload = name === undefined ? this.#begin(key) : this.#uploads.get(name)
    if (!upload) throw new HostError('not-found', 'Attaching this file took too long. Try again.')
    upload.characters += piece.length
    if (upload.characters > this.#parts.limit) {
      upload.forget()
      throw new HostError('invalid-params', this.#parts.tooLong)
    }
    upload.pieces.push(piece)
    if (!last) return { is: 'more', upload: key }
    upload.forget()
    return { is: 'whole', text: upload.pieces.join('') }
  }

  #begin(key: string): Upload {
    const [oldest] = this.#uploads.values()
    if (this.#uploads.size >= MAX_UPLOADS) oldest?.forget()
    const cancel = this.#parts.clock.after(UPLOAD_LIFE, () => this.#uploads.delete(key))
    const forget = () => {
      cancel()
      this.#uploads.delete(key)
    }
    const upload: Upload = { pieces: [], characters: 0, forget }
    this.#uploads.set(key, upload)
    return upload
  }
}
