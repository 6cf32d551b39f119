import type { Message, SearchHit } from '../../../src-shared/contract/conversations.ts'
import type { MessageId } from '../../../src-shared/contract/ids.ts'
import { excerptOf, MARK, UNMARK } from './excerpt.ts'
import { type HeadRow, headOfRow } from './head-row.ts'
import { matchExpression, separate } from './search-words.ts'
import type { Sqlite } from './sqlite.ts'

const EXCERPT_WORDS = 16
const SNIPPET = `'${MARK}', '${UNMARK}', '…', ${EXCERPT_WORDS}`

/** Full text over titles and finished messages: titles, newest first and at most half of the hits, then messages, best match first. */
export class ConversationSearch {
  readonly #sqlite: Sqlite

  constructor(sqlite: Sqlite) {
    this.#sqlite = sqlite
  }

  indexTitle(seq: number, title: string): void {
    this.#sqlite.run('INSERT OR REPLACE INTO title_words (rowid, text) VALUES (?, ?)', seq, separate(title))
  }

  /** Called once a message is complete, so that a stream costs one entry, not one per piece. */
  indexMessage(seq: number, message: Message): void {
    const text = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
    this.#sqlite.run('INSERT OR REPLACE INTO message_words (rowid, text) VALUES (?, ?)', seq, separate(text))
  }

  find(query: string, limit: number): SearchHit[] {
    const match = matchExpression(query)
    if (!match) return []
    const titles = this.#sqlite.all<HeadRow & { excerpt: string }>(
      `SELECT c.head AS head, c.sequence AS sequence, snippet(title_words, 0, ${SNIPPET}) AS excerpt
       FROM title_words JOIN conversation c ON c.seq = title_words.rowid
       WHERE title_words MATCH ? AND c.removed = 0 ORDER BY c.sequence DESC LIMIT ?`,
      match,
      limit,
    )
    const messages = this.#sqlite.all<HeadRow & { message: MessageId; hidden: number; excerpt: string }>(
      `SELECT c.head AS head, c.sequence AS sequence, m.id AS message, m.hidden AS hidden,
         snippet(message_words, 0, ${SNIPPET}) AS excerpt
       FROM message_words JOIN message m ON m.seq = message_words.rowid JOIN conversation c ON c.id = m.conversation
       WHERE message_words MATCH ? AND c.removed = 0 ORDER BY message_words.rank LIMIT ?`,
      match,
      limit,
    )
    const room = Math.max(Math.ceil(limit / 2), limit - messages.length)
    return [
      ...titles.slice(0, room).map((row): SearchHit => ({ head: headOfRow(row), ...excerptOf(row.excerpt) })),
      ...messages.map((row): SearchHit => {
        const hit = { head: headOfRow(row), messageId: row.message, ...excerptOf(row.excerpt) }
        return row.hidden === 0 ? hit : { ...hit, inOtherVersion: true }
      }),
    ].slice(0, limit)
  }
}
