import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../src-shared/base/clock.ts'
import { InTurn } from '../../src-shared/base/in-turn.ts'
import { isObject } from '../../src-shared/base/json.ts'
import type { UnusedContent } from '../../src-shared/contract/backups.ts'
import type { DataFolder } from './base/data-folder.ts'
import { fileNamesIn, readJsonFile, writeJsonFile } from './base/json-file.ts'
import type { BlobsFolder } from './blobs-folder.ts'
import { mayBeReferenced } from './database/blob-names-in-bytes.ts'
import { Database } from './database/database.ts'
import { copiesIn } from './rescue.ts'

const DAY = 24 * 3_600_000

/**
 * Blobs that no table refers to, in the database, its copies, or databases put aside. Blobs written since this start are never
 * unused: the reference may be in memory alone, or about to be written.
 */
export class UnusedBlobs {
  readonly #folder: DataFolder
  readonly #blobs: BlobsFolder
  readonly #clock: Clock
  readonly #turns = new InTurn()

  constructor(folder: DataFolder, blobs: BlobsFolder, clock: Clock) {
    this.#folder = folder
    this.#blobs = blobs
    this.#clock = clock
  }

  /** Throws StorageError when a database cannot be read. */
  look(): Promise<UnusedContent> {
    return this.#turns.run(async () => sum(await this.#find()))
  }

  /** Removes unused blobs without waiting for their day to end. */
  free(): Promise<UnusedContent> {
    return this.#turns.run(async () => this.#remove(await this.#find()))
  }

  /** Once a day: removes blobs that were unused the day before, and notes since when the others are. */
  tidy(): Promise<void> {
    return this.#turns.run(async () => {
      const now = this.#clock.now()
      // An unreadable note is written again; its blobs get another day.
      const read = await readJsonFile(this.#folder.unused).catch(() => undefined)
      const noted = isObject(read) && isObject(read.since) ? read.since : {}
      // A time in the future comes from a clock that was wrong.
      const last = isObject(read) && typeof read.at === 'number' && read.at <= now ? read.at : 0
      if (now - last < DAY) return
      const since = (name: string) => {
        const at = noted[name]
        return typeof at === 'number' && at <= now ? at : now
      }
      const found = await this.#find()
      const due = found.filter(({ name }) => now - since(name) >= DAY)
      const rest = found.filter((one) => !due.includes(one))
      await this.#remove(due)
      await writeJsonFile(this.#folder.unused, {
        at: now,
        since: Object.fromEntries(rest.map(({ name }) => [name, since(name)])),
      })
    })
  }

  async #find(): Promise<readonly { name: string; bytes: number }[]> {
    const old = await this.#blobs.olderThan(this.#clock.now() - DAY)
    if (old.length === 0) return []
    const { database } = this.#folder
    const { named, kept } = await Database.run({ is: 'blob-names', database, kept: await this.#kept() })
    return old.filter(({ name }) => !named.has(name) && !mayBeReferenced(name, kept))
  }

  async #remove(found: readonly { name: string; bytes: number }[]): Promise<UnusedContent> {
    const removed: { bytes: number }[] = []
    for (const one of found) if (await this.#blobs.remove(one.name, this.#clock.now() - DAY)) removed.push(one)
    return sum(removed)
  }

  /** Copies, and databases put aside without their blobs, with their write-ahead logs. */
  async #kept(): Promise<string[]> {
    const { copies, earlier } = this.#folder
    const aside = await fileNamesIn(earlier)
    return [
      ...(await copiesIn(this.#folder)).map(({ name }) => join(copies, name)),
      ...aside
        .map((name) => join(earlier, name))
        .filter((path) => !existsSync(join(path, 'blobs')))
        .flatMap((path) => [join(path, 'parley.db'), join(path, 'parley.db-wal')]),
    ].filter((file) => existsSync(file))
  }
}

const sum = (found: readonly { bytes: number }[]): UnusedContent => ({
  count: found.length,
  bytes: found.reduce((total, { bytes }) => total + bytes, 0),
})
