import { assertNever, type JsonObject } from '../../../src-shared/base/json.ts'
import { objectIn } from '../../../src-shared/base/parse-json.ts'
import type { Message, ToolCall, Turn } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId, MessageId, ToolCallId } from '../../../src-shared/contract/ids.ts'
import { growMessage, type MessageVersions } from '../../../src-shared/contract/topics.ts'
import {
  type ConversationWrite,
  type MessagePlace,
  StorageError,
  type StoredMessage,
  type StoredToolCall,
} from '../base/storage.ts'
import type { ConversationSearch } from './conversation-search.ts'
import type { ConversationStates } from './conversation-states.ts'
import { type DamagedRows, isMessage, isToolCall, isTurn } from './damaged-rows.ts'
import { interruptedCall, interruptedMessage, interruptedTurn } from './interrupted.ts'
import type { Sqlite } from './sqlite.ts'

/** Messages in a row, oldest first, and the tool calls that they proposed. */
export interface MessagePage {
  readonly messages: Message[]
  readonly toolCalls: ToolCall[]
  readonly hasEarlier: boolean
  readonly versions: MessageVersions[]
}

interface TurnRow {
  readonly seq: number
  readonly conversation: ConversationId
  readonly json: string
}

interface RowWithExtras extends TurnRow {
  readonly extras: string | null
}

interface PlacedRow extends RowWithExtras {
  readonly parent: MessageId | null
  readonly hidden: number
}

const COLUMNS = 'seq, conversation, json, extras'

/** The contents of conversations in the database: messages, their growth, tool calls and turns. */
export class MessageTables {
  readonly #sqlite: Sqlite
  readonly #search: ConversationSearch
  readonly #states: ConversationStates
  readonly #damaged: DamagedRows

  constructor(sqlite: Sqlite, search: ConversationSearch, states: ConversationStates, damaged: DamagedRows) {
    this.#sqlite = sqlite
    this.#search = search
    this.#states = states
    this.#damaged = damaged
  }

  /** Inside a transaction of the caller. As in applyTopicEvent, a change of a missing message does nothing. */
  apply({ conversationId, event, extras }: ConversationWrite): void {
    switch (event.type) {
      case 'message.added':
        this.#addMessage(conversationId, event.message, extras)
        return
      case 'message.grew':
        this.#sqlite.run(
          'INSERT INTO message_growth (message, part, text) SELECT seq, ?, ? FROM message WHERE conversation = ? AND id = ?',
          event.part,
          event.text,
          conversationId,
          event.id,
        )
        if (extras) this.#saveExtras(conversationId, event.id, extras)
        return
      case 'message.changed': {
        const row = this.#sqlite.get<{ seq: number }>(
          'SELECT seq FROM message WHERE conversation = ? AND id = ?',
          conversationId,
          event.message.id,
        )
        if (row) this.#changeMessage(row.seq, event.message, extras)
        return
      }
      case 'message.removed':
        this.#sqlite.run('DELETE FROM message WHERE conversation = ? AND id = ?', conversationId, event.id)
        this.#sqlite.run('DELETE FROM tool_call WHERE conversation = ? AND message = ?', conversationId, event.id)
        return
      case 'toolCall.changed':
        this.#saveToolCall(conversationId, event.toolCall, extras)
        return
      case 'turn.changed':
        this.#saveTurn(conversationId, event.turn)
        return
      case 'attachments.changed':
        this.#states.save(conversationId, { attachments: event.attachments })
        return
      case 'switches.changed':
        this.#states.save(conversationId, { switches: event.switches })
        return
      case 'topic.replaced':
        // It shows what is stored already.
        return
      case 'queue.changed':
        this.#states.save(conversationId, { queue: event.queue })
        return
      default:
        assertNever(event)
    }
  }

  lastPage(conversation: ConversationId, limit: number): MessagePage {
    return this.#page(conversation, Number.MAX_SAFE_INTEGER, limit)
  }

  pageBefore(id: ConversationId, before: MessageId, limit: number): MessagePage {
    const seq = this.#seqOf(id, before)
    return seq ? this.#page(id, seq, limit) : { messages: [], toolCalls: [], hasEarlier: false, versions: [] }
  }

  transcript(id: ConversationId): { messages: StoredMessage[]; toolCalls: Map<ToolCallId, StoredToolCall> } {
    const rows = this.#sqlite.all<RowWithExtras>(`SELECT ${COLUMNS} FROM shown_message WHERE conversation = ? ORDER BY seq`, id)
    const calls = this.#sqlite.all<RowWithExtras>(
      `SELECT ${COLUMNS} FROM tool_call WHERE conversation = ?
         AND message IN (SELECT id FROM shown_message WHERE conversation = ?) ORDER BY seq`,
      id,
      id,
    )
    const toolCalls = new Map<ToolCallId, StoredToolCall>()
    for (const row of calls) {
      const toolCall = this.#toolCall(row)
      if (toolCall) toolCalls.set(toolCall.id, { toolCall, ...parseExtras(row.extras) })
    }
    const messages = rows.flatMap((row) => {
      const message = this.#message(row)
      return message ? [{ message, ...parseExtras(row.extras) }] : []
    })
    return { messages, toolCalls }
  }

  toolCall(id: ConversationId, toolCallId: ToolCallId): ToolCall | undefined {
    const sql = `SELECT ${COLUMNS} FROM tool_call WHERE conversation = ? AND id = ?`
    const row = this.#sqlite.get<RowWithExtras>(sql, id, toolCallId)
    return row && this.#toolCall(row)
  }

  latestTurn(id: ConversationId): Turn | undefined {
    const row = this.#sqlite.get<TurnRow>(
      `WITH last AS (SELECT id, json FROM shown_message WHERE conversation = ? ORDER BY seq DESC LIMIT 1)
       SELECT turn.seq, turn.conversation, turn.json FROM turn, last WHERE turn.conversation = ?
         AND (turn.id = iif(json_valid(last.json), last.json ->> 'turnId', NULL)
           OR iif(json_valid(turn.json), turn.json ->> 'after', NULL) = last.id)
       ORDER BY turn.seq DESC LIMIT 1`,
      id,
      id,
    )
    return row && this.#turn(row)
  }

  /** Every message, shown or not, with its place in the tree, oldest first, and every tool call. */
  tree(id: ConversationId): { messages: (MessagePlace & { message: Message })[]; toolCalls: ToolCall[] } {
    const rows = this.#sqlite.all<PlacedRow>(
      `SELECT ${COLUMNS}, parent, hidden FROM message WHERE conversation = ? ORDER BY seq`,
      id,
    )
    const calls = this.#sqlite.all<RowWithExtras>(`SELECT ${COLUMNS} FROM tool_call WHERE conversation = ? ORDER BY seq`, id)
    return {
      messages: rows.flatMap((row) => {
        const message = this.#message(row)
        const { parent, hidden } = row
        return message ? [{ message, id: message.id, ...(parent !== null && { parent }), hidden }] : []
      }),
      toolCalls: calls.flatMap((row) => this.#toolCall(row) ?? []),
    }
  }

  versionsOf(conversation: ConversationId, id: MessageId): number {
    const row = this.#sqlite.get<{ n: number }>(
      `SELECT count(*) AS n FROM message one JOIN message m ON m.conversation = one.conversation AND m.parent IS one.parent
       WHERE one.conversation = ? AND one.id = ?`,
      conversation,
      id,
    )
    return row?.n ?? 0
  }

  /** Puts messages that were just added in their places. Inside a transaction of the caller. */
  place(conversation: ConversationId, places: readonly MessagePlace[]): void {
    for (const { id, parent, hidden } of places) {
      this.#sqlite.run(
        'UPDATE message SET parent = ?, hidden = ? WHERE conversation = ? AND id = ?',
        parent ?? null,
        hidden,
        conversation,
        id,
      )
    }
  }

  /** Hides a shown message and all after it. Inside a transaction of the caller. */
  hideFrom(conversation: ConversationId, id: MessageId): void {
    const seq = this.#seqOf(conversation, id)
    if (seq) this.#hideAfter(conversation, seq - 1)
  }

  /** From 1, in the order in which they were written; undefined if it is not shown. */
  #seqOf(conversation: ConversationId, id: MessageId | null): number | undefined {
    const sql = 'SELECT seq FROM shown_message WHERE conversation = ? AND id = ?'
    return this.#sqlite.get<{ seq: number }>(sql, conversation, id)?.seq
  }

  /** Shows a hidden message with all before it, and what was shown after it last, in place of others. Inside a transaction of the caller. */
  show(conversation: ConversationId, id: MessageId): void {
    const hidden = this.#sqlite.all<{ seq: number; parent: MessageId | null; hidden: number }>(
      `WITH RECURSIVE up AS (
         SELECT * FROM message WHERE conversation = ? AND id = ? AND hidden > 0
         UNION ALL
         SELECT m.* FROM up JOIN message m ON m.conversation = up.conversation AND m.id = up.parent AND m.seq < up.seq
         WHERE m.hidden > 0
       ) SELECT seq, parent, hidden FROM up ORDER BY seq`,
      conversation,
      id,
    )
    const [top] = hidden
    const wanted = hidden.at(-1)
    if (!top || !wanted) return
    this.#hideAfter(conversation, this.#seqOf(conversation, top.parent) ?? 0)
    this.#sqlite.run(
      `UPDATE message SET hidden = 0 WHERE conversation = ?
         AND (seq IN (SELECT value FROM json_each(?)) OR (hidden = ? AND seq > ?))`,
      conversation,
      JSON.stringify(hidden.map(({ seq }) => seq)),
      wanted.hidden,
      wanted.seq,
    )
  }

  #hideAfter(conversation: ConversationId, seq: number): void {
    this.#sqlite.run(
      `UPDATE message SET hidden = (SELECT max(hidden) + 1 FROM message WHERE conversation = ?)
       WHERE conversation = ? AND hidden = 0 AND seq > ?`,
      conversation,
      conversation,
      seq,
    )
  }

  /** Inside a transaction of the caller; returns the conversations touched. */
  markInterrupted(now: number): Set<ConversationId> {
    const touched = new Set<ConversationId>()
    const messages = this.#sqlite.all<RowWithExtras>(`SELECT ${COLUMNS} FROM message WHERE status = 'streaming'`)
    for (const row of messages) {
      const message = this.#message(row)
      if (message) this.#changeMessage(row.seq, interruptedMessage(message))
      touched.add(row.conversation)
    }
    const calls = this.#sqlite.all<RowWithExtras>(
      `SELECT ${COLUMNS} FROM tool_call WHERE status IN ('proposed', 'asking', 'running')`,
    )
    for (const row of calls) {
      const call = this.#toolCall(row)
      if (call) this.#saveToolCall(row.conversation, interruptedCall(call, now), undefined)
      touched.add(row.conversation)
    }
    const turns = this.#sqlite.all<TurnRow>(`SELECT seq, conversation, json FROM turn WHERE status = 'running'`)
    for (const row of turns) {
      const turn = this.#turn(row)
      if (turn) this.#saveTurn(row.conversation, interruptedTurn(turn, now))
      touched.add(row.conversation)
    }
    return touched
  }

  inBackground(): ConversationId[] {
    const rows = this.#sqlite.all<{ conversation: ConversationId }>(
      `SELECT DISTINCT conversation FROM tool_call
       WHERE status = 'interrupted' AND CASE WHEN json_valid(json) THEN json -> '$.task' IS NOT NULL ELSE 0 END`,
    )
    return rows.map(({ conversation }) => conversation)
  }

  #addMessage(conversation: ConversationId, message: Message, extras: JsonObject | undefined): void {
    const known = this.#sqlite.get('SELECT 1 FROM conversation WHERE id = ?', conversation)
    if (!known) throw new StorageError('io', `There is no conversation ${conversation} to write to.`)
    const row = this.#sqlite.get<{ seq: number }>(
      `INSERT INTO message (conversation, id, status, json, parent)
       VALUES (?, ?, ?, ?, (SELECT id FROM shown_message WHERE conversation = ? ORDER BY seq DESC LIMIT 1))
       ON CONFLICT DO UPDATE SET id = id RETURNING seq`,
      conversation,
      message.id,
      message.status,
      JSON.stringify(message),
      conversation,
    )
    if (row) this.#changeMessage(row.seq, message, extras)
  }

  #changeMessage(seq: number, message: Message, extras?: JsonObject): void {
    this.#sqlite.run('DELETE FROM message_growth WHERE message = ?', seq)
    this.#sqlite.run(
      'UPDATE message SET status = ?, json = ?, extras = coalesce(?, extras) WHERE seq = ?',
      message.status,
      JSON.stringify(message),
      extras ? JSON.stringify(extras) : null,
      seq,
    )
    if (message.status !== 'streaming') this.#search.indexMessage(seq, message)
  }

  #saveExtras(conversation: ConversationId, id: MessageId, extras: JsonObject): void {
    this.#sqlite.run('UPDATE message SET extras = ? WHERE conversation = ? AND id = ?', JSON.stringify(extras), conversation, id)
  }

  #saveToolCall(conversation: ConversationId, toolCall: ToolCall, extras: JsonObject | undefined): void {
    this.#sqlite.run(
      `INSERT INTO tool_call (conversation, id, message, status, json, extras)
       SELECT conversation, ?, id, ?, ?, ? FROM message WHERE conversation = ? AND id = ?
       ON CONFLICT DO UPDATE SET message = excluded.message, status = excluded.status, json = excluded.json,
         extras = coalesce(excluded.extras, extras)`,
      toolCall.id,
      toolCall.status,
      JSON.stringify(toolCall),
      extras ? JSON.stringify(extras) : null,
      conversation,
      toolCall.messageId,
    )
  }

  #saveTurn(conversation: ConversationId, turn: Turn): void {
    this.#sqlite.run(
      `INSERT INTO turn (conversation, id, status, json) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET status = excluded.status, json = excluded.json`,
      conversation,
      turn.id,
      turn.status,
      JSON.stringify(turn),
    )
  }

  #page(conversation: ConversationId, before: number, limit: number): MessagePage {
    const rows = this.#sqlite.all<RowWithExtras>(
      `SELECT ${COLUMNS} FROM shown_message WHERE conversation = ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
      conversation,
      before,
      limit + 1,
    )
    const messages = rows
      .slice(0, limit)
      .reverse()
      .flatMap((row) => this.#message(row) ?? [])
    const calls = this.#sqlite.all<RowWithExtras>(
      `SELECT ${COLUMNS} FROM tool_call WHERE conversation = ? AND message IN (SELECT value FROM json_each(?)) ORDER BY seq`,
      conversation,
      JSON.stringify(messages.map((message) => message.id)),
    )
    return {
      messages,
      toolCalls: calls.flatMap((row) => this.#toolCall(row) ?? []),
      hasEarlier: rows.length > limit,
      versions: this.#versions(conversation, messages),
    }
  }

  /** The versions of these messages, and those that could follow the last of them. */
  #versions(conversation: ConversationId, messages: readonly Message[]): MessageVersions[] {
    const last = messages.at(-1)?.id
    if (last === undefined) return []
    const rows = this.#sqlite.all<{ parent: MessageId | null; id: MessageId; hidden: number }>(
      `WITH place AS (
         SELECT parent FROM message WHERE conversation = ? AND id IN (SELECT value FROM json_each(?)) UNION SELECT ?
       )
       SELECT m.parent, m.id, m.hidden FROM place JOIN message m ON m.conversation = ? AND m.parent IS place.parent ORDER BY m.seq`,
      conversation,
      JSON.stringify(messages.map(({ id }) => id)),
      last,
      conversation,
    )
    const groups = Map.groupBy(rows, ({ parent }) => parent)
    return [...groups].flatMap(([parent, group]) => {
      if (group.length < 2 && group.every(({ hidden }) => hidden === 0)) return []
      return [{ ...(parent !== null && { after: parent }), ids: group.map(({ id }) => id) }]
    })
  }

  #toolCall({ seq, conversation, json }: RowWithExtras): ToolCall | undefined {
    const loss = { kind: 'tool call' } as const
    return this.#damaged.read({ table: 'tool_call', row: seq, conversation, json, loss }, isToolCall)
  }

  #turn({ seq, conversation, json }: TurnRow): Turn | undefined {
    return this.#damaged.read({ table: 'turn', row: seq, conversation, json, loss: { kind: 'turn' } }, isTurn)
  }

  /** The message with the growth since it was written; undefined for a damaged one. */
  #message({ seq, conversation, json }: RowWithExtras): Message | undefined {
    const loss = { kind: 'message' } as const
    const written = this.#damaged.read<Message>({ table: 'message', row: seq, conversation, json, loss }, isMessage)
    if (!written) return undefined
    const growth = this.#sqlite.all<{ part: 'text' | 'thinking'; text: string }>(
      'SELECT part, text FROM message_growth WHERE message = ? ORDER BY seq',
      seq,
    )
    return growth.reduce((message, { part, text }) => growMessage(message, part, text), written)
  }
}

/** Damaged extras are left out: nothing of them is shown. */
function parseExtras(json: string | null): { extras?: JsonObject } {
  const extras = json === null ? undefined : objectIn(json)
  return extras ? { extras } : {}
}
