import type { ConversationStore } from '../base/storage.ts'
import type { Database } from './database.ts'

/** The conversations of the database thread. */
export function conversationStore(database: Pick<Database, 'call'>): ConversationStore {
  return {
    create: (head) => database.call('conversations', 'create', head),
    head: (id) => database.call('conversations', 'head', id),
    heads: (options) => database.call('conversations', 'heads', options),
    leaveProject: (project) => database.call('conversations', 'leaveProject', project),
    tags: () => database.call('conversations', 'tags'),
    fork: (from, head, end) => database.call('conversations', 'fork', from, head, end),
    state: (id) => database.call('conversations', 'state', id),
    drafts: () => database.call('conversations', 'drafts'),
    setRemoved: (id, removed) => database.call('conversations', 'setRemoved', id, removed),
    purgeRemoved: () => database.call('conversations', 'purgeRemoved'),
    write: (writes) => database.call('conversations', 'write', writes),
    change: (change) => database.call('conversations', 'change', change),
    open: (id, limit) => database.call('conversations', 'open', id, limit),
    messagesBefore: (id, before, limit) => database.call('conversations', 'messagesBefore', id, before, limit),
    transcript: (id) => database.call('conversations', 'transcript', id),
    latestTurn: (id) => database.call('conversations', 'latestTurn', id),
    markInterrupted: (now) => database.call('conversations', 'markInterrupted', now),
    search: (query, limit) => database.call('conversations', 'search', query, limit),
  }
}
