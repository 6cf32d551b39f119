import { existsSync } from 'node:fs'
import { mkdir, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '../../../src-shared/base/json.ts'
import type { DataFolder } from '../base/data-folder.ts'
import { fileNamesIn, readJsonFile, syncFolder, writeJsonFile } from '../base/json-file.ts'
import { StorageError } from '../base/storage.ts'
import { storageError } from '../base/storage-errors.ts'

const DATABASE = ['parley.db', 'parley.db-wal', 'parley.db-shm', 'parley.db-journal']
/** The files that a restore replaces: all by a backup, or the database alone. */
const MOVED = { all: [...DATABASE, 'copies', 'blobs', 'secrets.json', 'mcp.json'], database: DATABASE } as const
type Part = keyof typeof MOVED
const NAME = /^\d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d(?: \(\d+\))?$/

/** The folder of the data that a restore puts in place. */
export const stagedIn = (folder: DataFolder) => join(folder.restore, 'staged')

/** Makes the staging folder, empty; returns the path of the database in it. */
export async function stage(folder: DataFolder): Promise<string> {
  await rm(folder.restore, { recursive: true, force: true })
  await mkdir(stagedIn(folder), { recursive: true, mode: 0o700 })
  return join(stagedIn(folder), 'parley.db')
}

/** Plans that the next start replaces the database by the staged one. */
export async function planDatabase(folder: DataFolder, now: number): Promise<void> {
  await syncFolder(stagedIn(folder))
  await syncFolder(folder.restore)
  await planRestore(folder, now, 'database')
}

/** Plans that the next start puts the staged data in place; the replaced data goes to a folder named by the time. */
export async function planRestore(folder: DataFolder, now: number, part: Part = 'all'): Promise<void> {
  const time = new Date(now).toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '.')
  let aside = time
  for (let n = 2; existsSync(join(folder.earlier, aside)); n += 1) aside = `${time} (${n})`
  await writeJsonFile(folder.restoreNote, { step: 'aside', aside, part })
}

/** Removes the plan, then the staged data: a plan without its data would make every start fail. */
export async function dropRestore(folder: DataFolder): Promise<void> {
  try {
    await rm(folder.restoreNote, { force: true })
    await syncFolder(folder.path)
    await rm(folder.restore, { recursive: true, force: true })
  } catch (error) {
    throw storageError(error, 'The planned restore could not be removed')
  }
}

/** A restore that this start carried out or undid. `kept` is the folder of the earlier data, or of the restored data that failed. */
export type FinishedRestore = { readonly is: 'restored' | 'undone'; readonly kept: string; readonly part: Part }

/**
 * Carries out a plan before anything is opened: moves the current data aside, then the staged data in, and continues where a crash
 * stopped it. Restored data that never reached `settleRestore` is moved out again, and the earlier data back. Undefined when
 * nothing was planned. `reached` hears each step.
 */
export async function finishRestore(
  folder: DataFolder,
  reached: (step: string) => void = () => {},
): Promise<FinishedRestore | undefined> {
  try {
    const note = await readJsonFile(folder.restoreNote)
    if (note === undefined) {
      await rm(folder.restore, { recursive: true, force: true })
      return undefined
    }
    if (!isObject(note) || typeof note.aside !== 'string' || !NAME.test(note.aside)) {
      throw new StorageError('unparsable', `${folder.restoreNote} does not have the expected shape. Move it away.`)
    }
    const { aside } = note
    // Older notes name no part: they are of backups.
    const part = note.part === 'database' ? 'database' : 'all'
    const moved = MOVED[part]
    const earlier = join(folder.earlier, aside)
    if (note.step === 'tried' || note.step === 'out' || note.step === 'back') {
      return await undoRestore(folder, note.step, { aside, part }, reached)
    }
    if (note.step === 'aside') {
      if (!existsSync(join(stagedIn(folder), 'parley.db'))) {
        throw new StorageError(
          'io',
          `The backup to restore is gone. Remove ${folder.restoreNote} to continue with the current data.`,
        )
      }
      await mkdir(earlier, { recursive: true, mode: 0o700 })
      await syncFolder(folder.path)
      await syncFolder(folder.earlier)
      await moveAll(folder.path, earlier, moved, reached)
      await writeJsonFile(folder.restoreNote, { step: 'in', aside, part })
      reached('all aside')
    }
    await moveAll(stagedIn(folder), folder.path, moved, reached)
    await writeJsonFile(folder.restoreNote, { step: 'tried', aside, part })
    reached('done')
    await rm(folder.restore, { recursive: true, force: true })
    return { is: 'restored', kept: earlier, part }
  } catch (error) {
    throw storageError(error, 'The backup could not be put in place')
  }
}

/** Makes the restore final, once a host runs on it. */
export async function settleRestore(folder: DataFolder): Promise<void> {
  await rm(folder.restoreNote, { force: true })
  await syncFolder(folder.path)
}

/** Moves the restored data aside and the earlier data back, since no host could start on it. */
async function undoRestore(
  folder: DataFolder,
  step: 'tried' | 'out' | 'back',
  { aside, part }: { readonly aside: string; readonly part: Part },
  reached: (step: string) => void,
): Promise<FinishedRestore | undefined> {
  const moved = MOVED[part]
  const earlier = join(folder.earlier, aside)
  const kept = `${earlier} restored`
  if (step === 'tried') {
    // Someone removed the earlier data: the restored data is better than none.
    if (!existsSync(join(earlier, 'parley.db'))) {
      await settleRestore(folder)
      return undefined
    }
    await mkdir(kept, { recursive: true, mode: 0o700 })
    await syncFolder(folder.earlier)
    await writeJsonFile(folder.restoreNote, { step: 'out', aside, part })
  }
  if (step !== 'back') {
    await moveAll(folder.path, kept, moved, reached)
    await writeJsonFile(folder.restoreNote, { step: 'back', aside, part })
    reached('all out')
  }
  await moveAll(earlier, folder.path, moved, reached)
  await settleRestore(folder)
  reached('undone')
  // A file that someone put there keeps the folder.
  await rmdir(earlier).catch(() => {})
  return { is: 'undone', kept, part }
}

/** A missing file was moved before, or never existed. */
async function moveAll(from: string, to: string, names: readonly string[], reached: (step: string) => void): Promise<void> {
  const there = new Set(await fileNamesIn(from))
  for (const name of names.filter((name) => there.has(name))) {
    await rename(join(from, name), join(to, name))
    reached(`${name} to ${to}`)
  }
  await syncFolder(to)
  await syncFolder(from).catch(() => {}) // The moved files are safe in their new folder.
}
