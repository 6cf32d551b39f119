import { dropOldest } from '../../../src-shared/base/drop-oldest.ts'
import { InTurn } from '../../../src-shared/base/in-turn.ts'
import type { Collections, RecordStore } from '../../storage/base/storage.ts'

/** Removed records that can be restored. */
const MAX_REMOVED = 24

type Value<C extends keyof Collections> = Collections[C]

interface KeptOptions<C extends keyof Collections> {
  /** False keeps a record in memory only. */
  readonly isDurable?: (value: Value<C>) => boolean
  /** Runs after a record was added or removed. */
  readonly onChange?: () => void
  /** Removed records stay in memory for `restore`. */
  readonly canRestore?: boolean
}

/**
 * The records of one collection, in memory and on disk. Writes run one after another, so that a change that began before a removal does
 * not write the record again.
 */
export class KeptRecords<C extends keyof Collections> {
  readonly #records: RecordStore
  readonly #collection: C
  readonly #options: KeptOptions<C>
  readonly #values = new Map<string, Value<C>>()
  readonly #removed = new Map<string, Value<C>>()
  readonly #writes = new InTurn()

  constructor(records: RecordStore, collection: C, options: KeptOptions<C> = {}) {
    this.#records = records
    this.#collection = collection
    this.#options = options
  }

  /** `present` upgrades a stored record; undefined removes it. */
  async load(
    present: (stored: Value<C>) => Promise<Value<C> | undefined> | Value<C> | undefined = (stored) => stored,
  ): Promise<void> {
    for (const [key, stored] of await this.#records.all(this.#collection)) {
      const value = await present(stored)
      if (value === undefined) await this.#records.remove(this.#collection, key)
      else this.#values.set(key, value)
    }
    this.#options.onChange?.()
  }

  get size(): number {
    return this.#values.size
  }
  get(key: string): Value<C> | undefined {
    return this.#values.get(key)
  }
  has(key: string): boolean {
    return this.#values.has(key)
  }
  keys(): readonly string[] {
    return [...this.#values.keys()]
  }
  values(): readonly Value<C>[] {
    return [...this.#values.values()]
  }

  /** Visible once it is on disk. */
  put(key: string, value: Value<C>): Promise<void> {
    return this.update(key, () => value)
  }

  /** Computes the record from the value at its turn. Visible once it is on disk. */
  update(key: string, to: (now: Value<C> | undefined) => Value<C>): Promise<void> {
    return this.#writes.run(async () => {
      const value = to(this.#values.get(key))
      await this.#set(key, value)
    })
  }

  /** Visible at once, and written in its turn unless it was removed by then. A missing record starts from `first`. */
  change(key: string, to: (now: Value<C>) => Value<C>, first?: Value<C>): Promise<void> {
    const now = this.#values.get(key) ?? first
    if (now === undefined) return Promise.resolve()
    this.#values.set(key, to(now))
    return this.#writes.run(async () => {
      const value = this.#values.get(key)
      if (value !== undefined) await this.#write(key, value)
    })
  }

  /** Gone at once, and back if the disk refuses. */
  remove(key: string): Promise<void> {
    const before = this.#values.get(key)
    this.#drop(key)
    return this.#writes.run(async () => {
      // An update that began before may have ended since.
      const removed = this.#values.get(key) ?? before
      try {
        await this.#records.remove(this.#collection, key)
      } catch (error) {
        if (before !== undefined && !this.#values.has(key)) this.#values.set(key, before)
        this.#options.onChange?.()
        throw error
      }
      this.#drop(key)
      if (this.#options.canRestore && removed !== undefined) dropOldest(this.#removed.set(key, removed), MAX_REMOVED)
    })
  }

  /** Undoes a removal, once. False when the record is not among those removed last. */
  restore(key: string, to: (removed: Value<C>) => Value<C> = (removed) => removed): Promise<boolean> {
    return this.#writes.run(async () => {
      const removed = this.#removed.get(key)
      if (removed === undefined) return false
      await this.#set(key, to(removed))
      return this.#removed.delete(key)
    })
  }

  async #set(key: string, value: Value<C>): Promise<void> {
    await this.#write(key, value)
    this.#values.set(key, value)
    this.#options.onChange?.()
  }

  async #write(key: string, value: Value<C>): Promise<void> {
    if (this.#options.isDurable?.(value) ?? true) await this.#records.put(this.#collection, key, value)
  }

  #drop(key: string): void {
    if (this.#values.delete(key)) this.#options.onChange?.()
  }
}
