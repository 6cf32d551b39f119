import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import type { FolderChoice } from '../../../src-shared/contract/roots.ts'
import type { Storage } from '../../storage/base/storage.ts'
import { resolveRoot } from './roots.ts'

/** The folders that conversations are about: where known servers may read without a question, and what lies outside is marked. */
export class ConversationFolders {
  readonly #storage: Pick<Storage, 'records' | 'conversations'>
  #folders = new Map<string, { readonly folders: readonly FolderChoice[] }>()

  constructor(storage: Pick<Storage, 'records' | 'conversations'>) {
    this.#storage = storage
  }

  /** Those of conversations that are gone go, too. */
  async load(): Promise<void> {
    this.#folders = await this.#storage.records.all('conversation-folders')
    for (const id of [...this.#folders.keys()]) {
      if (await this.#storage.conversations.head(id as ConversationId)) continue
      this.#folders.delete(id)
      await this.#storage.records.remove('conversation-folders', id)
    }
  }

  of(id: ConversationId): readonly FolderChoice[] {
    return this.#folders.get(id)?.folders ?? []
  }

  /** Throws HostError `invalid-params` for the first that is not there, `not-found` without the conversation. */
  async set(id: ConversationId, folders: readonly FolderChoice[]): Promise<void> {
    if (!(await this.#storage.conversations.head(id))) throw new HostError('not-found', 'This conversation no longer exists.')
    const resolved: FolderChoice[] = []
    for (const folder of folders) {
      const verdict = await resolveRoot(folder.path, [])
      if (!verdict.ok) throw new HostError('invalid-params', verdict.why)
      resolved.push({ ...folder, path: verdict.path })
    }
    await this.#storage.records.put('conversation-folders', id, { folders: resolved })
    this.#folders.set(id, { folders: resolved })
  }
}
