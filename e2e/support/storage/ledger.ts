import { join } from 'node:path'
import { Sqlite } from '../../../src-main/storage/database/sqlite.ts'
import type { LedgerEntry } from '../../../src-shared/contract/consent.ts'

/** The audit log of tool use as the database holds it, newest first. */
export function readLedger(sqlite: Sqlite | undefined): readonly LedgerEntry[] {
  const rows = sqlite?.all<{ json: string }>('SELECT json FROM ledger ORDER BY number DESC') ?? []
  return rows.map(({ json }) => JSON.parse(json))
}

/** The same of a data folder. */
export function readLedgerIn(folder: string): readonly LedgerEntry[] {
  const sqlite = new Sqlite(join(folder, 'parley.db'), { readOnly: true })
  try {
    return readLedger(sqlite)
  } finally {
    sqlite.close()
  }
}
