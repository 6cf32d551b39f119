import { existsSync } from 'node:fs'
import { mkdir, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '../../../src-shared/base/json.ts'
import type { DataFolder } from '../base/data-folder.ts'
import { fileNamesIn, readJsonFile, syncFolder, writeJsonFile } from '../base/json-file.ts'
import { StorageError } from '../base/storage.ts'
import { storageError } from '../base/storage-errors.ts'

const DATABASE = ['parley.db', 'parley.db-wal', 'parley.db-shm', 'parley.db-journal']
/** The replaced part of the data folder: all of it by a backup, or the database alone. */
const MOVED = { all: [...DATABASE, 'copies', 'blobs', 'secrets.json', 'mcp.json'], database: DATABASE } as const
type Part = keyof typeof MOVED
const NAME = /^\d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d(?: \(\d+\))?$/

/** Where what is to be put in place lies. */
export const stagedIn = (folder: DataFolder) => join(folder.restore, 'staged')

/** An empty place for what is to be put in place; returns the database's path in it. */
export async function stage(folder: DataFolder): Promise<string> {
  await rm(folder.restore, { recursive: true, force: true })
  await mkdir(stagedIn(folder), { recursive: true, mode: 0o700 })
  return join(stagedIn(folder), 'parley.db')
}

/** The database that was staged is put in place at the next start. */
export async function planDatabase(folder: DataFolder, now: number): Promise<void> {
  await syncFolder(stagedIn(folder))
  await syncFolder(folder.restore)
  await planRestore(folder, now, 'database')
}

/** From here on the next start puts in place what was staged; what it replaces goes to a folder named by the time. */
export async function planRestore(folder: DataFolder, now: number, part: Part = 'all'): Promise<void> {
  const time = new Date(now).toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '.')
  let aside = time
  for (let n = 2; existsSync(join(folder.earlier, aside)); n += 1) aside = `${time} (${n})`
  await writeJsonFile(folder.restoreNote, { step: 'aside', aside, part })
}

/** Takes the plan back and throws away what was staged. In this order: a plan without its content would be a disaster. */
export async function dropRestore(folder: DataFolder): Promise<void> {
  try {
    await rm(folder.restoreNote, { force: true })
    await syncFolder(folder.path)
    await rm(folder.restore, { recursive: true, force: true })
  } catch (error) {
    throw storageError(error, 'What was to be restored could not be removed')
  }
}

/** The result of a start's restore: the folder of the earlier state, or that of a restored state that could not be used. */
export type FinishedRestore = { readonly is: 'restored' | 'undone'; readonly kept: string; readonly part: Part }

/**
 * Carries a plan out, before anything is opened: all that is there is moved aside, then all that was staged is moved in. Goes on
 * where a crash cut it short. What was put in place and never came as far as `settleRestore` is taken out again, and what was
 * there before comes back. Undefined when nothing was planned. `reached` hears each step.
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
    // A note of before there were parts is one of a backup.
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

/** A host runs on what was restored: it stays. */
export async function settleRestore(folder: DataFolder): Promise<void> {
  await rm(folder.restoreNote, { force: true })
  await syncFolder(folder.path)
}

/** No host came up on what was restored, however sound it looked: that goes aside, and what was there before comes back. */
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
    // Somebody removed it: nothing is never put in the place of something.
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
  // A file that somebody put there stays.
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
