import { InTurn } from '../../../src-shared/base/in-turn.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { DEFAULT_SERVER_OPTIONS, type ServerOptions } from '../../../src-shared/contract/servers.ts'
import type { RecordStore } from '../../storage/base/storage.ts'

/** Options that mcp.json has no place for, by server id (decision 0017). */
export class StoredOptions {
  readonly #records: RecordStore
  readonly #changes = new InTurn()
  #options = new Map<string, Partial<ServerOptions>>()

  constructor(records: RecordStore) {
    this.#records = records
  }

  async load(): Promise<void> {
    this.#options = await this.#records.all('server-options')
  }

  /** The person's choices; the rest is the default. */
  chosen(id: ServerId): Partial<ServerOptions> {
    return this.#options.get(id) ?? {}
  }

  /** `disabled` is the file's word, as other hosts write it; what a person chose here wins. */
  of(id: ServerId, disabled = false): ServerOptions {
    return { ...DEFAULT_SERVER_OPTIONS, ...(disabled && { enabled: false }), ...this.chosen(id) }
  }

  add(id: ServerId, change: Partial<ServerOptions>): Promise<void> {
    return this.#changes.run(async () => {
      const options = { ...this.chosen(id), ...change }
      if (Object.keys(options).length > 0) await this.#records.put('server-options', id, options)
      this.#options.set(id, options)
    })
  }

  forget(id: ServerId): Promise<void> {
    return this.#changes.run(async () => {
      this.#options.delete(id)
      await this.#records.remove('server-options', id)
    })
  }
}
