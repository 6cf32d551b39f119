import { isObject } from '../../../src-shared/base/json.ts'
import type { Collections } from '../base/storage.ts'
import { DamagedRows } from './damaged-rows.ts'
import type { Sqlite } from './sqlite.ts'

/** Small records by collection and key, in the database. */
export class RecordTable {
  readonly #sqlite: Sqlite
  readonly #damaged: DamagedRows

  constructor(sqlite: Sqlite, damaged = new DamagedRows(sqlite)) {
    this.#sqlite = sqlite
    this.#damaged = damaged
  }

  /** In the order in which they were first put. */
  all<C extends keyof Collections>(collection: C): Map<string, Collections[C]> {
    const rows = this.#sqlite.all<{ row: number; key: string; json: string }>(
      'SELECT rowid AS row, key, json FROM record WHERE collection = ? ORDER BY rowid',
      collection,
    )
    const records = new Map<string, Collections[C]>()
    for (const { row, key, json } of rows) {
      const loss = { kind: 'setting or rule' } as const
      const value = this.#damaged.read<Collections[C]>({ table: 'record', row, json, loss }, isObject)
      if (value !== undefined) records.set(key, value)
    }
    return records
  }

  put<C extends keyof Collections>(collection: C, key: string, value: Collections[C]): void {
    this.#sqlite.run(
      'INSERT INTO record (collection, key, json) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET json = excluded.json',
      collection,
      key,
      JSON.stringify(value),
    )
  }

  remove(collection: keyof Collections, key: string): void {
    this.#sqlite.run('DELETE FROM record WHERE collection = ? AND key = ?', collection, key)
  }
}
