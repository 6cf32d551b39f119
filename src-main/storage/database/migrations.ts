import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson } from '../../../src-shared/base/parse-json.ts'
import { type NewLedgerEntry, StorageError } from '../base/storage.ts'
import { appendToLedger } from './ledger-table.ts'
import type { Sqlite } from './sqlite.ts'

/** SQL, or code for a change that SQL cannot express. */
type Step = string | ((sqlite: Sqlite) => void)

/** The schema, one step per version. A step that was released never changes. */
export const MIGRATIONS: readonly Step[] = [
  `
  CREATE TABLE conversation (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    head TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    -- 0 shown, 1 removed since this start, 2 removed before it
    removed INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX conversation_newest ON conversation (removed, updated_at, id);

  CREATE TABLE message (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    status TEXT NOT NULL,
    json TEXT NOT NULL,
    extras TEXT,
    UNIQUE (conversation, id)
  );
  CREATE INDEX message_order ON message (conversation, seq);
  CREATE INDEX message_streaming ON message (seq) WHERE status = 'streaming';

  -- What a streaming message grew by since its json was written.
  CREATE TABLE message_growth (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    message INTEGER NOT NULL REFERENCES message (seq) ON DELETE CASCADE,
    part TEXT NOT NULL,
    text TEXT NOT NULL
  );
  CREATE INDEX message_growth_order ON message_growth (message, seq);

  CREATE TABLE tool_call (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    message TEXT NOT NULL,
    status TEXT NOT NULL,
    json TEXT NOT NULL,
    extras TEXT,
    UNIQUE (conversation, id)
  );
  CREATE INDEX tool_call_of_message ON tool_call (conversation, message);
  CREATE INDEX tool_call_open ON tool_call (seq) WHERE status IN ('proposed', 'asking', 'running');

  CREATE TABLE turn (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    status TEXT NOT NULL,
    json TEXT NOT NULL,
    UNIQUE (conversation, id)
  );
  CREATE INDEX turn_order ON turn (conversation, seq);
  CREATE INDEX turn_running ON turn (seq) WHERE status = 'running';

  CREATE VIRTUAL TABLE title_words USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
  CREATE VIRTUAL TABLE message_words USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
  CREATE TRIGGER conversation_gone AFTER DELETE ON conversation BEGIN DELETE FROM title_words WHERE rowid = old.seq; END;
  CREATE TRIGGER message_gone AFTER DELETE ON message BEGIN DELETE FROM message_words WHERE rowid = old.seq; END;

  CREATE TABLE ledger (seq INTEGER PRIMARY KEY AUTOINCREMENT, json TEXT NOT NULL);

  CREATE TABLE record (
    collection TEXT NOT NULL,
    key TEXT NOT NULL,
    json TEXT NOT NULL,
    UNIQUE (collection, key)
  );
  `,
  `
  -- What belongs to a conversation beside its messages: what waits to be sent, what is switched off.
  CREATE TABLE conversation_state (
    conversation TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    json TEXT NOT NULL,
    UNIQUE (conversation, name)
  );
  CREATE INDEX conversation_pinned ON conversation (updated_at) WHERE head ->> 'pinned' = 1;
  `,
  (sqlite) => {
    sqlite.exec(`
      ALTER TABLE ledger RENAME TO ledger_before;
      CREATE TABLE ledger (number INTEGER PRIMARY KEY AUTOINCREMENT, json TEXT NOT NULL, hash TEXT NOT NULL);
      CREATE VIRTUAL TABLE ledger_words USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
    `)
    chainEarlierEntries(sqlite)
    sqlite.exec(`
      DROP TABLE ledger_before;
      CREATE TRIGGER ledger_unchanged BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'The ledger is only added to'); END;
      CREATE TRIGGER ledger_kept BEFORE DELETE ON ledger BEGIN SELECT RAISE(ABORT, 'The ledger is only added to'); END;
    `)
  },
  `
  CREATE INDEX conversation_archived ON conversation (updated_at) WHERE head ->> 'archived' = 1;
  CREATE INDEX conversation_in_project ON conversation (head ->> 'project', updated_at);
  `,
  `
  -- The order in which something was last said, whatever the clock said. A conversation without messages follows those before it.
  ALTER TABLE conversation ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0;
  WITH said AS (
    SELECT c.seq, min(m.seq) AS first, max(m.seq) AS last
    FROM conversation c LEFT JOIN message m ON m.conversation = c.id GROUP BY c.seq
  ), after AS (
    SELECT seq, coalesce(last, max(first) OVER (ORDER BY seq ROWS UNBOUNDED PRECEDING), 0) AS at FROM said
  ), placed AS (
    SELECT seq, row_number() OVER (ORDER BY at, seq) AS place FROM after
  )
  UPDATE conversation SET sequence = placed.place FROM placed WHERE placed.seq = conversation.seq;
  DROP INDEX conversation_newest;
  DROP INDEX conversation_pinned;
  DROP INDEX conversation_archived;
  DROP INDEX conversation_in_project;
  CREATE INDEX conversation_newest ON conversation (removed, sequence);
  CREATE INDEX conversation_place ON conversation (sequence);
  CREATE INDEX conversation_pinned ON conversation (sequence) WHERE head ->> 'pinned' = 1;
  CREATE INDEX conversation_archived ON conversation (sequence) WHERE head ->> 'archived' = 1;
  CREATE INDEX conversation_in_project ON conversation (head ->> 'project', sequence);
  `,
  `
  -- What was kept and makes no sense any more, as it was.
  CREATE TABLE set_aside (source TEXT NOT NULL, row INTEGER NOT NULL, conversation TEXT, content TEXT NOT NULL);
  `,
  `
  -- Named places and unsent texts join the other state of their conversations. The earliest places have folders only.
  INSERT INTO conversation_state (conversation, name, json)
  SELECT key, 'place', CASE WHEN json_valid(json) THEN json_patch('{"folders":[],"hosts":[],"recipients":[]}', json) ELSE json END
  FROM record WHERE collection = 'conversation-folders' AND key IN (SELECT id FROM conversation);
  INSERT INTO conversation_state (conversation, name, json)
  SELECT key, 'draft', CASE WHEN json_valid(json) THEN coalesce(json -> '$.text', json) ELSE json END
  FROM record WHERE collection = 'draft' AND key IN (SELECT id FROM conversation)
  ORDER BY CASE WHEN json_valid(json) THEN coalesce(json ->> '$.at', 0) ELSE 0 END;
  DELETE FROM record WHERE collection = 'conversation-folders' OR (collection = 'draft' AND key <> 'new');
  `,
  `
  -- Calls that servers may still run in the background are looked for at each start.
  CREATE INDEX tool_call_interrupted ON tool_call (conversation) WHERE status = 'interrupted';
  `,
  `
  -- Messages are a tree, whose parents are older than their children. The shown ones are a path from its root.
  ALTER TABLE message ADD COLUMN parent TEXT;
  -- 0 for a shown message. Those that were hidden together have the same number.
  ALTER TABLE message ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0;
  WITH before AS (SELECT seq, lag(id) OVER (PARTITION BY conversation ORDER BY seq) AS id FROM message)
  UPDATE message SET parent = before.id FROM before WHERE before.seq = message.seq;
  CREATE INDEX message_parent ON message (conversation, parent);
  CREATE VIEW shown_message AS SELECT * FROM message WHERE hidden = 0;
  CREATE TRIGGER message_children AFTER DELETE ON message
  WHEN EXISTS (SELECT 1 FROM conversation WHERE id = old.conversation) BEGIN
    UPDATE message SET parent = old.parent WHERE conversation = old.conversation AND parent = old.id;
  END;
  `,
  `
  -- The entries of one conversation, such as the run of a schedule. A damaged entry belongs to none.
  CREATE INDEX ledger_conversation ON ledger (CASE WHEN json_valid(json) THEN json ->> '$.conversationId' END, number);
  `,
]

const CHAINED = 1_000

/** Entries from before the chain are marked: nothing proves that they were never changed. */
function chainEarlierEntries(sqlite: Sqlite): void {
  for (let after = 0; ; ) {
    const rows = sqlite.all<{ seq: number; json: string }>(
      'SELECT seq, json FROM ledger_before WHERE seq > ? ORDER BY seq LIMIT ?',
      after,
      CHAINED,
    )
    for (const { json } of rows) appendToLedger(sqlite, { ...(parseJson(json) as NewLedgerEntry), chainedLater: true })
    const last = rows.at(-1)
    if (!last) return
    after = last.seq
  }
}

/** Reads the version of a database; throws `newer-version` for one that this program does not know. */
export function databaseVersion(sqlite: Sqlite, file: string, migrations: readonly Step[] = MIGRATIONS): number {
  const version = sqlite.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0
  if (version > migrations.length) {
    throw new StorageError(
      'newer-version',
      `${file} was written by a newer Parley (format ${version}; this one knows ${migrations.length}). Nothing was changed. Start the newer Parley, or choose another data folder.`,
    )
  }
  return version
}

/** Earlier versions made copies that other accounts could read. */
function closeCopies(copies: string): void {
  const made = existsSync(copies) ? readdirSync(copies).filter((name) => /^parley-format-\d+\.db$/.test(name)) : []
  for (const name of made) {
    try {
      chmodSync(join(copies, name), 0o600)
    } catch {
      // A file of another account cannot be closed; the database opens all the same.
    }
  }
}

/** Inside a transaction of the caller. */
export function applyStep(sqlite: Sqlite, step: Step): void {
  if (typeof step === 'string') sqlite.exec(step)
  else step(sqlite)
}

/** Brings the schema up to date, each step in one transaction and after a copy of the database into `copies`. */
export function migrate(sqlite: Sqlite, file: string, copies: string, migrations: readonly Step[] = MIGRATIONS): void {
  closeCopies(copies)
  const before = databaseVersion(sqlite, file, migrations)
  for (let version = before; version < migrations.length; version += 1) {
    // A new database is empty.
    if (before > 0) keepCopy(sqlite, copies, version)
    sqlite.transaction(() => {
      applyStep(sqlite, migrations[version] ?? '')
      sqlite.exec(`PRAGMA user_version = ${version + 1}`)
    })
  }
}

function keepCopy(sqlite: Sqlite, copies: string, version: number): void {
  mkdirSync(copies, { recursive: true, mode: 0o700 })
  const copy = join(copies, `parley-format-${version}.db`)
  rmSync(`${copy}.new`, { force: true })
  sqlite.copyInto(`${copy}.new`)
  renameSync(`${copy}.new`, copy)
}
