import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { BackupStore } from '../../../src-main/storage/base/backup-store.ts'
import { hashPieces, piecesOf } from '../../../src-main/storage/base/blob-content.ts'
import {
  type BlobStore,
  type SecretStore,
  type ServerFile,
  type ServerFileState,
  type Storage,
  StorageError,
} from '../../../src-main/storage/base/storage.ts'
import { storageError } from '../../../src-main/storage/base/storage-errors.ts'
import { databaseParts } from '../../../src-main/storage/database/database-parts.ts'
import { databaseStores } from '../../../src-main/storage/database/database-stores.ts'
import { applyStep, MIGRATIONS } from '../../../src-main/storage/database/migrations.ts'
import { Sqlite } from '../../../src-main/storage/database/sqlite.ts'
import {
  NO_SERVERS,
  readEntries,
  withLaunch,
  withoutEntry,
  withServers,
} from '../../../src-main/storage/server-file/server-text.ts'
import { Emitter } from '../../../src-shared/base/emitter.ts'

/** A data folder in memory, which outlives its host. */
export class MemoryFolder {
  readonly path = '/in-memory/parley'
  readonly sqlite: Sqlite
  readonly blobs = new Map<string, Buffer>()
  readonly secrets = new Map<string, string>()
  readonly key = randomBytes(32)
  servers = NO_SERVERS

  constructor(steps = MIGRATIONS, sqlite = new Sqlite(':memory:')) {
    this.sqlite = sqlite
    for (const step of steps) applyStep(this.sqlite, step)
  }
}

/** The tables of the product without their thread and file, and the other stores without their files. */
export function memoryStorage(folder = new MemoryFolder()): Storage {
  let closed = false
  const parts = databaseParts(folder.sqlite)
  const { copies: _, ...stores } = databaseStores(async (part, method, args) => {
    if (closed) throw new StorageError('io', 'The database is closed.')
    // Asynchronous and with copies both ways, as with the database thread.
    const given = structuredClone(args)
    await setImmediate()
    try {
      const target = parts[part] as unknown as Record<string, (...args: readonly unknown[]) => unknown>
      return structuredClone(target[method]?.(...given))
    } catch (error) {
      throw storageError(error, 'Parley could not save or read this')
    }
  })
  return {
    folder: folder.path,
    serverFile: new MemoryServerFile(folder),
    ...stores,
    blobs: memoryBlobs(folder.blobs),
    secrets: memorySecrets(folder),
    unused: { look: async () => ({ count: 0, bytes: 0 }), free: async () => ({ count: 0, bytes: 0 }) },
    backups: NO_BACKUPS,
    damage: { copy: undefined, removeCopy: async () => {}, onLoss: () => () => {}, onProblem: () => () => {} },
    close: async () => {
      closed = true
    },
  }
}

export class MemoryServerFile implements ServerFile {
  readonly path: string
  readonly #folder: MemoryFolder
  readonly #changes = new Emitter<ServerFileState>()
  readonly #removed = new Map<string, string>()
  #state: ServerFileState

  constructor(folder: MemoryFolder) {
    this.path = `${folder.path}/mcp.json`
    this.#folder = folder
    this.#state = { entries: readEntries(folder.servers) }
  }

  current(): ServerFileState {
    return this.#state
  }

  onChange(listen: (state: ServerFileState) => void): () => void {
    return this.#changes.on(listen)
  }

  put(...[name, launch]: Parameters<ServerFile['put']>): Promise<void> {
    return this.putAll(new Map([[name, launch]]))
  }

  async putAll(...[launches]: Parameters<ServerFile['putAll']>): Promise<void> {
    const all = (text: string) => [...launches].reduce((now, [name, launch]) => withLaunch(now, name, launch), text)
    this.edit(withServers(this.#folder.servers, all))
  }

  async remove(...names: string[]): Promise<void> {
    for (const name of names) this.#removed.set(name, this.#folder.servers)
    this.edit(names.reduce(withoutEntry, this.#folder.servers))
  }

  async restore(name: string): Promise<boolean> {
    const before = readEntries(this.#removed.get(name) ?? NO_SERVERS).find((entry) => entry.name === name)
    if (!before?.launch) return false
    await this.put(name, before.launch)
    return true
  }

  /** Edits the file like a person. */
  edit(text: string): void {
    this.#folder.servers = text
    this.#state = { entries: readEntries(text) }
    this.#changes.fire(this.#state)
  }
}

export function memoryBlobs(kept = new Map<string, Buffer>()): BlobStore {
  const read = async (blob: string) => {
    const bytes = kept.get(blob)
    if (!bytes) throw new StorageError('io', 'This content is no longer stored.')
    return bytes
  }
  return {
    put: async (content, mimeType) => {
      const bytes = Buffer.concat(piecesOf(content))
      const { blob } = await hashPieces([bytes])
      kept.set(blob, bytes)
      return { blob, bytes: bytes.byteLength, mimeType }
    },
    has: async (blob) => kept.has(blob),
    read: async (blob, range) => {
      const bytes = await read(blob)
      return range ? bytes.subarray(range.offset, range.offset + range.length) : bytes
    },
    text: async (blob, offset, length) => {
      const bytes = await read(blob)
      let end = Math.min(offset + length, bytes.length)
      while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
      const text = bytes.toString('utf8', offset, end)
      return end < bytes.length ? { text, next: end } : { text }
    },
  }
}

const unable = () => Promise.reject(new StorageError('io', 'Nothing in memory is backed up.'))

const NO_BACKUPS: BackupStore = {
  sizes: async () => ({ database: 0, blobs: 0, secrets: 0, servers: 0, earlier: 0 }),
  ...{ make: unable, receive: unable, review: unable, accept: unable, acceptCopy: unable },
  forget: async () => {},
  drop: async () => {},
  waiting: false,
}

function memorySecrets({ secrets, key }: MemoryFolder): SecretStore {
  return {
    get: async (id) => secrets.get(id),
    set: async (id, value) => void secrets.set(id, value),
    remove: async (id) => void secrets.delete(id),
    state: async (id) => (secrets.has(id) ? 'saved' : 'missing'),
    folderKey: async () => key,
  }
}
