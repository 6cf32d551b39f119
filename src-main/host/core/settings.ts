import { InTurn } from '../../../src-shared/base/in-turn.ts'
import { DEFAULT_SETTINGS, type Settings, settings } from '../../../src-shared/contract/settings.ts'
import type { RecordStore } from '../../storage/base/storage.ts'
import type { HostState } from './host-state.ts'

const KEY = 'settings'

/** A stored setting that this version refuses falls back to its default. */
export async function readSettings(records: RecordStore): Promise<Settings> {
  const stored = (await records.all('settings')).get(KEY)
  const usable = Object.entries(settings().shape).flatMap(([name, setting]) => {
    const { success, data } = setting.safeParse(stored?.[name as keyof Settings])
    return success ? [[name, data]] : []
  })
  return { ...DEFAULT_SETTINGS, ...Object.fromEntries(usable) }
}

export class HostSettings {
  readonly #records: RecordStore
  readonly #state: HostState
  readonly #changes = new InTurn()

  constructor(parts: { records: RecordStore; state: HostState }) {
    this.#records = parts.records
    this.#state = parts.state
  }

  get current(): Settings {
    return this.#state.snapshot.settings
  }

  /** Saves before it shows the change. */
  change(change: Partial<Settings>): Promise<void> {
    return this.#changes.run(async () => {
      const settings = { ...this.current, ...change }
      await this.#records.put('settings', KEY, settings)
      this.#state.emit({ type: 'settings.changed', settings })
    })
  }
}
