import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { isObject } from '../../../src-shared/base/json.ts'
import { objectIn } from '../../../src-shared/base/parse-json.ts'
import type { Message } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { DEMO_MODEL, TITLE_LENGTH } from '../../../src-shared/contract/plain-values.ts'
import type { Salvaged, SalvagedKind } from '../base/damage.ts'
import { StorageError } from '../base/storage.ts'
import { isSoundHead } from './check-database.ts'
import { ConversationSearch } from './conversation-search.ts'
import { indexLedgerEntry } from './ledger-table.ts'
import { applyStep, databaseVersion, MIGRATIONS } from './migrations.ts'
import { createOwnerOnly, Sqlite } from './sqlite.ts'

/** Rows of one query. */
const BLOCK = 500
/** The highest row to try when the last one is unknown. */
const LAST_UNKNOWN = 100_000
const MAX_TITLES = 20

interface Table {
  readonly name: string
  readonly kind: SalvagedKind
  /** An index that still names rows, and their conversations, when the rows are unreadable. */
  readonly index?: string
  readonly conversation?: string
}

const TABLES: readonly Table[] = [
  { name: 'conversation', kind: 'conversations', index: 'sqlite_autoindex_conversation_1', conversation: 'id' },
  { name: 'message', kind: 'messages', index: 'message_order', conversation: 'conversation' },
  { name: 'message_growth', kind: 'messages', index: 'message_growth_order' },
  { name: 'tool_call', kind: 'tool calls', index: 'tool_call_of_message', conversation: 'conversation' },
  { name: 'turn', kind: 'turns', index: 'turn_order', conversation: 'conversation' },
  { name: 'conversation_state', kind: 'settings or rules', index: 'sqlite_autoindex_conversation_state_1' },
  { name: 'ledger', kind: 'ledger entries' },
  { name: 'record', kind: 'settings or rules', index: 'sqlite_autoindex_record_1' },
  { name: 'set_aside', kind: 'messages' },
]

type Row = Record<string, SQLInputValue>

/**
 * Copies every readable row of a damaged database into a new file and builds its search and indexes from them. The damaged file stays
 * unchanged. Throws StorageError `corrupt` when not even its schema can be read.
 */
export function salvage(from: string, to: string): Salvaged {
  const version = versionOf(from)
  using source = new DatabaseSync(from, { readOnly: true })
  createOwnerOnly(to)
  using target = new Sqlite(to)
  for (const step of MIGRATIONS.slice(0, version)) applyStep(target, step)
  target.exec(`PRAGMA user_version = ${version}; PRAGMA foreign_keys = OFF`)
  return target.transaction(() => new Salvage(source, target).run())
}

function versionOf(file: string): number {
  using source = new Sqlite(file, { readOnly: true })
  const version = databaseVersion(source, file)
  source.get('SELECT name FROM sqlite_schema LIMIT 1')
  if (version > 0) return version
  throw new StorageError('corrupt', `The database ${file} is damaged: its first page cannot be read.`)
}

class Salvage {
  readonly #source: DatabaseSync
  readonly #target: Sqlite
  readonly #missing = new Map<SalvagedKind, number>()
  readonly #hurt = new Set<string>()

  constructor(source: DatabaseSync, target: Sqlite) {
    this.#source = source
    this.#target = target
  }

  run(): Salvaged {
    const present = new Set(
      this.#target.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'").map(({ name }) => name),
    )
    for (const table of TABLES) if (present.has(table.name)) this.#copy(table)
    this.#recoverHeads()
    for (const { name, conversation } of TABLES) {
      if (!present.has(name) || conversation !== 'conversation') continue
      this.#target.exec(`DELETE FROM ${name} WHERE conversation NOT IN (SELECT id FROM conversation)`)
    }
    this.#target.exec('DELETE FROM message_growth WHERE message NOT IN (SELECT seq FROM message)')
    if (this.#target.get("SELECT 1 FROM pragma_table_info('message') WHERE name = 'parent'")) this.#mendTree()
    this.#index(present.has('ledger_words'))
    const titles = [...this.#hurt].flatMap((id) => {
      const row = this.#target.get<{ title: string }>("SELECT head ->> 'title' AS title FROM conversation WHERE id = ?", id)
      return row ? [row.title] : []
    })
    return {
      missing: [...this.#missing].map(([kind, count]) => ({ kind, count })),
      titles: titles.slice(0, MAX_TITLES),
    }
  }

  #copy(table: Table): void {
    const copied = new Set<number>()
    let refused = 0
    for (const { '%row': number, ...row } of this.#rows(table.name)) {
      if (this.#insert(table, row)) copied.add(Number(number))
      else refused += 1
    }
    const named = this.#namedByIndex(table)
    const missing = [...named].filter(([row]) => !copied.has(row))
    for (const [, conversation] of missing) if (conversation !== undefined) this.#hurt.add(conversation)
    this.#sequence(table.name)
    const gaps = table.name === 'ledger' ? this.#ledgerGaps() : 0
    this.#count(table.kind, Math.max(missing.length, refused, gaps))
  }

  #count(kind: SalvagedKind, count: number): void {
    if (count > 0) this.#missing.set(kind, (this.#missing.get(kind) ?? 0) + count)
  }

  #insert({ name }: Table, row: Row): boolean {
    // Indexes on the head need it to be valid.
    if (name === 'conversation' && !isSoundHead(this.#target, String(row.id), String(row.head))) return false
    const columns = Object.keys(row)
    try {
      this.#target.run(
        `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
        ...Object.values(row),
      )
      return true
    } catch {
      // Damage leaves rows with the same key, or with values that the schema refuses.
      return false
    }
  }

  /** Every readable row in order. The range of an unreadable block is halved and tried again. */
  *#rows(table: string): Generator<Row> {
    const ranges: [number, number][] = [[1, this.#lastRow(table)]]
    for (let range = ranges.pop(); range; range = ranges.pop()) {
      let [low, high] = range
      try {
        const read = this.#source.prepare(
          `SELECT rowid AS "%row", * FROM ${table} WHERE rowid BETWEEN ? AND ? ORDER BY rowid LIMIT ${BLOCK}`,
        )
        for (let rows = read.all(low, high) as Row[]; rows.length > 0; rows = read.all(low, high) as Row[]) {
          const next = Number(rows.at(-1)?.['%row']) + 1
          // A damaged page may lead back to earlier rows, without end.
          if (!(next > low)) throw new StorageError('corrupt', 'The rows of a page are out of order.')
          yield* rows
          low = next
        }
      } catch {
        if (low >= high) continue
        const middle = Math.floor((low + high) / 2)
        ranges.push([middle + 1, high], [low, middle])
      }
    }
  }

  #lastRow(table: string): number {
    const asked = [
      `SELECT seq AS n FROM sqlite_sequence WHERE name = '${table}'`,
      `SELECT max(rowid) AS n FROM ${table}`,
      ...TABLES.flatMap(({ name, index }) =>
        name === table && index ? [`SELECT max(rowid) AS n FROM ${table} INDEXED BY ${index}`] : [],
      ),
    ]
    const found = asked.flatMap((sql) => {
      const [row] = this.#read<{ n: number | null }>(sql)
      return row ? [row.n ?? 0] : []
    })
    const last = Math.max(...found, 0)
    return found.length === 0 || last > 1e9 ? LAST_UNKNOWN : last
  }

  #namedByIndex({ name, index, conversation }: Table): Map<number, string | undefined> {
    if (!index) return new Map()
    const rows = this.#read<{ n: number; id?: string }>(
      `SELECT rowid AS n ${conversation ? `, ${conversation} AS id` : ''} FROM ${name} INDEXED BY ${index}`,
    )
    return new Map(rows.map(({ n, id }) => [n, id]))
  }

  /** The rows up to the first unreadable page. */
  #read<T>(sql: string): T[] {
    const rows: T[] = []
    try {
      for (const row of this.#source.prepare(sql).iterate()) rows.push(row as T)
    } catch {
      // The rest is on a damaged page.
    }
    return rows
  }

  /** Keeps the counter, so that used numbers are not given again. */
  #sequence(table: string): void {
    const [row] = this.#read<{ seq: number }>(`SELECT seq FROM sqlite_sequence WHERE name = '${table}'`)
    if (row && Number.isSafeInteger(row.seq))
      this.#target.run('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?', row.seq, table)
  }

  #ledgerGaps(): number {
    const present = this.#target.get<{ n: number }>('SELECT count(*) AS n FROM ledger')?.n ?? 0
    const last = this.#target.get<{ n: number }>("SELECT seq AS n FROM sqlite_sequence WHERE name = 'ledger'")?.n ?? 0
    return Math.max(0, last - present)
  }

  /** Makes new heads for messages whose conversation was unreadable. */
  #recoverHeads(): void {
    const orphans = this.#target.all<{ id: ConversationId }>(
      'SELECT DISTINCT conversation AS id FROM message WHERE conversation NOT IN (SELECT id FROM conversation)',
    )
    for (const { id } of orphans) {
      const messages = this.#target
        .all<{ json: string }>('SELECT json FROM message WHERE conversation = ? ORDER BY seq', id)
        .flatMap(({ json }) => messageIn(json) ?? [])
      const times = messages.map(({ at }) => at).filter((at) => Number.isSafeInteger(at))
      const title = messages.map((message) => textOf(message).trim().split('\n')[0] ?? '').find((line) => line !== '')
      const head = {
        id,
        title: (title ?? 'Recovered conversation').slice(0, TITLE_LENGTH),
        model: DEMO_MODEL,
        turn: 'idle',
        createdAt: times.at(0) ?? 0,
        updatedAt: times.at(-1) ?? 0,
      }
      this.#target.run(
        'INSERT INTO conversation (id, head, updated_at) VALUES (?, ?, ?)',
        id,
        JSON.stringify(head),
        head.updatedAt,
      )
      this.#hurt.add(id)
    }
    const placed = this.#target.get("SELECT 1 FROM pragma_table_info('conversation') WHERE name = 'sequence'")
    if (placed && orphans.length > 0) {
      this.#target.exec('UPDATE conversation SET sequence = (SELECT max(sequence) FROM conversation) + seq WHERE sequence = 0')
    }
  }

  /** Messages whose parent was unreadable follow the message before it, so that what was shown still is. */
  #mendTree(): void {
    this.#target.exec(
      `UPDATE message SET parent = (
         SELECT id FROM message before WHERE before.conversation = message.conversation AND before.seq < message.seq
           AND before.hidden IN (0, message.hidden) ORDER BY before.seq DESC LIMIT 1)
       WHERE parent IS NOT NULL AND NOT EXISTS (
         SELECT 1 FROM message before WHERE before.conversation = message.conversation AND before.id = message.parent)`,
    )
  }

  #index(withLedger: boolean): void {
    const search = new ConversationSearch(this.#target)
    for (const { seq, title } of this.#target.all<{ seq: number; title: string }>(
      "SELECT seq, head ->> 'title' AS title FROM conversation",
    ))
      search.indexTitle(seq, title)
    const messages = "SELECT seq, json FROM message WHERE status <> 'streaming' AND seq > ? ORDER BY seq LIMIT ?"
    for (const { seq, json } of this.#paged(messages)) {
      const message = messageIn(json)
      if (message) search.indexMessage(seq, message)
    }
    if (!withLedger) return
    for (const { seq, json } of this.#paged('SELECT number AS seq, json FROM ledger WHERE number > ? ORDER BY number LIMIT ?')) {
      const entry = objectIn(json)
      if (entry) indexLedgerEntry(this.#target, seq, entry)
    }
  }

  *#paged(sql: string): Generator<{ seq: number; json: string }> {
    for (let after = 0; ; ) {
      const rows = this.#target.all<{ seq: number; json: string }>(sql, after, BLOCK)
      yield* rows
      const last = rows.at(-1)
      if (!last) return
      after = last.seq
    }
  }
}

/** Undefined for a damaged message, which is set aside when a conversation reads it. */
function messageIn(json: string): Message | undefined {
  const value = objectIn(json)
  // A message needs only its parts here.
  return value && Array.isArray(value.parts) && value.parts.every(isObject) ? (value as unknown as Message) : undefined
}

function textOf({ parts }: Message): string {
  return parts.flatMap((part) => (part.type === 'text' && typeof part.text === 'string' ? [part.text] : [])).join('\n')
}
