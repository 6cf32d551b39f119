import { createHmac, randomBytes } from 'node:crypto'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { RecordStore } from '../../storage/base/storage.ts'
import { reap } from '../../transports/child-process.ts'

/** Milliseconds between the last SIGTERM and SIGKILL. */
const LAST_MS = 200

/** Our servers' processes, noted on disk while they run, so that the next host can end what a crash of this one leaves. */
export class ProcessRecords {
  /** Every mark that we give begins with it. It is known to this data folder alone. */
  readonly marker: string
  /** Resolves when leftovers of an earlier host have ended; awaited before anything is started. Never rejects: a process that cannot be ended keeps its record. */
  readonly reaped: Promise<void>
  readonly #records: RecordStore

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
      // The records stay for the next start; the servers of this one do not wait for it.
    }
  }

  /** The mark in the environment of one launch, which tells its processes from all others. */
  newMark(): string {
    return `${this.marker}/${randomBytes(8).toString('hex')}`
  }

  /** Every server was stopped: what bears our mark by now escaped that, and has no time left. */
  async end(): Promise<void> {
    await this.reaped
    await reap([], this.marker, { termMs: LAST_MS })
  }

  async started(serverId: ServerId, process: { readonly pid: number; readonly startedAt: string }): Promise<void> {
    await this.#records.put('process', String(process.pid), { ...process, serverId })
  }

  async ended(pid: number): Promise<void> {
    await this.#records.remove('process', String(pid))
  }
}
