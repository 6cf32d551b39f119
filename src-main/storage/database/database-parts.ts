import { ConversationSearch } from './conversation-search.ts'
import { ConversationStates } from './conversation-states.ts'
import { ConversationTables } from './conversation-tables.ts'
import { DamagedRows } from './damaged-rows.ts'
import { DatabaseCopies } from './database-copies.ts'
import { LedgerTable } from './ledger-table.ts'
import { MessageTables } from './message-tables.ts'
import { RecordTable } from './record-table.ts'
import type { Sqlite } from './sqlite.ts'

export type DatabaseParts = ReturnType<typeof databaseParts>

/** Each part is asked for its methods by name, from outside the thread. */
export function databaseParts(sqlite: Sqlite, damaged = new DamagedRows(sqlite)) {
  const search = new ConversationSearch(sqlite)
  const states = new ConversationStates(sqlite, damaged)
  const messages = new MessageTables(sqlite, search, states, damaged)
  return {
    conversations: new ConversationTables(sqlite, search, states, messages),
    messages,
    states,
    search,
    ledger: new LedgerTable(sqlite),
    records: new RecordTable(sqlite, damaged),
    copies: new DatabaseCopies(sqlite),
  }
}
