import { defined } from '../../../src-shared/base/defined.ts'
import type { ConversationHead } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId, ProjectId } from '../../../src-shared/contract/ids.ts'
import type { ConversationTopic } from '../../../src-shared/contract/topics.ts'
import {
  type ConversationChange,
  type ConversationWrite,
  type ForkEnd,
  type HeadsQuery,
  StorageError,
  type UnplacedHead,
} from '../base/storage.ts'
import { copyMessages } from './conversation-copy.ts'
import type { ConversationSearch } from './conversation-search.ts'
import type { ConversationStates } from './conversation-states.ts'
import { type HeadRow, headOfRow } from './head-row.ts'
import type { MessageTables } from './message-tables.ts'
import type { Sqlite } from './sqlite.ts'

/** Conversations in the database: their heads here, their contents in MessageTables. */
export class ConversationTables {
  readonly #sqlite: Sqlite
  readonly #search: ConversationSearch
  readonly #states: ConversationStates
  readonly #messages: MessageTables

  constructor(sqlite: Sqlite, search: ConversationSearch, states: ConversationStates, messages: MessageTables) {
    this.#sqlite = sqlite
    this.#search = search
    this.#states = states
    this.#messages = messages
    // From now on these count as removed before this start.
    sqlite.run('UPDATE conversation SET removed = 2 WHERE removed = 1')
  }

  create(head: UnplacedHead): ConversationHead {
    return this.#sqlite.transaction(() => this.#save(head, true))
  }

  head(id: ConversationId): ConversationHead | undefined {
    const row = this.#sqlite.get<HeadRow>('SELECT head, sequence FROM conversation WHERE id = ?', id)
    return row && headOfRow(row)
  }

  heads(query: HeadsQuery): { items: ConversationHead[]; next?: string; total: number } {
    const before = query.before === undefined ? Number.MAX_SAFE_INTEGER : decodePage(query.before)
    const { pinned = false, tag, archived, project, limit } = query
    const wanted = [
      'removed = 0',
      ...(pinned ? ["head ->> 'pinned' = 1"] : []),
      ...(archived === undefined ? [] : [archived ? "head ->> 'archived' = 1" : "head ->> 'archived' IS NULL"]),
      ...(project === null ? ["head ->> 'project' IS NULL"] : []),
      ...(tag === undefined ? [] : [`EXISTS (SELECT 1 FROM json_each(head, '$.tags') WHERE value = ?)`]),
      ...(project ? ["head ->> 'project' = ?"] : []),
    ].join(' AND ')
    const values = [...(tag === undefined ? [] : [tag]), ...(project ? [project] : [])]
    const rows = this.#sqlite.all<HeadRow>(
      `SELECT head, sequence FROM conversation WHERE ${wanted} AND sequence < ? ORDER BY sequence DESC LIMIT ?`,
      ...values,
      before,
      limit + 1,
    )
    const total = this.#sqlite.get<{ n: number }>(`SELECT count(*) AS n FROM conversation WHERE ${wanted}`, ...values)?.n ?? 0
    const items = rows.slice(0, limit).map(headOfRow)
    const last = items.at(-1)
    return rows.length > items.length && last ? { items, total, next: encodePage(last.sequence) } : { items, total }
  }

  tags(): { tag: string; count: number }[] {
    return this.#sqlite.all(
      `SELECT value AS tag, count(*) AS count FROM conversation, json_each(head, '$.tags')
       WHERE removed = 0 AND head ->> 'archived' IS NULL GROUP BY value ORDER BY value COLLATE NOCASE`,
    )
  }

  leaveProject(project: ProjectId): void {
    this.#sqlite.run("UPDATE conversation SET head = json_remove(head, '$.project') WHERE head ->> 'project' = ?", project)
  }

  fork(from: ConversationId, head: UnplacedHead, end: ForkEnd): ConversationHead {
    return this.#sqlite.transaction(() => {
      const placed = this.#save(head, true)
      copyMessages(this.#sqlite, from, head.id, end)
      return placed
    })
  }

  setRemoved(id: ConversationId, removed: boolean): void {
    this.#sqlite.run('UPDATE conversation SET removed = ? WHERE id = ?', removed ? 1 : 0, id)
  }

  purgeRemoved(): number {
    return this.#sqlite.transaction(() => this.#sqlite.run('DELETE FROM conversation WHERE removed = 2'))
  }

  write(writes: readonly ConversationWrite[]): void {
    this.#sqlite.transaction(() => {
      for (const one of writes) this.#messages.apply(one)
    })
  }

  change({ id, head, hideFrom, show, events = [], tree, state }: ConversationChange): ConversationHead | undefined {
    return this.#sqlite.transaction(() => {
      const placed = head && this.#save(head, events.length > 0)
      if (hideFrom !== undefined) this.#messages.hideFrom(id, hideFrom)
      if (show !== undefined) this.#messages.show(id, show)
      for (const event of events) this.#messages.apply({ conversationId: id, event })
      if (tree) this.#messages.place(id, tree)
      if (state) this.#states.save(id, state)
      return placed
    })
  }

  open(id: ConversationId, limit: number): ConversationTopic | undefined {
    if (!this.head(id)) return undefined
    const page = this.#messages.lastPage(id, limit)
    const turn = this.#messages.latestTurn(id)
    const { attachments, switches, queue } = this.#states.of(id)
    return {
      kind: 'conversation',
      messages: page.messages,
      toolCalls: Object.fromEntries(page.toolCalls.map((call) => [call.id, call])),
      ...(turn && { turn }),
      hasEarlier: page.hasEarlier,
      ...(page.versions.length > 0 && { versions: page.versions }),
      ...defined({ attachments, switches, queue }),
    }
  }

  markInterrupted(now: number): ConversationId[] {
    return this.#sqlite.transaction(() => {
      const heads = this.#sqlite.all<{ id: ConversationId }>(
        `UPDATE conversation SET head = json_set(head, '$.turn', 'idle', '$.interrupted', json('true'))
         WHERE head ->> 'turn' = 'running' OR id IN (SELECT conversation FROM turn WHERE status = 'running') RETURNING id`,
      )
      return [...new Set([...heads.map(({ id }) => id), ...this.#messages.markInterrupted(now)])]
    })
  }

  /** Inside a transaction of the caller. */
  #save({ ...head }: UnplacedHead & { sequence?: number }, newest: boolean): ConversationHead {
    const before = this.head(head.id)
    const sequence = before && !newest ? before.sequence : this.#next()
    // It has a column of its own.
    delete head.sequence
    const row = this.#sqlite.get<{ seq: number }>(
      `INSERT INTO conversation (id, head, updated_at, sequence) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET head = excluded.head, updated_at = excluded.updated_at, sequence = excluded.sequence RETURNING seq`,
      head.id,
      JSON.stringify(head),
      head.updatedAt,
      sequence,
    )
    if (row && before?.title !== head.title) this.#search.indexTitle(row.seq, head.title)
    return { ...head, sequence }
  }

  #next(): number {
    return (this.#sqlite.get<{ n: number | null }>('SELECT max(sequence) AS n FROM conversation')?.n ?? 0) + 1
  }
}

/** The end of a page, opaque to windows. */
const encodePage = (sequence: number) => Buffer.from(String(sequence)).toString('base64url')

/** Throws StorageError `io` for what `encodePage` did not make. */
function decodePage(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString()
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new StorageError('io', 'This page of conversations was not found. Go back to the newest.')
}
