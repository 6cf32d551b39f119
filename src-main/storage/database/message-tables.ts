import { assertNever, type JsonObject } from '../../../src-shared/base/json.ts'
import { objectIn } from '../../../src-shared/base/parse-json.ts'
import type { Message, ToolCall, Turn } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId, MessageId, ToolCallId } from '../../../src-shared/contract/ids.ts'
import { growMessage } from '../../../src-shared/contract/topics.ts'
import { type ConversationWrite, StorageError, type StoredMessage, type StoredToolCall } from '../base/storage.ts'
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
}

interface TurnRow {
  readonly seq: number
  readonly conversation: ConversationId
  readonly json: string
}

interface RowWithExtras extends TurnRow {
  readonly extras: string | null
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
      default:
        assertNever(event)
    }
  }

  lastPage(conversation: ConversationId, limit: number): MessagePage {
    return this.#page(conversation, Number.MAX_SAFE_INTEGER, limit)
  }

  pageBefore(id: ConversationId, before: MessageId, limit: number): MessagePage {
    const row = this.#sqlite.get<{ seq: number }>('SELECT seq FROM message WHERE conversation = ? AND id = ?', id, before)
    return row ? this.#page(id, row.seq, limit) : { messages: [], toolCalls: [], hasEarlier: false }
  }

  transcript(id: ConversationId): { messages: StoredMessage[]; toolCalls: Map<ToolCallId, StoredToolCall> } {
    const rows = this.#sqlite.all<RowWithExtras>(`SELECT ${COLUMNS} FROM message WHERE conversation = ? ORDER BY seq`, id)
    const calls = this.#sqlite.all<RowWithExtras>(`SELECT ${COLUMNS} FROM tool_call WHERE conversation = ? ORDER BY seq`, id)
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
    const sql = 'SELECT seq, conversation, json FROM turn WHERE conversation = ? ORDER BY seq DESC LIMIT 1'
    const row = this.#sqlite.get<TurnRow>(sql, id)
    return row && this.#turn(row)
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
      'INSERT INTO message (conversation, id, status, json) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET id = id RETURNING seq',
      conversation,
      message.id,
      message.status,
      JSON.stringify(message),
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
      `SELECT ${COLUMNS} FROM message WHERE conversation = ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
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
    return { messages, toolCalls: calls.flatMap((row) => this.#toolCall(row) ?? []), hasEarlier: rows.length > limit }
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
