import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { appendFile, copyFile, mkdir, readdir, readFile, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../../src-shared/base/clock.ts'
import { isObject } from '../../../src-shared/base/json.ts'
import { jsonIn, parseJson } from '../../../src-shared/base/parse-json.ts'
import type { BackupContents, DataSizes } from '../../../src-shared/contract/backups.ts'
import type { BackupOptions, BackupStore, MadeBackup } from '../base/backup-store.ts'
import type { DataFolder } from '../base/data-folder.ts'
import { syncFolder } from '../base/json-file.ts'
import { StorageError } from '../base/storage.ts'
import { isSystemError, storageError } from '../base/storage-errors.ts'
import type { databaseStores } from '../database/database-stores.ts'
import { markOf, SMALL_PARTS } from './manifest.ts'
import { readBackup, type Unpacked } from './read-backup.ts'
import { dropRestore, type FinishedRestore, planDatabase, planRestore, stage, stagedIn } from './restore-steps.ts'
import { seal, unseal } from './seal.ts'
import { writeBackup } from './write-backup.ts'

const MAX_NAMES = 200

/** The part of the secret store that a backup needs. */
interface BackedSecrets {
  all(): Promise<{ values: ReadonlyMap<string, string>; elsewhere: number }>
  setAll(values: ReadonlyMap<string, string>): Promise<void>
  folderKey(): Promise<Uint8Array>
  close(): Promise<void>
}

interface BackupsParts {
  readonly folder: DataFolder
  readonly copies: ReturnType<typeof databaseStores>['copies']
  readonly secrets: BackedSecrets
  readonly openSecrets: (path: string) => Promise<BackedSecrets>
  readonly clock: Clock
  readonly finished: FinishedRestore | undefined
  /** The error of the start that could not use the restored data. */
  readonly failed: string | undefined
}

/** Makes backups of the open data folder, and prepares the restore that the next start carries out. */
export class BackupsFolder implements BackupStore {
  readonly restored?: string
  readonly opened?: string
  readonly undone?: NonNullable<BackupStore['undone']>
  readonly #parts: BackupsParts
  #receiving: string | undefined
  #reviewed: (Unpacked & { readonly own: boolean }) | undefined
  #waiting = false

  constructor(parts: BackupsParts) {
    this.#parts = parts
    const { failed, finished } = parts
    const isDatabase = finished?.part === 'database'
    if (finished?.is === 'restored') this[isDatabase ? 'opened' : 'restored'] = finished.kept
    // An undone rescue of a damaged database is made again by this start, which reports it.
    if (finished?.is === 'undone' && (!isDatabase || failed !== undefined)) {
      this.undone = { kept: finished.kept, ...(failed !== undefined && { said: failed }), ...(isDatabase && { isDatabase }) }
    }
  }

  get waiting(): boolean {
    return this.#waiting
  }

  async sizes(): Promise<DataSizes> {
    const { folder } = this.#parts
    const database = ['', '-wal', '-shm'].map((end) => sizeOf(`${folder.database}${end}`))
    const sizes = await Promise.all([...database, sizeOf(folder.copies)])
    return {
      database: sizes.reduce((sum, size) => sum + size, 0),
      blobs: await sizeOf(folder.blobs),
      secrets: await sizeOf(folder.secrets),
      servers: await sizeOf(folder.servers),
      earlier: await sizeOf(folder.earlier),
    }
  }

  async make({ passphrase, by, at, signal, onProgress }: BackupOptions): Promise<MadeBackup> {
    const { folder, copies, secrets } = this.#parts
    await this.forget()
    try {
      await mkdir(folder.backup, { mode: 0o700 })
      const copy = join(folder.backup, 'parley.db')
      const path = join(folder.backup, `${randomUUID()}.parley-backup`)
      // Every blob that the copy refers to is in use here, too, and stays for a day after that ends.
      await copies.take(copy)
      signal.throwIfAborted()
      const kept = passphrase === undefined ? undefined : await secrets.all()
      const sealed = kept && passphrase !== undefined && (await seal(JSON.stringify([...kept.values]), passphrase))
      const servers = await readServers(folder.servers)
      const made = await writeBackup(path, {
        folder,
        database: copy,
        folderKey: await secrets.folderKey(),
        by,
        at,
        signal,
        onProgress,
        ...(servers && { servers }),
        ...(sealed && { secrets: sealed }),
      })
      await rm(copy, { force: true })
      return { path, ...made, secretsLeftOut: kept?.elsewhere ?? 0 }
    } catch (error) {
      await this.forget().catch(() => {}) // The first error is thrown below.
      signal.throwIfAborted()
      throw storageError(error, 'The backup could not be made')
    }
  }

  async forget(): Promise<void> {
    await rm(this.#parts.folder.backup, { recursive: true, force: true })
  }

  async receive(piece: Uint8Array, upload?: string): Promise<string> {
    const { folder } = this.#parts
    try {
      if (upload === undefined) {
        await this.drop()
        await mkdir(folder.restore, { mode: 0o700 })
        this.#receiving = randomUUID()
      } else if (upload !== this.#receiving) throw new StorageError('io', 'Reading this file was interrupted. Choose it again.')
      const { bavail, bsize } = await statfs(folder.restore)
      if (bavail * bsize < 256 * 1024 * 1024) throw new StorageError('full', 'The disk is almost full. Free some space first.')
      await appendFile(this.#received, piece, { mode: 0o600 })
      return this.#receiving ?? ''
    } catch (error) {
      throw storageError(error, 'The file could not be received')
    }
  }

  async review(upload: string, signal: AbortSignal, onProgress: (share: number) => void): Promise<BackupContents> {
    const { folder, copies, secrets } = this.#parts
    if (upload !== this.#receiving) throw new StorageError('io', 'Reading this file was interrupted. Choose it again.')
    const staged = stagedIn(folder)
    try {
      await rm(staged, { recursive: true, force: true })
      await mkdir(staged, { mode: 0o700 })
      const unpacked = await readBackup(this.#received, staged, signal, onProgress)
      const found = await copies.inspect(join(staged, 'parley.db'))
      const { manifest } = unpacked
      const own = markOf(manifest, await secrets.folderKey()) === manifest.mark
      this.#reviewed = { ...unpacked, own }
      return {
        ...found,
        by: manifest.by,
        at: manifest.at,
        own,
        blobs: manifest.blobs.count,
        bytes: manifest.database.bytes + manifest.blobs.bytes,
        servers: await serverNames(join(staged, 'mcp.json')),
        secrets: unpacked.secrets !== undefined,
      }
    } catch (error) {
      await this.drop().catch(() => {}) // The first error is thrown below.
      signal.throwIfAborted()
      throw storageError(error, 'The backup could not be read')
    }
  }

  async accept(passphrase?: string): Promise<void> {
    const { folder, copies, secrets, openSecrets, clock } = this.#parts
    const reviewed = this.#reviewed
    if (!reviewed || this.#waiting) throw new StorageError('io', 'There is no backup to restore.')
    const given =
      passphrase === undefined || !reviewed.secrets ? undefined : readSecrets(await unseal(reviewed.secrets, passphrase))
    try {
      const path = join(stagedIn(folder), 'secrets.json')
      await rm(path, { force: true })
      // Only a backup of this folder gets its secrets: an address in a foreign one must not receive a key entered for another.
      if (reviewed.own) {
        await secrets.all()
        await copyFile(folder.secrets, path)
      } else await copies.disown(join(stagedIn(folder), 'parley.db'))
      const file = await openSecrets(path)
      // A foreign backup gets a new folder key, so that the trust it records does not apply here.
      await file.folderKey()
      if (given) await file.setAll(given)
      await file.close()
      await rm(this.#received, { force: true })
      await syncFolder(stagedIn(folder))
      await syncFolder(folder.restore)
      await syncFolder(folder.path)
      await planRestore(folder, clock.now())
      this.#waiting = true
    } catch (error) {
      throw storageError(error, 'The backup could not be prepared')
    }
  }

  async acceptCopy(file: string): Promise<void> {
    const { folder, clock } = this.#parts
    if (this.#waiting) throw new StorageError('io', 'A restore is planned already. Restart Parley first.')
    await this.drop()
    try {
      await copyFile(file, await stage(folder))
      await syncFolder(folder.path)
      await planDatabase(folder, clock.now())
      this.#waiting = true
    } catch (error) {
      throw storageError(error, 'The copy could not be prepared')
    }
  }

  async drop(): Promise<void> {
    this.#receiving = undefined
    this.#reviewed = undefined
    await dropRestore(this.#parts.folder)
    this.#waiting = false
  }

  get #received(): string {
    return join(this.#parts.folder.restore, 'received')
  }
}

function readSecrets(text: string): Map<string, string> {
  const bad = () => new StorageError('corrupt', 'The secrets in this backup are damaged.')
  const value = jsonIn(text)
  if (!Array.isArray(value)) throw bad()
  const read = new Map<string, string>()
  for (const [id, secret] of value.filter(Array.isArray)) {
    if (typeof id !== 'string' || typeof secret !== 'string') throw bad()
    read.set(id, secret)
  }
  return read
}

async function readServers(path: string): Promise<Buffer | undefined> {
  if (!existsSync(path)) return undefined
  if ((await stat(path)).size > SMALL_PARTS.servers) throw new StorageError('io', `${path} is too large.`)
  return readFile(path)
}

/** An unreadable mcp.json is restored unchanged: after the start its own problem is shown. */
async function serverNames(path: string): Promise<string[]> {
  try {
    const value: unknown = parseJson(await readFile(path, 'utf8'))
    const servers = isObject(value) && isObject(value.mcpServers) ? Object.keys(value.mcpServers) : []
    return servers.slice(0, MAX_NAMES).map((name) => name.slice(0, 200))
  } catch {
    return []
  }
}

/** Bytes of a file, or of all files in a folder; links are not followed. */
async function sizeOf(path: string): Promise<number> {
  try {
    const entries = await readdir(path, { withFileTypes: true, recursive: true })
    let sum = 0
    for (const entry of entries) if (entry.isFile()) sum += (await stat(join(entry.parentPath, entry.name))).size
    return sum
  } catch (error) {
    if (isSystemError(error, 'ENOTDIR')) return (await stat(path)).size
    return 0
  }
}
