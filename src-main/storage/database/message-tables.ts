import { assertNever, type JsonObject } from '../../../src-shared/base/json.ts'
import type { Attachment } from '../../../src-shared/contract/attachments.ts'
import type { Message, ToolCall, Turn } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId, MessageId, ToolCallId } from '../../../src-shared/contract/ids.ts'
import type { ToolSwitches } from '../../../src-shared/contract/settings.ts'
import { type ConversationTopic, growMessage } from '../../../src-shared/contract/topics.ts'
import { type ConversationWrite, StorageError, type StoredMessage, type StoredToolCall } from '../base/storage.ts'
import type { ConversationSearch } from './conversation-search.ts'
import { interruptedCall, interruptedMessage, interruptedTurn } from './interrupted.ts'
import type { Sqlite } from './sqlite.ts'

/** Messages in a row, oldest first, and the tool calls that they proposed. */
export interface MessagePage {
  readonly messages: Message[]
  readonly toolCalls: ToolCall[]
  readonly hasEarlier: boolean
}

interface MessageRow {
  readonly seq: number
  readonly json: string
  readonly extras: string | null
}

interface ToolCallRow {
  readonly json: string
  readonly extras: string | null
}

const MESSAGE_COLUMNS = 'seq, json, extras'

/** What is in conversations, as it lies in the database: messages, what they grow by, tool calls and turns. */
export class MessageTables {
  readonly #sqlite: Sqlite
  readonly #search: ConversationSearch

  constructor(sqlite: Sqlite, search: ConversationSearch) {
    this.#sqlite = sqlite
    this.#search = search
  }

  /** Inside a transaction of the caller. Like applyTopicEvent, a change of a message that is not there does nothing. */
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
        this.#saveState(conversationId, 'attachments', event.attachments)
        return
      case 'switches.changed':
        this.#saveState(conversationId, 'switches', event.switches)
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
    const rows = this.#sqlite.all<MessageRow>(`SELECT ${MESSAGE_COLUMNS} FROM message WHERE conversation = ? ORDER BY seq`, id)
    const calls = this.#sqlite.all<ToolCallRow>('SELECT json, extras FROM tool_call WHERE conversation = ? ORDER BY seq', id)
    const toolCalls = new Map<ToolCallId, StoredToolCall>()
    for (const row of calls) {
      const toolCall: ToolCall = JSON.parse(row.json)
      toolCalls.set(toolCall.id, { toolCall, ...parseExtras(row.extras) })
    }
    return { messages: rows.map((row) => ({ message: this.#message(row), ...parseExtras(row.extras) })), toolCalls }
  }

  latestTurn(id: ConversationId): Turn | undefined {
    const row = this.#sqlite.get<{ json: string }>('SELECT json FROM turn WHERE conversation = ? ORDER BY seq DESC LIMIT 1', id)
    return row && JSON.parse(row.json)
  }

  /** Inside a transaction of the caller; returns the conversations touched. */
  markInterrupted(now: number): Set<ConversationId> {
    const touched = new Set<ConversationId>()
    const messages = this.#sqlite.all<MessageRow & { conversation: ConversationId }>(
      `SELECT ${MESSAGE_COLUMNS}, conversation FROM message WHERE status = 'streaming'`,
    )
    for (const row of messages) {
      this.#changeMessage(row.seq, interruptedMessage(this.#message(row)))
      touched.add(row.conversation)
    }
    const calls = this.#sqlite.all<ToolCallRow & { conversation: ConversationId }>(
      `SELECT json, extras, conversation FROM tool_call WHERE status IN ('proposed', 'asking', 'running')`,
    )
    for (const row of calls) {
      this.#saveToolCall(row.conversation, interruptedCall(JSON.parse(row.json), now), undefined)
      touched.add(row.conversation)
    }
    const turns = this.#sqlite.all<{ json: string; conversation: ConversationId }>(
      `SELECT json, conversation FROM turn WHERE status = 'running'`,
    )
    for (const row of turns) {
      this.#saveTurn(row.conversation, interruptedTurn(JSON.parse(row.json), now))
      touched.add(row.conversation)
    }
    return touched
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
      `INSERT INTO tool_call (conversation, id, message, status, json, extras) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET message = excluded.message, status = excluded.status, json = excluded.json,
         extras = coalesce(excluded.extras, extras)`,
      conversation,
      toolCall.id,
      toolCall.messageId,
      toolCall.status,
      JSON.stringify(toolCall),
      extras ? JSON.stringify(extras) : null,
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

  /** What belongs to a conversation beside its messages; members that were never saved are absent. */
  state(conversation: ConversationId): Pick<ConversationTopic, 'attachments' | 'switches'> {
    const rows = this.#sqlite.all<{ name: string; json: string }>(
      'SELECT name, json FROM conversation_state WHERE conversation = ?',
      conversation,
    )
    const saved = new Map(rows.map(({ name, json }) => [name, JSON.parse(json)]))
    const attachments: readonly Attachment[] = saved.get('attachments') ?? []
    const switches: ToolSwitches | undefined = saved.get('switches')
    return {
      ...(attachments.length > 0 && { attachments }),
      ...(switches && switches.servers.length + switches.tools.length > 0 && { switches }),
    }
  }

  #saveState(conversation: ConversationId, name: 'attachments' | 'switches', value: unknown): void {
    this.#sqlite.run(
      `INSERT INTO conversation_state (conversation, name, json) SELECT id, ?, ? FROM conversation WHERE id = ?
       ON CONFLICT DO UPDATE SET json = excluded.json`,
      name,
      JSON.stringify(value),
      conversation,
    )
  }

  #page(conversation: ConversationId, before: number, limit: number): MessagePage {
    const rows = this.#sqlite.all<MessageRow>(
      `SELECT ${MESSAGE_COLUMNS} FROM message WHERE conversation = ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
      conversation,
      before,
      limit + 1,
    )
    const messages = rows
      .slice(0, limit)
      .reverse()
      .map((row) => this.#message(row))
    const calls = this.#sqlite.all<{ json: string }>(
      `SELECT json FROM tool_call WHERE conversation = ? AND message IN (SELECT value FROM json_each(?)) ORDER BY seq`,
      conversation,
      JSON.stringify(messages.map((message) => message.id)),
    )
    return { messages, toolCalls: calls.map((row) => JSON.parse(row.json)), hasEarlier: rows.length > limit }
  }

  /** The message with what it grew by since it was written. */
  #message(row: MessageRow): Message {
    const growth = this.#sqlite.all<{ part: 'text' | 'thinking'; text: string }>(
      'SELECT part, text FROM message_growth WHERE message = ? ORDER BY seq',
      row.seq,
    )
    return growth.reduce((message, { part, text }) => growMessage(message, part, text), JSON.parse(row.json) as Message)
  }
}

function parseExtras(json: string | null): { extras?: JsonObject } {
  return json === null ? {} : { extras: JSON.parse(json) }
}
