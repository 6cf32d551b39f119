import { randomUUID } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { OpenedFile } from '../../../../src-shared/contract/channel.ts'

export const OPENED_PATH = '/opened/'
/** Bundles and exported conversations may be large; attachments have lower limits. */
const MAX_SIZE = 256 * 1024 * 1024
const MAX_COUNT = 64

/** Files that a person opened with Parley. The page reads each once, by a secret link. */
export class OpenedFiles {
  readonly #paths = new Map<string, string>()

  /** Undefined for anything but a file of a suitable size. */
  async link(path: string): Promise<OpenedFile | undefined> {
    const found = await stat(path).catch(() => undefined) // An unreadable file is not opened.
    if (!found?.isFile() || found.size > MAX_SIZE) return undefined
    const token = randomUUID()
    this.#paths.set(token, path)
    for (const oldest of [...this.#paths.keys()].slice(0, -MAX_COUNT)) this.#paths.delete(oldest)
    return { name: basename(path), url: OPENED_PATH + token }
  }

  /** Rejects when the file is gone. */
  async read(token: string): Promise<Uint8Array | undefined> {
    const path = this.#paths.get(token)
    this.#paths.delete(token)
    return path === undefined ? undefined : readFile(path)
  }
}
