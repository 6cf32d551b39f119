import { join } from 'node:path'
import type { LedgerEntry } from '../../../src-main/storage/base/storage.ts'
import { Sqlite } from '../../../src-main/storage/database/sqlite.ts'

/** The audit log of tool use as it is on disk, newest first. */
export function readLedger(folder: string): readonly LedgerEntry[] {
  const sqlite = new Sqlite(join(folder, 'parley.db'), { readOnly: true })
  try {
    return sqlite.all<{ json: string }>('SELECT json FROM ledger ORDER BY seq DESC').map(({ json }) => JSON.parse(json))
  } finally {
    sqlite.close()
  }
}
