import { Lifetime } from '../../src-shared/base/lifetime.ts'
import { BackupsFolder } from './backups/backups-folder.ts'
import { type FinishedRestore, finishRestore, settleRestore } from './backups/restore-steps.ts'
import { checkStamp, layOut, prepareFolder } from './base/data-folder.ts'
import type { Storage } from './base/storage.ts'
import { BlobsFolder } from './blobs-folder.ts'
import { conversationStore } from './database/conversations.ts'
import { Database } from './database/database.ts'
import { ledgerStore } from './database/ledger.ts'
import { recordStore } from './database/records.ts'
import { FolderLock, type LockOptions } from './folder-lock.ts'
import { type SecretCipher, SecretsFile } from './secret-store.ts'
import { McpFile } from './server-file/server-file.ts'

interface StorageOptions extends Pick<LockOptions, 'shell' | 'address' | 'clock'> {
  readonly folder: string
  /** Without one, secrets lie in an owner-only file. */
  readonly cipher?: SecretCipher
  /** The storage closes when it ends. */
  readonly lifetime: Lifetime
  /** How long an earlier host that is closing is waited for, milliseconds; 10 s unless given. */
  readonly waitForClosing?: number
  /** What the start before this one said that failed on what it had restored. */
  readonly failed?: string
}

export interface OpenStorage extends Storage {
  /** Says where this host can be reached, once it knows. */
  announce(address: string): Promise<void>
  /** Says that a host runs on what is there; until then the next start takes back what this one restored. */
  settled(): Promise<void>
  /** Says that this host is about to close, so that another start waits instead of giving up. */
  closing(): Promise<void>
}

/**
 * Opens the data folder for this process alone; without what it has just restored, should that be what cannot be opened. Throws
 * StorageError; nothing is left open then.
 */
export async function openStorage(options: StorageOptions): Promise<OpenStorage> {
  const folder = layOut(options.folder)
  const { clock, shell, address, waitForClosing = 10_000 } = options
  const lifetime = new Lifetime('storage', options.lifetime)
  let finished: FinishedRestore | undefined
  try {
    await prepareFolder(folder)
    const { signal } = lifetime
    const lock = await FolderLock.take(folder, { shell, clock, signal, waitForClosing, ...(address && { address }) })
    lifetime.onEnd(() => lock.release())
    await checkStamp(folder)
    finished = await finishRestore(folder)
    const database = await Database.open({ file: folder.database, copies: folder.copies }, lifetime)
    const blobs = await BlobsFolder.open(folder.blobs)
    const secrets = await SecretsFile.open(folder.secrets, options.cipher)
    lifetime.onEnd(() => secrets.close())
    const openSecrets = (path: string) => SecretsFile.open(path, options.cipher)
    const backups = new BackupsFolder({ folder, database, secrets, openSecrets, clock, finished, failed: options.failed })
    await backups.forget()
    lifetime.onEnd(() => backups.forget())
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
      secrets,
      backups,
      announce: (where) => lock.announce(where),
      settled: async () => {
        if (finished?.is === 'restored') await settleRestore(folder)
      },
      closing: () => lock.closing(),
      close: () => lifetime.end(),
    }
  } catch (error) {
    await lifetime.end()
    if (finished?.is === 'restored' && !options.lifetime.signal.aborted) {
      return openStorage({ ...options, failed: error instanceof Error ? error.message : String(error) })
    }
    throw error
  }
}
