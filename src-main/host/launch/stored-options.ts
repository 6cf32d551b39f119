import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { DEFAULT_SERVER_OPTIONS } from '../../../src-shared/contract/server-defaults.ts'
import type { ServerOptions } from '../../../src-shared/contract/servers.ts'
import type { RecordStore } from '../../storage/base/storage.ts'
import { KeptRecords } from '../core/kept-records.ts'
import { presentFence } from './fence-policy.ts'

/** Options that mcp.json has no place for, by server id (decision 0017). */
export class StoredOptions {
  readonly #options: KeptRecords<'server-options'>

  constructor(records: RecordStore) {
    const isDurable = (options: Partial<ServerOptions>) => Object.keys(options).length > 0
    this.#options = new KeptRecords(records, 'server-options', { isDurable })
  }

  load(): Promise<void> {
    return this.#options.load(({ fence, ...others }) => ({
      ...others,
      ...(fence !== undefined && { fence: fence && presentFence(fence) }),
    }))
  }

  chosen(id: ServerId): Partial<ServerOptions> {
    return this.#options.get(id) ?? {}
  }

  /** `disabled` comes from mcp.json, as other hosts write it; a person's choice here wins. */
  of(id: ServerId, disabled = false): ServerOptions {
    return { ...DEFAULT_SERVER_OPTIONS, ...(disabled && { enabled: false }), ...this.chosen(id) }
  }

  add(id: ServerId, change: Partial<ServerOptions>): Promise<void> {
    return this.#options.update(id, (chosen) => ({ ...chosen, ...change }))
  }

  forget(id: ServerId): Promise<void> {
    return this.#options.remove(id)
  }
}
