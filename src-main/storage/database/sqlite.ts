import { closeSync, openSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { isSystemError } from '../base/storage-errors.ts'

/**
 * Makes an empty database file unless there is one; SQLite gives its log and index files the same mode. An existing file is
 * not opened: closing it would release every lock that this process has on it (POSIX).
 */
export function createOwnerOnly(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error
  }
}

/** One synchronous SQLite connection that caches prepared statements by their text. */
export class Sqlite {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(file: string, options: { readOnly?: boolean; timeout?: number } = {}) {
    this.#database = new DatabaseSync(file, { readOnly: options.readOnly ?? false, timeout: options.timeout ?? 5_000 })
  }

  /** `Row` names the columns of `sql`; nothing but the schema in migrations.ts ensures that it is right. */
  all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[]
  }

  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined
  }

  /** Returns how many rows changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).changes)
  }

  exec(sql: string): void {
    this.#database.exec(sql)
  }

  /** Copies the database, its write-ahead log included, to a file that does not exist yet. */
  copyInto(file: string): void {
    // VACUUM INTO accepts an empty file, which here keeps the copy private.
    createOwnerOnly(file)
    this.run('VACUUM INTO ?', file)
  }

  transaction<T>(work: () => T): T {
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      this.#database.exec('COMMIT')
      return result
    } catch (error) {
      // SQLite itself has rolled back after some failures, such as a full disk.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      throw error
    }
  }

  close(): void {
    this.#statements.clear()
    this.#database.close()
  }

  [Symbol.dispose](): void {
    this.close()
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.#database.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }
}
