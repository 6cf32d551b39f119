import { objectIn } from '../../../src-shared/base/parse-json.ts'
import { NO_PLACE } from '../../../src-shared/contract/plain-values.ts'
import type { Collections } from '../base/storage.ts'
import type { Sqlite } from './sqlite.ts'

type Json = Record<string, unknown>

/** The records that are kept, and their changes. All others hold permissions from elsewhere, or a person's own words. */
const KEPT: { readonly [C in keyof Collections]?: (record: Json) => Json | undefined } = {
  settings: (record) => record,
  provider: (record) => record,
  'server-options': (record) => record,
  project: (record) => ({ ...record, place: NO_PLACE, toldTo: [] }),
  schedule: ({ config }) => ({ config, from: 0, paused: { is: 'restored' }, runs: [] }),
  note: ({ title, text, savedAt }) =>
    typeof title === 'string' && typeof text === 'string' && typeof savedAt === 'number' ? { title, text, savedAt } : undefined,
  'consent-rule': (record) => (record.effect === 'ask' || record.effect === 'deny' ? record : undefined),
}

const ROWS = 500

/**
 * Removes permissions from a database of another data folder, and marks its messages as imported. Records are parsed as the host
 * parses them, not by SQLite, which may pick another value for a duplicate name.
 */
export function disown(sqlite: Sqlite): void {
  sqlite.transaction(() => {
    rewrite(sqlite, 'record', ({ json, collection }) => {
      const keep = KEPT[collection as keyof Collections]
      return keep && json && keep(json)
    })
    for (const table of ['message', 'tool_call'] as const) {
      rewrite(sqlite, table, ({ json }) => json && { ...json, imported: true })
    }
    const hasState = sqlite.get("SELECT 1 FROM sqlite_schema WHERE name = 'conversation_state'") !== undefined
    if (hasState) sqlite.run("DELETE FROM conversation_state WHERE name NOT IN ('switches', 'attachments')")
  })
}

interface Row {
  /** Undefined for what is no JSON object. */
  readonly json: Json | undefined
  readonly collection: string
}

/** Replaces each row by the result of `change`, or deletes it when there is none. */
function rewrite(sqlite: Sqlite, table: 'record' | 'message' | 'tool_call', change: (row: Row) => Json | undefined): void {
  const collection = table === 'record' ? 'collection' : "''"
  // Parley never writes such a row, and the loop below would miss it.
  sqlite.run(`DELETE FROM ${table} WHERE rowid < 1`)
  for (let after = 0; ; ) {
    const rows = sqlite.all<{ row: number; json: string; collection: string }>(
      `SELECT rowid AS row, json, ${collection} AS collection FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${ROWS}`,
      after,
    )
    for (const { row, json, collection } of rows) {
      const now = change({ json: objectIn(json), collection })
      if (now) sqlite.run(`UPDATE ${table} SET json = ? WHERE rowid = ?`, JSON.stringify(now), row)
      else sqlite.run(`DELETE FROM ${table} WHERE rowid = ?`, row)
      after = row
    }
    if (rows.length < ROWS) return
  }
}
