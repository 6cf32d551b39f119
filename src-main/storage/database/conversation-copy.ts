import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import type { ForkEnd } from '../base/storage.ts'
import type { Sqlite } from './sqlite.ts'

/**
 * Copies what is shown of a conversation into another, up to `end`: finished messages with their tool calls, turns and search words,
 * and its state but for attachments, draft and queue. Ids are kept: they are unique within a conversation. Tasks of servers stay with the
 * original. Inside a transaction of the caller.
 */
export function copyMessages(sqlite: Sqlite, from: ConversationId, to: ConversationId, end: ForkEnd): void {
  const last = sqlite.get<{ seq: number }>('SELECT seq FROM shown_message WHERE conversation = ? AND id = ?', from, end.at)
  const until = last ? last.seq + (end.including ? 1 : 0) : 0
  sqlite.run(
    `INSERT INTO message (conversation, id, status, json, extras, parent)
     SELECT ?, id, status, json, extras, parent FROM shown_message WHERE conversation = ? AND seq < ? AND status <> 'streaming' ORDER BY seq`,
    to,
    from,
    until,
  )
  sqlite.run(
    `INSERT INTO tool_call (conversation, id, message, status, json, extras)
     SELECT ?, id, message, status, json, json_remove(extras, '$.task') FROM tool_call
     WHERE conversation = ? AND status NOT IN ('proposed', 'asking', 'running')
       AND message IN (SELECT id FROM message WHERE conversation = ?) ORDER BY seq`,
    to,
    from,
    to,
  )
  sqlite.run(
    `INSERT INTO turn (conversation, id, status, json)
     SELECT ?, id, iif(status = 'running', 'stopped', status),
       iif(status = 'running', json_set(json_remove(json, '$.waiting'), '$.status', 'stopped'), json)
     FROM turn WHERE conversation = ?
       AND id IN (SELECT json ->> 'turnId' FROM message WHERE conversation = ?) ORDER BY seq`,
    to,
    from,
    to,
  )
  sqlite.run(
    `INSERT INTO message_words (rowid, text)
     SELECT copy.seq, words.text FROM message copy
     JOIN message original ON original.conversation = ? AND original.id = copy.id
     JOIN message_words words ON words.rowid = original.seq
     WHERE copy.conversation = ?`,
    from,
    to,
  )
  sqlite.run(
    `INSERT INTO conversation_state (conversation, name, json)
     SELECT ?, name, json FROM conversation_state WHERE conversation = ? AND name NOT IN ('attachments', 'draft', 'queue')`,
    to,
    from,
  )
}
