import type { Collections, RecordStore } from '../base/storage.ts'
import type { Database } from './database.ts'

/** The records of the database thread. */
export function recordStore(database: Pick<Database, 'call'>): RecordStore {
  return {
    // The thread answers for every collection at once; which one was asked for is known here only.
    all: <C extends keyof Collections>(collection: C) =>
      database.call('records', 'all', collection) as Promise<Map<string, Collections[C]>>,
    put: (collection, key, value) => database.call('records', 'put', collection, key, value),
    remove: (collection, key) => database.call('records', 'remove', collection, key),
  }
}
