import { existsSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { storageError } from '../base/storage-errors.ts'
import { checkDatabase } from './check-database.ts'
import { DamagedRows } from './damaged-rows.ts'
import { type DatabaseJob, runJob } from './database-jobs.ts'
import { type DatabaseParts, databaseParts } from './database-parts.ts'
import { type DatabaseFiles, type DatabaseRequest, type DatabaseResponse, OPENED } from './database-protocol.ts'
import { databaseVersion, migrate } from './migrations.ts'
import { createOwnerOnly, Sqlite } from './sqlite.ts'

/** Opens the database. A newer or damaged one is refused before anything is written. */
function openDatabase({ file, copies, maxBytes }: DatabaseFiles): Sqlite {
  if (existsSync(file)) {
    using before = new Sqlite(file, { readOnly: true })
    databaseVersion(before, file)
    checkDatabase(before, file)
  } else createOwnerOnly(file)
  const sqlite = new Sqlite(file)
  // FULL: a transaction is on the disk before its request is answered.
  sqlite.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
  migrate(sqlite, file, copies)
  if (maxBytes !== undefined) {
    const size = sqlite.get<{ page_size: number }>('PRAGMA page_size')?.page_size ?? 4096
    sqlite.exec(`PRAGMA max_page_count = ${Math.floor(maxBytes / size)}`)
  }
  return sqlite
}

function serve(files: DatabaseFiles | DatabaseJob, port: NonNullable<typeof parentPort>): void {
  const respond = (response: DatabaseResponse) => port.postMessage(response)
  const fail = (id: number, error: unknown, what: string) => {
    const { code, message } = storageError(error, what)
    respond({ id, failed: { code, message } })
  }

  if ('is' in files) {
    try {
      respond({ id: OPENED, result: runJob(files) })
    } catch (error) {
      fail(OPENED, error, 'The database file could not be processed')
    }
    port.close()
    return
  }

  let sqlite: Sqlite
  let parts: DatabaseParts
  let damaged: DamagedRows
  try {
    sqlite = openDatabase(files)
    damaged = new DamagedRows(sqlite)
    parts = databaseParts(sqlite, damaged)
  } catch (error) {
    fail(OPENED, error, `The database ${files.file} could not be opened`)
    port.close()
    return
  }
  respond({ id: OPENED, result: undefined })

  port.on('message', ({ id, call }: DatabaseRequest) => {
    try {
      if (call) {
        const result = run(parts, call)
        const losses = damaged.take()
        return respond({ id, result, ...(losses.length > 0 && { losses }) })
      }
      sqlite.close()
      respond({ id, result: undefined })
      port.close()
    } catch (error) {
      fail(id, error, call ? 'Parley could not save or read this' : 'The database could not be closed')
      if (!call) port.close()
    }
  })
}

function run(parts: DatabaseParts, { part, method, args }: NonNullable<DatabaseRequest['call']>): unknown {
  // Database.call checked part, method and arguments at compile time; structured cloning kept them.
  const target = parts[part as keyof DatabaseParts] as unknown as Record<string, (...args: readonly unknown[]) => unknown>
  return target[method]?.(...args)
}

// database.ts passes workerData to this thread.
if (parentPort) serve(workerData as DatabaseFiles | DatabaseJob, parentPort)
