import { defined } from '../../../src-shared/base/defined.ts'
import type { Attachment } from '../../../src-shared/contract/attachments.ts'
import type { Message } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { isSwitched } from '../../../src-shared/contract/plain-values.ts'
import type { Place } from '../../../src-shared/contract/projects.ts'
import type { ToolSwitches } from '../../../src-shared/contract/settings.ts'
import type { ConversationState } from '../base/storage.ts'
import { type DamagedRows, isState } from './damaged-rows.ts'
import type { Sqlite } from './sqlite.ts'

/** More drafts would only fill the database. */
const MAX_DRAFTS = 100

interface StateRow {
  readonly row: number
  readonly conversation: ConversationId
  readonly name: string
  readonly json: string
}

const COLUMNS = 'rowid AS row, conversation, name, json'

/** The state of conversations besides their messages, one row for each name. */
export class ConversationStates {
  readonly #sqlite: Sqlite
  readonly #damaged: DamagedRows

  constructor(sqlite: Sqlite, damaged: DamagedRows) {
    this.#sqlite = sqlite
    this.#damaged = damaged
  }

  of(conversation: ConversationId): ConversationState {
    const rows = this.#sqlite.all<StateRow>(`SELECT ${COLUMNS} FROM conversation_state WHERE conversation = ?`, conversation)
    const read = <T>(name: keyof ConversationState): T | undefined => this.#value<T>(rows.find((row) => row.name === name))
    const attachments = read<readonly Attachment[]>('attachments') ?? []
    const switches = read<ToolSwitches>('switches')
    const draft = read<string>('draft')
    const place = read<Place>('place')
    const queue = read<readonly Message[]>('queue') ?? []
    return {
      ...(attachments.length > 0 && { attachments }),
      ...defined({ draft, place }),
      ...(queue.length > 0 && { queue }),
      ...(switches && isSwitched(switches) && { switches }),
    }
  }

  drafts(): Record<ConversationId, string> {
    const rows = this.#sqlite.all<StateRow>(`SELECT ${COLUMNS} FROM conversation_state WHERE name = 'draft'`)
    const drafts = rows.map((row) => [row.conversation, this.#value<string>(row)] as const)
    return Object.fromEntries(drafts.filter((draft): draft is [ConversationId, string] => draft[1] !== undefined))
  }

  /** Inside a transaction of the caller. */
  save(conversation: ConversationId, state: ConversationState): void {
    for (const [name, value] of Object.entries(state)) {
      this.#sqlite.run('DELETE FROM conversation_state WHERE conversation = ? AND name = ?', conversation, name)
      if (value === undefined || value === '') continue
      // A new row each time keeps the rows in the order of writing.
      this.#sqlite.run(
        'INSERT INTO conversation_state (conversation, name, json) SELECT id, ?, ? FROM conversation WHERE id = ?',
        name,
        JSON.stringify(value),
        conversation,
      )
    }
    if (state.draft === undefined) return
    this.#sqlite.run(
      `DELETE FROM conversation_state WHERE name = 'draft' AND rowid NOT IN
         (SELECT rowid FROM conversation_state WHERE name = 'draft' ORDER BY rowid DESC LIMIT ?)`,
      MAX_DRAFTS,
    )
  }

  #value<T>(saved: StateRow | undefined): T | undefined {
    if (!saved) return undefined
    const loss = { kind: 'setting or rule' } as const
    return this.#damaged.read<T>({ table: 'conversation_state', ...saved, loss }, (value) => isState(saved.name, value))
  }
}
