import { copyFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { finishRestore, planDatabase, stage } from './backups/restore-steps.ts'
import type { DatabaseCopy, InPlaceOfDamaged, Replaced } from './base/damage.ts'
import type { DataFolder } from './base/data-folder.ts'
import { fileNamesIn, syncFolder } from './base/json-file.ts'
import { StorageError } from './base/storage.ts'
import { Database } from './database/database.ts'

/**
 * Puts in the place of a damaged database what can be read of it. Where that is nothing, throws StorageError `corrupt`, which offers
 * the newest copy that is whole. The damaged one is kept either way.
 */
export async function rescueDatabase(folder: DataFolder, now: number, damage: StorageError): Promise<Replaced> {
  const staged = await stage(folder)
  try {
    const found = await Database.run({ is: 'salvage', from: folder.database, to: staged })
    return await putInPlace(folder, now, { is: 'salvaged', found })
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'corrupt') throw error
    const copy = await newestCopy(folder)
    throw new StorageError('corrupt', `${damage.message} Nothing of it can be read, and nothing was changed.`, {
      cause: error,
      damaged: copy ? { copy } : {},
    })
  }
}

/** Puts in its place what the person chose. */
export async function replaceDatabase(folder: DataFolder, now: number, choice: InPlaceOfDamaged): Promise<Replaced> {
  const staged = await stage(folder)
  if (choice.is === 'copy') await copyFile(join(folder.copies, basename(choice.name)), staged)
  // An empty file is a database without tables, which come with its first start.
  else await writeFile(staged, '', { mode: 0o600 })
  return putInPlace(folder, now, choice)
}

/** No name of a copy of a day, so that those of later days do not take its place. */
const OFFERED = 'before-damage.db'

/** The copy of before damage, which is offered until it is opened or removed. Where something is missing now, the newest becomes it. */
export async function offeredCopy(folder: DataFolder, isLess: boolean): Promise<DatabaseCopy | undefined> {
  const offered = (await copiesIn(folder)).find(({ name }) => name === OFFERED)
  if (offered || !isLess) return offered
  const newest = await newestCopy(folder)
  if (!newest) return undefined
  await rename(join(folder.copies, newest.name), join(folder.copies, OFFERED))
  await syncFolder(folder.copies)
  return { ...newest, name: OFFERED }
}

export function removeOfferedCopy(folder: DataFolder): Promise<void> {
  return rm(join(folder.copies, OFFERED), { force: true })
}

/** The newest in the folder of copies that could take the place of the database. */
export async function newestCopy(folder: DataFolder): Promise<DatabaseCopy | undefined> {
  for (const copy of await copiesIn(folder)) {
    // One that is damaged, or of a newer Parley, is none.
    if (await Database.run({ is: 'check', file: join(folder.copies, copy.name) }).catch(() => false)) return copy
  }
  return undefined
}

/** Newest first. */
export async function copiesIn(folder: DataFolder): Promise<readonly DatabaseCopy[]> {
  const names = (await fileNamesIn(folder.copies)).filter((name) => name.endsWith('.db'))
  const copies = await Promise.all(
    names.map(async (name) => ({ name, at: Math.round((await stat(join(folder.copies, name))).mtimeMs) })),
  )
  return copies.sort((a, b) => b.at - a.at)
}

/** By the steps of a restore: a start that a crash cuts short goes on where it was, and nothing is lost between two files. */
async function putInPlace(folder: DataFolder, now: number, by: Replaced['by']): Promise<Replaced> {
  await planDatabase(folder, now)
  const finished = await finishRestore(folder)
  if (!finished) throw new StorageError('io', 'What was to take the place of the damaged database is gone.')
  return { kept: finished.kept, by }
}
