import { rmSync } from 'node:fs'
import type { Salvaged } from '../base/damage.ts'
import { blobNamesInBytes, type NameHalves } from './blob-names-in-bytes.ts'
import { checkDatabase } from './check-database.ts'
import { databaseVersion } from './migrations.ts'
import { salvage } from './salvage.ts'
import { Sqlite } from './sqlite.ts'

/** Work on database files, each in a thread of its own. */
export type DatabaseJob =
  | { readonly is: 'salvage'; readonly from: string; readonly to: string }
  /** Makes a consistent copy of a database that may be in use. Throws `corrupt` for a damaged one. */
  | { readonly is: 'copy'; readonly from: string; readonly to: string }
  /** True if it has conversations. Throws `corrupt` or `newer-version` for a file that cannot replace a database. */
  | { readonly is: 'check'; readonly file: string }
  /** Every blob that the database refers to, and that copies and databases put aside may refer to. */
  | { readonly is: 'blob-names'; readonly database: string; readonly kept: readonly string[] }

export interface JobResults {
  salvage: Salvaged
  /** False when the database has no conversations yet. */
  copy: boolean
  check: boolean
  'blob-names': { readonly named: ReadonlySet<string>; readonly kept: NameHalves }
}

export function runJob(job: DatabaseJob): JobResults[DatabaseJob['is']] {
  switch (job.is) {
    case 'salvage':
      return salvage(job.from, job.to)
    case 'copy':
      return copy(job.from, job.to)
    case 'blob-names': {
      using sqlite = new Sqlite(job.database, { readOnly: true })
      return { named: blobNames(sqlite), kept: blobNamesInBytes(job.kept) }
    }
    case 'check': {
      using sqlite = new Sqlite(job.file, { readOnly: true })
      databaseVersion(sqlite, job.file)
      checkDatabase(sqlite, job.file, 'whole')
      return hasConversations(sqlite)
    }
  }
}

const hasConversations = (sqlite: Sqlite) => sqlite.get('SELECT 1 FROM conversation LIMIT 1') !== undefined

function copy(from: string, to: string): boolean {
  using sqlite = new Sqlite(from, { readOnly: true })
  checkDatabase(sqlite, from, 'whole')
  if (!hasConversations(sqlite)) return false
  rmSync(to, { force: true })
  copyForBackup(sqlite, to)
  return true
}

/** A consistent copy, without the processes of this run. */
export function copyForBackup(sqlite: Sqlite, file: string): void {
  sqlite.copyInto(file)
  using made = new Sqlite(file)
  made.run("DELETE FROM record WHERE collection = 'process'")
}

/** A blob name. Another hash that looks the same only keeps a file longer. */
const NAME = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g
/** Tables whose hashes name no blobs. */
const WITHOUT = ['ledger', 'sqlite_sequence', 'sqlite_stat1']

/** Every blob that any table refers to, in a database of any version. */
function blobNames(sqlite: Sqlite): ReadonlySet<string> {
  const names = new Set<string>()
  for (const table of tablesIn(sqlite)) {
    const columns = sqlite.all<{ name: string }>('SELECT name FROM pragma_table_info(?)', table).map(({ name }) => `"${name}"`)
    // A shorter text cannot hold a name.
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

/** Tables but those of the full-text search, which only repeat the others. */
function tablesIn(sqlite: Sqlite): string[] {
  const tables = sqlite.all<{ name: string; sql: string }>("SELECT name, sql FROM sqlite_schema WHERE type = 'table'")
  const virtual = tables.filter(({ sql }) => sql?.startsWith('CREATE VIRTUAL')).map(({ name }) => name)
  return tables
    .map(({ name }) => name)
    .filter((name) => !WITHOUT.includes(name) && !virtual.some((one) => name === one || name.startsWith(`${one}_`)))
}
