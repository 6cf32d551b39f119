import { createHmac, randomBytes } from 'node:crypto'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { RecordStore } from '../../storage/base/storage.ts'
import { reap } from '../../transports/child-process.ts'

/** Milliseconds between the last SIGTERM and SIGKILL. */
const LAST_MS = 200

/** Records server processes on disk while they run, so that the next host can end those that a crash leaves. */
export class ProcessRecords {
  /** Prefix of every mark, known to this data folder alone. */
  readonly marker: string
  /** Resolves when an earlier host's processes have ended; awaited before any launch. Never rejects. */
  readonly reaped: Promise<void>
  readonly #records: RecordStore
  #marked = false

  constructor(records: RecordStore, folderKey: Uint8Array) {
    this.#records = records
    this.marker = createHmac('sha256', folderKey).update('process owner').digest('hex').slice(0, 32)
    this.reaped = this.#reap()
  }

  async #reap(): Promise<void> {
    try {
      const left = await this.#records.all('process')
      await reap([...left.values()], this.marker)
      for (const key of left.keys()) await this.#records.remove('process', key)
    } catch {
      // The records stay, so the next start tries again.
    }
  }

  /** A mark for the environment of one launch, by which its processes are recognized. */
  newMark(): string {
    this.#marked = true
    return `${this.marker}/${randomBytes(8).toString('hex')}`
  }

  /** Kills marked processes that outlived their stopped servers. Without a mark there are none, and no reason to read all processes. */
  async end(): Promise<void> {
    await this.reaped
    if (this.#marked) await reap([], this.marker, { termMs: LAST_MS })
  }

  async started(serverId: ServerId, process: { readonly pid: number; readonly startedAt: string }): Promise<void> {
    await this.#records.put('process', String(process.pid), { ...process, serverId })
  }

  async ended(pid: number): Promise<void> {
    await this.#records.remove('process', String(pid))
  }
}
