import { join } from 'node:path'
import { Emitter } from '../../src-shared/base/emitter.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import { BackupsFolder } from './backups/backups-folder.ts'
import { type FinishedRestore, finishRestore, settleRestore } from './backups/restore-steps.ts'
import type { InPlaceOfDamaged, Replaced } from './base/damage.ts'
import { checkStamp, layOut, prepareFolder } from './base/data-folder.ts'
import { type LockHolder, type Storage, StorageError } from './base/storage.ts'
import { BlobsFolder } from './blobs-folder.ts'
import { DailyCopies } from './daily-copies.ts'
import { Database } from './database/database.ts'
import { conversationStore, ledgerStore, recordStore } from './database/database-stores.ts'
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

/**
 * Opens the data folder for this process alone. A restore that cannot be opened is undone, and the earlier data opened. Throws
 * StorageError and leaves nothing open then.
 */
export async function openStorage(options: StorageOptions): Promise<OpenStorage> {
  const folder = layOut(options.folder)
  const { clock, shell, address, waitForClosing = 10_000 } = options
  const lifetime = new Lifetime('storage', options.lifetime)
  let finished: FinishedRestore | undefined
  let replaced: Replaced | undefined
  try {
    await prepareFolder(folder)
    const { signal } = lifetime
    const lock = await FolderLock.take(folder, { shell, clock, signal, waitForClosing, ...(address && { address }) })
    lifetime.onEnd(() => lock.release())
    await checkStamp(folder)
    finished = await finishRestore(folder)
    const now = clock.now()
    replaced = options.replace && options.failed === undefined ? await replaceDatabase(folder, now, options.replace) : undefined
    const openDatabase = () => Database.open({ file: folder.database, copies: folder.copies }, lifetime)
    const database = await openDatabase().catch(async (error: unknown) => {
      const isDamaged = error instanceof StorageError && error.code === 'corrupt'
      // A restore is undone below instead.
      if (!isDamaged || finished?.is === 'restored' || replaced || options.failed !== undefined) throw error
      replaced = await rescueDatabase(folder, now, error)
      return openDatabase()
    })
    const problems = new Emitter<StorageError>()
    const blobs = await BlobsFolder.open(folder.blobs)
    const secrets = await SecretsFile.open(folder.secrets, options.cipher)
    lifetime.onEnd(() => secrets.close())
    const openSecrets = (path: string) => SecretsFile.open(path, options.cipher)
    const backups = new BackupsFolder({ folder, database, secrets, openSecrets, clock, finished, failed: options.failed })
    await backups.forget()
    lifetime.onEnd(() => backups.forget())
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
      conversations: conversationStore(database),
      ledger: ledgerStore(database),
      records: recordStore(database),
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
  } catch (error) {
    await lifetime.end()
    if ((finished?.is === 'restored' || replaced) && !options.lifetime.signal.aborted) {
      return openStorage({ ...options, failed: error instanceof Error ? error.message : String(error) })
    }
    throw error
  }
}
