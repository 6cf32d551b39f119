import type { Sqlite } from './sqlite.ts'

/** How content is named wherever it is mentioned; a hash that looks the same keeps a file longer than it has to be, and that is all. */
const NAME = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g
/** Its hashes are none of contents. */
const WITHOUT = ['ledger', 'sqlite_sequence', 'sqlite_stat1']

/** Every blob that any table mentions, whatever the tables of its version are. */
export function blobNames(sqlite: Sqlite): ReadonlySet<string> {
  const names = new Set<string>()
  for (const table of tablesIn(sqlite)) {
    const columns = sqlite.all<{ name: string }>('SELECT name FROM pragma_table_info(?)', table).map(({ name }) => `"${name}"`)
    // Only a long text can mention one.
    const long = columns.map((column) => `length(${column}) >= 64`).join(' OR ')
    for (let after = 0; ; ) {
      const rows = sqlite.all<{ readonly '%row': number } & Record<string, unknown>>(
        `SELECT rowid AS "%row", ${columns.join(', ')} FROM "${table}" WHERE rowid > ? AND (${long}) ORDER BY rowid LIMIT 200`,
        after,
      )
      for (const row of rows) {
        for (const value of Object.values(row)) {
          if (typeof value === 'string') for (const [name] of value.matchAll(NAME)) names.add(name)
        }
      }
      const last = rows.at(-1)
      if (!last) break
      after = last['%row']
    }
  }
  return names
}

/** Without those of the search, which hold the words of the others. */
function tablesIn(sqlite: Sqlite): string[] {
  const tables = sqlite.all<{ name: string; sql: string }>("SELECT name, sql FROM sqlite_schema WHERE type = 'table'")
  const virtual = tables.filter(({ sql }) => sql?.startsWith('CREATE VIRTUAL')).map(({ name }) => name)
  return tables
    .map(({ name }) => name)
    .filter((name) => !WITHOUT.includes(name) && !virtual.some((one) => name === one || name.startsWith(`${one}_`)))
}
