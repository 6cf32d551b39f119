import type { RecordStore, Storage } from '../base/storage.ts'
import type { DatabaseParts } from './database-parts.ts'

type Asked<Part> = {
  readonly [M in keyof Part]: Part[M] extends (...args: infer Args) => infer Result ? (...args: Args) => Promise<Result> : never
}

type DatabaseStores = Pick<Storage, 'conversations' | 'messages' | 'states' | 'search' | 'ledger' | 'records'>

/** The database's stores, and its copies. Each method is a request to `ask`, which the thread of the database answers. */
export function databaseStores(
  ask: (part: keyof DatabaseParts, method: string, args: readonly unknown[]) => Promise<unknown>,
): DatabaseStores & { readonly copies: Asked<DatabaseParts['copies']> } {
  function store<P extends keyof DatabaseParts, M extends keyof DatabaseParts[P] & string>(part: P, ...methods: M[]) {
    const asked = methods.map((method) => [method, (...args: readonly unknown[]) => ask(part, method, args)] as const)
    // The thread answers with the result of the method.
    return Object.fromEntries(asked) as unknown as Pick<Asked<DatabaseParts[P]>, M>
  }
  return {
    conversations: {
      ...store('conversations', 'create', 'head', 'heads', 'leaveProject', 'tags', 'fork', 'setRemoved', 'purgeRemoved'),
      ...store('conversations', 'write', 'change', 'open', 'markInterrupted'),
    },
    messages: store('messages', 'pageBefore', 'transcript', 'toolCall', 'tree', 'versionsOf', 'latestTurn', 'inBackground'),
    states: store('states', 'of', 'drafts'),
    search: store('search', 'find'),
    ledger: store('ledger', 'add', 'page', 'lines', 'check'),
    // The type of a request loses which collection it asks for.
    records: store('records', 'all', 'put', 'remove') as RecordStore,
    copies: store('copies', 'take', 'inspect', 'disown'),
  }
}
