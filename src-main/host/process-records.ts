import { createHmac } from 'node:crypto'
import type { ServerId } from '../../src-shared/contract/servers.ts'
import type { RecordStore } from '../storage/storage.ts'
import { reap } from '../transports/child-process.ts'

/** Our servers' processes, noted on disk while they run, so that the next host can end what a crash of this one leaves. */
export class ProcessRecords {
  /** Stands in the environment of every process that we start. It is known to this data folder alone. */
  readonly marker: string
  readonly #records: RecordStore

  constructor(records: RecordStore, folderKey: Uint8Array) {
    this.#records = records
    this.marker = createHmac('sha256', folderKey).update('process owner').digest('hex').slice(0, 32)
  }

  /** Ends what an earlier host left; to be awaited before anything is started. Returns how many processes were ended. */
  async reap(): Promise<number> {
    const left = await this.#records.all('process')
    const ended = await reap([...left.values()], this.marker)
    for (const key of left.keys()) await this.#records.remove('process', key)
    return ended
  }

  async started(serverId: ServerId, process: { readonly pid: number; readonly startedAt: string }): Promise<void> {
    await this.#records.put('process', String(process.pid), { ...process, serverId })
  }

  async ended(pid: number): Promise<void> {
    await this.#records.remove('process', String(pid))
  }
}
