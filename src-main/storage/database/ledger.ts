import type { LedgerStore } from '../base/storage.ts'
import type { Database } from './database.ts'

/** The ledger of the database thread. */
export function ledgerStore(database: Pick<Database, 'call'>): LedgerStore {
  return {
    add: (entry) => database.call('ledger', 'add', entry),
    page: (wanted) => database.call('ledger', 'page', wanted),
    lines: (after) => database.call('ledger', 'lines', after),
    check: (after) => database.call('ledger', 'check', after),
  }
}
