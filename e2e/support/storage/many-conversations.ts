import { join } from 'node:path'
import { ConversationTables } from '../../../src-main/storage/database/conversation-tables.ts'
import { Sqlite } from '../../../src-main/storage/database/sqlite.ts'
import type { ConversationHead } from '../../../src-shared/contract/conversations.ts'

/** Writes conversations into a data folder that nobody holds, without waiting for the disk after each: thousands take a while. */
export function addConversations(folder: string, heads: readonly ConversationHead[]): void {
  const sqlite = new Sqlite(join(folder, 'parley.db'))
  try {
    sqlite.exec('PRAGMA synchronous = OFF')
    const tables = new ConversationTables(sqlite)
    for (const head of heads) tables.create(head)
  } finally {
    sqlite.close()
  }
}
