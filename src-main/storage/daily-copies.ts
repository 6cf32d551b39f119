import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../src-shared/base/clock.ts'
import type { DataFolder } from './base/data-folder.ts'
import { syncFolder } from './base/json-file.ts'
import { Database } from './database/database.ts'
import { copiesIn } from './rescue.ts'

const DAY = 24 * 3_600_000
const MAX_COUNT = 3
const NAME = /^parley-\d{4}-\d\d-\d\d\.db$/

/** A copy of the database for each day on which Parley runs, in case the database is damaged. */
export class DailyCopies {
  readonly #folder: DataFolder
  readonly #clock: Clock

  constructor(folder: DataFolder, clock: Clock) {
    this.#folder = folder
    this.#clock = clock
  }

  async makeIfDue(): Promise<void> {
    const { copies, database } = this.#folder
    const now = this.#clock.now()
    const name = `parley-${new Date(now).toISOString().slice(0, 10)}.db`
    if ((await copiesIn(this.#folder)).some((copy) => copy.name === name)) return
    await mkdir(copies, { recursive: true, mode: 0o700 })
    const copy = join(copies, name)
    await rm(`${copy}.new`, { force: true })
    try {
      if (!(await Database.run({ is: 'copy', from: database, to: `${copy}.new` }))) return
      await rename(`${copy}.new`, copy)
    } finally {
      await rm(`${copy}.new`, { force: true })
    }
    await syncFolder(copies)
    const made = (await copiesIn(this.#folder)).filter((one) => NAME.test(one.name))
    // A copy from the future comes from a clock that was wrong, and would pass for the newest.
    const kept = made.filter(({ at }) => at < now + DAY).slice(0, MAX_COUNT)
    for (const one of made) if (!kept.includes(one)) await rm(join(copies, one.name), { force: true })
  }
}
