import { randomUUID } from 'node:crypto'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { HostCore } from '../core/host-core.ts'

/** Files that come at a time; a further one makes the oldest go. */
const UPLOADS = 4
/** Milliseconds that one may take. */
const UPLOAD_LIFE = 5 * 60_000

interface Upload {
  readonly pieces: string[]
  characters: number
  readonly forget: () => void
}

export interface UploadPiece {
  readonly piece: string
  /** Absent with the first. */
  readonly upload?: string
  readonly last: boolean
}

interface UploadsParts extends Pick<HostCore, 'clock' | 'lifetime'> {
  /** Characters of one file. */
  readonly limit: number
  /** Said when it is longer. */
  readonly tooLong: string
}

/** Files that a window hands over piece by piece, because no frame is as long as they are. In memory until they are whole. */
export class Uploads {
  readonly #parts: UploadsParts
  readonly #uploads = new Map<string, Upload>()

  constructor(parts: UploadsParts) {
    this.#parts = parts
    parts.lifetime.onEnd(() => {
      for (const upload of [...this.#uploads.values()]) upload.forget()
    })
  }

  /** The whole with the last piece. Throws HostError. */
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
    if (this.#uploads.size >= UPLOADS) oldest?.forget()
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
