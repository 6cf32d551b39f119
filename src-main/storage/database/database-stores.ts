import type { Collections, ConversationStore, LedgerStore, RecordStore } from '../base/storage.ts'
import type { Database } from './database.ts'

/** The stores below send each method as a request to the database thread. */
type DatabaseCalls = Pick<Database, 'call'>

export function conversationStore(database: DatabaseCalls): ConversationStore {
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
    toolCall: (id, toolCallId) => database.call('conversations', 'toolCall', id, toolCallId),
    tree: (id) => database.call('conversations', 'tree', id),
    versionsOf: (id, message) => database.call('conversations', 'versionsOf', id, message),
    latestTurn: (id) => database.call('conversations', 'latestTurn', id),
    markInterrupted: (now) => database.call('conversations', 'markInterrupted', now),
    inBackground: () => database.call('conversations', 'inBackground'),
    search: (query, limit) => database.call('conversations', 'search', query, limit),
  }
}

export function ledgerStore(database: DatabaseCalls): LedgerStore {
  return {
    add: (entry) => database.call('ledger', 'add', entry),
    page: (wanted) => database.call('ledger', 'page', wanted),
    lines: (after) => database.call('ledger', 'lines', after),
    check: (after) => database.call('ledger', 'check', after),
  }
}

export function recordStore(database: DatabaseCalls): RecordStore {
  return {
    // The type of the request loses which collection was asked for.
    all: <C extends keyof Collections>(collection: C) =>
      database.call('records', 'all', collection) as Promise<Map<string, Collections[C]>>,
    put: (collection, key, value) => database.call('records', 'put', collection, key, value),
    remove: (collection, key) => database.call('records', 'remove', collection, key),
  }
}
