import { rmSync } from 'node:fs'
import type { Salvaged } from '../base/damage.ts'
import { blobNames } from './blob-names.ts'
import { blobNamesInBytes, type NameHalves } from './blob-names-in-bytes.ts'
import { checkDatabase } from './check-database.ts'
import { databaseVersion } from './migrations.ts'
import { salvage } from './salvage.ts'
import { createOwnerOnly, Sqlite } from './sqlite.ts'

/** Work on files that is done apart from the open database, each in a thread of its own. */
export type DatabaseJob =
  | { readonly is: 'salvage'; readonly from: string; readonly to: string }
  /** A whole, consistent copy of a database that may be in use. Throws `corrupt` for a damaged one. */
  | { readonly is: 'copy'; readonly from: string; readonly to: string }
  /** True if it contains something. Throws `corrupt` or `newer-version` for a file that cannot replace a database. */
  | { readonly is: 'check'; readonly file: string }
  /** Every blob that the database mentions, and that these files may mention: copies, and what was put aside, whole or not. */
  | { readonly is: 'blob-names'; readonly database: string; readonly kept: readonly string[] }

export interface JobResults {
  salvage: Salvaged
  /** False when there is nothing in it yet. */
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
    case 'blob-names':
      return { named: withDatabase(job.database, blobNames), kept: blobNamesInBytes(job.kept) }
    case 'check':
      return withDatabase(job.file, (sqlite) => {
        databaseVersion(sqlite, job.file)
        checkDatabase(sqlite, job.file, 'whole')
        return hasSomething(sqlite)
      })
  }
}

const hasSomething = (sqlite: Sqlite) => sqlite.get('SELECT 1 FROM conversation LIMIT 1') !== undefined

function copy(from: string, to: string): boolean {
  return withDatabase(from, (sqlite) => {
    checkDatabase(sqlite, from, 'whole')
    if (!hasSomething(sqlite)) return false
    rmSync(to, { force: true })
    copyInto(sqlite, to)
    return true
  })
}

/** Consistent, without what belongs to this run alone. */
export function copyInto(sqlite: Sqlite, file: string): void {
  createOwnerOnly(file)
  // VACUUM INTO takes the write-ahead log, too, and an empty file as its target.
  sqlite.run('VACUUM INTO ?', file)
  const made = new Sqlite(file)
  try {
    made.run("DELETE FROM record WHERE collection = 'process'")
  } finally {
    made.close()
  }
}

function withDatabase<T>(file: string, run: (sqlite: Sqlite) => T): T {
  const sqlite = new Sqlite(file, { readOnly: true })
  try {
    return run(sqlite)
  } finally {
    sqlite.close()
  }
}
