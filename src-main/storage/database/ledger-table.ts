import { createHash } from 'node:crypto'
import { canonicalJson } from '../../../src-shared/base/json.ts'
import { objectIn } from '../../../src-shared/base/parse-json.ts'
import type { LedgerCheck, LedgerEntry, LedgerLines, LedgerPage } from '../../../src-shared/contract/consent.ts'
import type { LedgerQuery, NewLedgerEntry } from '../base/storage.ts'
import { matchExpression, separate } from './search-words.ts'
import type { Sqlite } from './sqlite.ts'

/** Stands for the hash before the first entry. */
const SEED = '0'.repeat(64)
/** Entries that one check reads; other requests are served in between. */
const CHECKED = 1_000
/** The most entries, and about the most characters, of one part of the file. */
const LINES = 200
const LINES_LENGTH = 512 * 1024

interface Row {
  readonly number: number
  readonly json: string
  readonly hash: string
}

/** As in its index. */
const OF_CONVERSATION = "CASE WHEN json_valid(json) THEN json ->> '$.conversationId' END = ?"

/** The ledger in the database: rows are added, never changed or removed. */
export class LedgerTable {
  readonly #sqlite: Sqlite

  constructor(sqlite: Sqlite) {
    this.#sqlite = sqlite
  }

  add(entry: NewLedgerEntry): void {
    this.#sqlite.transaction(() => appendToLedger(this.#sqlite, entry))
  }

  page({ search = '', conversationId, before = Number.MAX_SAFE_INTEGER, limit }: LedgerQuery): LedgerPage {
    if (conversationId !== undefined) return this.#pageOf(conversationId, before, limit)
    const match = matchExpression(search)
    if (search.trim() !== '' && match === undefined) return { items: [], total: 0 }
    const rows =
      match === undefined
        ? this.#sqlite.all<Row>(
            'SELECT number, json, hash FROM ledger WHERE number < ? ORDER BY number DESC LIMIT ?',
            before,
            limit + 1,
          )
        : this.#sqlite.all<Row>(
            `SELECT number, json, hash FROM ledger_words JOIN ledger ON number = ledger_words.rowid
             WHERE ledger_words MATCH ? AND ledger_words.rowid < ? ORDER BY ledger_words.rowid DESC LIMIT ?`,
            match,
            before,
            limit + 1,
          )
    return pageOf(rows, limit, this.#count(match))
  }

  #pageOf(conversationId: string, before: number, limit: number): LedgerPage {
    const rows = this.#sqlite.all<Row>(
      `SELECT number, json, hash FROM ledger WHERE ${OF_CONVERSATION} AND number < ? ORDER BY number DESC LIMIT ?`,
      conversationId,
      before,
      limit + 1,
    )
    const counted = this.#sqlite.get<{ n: number }>(`SELECT count(*) AS n FROM ledger WHERE ${OF_CONVERSATION}`, conversationId)
    return pageOf(rows, limit, counted?.n ?? 0)
  }

  lines(after: number): LedgerLines {
    const rows = this.#following(after, LINES)
    const lines: string[] = []
    let length = 0
    let last = after
    for (const { number, json, hash } of rows) {
      if (length > LINES_LENGTH) break
      const line = `{"entry":${json},"hash":"${hash}"}\n`
      lines.push(line)
      length += line.length
      last = number
    }
    const more = lines.length < rows.length || rows.length === LINES
    return { text: lines.join(''), ...(more && { next: last }) }
  }

  check(after: number): LedgerCheck {
    const start = this.#sqlite.get<{ hash: string }>('SELECT hash FROM ledger WHERE number = ?', after)
    if (after > 0 && !start) return { entries: 0, bytes: 0, broken: { number: after, is: 'missing' } }
    let before = start?.hash ?? SEED
    let entries = 0
    let bytes = 0
    const rows = this.#following(after, CHECKED)
    for (const { number, json, hash } of rows) {
      const expected = after + entries + 1
      if (number !== expected) return { entries, bytes, broken: { number: expected, is: 'missing' } }
      if (hash !== link(before, json)) return { entries, bytes, broken: { number, is: 'changed' } }
      before = hash
      entries += 1
      bytes += Buffer.byteLength(json)
    }
    const last = after + entries
    if (rows.length === CHECKED) return { entries, bytes, next: last }
    return { entries, bytes, ...(lastNumber(this.#sqlite) > last && { broken: { number: last + 1, is: 'missing' as const } }) }
  }

  #following(after: number, limit: number): Row[] {
    return this.#sqlite.all('SELECT number, json, hash FROM ledger WHERE number > ? ORDER BY number LIMIT ?', after, limit)
  }

  #count(match: string | undefined): number {
    const counted =
      match === undefined
        ? this.#sqlite.get<{ n: number | null }>('SELECT max(number) AS n FROM ledger')
        : this.#sqlite.get<{ n: number }>('SELECT count(*) AS n FROM ledger_words WHERE ledger_words MATCH ?', match)
    return counted?.n ?? 0
  }
}

function pageOf(rows: readonly Row[], limit: number, total: number): LedgerPage {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const items = shown.flatMap(({ json, hash }) => {
    // A damaged entry stays in its place; the check of the chain reports it.
    const entry = objectIn(json) as LedgerEntry | undefined
    return entry ? [{ ...entry, hash }] : []
  })
  return { items, total, ...(rows.length > limit && last && { next: last.number }) }
}

/**
 * Inside a transaction of the caller, which holds the write lock from its beginning: the last entry that is read here is still the
 * last when the next is written.
 */
export function appendToLedger(sqlite: Sqlite, entry: NewLedgerEntry): void {
  const last = sqlite.get<{ hash: string }>('SELECT hash FROM ledger ORDER BY number DESC LIMIT 1')
  const number = lastNumber(sqlite) + 1
  const json = canonicalJson({ ...entry, number })
  sqlite.run('INSERT INTO ledger (number, json, hash) VALUES (?, ?, ?)', number, json, link(last?.hash ?? SEED, json))
  indexLedgerEntry(sqlite, number, entry)
}

/** `entry` may come from a damaged row and lack any member. */
export function indexLedgerEntry(sqlite: Sqlite, number: number, entry: Partial<NewLedgerEntry>): void {
  sqlite.run('INSERT INTO ledger_words (rowid, text) VALUES (?, ?)', number, separate(wordsOf(entry)))
}

/** The last number ever given, so that a removed end of the ledger shows as missing. */
function lastNumber(sqlite: Sqlite): number {
  return sqlite.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'ledger'")?.seq ?? 0
}

function link(before: string, json: string): string {
  return createHash('sha256').update(before).update(json).digest('hex')
}

function wordsOf({ serverName, serverId, tool, arguments: args, decision, why, outcome }: Partial<NewLedgerEntry>): string {
  return [serverName, serverId, tool, args, decision, why, outcome].filter((one) => one !== undefined).join('\n')
}
