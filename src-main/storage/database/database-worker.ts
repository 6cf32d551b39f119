import { existsSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { StorageError } from '../base/storage.ts'
import { storageError } from '../base/storage-errors.ts'
import { ConversationTables } from './conversation-tables.ts'
import { DatabaseCopies } from './database-copies.ts'
import {
  type DatabaseFiles,
  type DatabaseParts,
  type DatabaseRequest,
  type DatabaseResponse,
  OPENED,
} from './database-protocol.ts'
import { LedgerTable } from './ledger-table.ts'
import { databaseVersion, migrate } from './migrations.ts'
import { RecordTable } from './record-table.ts'
import { createOwnerOnly, Sqlite } from './sqlite.ts'

/** Opens the database, refusing what is newer or damaged before anything is written. */
function openDatabase({ file, copies, maxBytes }: DatabaseFiles): Sqlite {
  if (existsSync(file)) {
    const before = new Sqlite(file, { readOnly: true })
    try {
      databaseVersion(before, file)
      checkIntegrity(before, file, copies)
    } finally {
      before.close()
    }
  } else {
    createOwnerOnly(file)
  }
  const sqlite = new Sqlite(file)
  // FULL: what a transaction wrote has reached the disk before its request is answered.
  sqlite.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
  migrate(sqlite, file, copies)
  if (maxBytes !== undefined) {
    const size = sqlite.get<{ page_size: number }>('PRAGMA page_size')?.page_size ?? 4096
    sqlite.exec(`PRAGMA max_page_count = ${Math.floor(maxBytes / size)}`)
  }
  return sqlite
}

function checkIntegrity(sqlite: Sqlite, file: string, copies: string): void {
  const damaged = (said: unknown) =>
    new StorageError(
      'corrupt',
      `The database ${file} is damaged (${said}). Nothing was changed. Put a copy back (${copies} has those made before updates), or move the file away to start with an empty one.`,
    )
  let said: string | undefined
  try {
    said = sqlite.get<{ quick_check: string }>('PRAGMA quick_check(1)')?.quick_check
  } catch (error) {
    if (storageError(error, '').code === 'corrupt') throw damaged(error instanceof Error ? error.message : error)
    throw error
  }
  if (said !== 'ok') throw damaged(said)
}

function serve(files: DatabaseFiles, port: NonNullable<typeof parentPort>): void {
  const respond = (response: DatabaseResponse) => port.postMessage(response)
  const fail = (id: number, error: unknown, what: string) => {
    const { code, message } = storageError(error, what)
    respond({ id, failed: { code, message } })
  }

  let sqlite: Sqlite
  let parts: DatabaseParts
  try {
    sqlite = openDatabase(files)
    parts = {
      conversations: new ConversationTables(sqlite),
      ledger: new LedgerTable(sqlite),
      records: new RecordTable(sqlite),
      copies: new DatabaseCopies(sqlite),
    }
  } catch (error) {
    fail(OPENED, error, `The database ${files.file} could not be opened`)
    port.close()
    return
  }
  respond({ id: OPENED, result: undefined })

  port.on('message', ({ id, call }: DatabaseRequest) => {
    try {
      if (call) return respond({ id, result: run(parts, call) })
      sqlite.close()
      respond({ id, result: undefined })
      port.close()
    } catch (error) {
      fail(id, error, call ? 'The database did not take a change or answer a question' : 'The database could not be closed')
      if (!call) port.close()
    }
  })
}

function run(parts: DatabaseParts, { part, method, args }: NonNullable<DatabaseRequest['call']>): unknown {
  // Database.call checked part, method and arguments at compile time; structured cloning kept them.
  const target = parts[part as keyof DatabaseParts] as unknown as Record<string, (...args: readonly unknown[]) => unknown>
  return target[method]?.(...args)
}

// workerData is what database.ts passed to this very thread.
if (parentPort) serve(workerData as DatabaseFiles, parentPort)
