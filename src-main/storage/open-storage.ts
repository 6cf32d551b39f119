import { join } from 'node:path'
import { Emitter } from '../../src-shared/base/emitter.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import { BackupsFolder } from './backups/backups-folder.ts'
import { type FinishedRestore, finishRestore, settleRestore } from './backups/restore-steps.ts'
import type { InPlaceOfDamaged, Replaced } from './base/damage.ts'
import { checkStamp, type DataFolder, layOut, prepareFolder } from './base/data-folder.ts'
import { type LockHolder, type Storage, StorageError } from './base/storage.ts'
import { BlobsFolder } from './blobs-folder.ts'
import { DailyCopies } from './daily-copies.ts'
import { Database } from './database/database.ts'
import { FolderLock, type LockOptions } from './folder-lock.ts'
import { offeredCopy, removeOfferedCopy, replaceDatabase, rescueDatabase } from './rescue.ts'
import { type SecretCipher, SecretsFile } from './secret-store.ts'
import { McpFile } from './server-file/server-file.ts'
import { UnusedBlobs } from './unused-blobs.ts'
import { Upkeep } from './upkeep.ts'

interface StorageOptions extends Pick<LockOptions, 'shell' | 'address' | 'clock'> {
  readonly folder: string
  /** Without one, secrets are plain text in an owner-only file. */
  readonly cipher?: SecretCipher
  /** The storage closes when it ends. */
  readonly lifetime: Lifetime
  /** Milliseconds to wait for an earlier host that is closing; 10 s by default. */
  readonly waitForClosing?: number
  /** The error of the previous start, which failed on restored data. */
  readonly failed?: string
  /** The person's choice in place of a database that cannot be read. */
  readonly replace?: InPlaceOfDamaged
}

export interface OpenStorage extends Storage {
  /** Writes the address of this host into the lock. */
  announce(address: string): Promise<void>
  /** Writes into the lock where the command line can run prompts. */
  openToRuns(runs: NonNullable<LockHolder['runs']>): Promise<void>
  /** Makes a restore final once a host runs on it; until then the next start undoes it. */
  settled(): Promise<void>
  /** Announces that this host closes soon, so that another start waits. */
  closing(): Promise<void>
}

/** A folder that is being opened. What was put in place of its data is undone when a later step fails. */
interface Opening {
  readonly folder: DataFolder
  readonly options: StorageOptions
  readonly lifetime: Lifetime
  finished?: FinishedRestore | undefined
  replaced?: Replaced
}

/**
 * Opens the data folder for this process alone. A restore that cannot be opened is undone, and the earlier data opened. Throws
 * StorageError and leaves nothing open then.
 */
export async function openStorage(options: StorageOptions): Promise<OpenStorage> {
  const lifetime = new Lifetime('storage', options.lifetime)
  const opening: Opening = { folder: layOut(options.folder), options, lifetime }
  try {
    return await openFolder(opening)
  } catch (error) {
    await lifetime.end()
    if ((opening.finished?.is === 'restored' || opening.replaced) && !options.lifetime.signal.aborted) {
      return openStorage({ ...options, failed: error instanceof Error ? error.message : String(error) })
    }
    throw error
  }
}

async function openFolder(opening: Opening): Promise<OpenStorage> {
  const { folder, options, lifetime } = opening
  const { clock, cipher, failed } = options
  const lock = await lockedFolder(opening)
  const finished = await finishRestore(folder)
  opening.finished = finished
  const database = await openDatabase(opening)
  const { copies: databaseCopies, ...stores } = database.stores
  const { replaced } = opening
  const blobs = await BlobsFolder.open(folder.blobs)
  const openSecrets = (path: string) => SecretsFile.open(path, cipher)
  const secrets = await openSecrets(folder.secrets)
  lifetime.onEnd(() => secrets.close())
  const backups = new BackupsFolder({ folder, copies: databaseCopies, secrets, openSecrets, clock, finished, failed })
  await backups.forget()
  lifetime.onEnd(() => backups.forget())
  const problems = new Emitter<StorageError>()
  const copies = new DailyCopies(folder, clock)
  const unused = new UnusedBlobs(folder, blobs, clock)
  const upkeep = new Upkeep(
    [
      { run: () => copies.makeIfDue(), failed: 'The daily copy of the database could not be made' },
      { run: () => unused.tidy(), failed: 'Files that nothing uses could not be removed' },
    ],
    clock,
    lifetime,
    (problem) => problems.fire(problem),
  )
  // Taken before today's copy is made, which lacks the same rows.
  const isLess = replaced?.by.is === 'salvaged' && replaced.by.found.missing.length > 0
  const isOpened = finished?.is === 'restored' && finished.part === 'database'
  let copy = isOpened ? undefined : await offeredCopy(folder, isLess)
  const serverFile = await McpFile.open(folder.servers, clock, lifetime)
  lifetime.onEnd(() => lock.closing())
  lifetime.signal.throwIfAborted()
  return {
    folder: folder.path,
    serverFile,
    ...stores,
    blobs,
    unused,
    secrets,
    backups,
    damage: {
      ...(replaced && { replaced }),
      get copy() {
        return copy && { ...copy, path: join(folder.copies, copy.name) }
      },
      removeCopy: async () => {
        await removeOfferedCopy(folder)
        copy = undefined
      },
      onLoss: (listen) => database.onLoss(listen),
      onProblem: (listen) => problems.on(listen),
    },
    announce: (where) => lock.announce(where),
    openToRuns: (runs) => lock.openToRuns(runs),
    settled: async () => {
      if (finished?.is === 'restored' || replaced) await settleRestore(folder)
      if (isOpened) await removeOfferedCopy(folder)
      upkeep.start()
    },
    closing: () => lock.closing(),
    close: () => lifetime.end(),
  }
}

/** Takes the folder for this process, and checks that this version can read it. */
async function lockedFolder({ folder, options, lifetime }: Opening): Promise<FolderLock> {
  const { clock, shell, address, waitForClosing = 10_000 } = options
  const { signal } = lifetime
  await prepareFolder(folder)
  const lock = await FolderLock.take(folder, { shell, clock, signal, waitForClosing, ...(address && { address }) })
  lifetime.onEnd(() => lock.release())
  await checkStamp(folder)
  return lock
}

/** Opens the database, or what replaces a damaged one. */
async function openDatabase(opening: Opening): Promise<Database> {
  const { folder, options, lifetime, finished } = opening
  const { replace, failed } = options
  const now = options.clock.now()
  if (replace && failed === undefined) opening.replaced = await replaceDatabase(folder, now, replace)
  const open = () => Database.open({ file: folder.database, copies: folder.copies }, lifetime)
  try {
    return await open()
  } catch (error) {
    const isDamaged = error instanceof StorageError && error.code === 'corrupt'
    // A restore is undone instead.
    if (!isDamaged || finished?.is === 'restored' || opening.replaced || failed !== undefined) throw error
    opening.replaced = await rescueDatabase(folder, now, error)
    return open()
  }
}
