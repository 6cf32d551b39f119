import { StorageError } from '../base/storage.ts'
import { storageError } from '../base/storage-errors.ts'
import type { Sqlite } from './sqlite.ts'

/** Bytes up to which the quick check compares indexes with tables, too, which takes two to three times as long. */
const SMALL = 16 * 1024 * 1024
/** A head that lacks a member makes the whole list of conversations unreadable. */
const BAD_HEAD = `NOT json_valid(head) OR head ->> 'id' IS NOT id OR json_type(head, '$.title') IS NOT 'text'
  OR json_type(head, '$.createdAt') IS NOT 'integer' OR json_type(head, '$.updatedAt') IS NOT 'integer'
  OR json_type(head, '$.model.provider') IS NOT 'text' OR json_type(head, '$.model.model') IS NOT 'text'`

/**
 * Throws StorageError `corrupt` with the reason. `whole` compares indexes with tables in a large database, too; a start leaves that to
 * the daily copy.
 */
export function checkDatabase(sqlite: Sqlite, file: string, depth: 'quick' | 'whole' = 'quick'): void {
  const damaged = (said: unknown) => new StorageError('corrupt', `The database ${file} is damaged (${said}).`)
  let said: unknown
  try {
    const pages = sqlite.get<{ page_count: number }>('PRAGMA page_count')?.page_count ?? 0
    const size = sqlite.get<{ page_size: number }>('PRAGMA page_size')?.page_size ?? 0
    const [found] = sqlite.all<object>(
      depth === 'whole' || pages * size <= SMALL ? 'PRAGMA integrity_check(1)' : 'PRAGMA quick_check(1)',
    )
    said = Object.values(found ?? {})[0]
    if (said === 'ok') {
      const known = sqlite.get("SELECT 1 FROM sqlite_schema WHERE name = 'conversation'")
      const bad =
        known === undefined ? undefined : sqlite.get<{ id: string }>(`SELECT id FROM conversation WHERE ${BAD_HEAD} LIMIT 1`)
      if (!bad) return
      said = `conversation ${bad.id}`
    }
  } catch (error) {
    if (storageError(error, '').code === 'corrupt') throw damaged(error instanceof Error ? error.message : error)
    throw error
  }
  throw damaged(said)
}

/** True if a head can be shown in lists. */
export function isSoundHead(sqlite: Sqlite, id: string, head: string): boolean {
  return sqlite.get(`SELECT 1 FROM (SELECT ? AS id, ? AS head) WHERE ${BAD_HEAD}`, id, head) === undefined
}
