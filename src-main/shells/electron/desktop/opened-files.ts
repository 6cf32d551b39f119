import { randomUUID } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { OpenedFile } from '../../../../src-shared/contract/channel.ts'

export const OPENED_PATH = '/opened/'
/** Exported conversations may be large; what is attached has lower bounds of its own. */
const MAX_SIZE = 200 * 1024 * 1024
const MAX_COUNT = 64

/** Files that a person opened with Parley. The page reads each once, by a link that only this run knows. */
export class OpenedFiles {
  readonly #paths = new Map<string, string>()

  /** Undefined for what is no file, or too large to be read. */
  async link(path: string): Promise<OpenedFile | undefined> {
    const found = await stat(path).catch(() => undefined) // A file that cannot be read is not opened, and its caller says so.
    if (!found?.isFile() || found.size > MAX_SIZE) return undefined
    const token = randomUUID()
    this.#paths.set(token, path)
    for (const oldest of [...this.#paths.keys()].slice(0, -MAX_COUNT)) this.#paths.delete(oldest)
    return { name: basename(path), url: OPENED_PATH + token }
  }

  /** Rejects when the file has gone meanwhile. */
  async read(token: string): Promise<Uint8Array | undefined> {
    const path = this.#paths.get(token)
    this.#paths.delete(token)
    return path === undefined ? undefined : readFile(path)
  }
}
