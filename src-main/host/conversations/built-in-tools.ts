import type { JsonObject } from '../../../src-shared/base/json.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import type { OfferedTool } from '../../models/model-provider.ts'
import type { Storage, StoredToolCall } from '../../storage/base/storage.ts'
import { READ_RESULT, readResult } from '../models/large-results.ts'
import { FIND_TOOLS, FoundTools, findTools } from './tool-discovery.ts'

/** Names that no tool of a server is offered under. */
export const BUILT_IN_NAMES: ReadonlySet<string> = new Set([READ_RESULT.name, FIND_TOOLS.name])

export type BuiltInAnswer = { readonly text: string } | { readonly failed: string }

/** Parley's own tools in one turn: they read what the model may know anyway, so nobody is asked. */
export class BuiltInTools {
  /** Handles of what this turn's model was given in part. */
  readonly shortened = new Set<string>()
  readonly #conversationId: ConversationId
  readonly #storage: Pick<Storage, 'blobs' | 'conversations'>
  /** Everything that could be offered now, by wire names. */
  readonly #offerable: () => readonly OfferedTool[]
  readonly #found = new FoundTools()

  constructor(parts: {
    conversationId: ConversationId
    storage: Pick<Storage, 'blobs' | 'conversations'>
    offerable: () => readonly OfferedTool[]
  }) {
    this.#conversationId = parts.conversationId
    this.#storage = parts.storage
    this.#offerable = parts.offerable
  }

  /** Tools that the model called before in this conversation need not be found again. */
  remember(calls: Iterable<StoredToolCall>): void {
    this.#found.add([...calls].flatMap(({ extras }) => (typeof extras?.wireName === 'string' ? [extras.wireName] : [])))
  }

  /**
   * The tools that a model is offered: all, or the search and what it found. Reading on comes with any tool, before there is anything to
   * read on in: a tool that appeared within a turn would make providers read the whole prompt again.
   */
  offered(tools: readonly OfferedTool[], searching: boolean): readonly OfferedTool[] {
    const own = tools.length > 0 || this.shortened.size > 0 ? [READ_RESULT] : []
    return searching ? [FIND_TOOLS, ...own, ...this.#found.of(tools)] : [...own, ...tools]
  }

  async run(tool: string, args: JsonObject): Promise<BuiltInAnswer> {
    if (tool === READ_RESULT.name) {
      return readResult(args, await this.#storage.conversations.transcript(this.#conversationId), this.#storage.blobs)
    }
    const found = findTools(args, this.#offerable())
    if ('names' in found) this.#found.add(found.names)
    return found
  }
}
