import { copyFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { finishRestore, planDatabase, stage } from './backups/restore-steps.ts'
import type { DatabaseCopy, InPlaceOfDamaged, Replaced } from './base/damage.ts'
import type { DataFolder } from './base/data-folder.ts'
import { fileNamesIn, syncFolder } from './base/json-file.ts'
import { StorageError } from './base/storage.ts'
import { Database } from './database/database.ts'

/**
 * Replaces a damaged database by the rows that can be read. When none can, throws StorageError `corrupt` with the newest intact copy.
 * The damaged one is kept either way.
 */
export async function rescueDatabase(folder: DataFolder, now: number, damage: StorageError): Promise<Replaced> {
  const staged = await stage(folder)
  try {
    const found = await Database.run({ is: 'salvage', from: folder.database, to: staged })
    return await putInPlace(folder, now, { is: 'salvaged', found })
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'corrupt') throw error
    const copy = await newestCopy(folder)
    throw new StorageError('corrupt', `${damage.message} None of it can be read, and nothing was changed.`, {
      cause: error,
      damaged: copy ? { copy } : {},
    })
  }
}

export async function replaceDatabase(folder: DataFolder, now: number, choice: InPlaceOfDamaged): Promise<Replaced> {
  const staged = await stage(folder)
  if (choice.is === 'copy') await copyFile(join(folder.copies, basename(choice.name)), staged)
  // An empty file is a database without tables; opening it creates them.
  else await writeFile(staged, '', { mode: 0o600 })
  return putInPlace(folder, now, choice)
}

/** Not named like a daily copy, so that later ones do not replace it. */
const OFFERED = 'before-damage.db'

/** The copy from before the damage, offered until it is opened or removed. With `isLess`, the newest copy becomes it. */
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

/** The newest copy that could replace the database. */
export async function newestCopy(folder: DataFolder): Promise<DatabaseCopy | undefined> {
  for (const copy of await copiesIn(folder)) {
    // A damaged copy, or one of a newer Parley, is of no use.
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

/** Uses the steps of a restore, which survive a crash at any point. */
async function putInPlace(folder: DataFolder, now: number, by: Replaced['by']): Promise<Replaced> {
  await planDatabase(folder, now)
  const finished = await finishRestore(folder)
  if (!finished) throw new StorageError('io', 'The replacement of the damaged database is gone.')
  return { kept: finished.kept, by }
}
