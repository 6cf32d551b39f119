import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ManualClock } from '../../e2e/support/manual-clock.ts'
import { headOf, storageIn, temporaryFolder } from '../../e2e/support/storage/temporary-storage.ts'
import { layOut } from './base/data-folder.ts'
import { DailyCopies } from './daily-copies.ts'
import { newestCopy } from './rescue.ts'

const DAY = 24 * 3_600_000
const START = Date.UTC(2027, 0, 1, 12)

it('a folder in use has a whole copy of each of its last three days, and an empty one has none', async () => {
  const folder = layOut(await temporaryFolder())
  const storage = await storageIn(folder.path)
  const make = (day: number) => new DailyCopies(folder, new ManualClock(START + day * DAY)).makeIfDue()
  await make(0)
  expect(await readdir(folder.copies)).toEqual([])
  for (let day = 0; day < 5; day++) {
    await storage.conversations.create(headOf(`c${day}`))
    await make(day)
  }
  const days = ['parley-2027-01-03.db', 'parley-2027-01-04.db', 'parley-2027-01-05.db']
  expect((await readdir(folder.copies)).sort()).toEqual(days)
  // One that a wrong clock made does not pass for the newest.
  await writeFile(join(folder.copies, 'parley-2036-01-01.db'), await readFile(join(folder.copies, 'parley-2027-01-03.db')))
  await utimes(join(folder.copies, 'parley-2036-01-01.db'), new Date(Date.UTC(2036, 0, 1)), new Date(Date.UTC(2036, 0, 1)))
  await make(5)
  expect((await readdir(folder.copies)).sort()).toEqual([...days.slice(1), 'parley-2027-01-06.db'])
  expect((await newestCopy(folder))?.name).toBe('parley-2027-01-06.db')
  await writeFile(join(folder.copies, 'parley-2027-01-06.db'), 'no database')
  expect((await newestCopy(folder))?.name).toBe('parley-2027-01-05.db')
})
