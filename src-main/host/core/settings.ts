import { HostError } from '../../../src-shared/contract/errors.ts'
import { DEFAULT_SETTINGS, type Settings } from '../../../src-shared/contract/settings.ts'
import type { RecordStore } from '../../storage/base/storage.ts'
import type { HostState } from './host-state.ts'

const KEY = 'settings'
const ROUNDS = { least: 1, most: 200 }
const SHARE = { least: 1, most: 100 }
const LIFE = { least: 60_000, most: 24 * 60 * 60_000 }

export async function readSettings(records: RecordStore): Promise<Settings> {
  const stored = (await records.all('settings')).get(KEY)
  return bounded({ ...DEFAULT_SETTINGS, ...stored })
}

/** What a person set, for the whole host. */
export class HostSettings {
  readonly #records: RecordStore
  readonly #state: HostState

  constructor(parts: { records: RecordStore; state: HostState }) {
    this.#records = parts.records
    this.#state = parts.state
  }

  get current(): Settings {
    return this.#state.snapshot.settings
  }

  /** Throws `invalid-params` for a number out of range. Kept before it is shown. */
  async change(change: Partial<Settings>): Promise<void> {
    const wanted = { ...this.current, ...change }
    const settings = bounded(wanted)
    if (settings.roundLimit !== wanted.roundLimit) {
      throw new HostError('invalid-params', `The round limit is a whole number from ${ROUNDS.least} to ${ROUNDS.most}.`)
    }
    if (settings.questionLife !== wanted.questionLife) {
      throw new HostError('invalid-params', 'A question stays open from one minute to one day.')
    }
    if (settings.toolShare !== wanted.toolShare) {
      throw new HostError('invalid-params', `Tool definitions may take from ${SHARE.least} to ${SHARE.most} percent of a window.`)
    }
    await this.#records.put('settings', KEY, settings)
    this.#state.emit({ type: 'settings.changed', settings })
  }
}

function bounded(settings: Settings): Settings {
  return {
    ...settings,
    roundLimit: within(settings.roundLimit, ROUNDS, DEFAULT_SETTINGS.roundLimit),
    toolShare: within(settings.toolShare, SHARE, DEFAULT_SETTINGS.toolShare),
    questionLife: within(settings.questionLife, LIFE, DEFAULT_SETTINGS.questionLife),
  }
}

function within(value: number, { least, most }: { least: number; most: number }, otherwise: number): number {
  return Number.isInteger(value) ? Math.min(most, Math.max(least, value)) : otherwise
}
