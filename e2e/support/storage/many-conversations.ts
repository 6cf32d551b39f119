import { join } from 'node:path'
import { migrate } from '../../../src-main/storage/database/migrations.ts'
import { createOwnerOnly, Sqlite } from '../../../src-main/storage/database/sqlite.ts'
import { headOf } from './temporary-storage.ts'

const MANY = 10_000
const HOUR = 3_600_000

/** A database of ten thousand conversations, “Talk 1” to “Talk 10000”, one an hour until now. */
export function writeManyConversations(folder: string): void {
  const file = join(folder, 'parley.db')
  createOwnerOnly(file)
  const sqlite = new Sqlite(file)
  migrate(sqlite, file, join(folder, 'copies'))
  const now = Date.now()
  sqlite.transaction(() => {
    for (let n = 1; n <= MANY; n++) {
      const head = headOf(`c${n}`, { title: `Talk ${n}`, updatedAt: now - (MANY - n) * HOUR })
      sqlite.run(
        'INSERT INTO conversation (id, head, updated_at, sequence) VALUES (?, ?, ?, ?)',
        head.id,
        JSON.stringify(head),
        head.updatedAt,
        n,
      )
    }
  })
  sqlite.close()
}
