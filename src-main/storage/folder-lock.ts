import { rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { type Clock, delay } from '../../src-shared/base/clock.ts'
import { isObject, type JsonValue } from '../../src-shared/base/json.ts'
import { type DataFolder, layOut } from './base/data-folder.ts'
import { readJsonFile, writeJsonFile } from './base/json-file.ts'
import { type LockHolder, StorageError } from './base/storage.ts'
import { isSystemError, storageError } from './base/storage-errors.ts'
import { createOwnerOnly } from './database/sqlite.ts'

const RETRY_INTERVAL = 100
/** Milliseconds to wait for a holder that has not written its name yet, or has just died. */
const UNNAMED_WAIT = 1_000
const SQLITE_BUSY = 5

export interface LockOptions {
  readonly shell: LockHolder['shell']
  /** The address of this host, which a second start names. Only its origin is written. */
  readonly address?: string
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Milliseconds to wait for a holder that is closing. */
  readonly waitForClosing: number
}

/**
 * The exclusive right to a data folder: an SQLite file locked in exclusive mode, which the system releases however the process
 * ends. A file next to it names the holder.
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
      const waitLimit = holder ? (holder.closing ? options.waitForClosing : 0) : Math.min(UNNAMED_WAIT, options.waitForClosing)
      if (options.clock.now() - began >= waitLimit) throw lockedBy(folder, holder)
      await delay(options.clock, RETRY_INTERVAL, options.signal)
    }
  }

  /** Writes the address of this host for others to read. */
  announce(address: string): Promise<void> {
    this.#holder = withAddress(this.#holder, address)
    return this.#write()
  }

  /** Writes where the command line can run prompts, into a file that only this account can read. */
  openToRuns(runs: NonNullable<LockHolder['runs']>): Promise<void> {
    this.#holder = { ...this.#holder, runs }
    return this.#write()
  }

  /** Announces that the lock will be free soon, so that another start waits. */
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

/** Only the origin: the rest of an address may hold a token. */
function withAddress(holder: LockHolder, address: string): LockHolder {
  const origin = URL.parse(address)?.origin
  return origin ? { ...holder, address: origin } : holder
}

/** Undefined when another process has the lock. */
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

/** The process that has a data folder open, if one has. */
export const holderOf = (path: string): Promise<LockHolder | undefined> => readHolder(layOut(path))

/** Undefined when the file is missing or names a process that has ended. */
async function readHolder(folder: DataFolder): Promise<LockHolder | undefined> {
  const value = await readJsonFile(folder.holder).catch((): JsonValue | undefined => undefined)
  if (!isObject(value) || typeof value.pid !== 'number' || !isRunning(value.pid)) return undefined
  const address = typeof value.address === 'string' ? value.address.slice(0, 200) : undefined
  const runs = readRuns(value.runs)
  return {
    pid: value.pid,
    shell: value.shell === 'electron' || value.shell === 'run' ? value.shell : 'web',
    closing: value.closing === true,
    ...(address && { address }),
    ...(runs && { runs }),
  }
}

function readRuns(value: JsonValue | undefined): LockHolder['runs'] {
  if (!isObject(value) || typeof value.port !== 'number' || typeof value.key !== 'string') return undefined
  return { port: value.port, key: value.key }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return isSystemError(error, 'EPERM')
  }
}

const HOLDERS = {
  electron: 'the Parley desktop app',
  web: 'Parley in the browser',
  run: 'a prompt from the command line',
} as const

function lockedBy(folder: DataFolder, holder: LockHolder | undefined): StorageError {
  if (!holder) {
    return new StorageError('locked', `${folder.path} is in use by another Parley. Quit it, or choose another data folder.`)
  }
  const who = HOLDERS[holder.shell]
  const where = holder.address ? ` at ${holder.address}` : ''
  const todo = holder.closing ? 'It is slow to close: quit it' : 'Continue there, quit it'
  return new StorageError(
    'locked',
    `${folder.path} is in use by ${who}${where} (process ${holder.pid}). ${todo}, or choose another data folder.`,
    { holder },
  )
}
