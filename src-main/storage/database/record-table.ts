import type { Collections } from '../base/storage.ts'
import type { Sqlite } from './sqlite.ts'

/** Small records by collection and key, as they lie in the database. */
export class RecordTable {
  readonly #sqlite: Sqlite

  constructor(sqlite: Sqlite) {
    this.#sqlite = sqlite
  }

  /** In the order in which they were first put. */
  all<C extends keyof Collections>(collection: C): Map<string, Collections[C]> {
    const rows = this.#sqlite.all<{ key: string; json: string }>(
      'SELECT key, json FROM record WHERE collection = ? ORDER BY rowid',
      collection,
    )
    return new Map(rows.map((row) => [row.key, JSON.parse(row.json)]))
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
