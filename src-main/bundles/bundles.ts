import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { appendFile, chmod, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder, writeJsonFile } from '../storage/base/json-file.ts'
import { storageError } from '../storage/base/storage-errors.ts'
import { BoundedThread, type ThreadFailure, type ThreadParts, threadSource } from '../threads/bounded-thread.ts'
import { BundleError } from './bundle-error.ts'
import { type BundleReceipt, bundlesFolder, isUnchanged, removeUnpacked } from './kept-bundle.ts'
import { ZIP_LIMITS } from './zip-directory.ts'

const INCOMPLETE = '.part'

export interface UnpackJob {
  readonly file: string
  readonly folder: string
  /** As `process.platform`. */
  readonly os: string
}

type ReadBundle = Omit<BundleReceipt, 'source' | 'at'>

export type UnpackAnswer = ReadBundle | { readonly problem: string; readonly code?: string }

/** An unpacked bundle in its place. */
export interface InstalledBundle extends BundleReceipt {
  readonly folder: string
}

interface BundlesParts extends ThreadParts {
  readonly dataFolder: string
  /** As `process.platform`. */
  readonly os: string
}

/** Receives bundles and unpacks them, each into a folder named after its SHA-256. Nothing in them is run. */
export class Bundles {
  readonly #parts: BundlesParts
  readonly #thread: BoundedThread<UnpackJob, UnpackAnswer>
  #receiving: { readonly id: string; bytes: number } | undefined
  #installing = 0

  constructor(parts: BundlesParts) {
    this.#parts = parts
    this.#thread = new BoundedThread({
      ...parts,
      name: 'bundles',
      source: threadSource(import.meta.url, 'bundle-worker'),
      heap: 256,
      // A bundle may have 20,000 files, and each is synced.
      jobTime: 5 * 60_000,
      queueLimit: 4,
    })
  }

  /** Takes a file in pieces, the first without `upload`. A new file replaces one that is not complete. Throws BundleError. */
  async receive(piece: Uint8Array, upload?: string): Promise<string> {
    if (upload === undefined) {
      await this.#dropReceived()
      this.#receiving = { id: randomUUID(), bytes: 0 }
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    }
    const receiving = this.#receiving
    if (!receiving || (upload !== undefined && upload !== receiving.id))
      throw new BundleError('Its transfer was interrupted. Try again.')
    receiving.bytes += piece.length
    if (receiving.bytes > ZIP_LIMITS.bytes) {
      await this.#dropReceived()
      throw new BundleError('It is larger than 256 MiB.')
    }
    try {
      await appendFile(this.#received(receiving.id), piece, { mode: 0o600 })
    } catch (error) {
      await this.#dropReceived()
      throw storageError(error, 'The bundle could not be received')
    }
    return receiving.id
  }

  /** Unpacks what was received into its place. On a failure nothing of it stays. Throws BundleError. */
  async install(upload: string, source: string): Promise<InstalledBundle> {
    if (upload !== this.#receiving?.id) throw new BundleError('Its transfer was interrupted. Try again.')
    const folder = join(this.#folder, `${randomUUID()}${INCOMPLETE}`)
    this.#installing += 1
    try {
      await mkdir(folder, { mode: 0o700 })
      const outcome = await this.#thread.run(() => ({ file: this.#received(upload), folder, os: this.#parts.os }))
      if (outcome.is === 'failed') throw new BundleError(FAILURES[outcome.why])
      const { answer } = outcome
      if ('problem' in answer)
        throw answer.code ? storageError({ code: answer.code }, answer.problem) : new BundleError(answer.problem)
      return await this.#put(folder, answer, source)
    } finally {
      this.#installing -= 1
      await removeUnpacked(folder)
      await this.#dropReceived()
    }
  }

  /** Removes what no server uses, and what an earlier run left; nothing while a bundle is unpacked. `used` are SHA-256 digests. */
  async tidy(used: ReadonlySet<string>): Promise<void> {
    if (this.#installing > 0) return
    const names = await readdir(this.#folder).catch(() => []) // There is no bundle yet.
    for (const name of names) {
      const sha256 = name.replace(/\.json$/, '')
      if (used.has(sha256) || name === this.#receivedName()) continue
      await removeUnpacked(join(this.#folder, name))
    }
  }

  async #put(unpacked: string, bundle: ReadBundle, source: string): Promise<InstalledBundle> {
    const { dataFolder, clock } = this.#parts
    const folder = join(this.#folder, bundle.sha256)
    const receipt = { ...bundle, source, at: clock.now() }
    if (!existsSync(folder) || !(await isUnchanged(dataFolder, bundle.sha256))) {
      await removeUnpacked(folder)
      await writeJsonFile(`${folder}.json`, receipt)
      await rename(unpacked, folder)
      await chmod(folder, 0o555)
      await syncFolder(this.#folder)
    }
    return { ...receipt, folder }
  }

  get #folder(): string {
    return bundlesFolder(this.#parts.dataFolder)
  }

  #received(id: string): string {
    return join(this.#folder, `${id}.mcpb${INCOMPLETE}`)
  }

  #receivedName(): string | undefined {
    return this.#receiving && `${this.#receiving.id}.mcpb${INCOMPLETE}`
  }

  async #dropReceived(): Promise<void> {
    const receiving = this.#receiving
    this.#receiving = undefined
    if (receiving) await rm(this.#received(receiving.id), { force: true })
  }
}

const FAILURES: Readonly<Record<ThreadFailure, string>> = {
  'too-slow': 'It takes too long to unpack.',
  broken: 'It takes too much memory to unpack.',
  lost: 'It cannot be unpacked: a part of Parley could not be loaded.',
  busy: 'Too many bundles are being unpacked already. Try again.',
  ended: 'It was not unpacked, because Parley is closing.',
}
