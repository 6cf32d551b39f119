import { rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../src-shared/base/clock.ts'
import { delay } from '../../src-shared/base/clock.ts'
import { isObject, type JsonValue } from '../../src-shared/base/json.ts'
import type { DataFolder } from './base/data-folder.ts'
import { readJsonFile, writeJsonFile } from './base/json-file.ts'
import { type LockHolder, StorageError } from './base/storage.ts'
import { isSystemError, storageError } from './base/storage-errors.ts'
import { createOwnerOnly } from './database/sqlite.ts'

const LOOK_AGAIN = 100
/** How long a holder that has not said who it is, or that just died, is given. */
const UNNAMED = 1_000
const SQLITE_BUSY = 5

export interface LockOptions {
  readonly shell: 'electron' | 'web'
  /** Where this host can be reached, for a second start to name. Never holds a token. */
  readonly address?: string
  readonly clock: Clock
  readonly signal: AbortSignal
  /** How long a holder that is closing is waited for. */
  readonly waitForClosing: number
}

/**
 * The only right to a data folder: an SQLite file held in exclusive mode, which the system frees whatever becomes
 * of the process, with the name of its holder.
 */
export class FolderLock {
  readonly #folder: DataFolder
  readonly #held: DatabaseSync
  #holder: LockHolder

  private constructor(folder: DataFolder, held: DatabaseSync, holder: LockHolder) {
    this.#folder = folder
    this.#held = held
    this.#holder = holder
  }

  /** Throws StorageError `locked` naming the holder; waits for one that is closing. */
  static async take(folder: DataFolder, options: LockOptions): Promise<FolderLock> {
    const began = options.clock.now()
    for (;;) {
      const held = tryLock(folder.lock)
      if (held) {
        const { shell, address } = options
        const holder: LockHolder = { pid: process.pid, shell, closing: false }
        const lock = new FolderLock(folder, held, address === undefined ? holder : withAddress(holder, address))
        try {
          await lock.#write()
        } catch (error) {
          held.close()
          throw error
        }
        return lock
      }
      const holder = await readHolder(folder)
      const waitLimit = holder ? (holder.closing ? options.waitForClosing : 0) : Math.min(UNNAMED, options.waitForClosing)
      if (options.clock.now() - began >= waitLimit) throw lockedBy(folder, holder)
      await delay(options.clock, LOOK_AGAIN, options.signal)
    }
  }

  /** Says where the holder can be reached. */
  announce(address: string): Promise<void> {
    this.#holder = withAddress(this.#holder, address)
    return this.#write()
  }

  /** Says that the lock will be free soon, so that another start waits. */
  closing(): Promise<void> {
    this.#holder = { ...this.#holder, closing: true }
    return this.#write()
  }

  async release(): Promise<void> {
    try {
      await rm(this.#folder.holder, { force: true })
    } finally {
      this.#held.close()
    }
  }

  #write(): Promise<void> {
    return writeJsonFile(this.#folder.holder, this.#holder)
  }
}

/** Only the origin: what comes after it may hold a token. */
function withAddress(holder: LockHolder, address: string): LockHolder {
  const origin = URL.parse(address)?.origin
  return origin ? { ...holder, address: origin } : holder
}

/** Undefined when another has it. */
function tryLock(file: string): DatabaseSync | undefined {
  let database: DatabaseSync | undefined
  try {
    createOwnerOnly(file)
    database = new DatabaseSync(file, { timeout: 0 })
    // In exclusive locking mode the lock outlives the transaction.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT')
    return database
  } catch (error) {
    database?.close()
    if (isObject(error) && typeof error.errcode === 'number' && (error.errcode & 0xff) === SQLITE_BUSY) return undefined
    throw storageError(error, `The data folder's lock ${file} could not be taken`)
  }
}

/** Undefined while the file says nothing, or names a process that is gone. */
async function readHolder(folder: DataFolder): Promise<LockHolder | undefined> {
  const value = await readJsonFile(folder.holder).catch((): JsonValue | undefined => undefined)
  if (!isObject(value) || typeof value.pid !== 'number' || !isRunning(value.pid)) return undefined
  const address = typeof value.address === 'string' ? value.address.slice(0, 200) : undefined
  return {
    pid: value.pid,
    shell: value.shell === 'electron' ? 'electron' : 'web',
    closing: value.closing === true,
    ...(address && { address }),
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return isSystemError(error, 'EPERM')
  }
}

function lockedBy(folder: DataFolder, holder: LockHolder | undefined): StorageError {
  if (!holder) {
    return new StorageError('locked', `${folder.path} is in use by another Parley. End it, or choose another data folder.`)
  }
  const who = holder.shell === 'electron' ? 'the Parley desktop app' : 'a Parley in the browser'
  const where = holder.address ? ` at ${holder.address}` : ''
  const todo = holder.closing ? 'It is taking long to close: end it' : 'Go on there, end it'
  return new StorageError(
    'locked',
    `${folder.path} is in use by ${who}${where} (process ${holder.pid}). ${todo}, or choose another data folder.`,
    { holder },
  )
}
