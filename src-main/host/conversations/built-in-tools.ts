import type { JsonObject } from '../../../src-shared/base/json.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import type { SkillSwitch } from '../../../src-shared/contract/skills.ts'
import type { OfferedTool } from '../../models/model-provider.ts'
import type { Storage, StoredToolCall } from '../../storage/base/storage.ts'
import { READ_RESULT, readResult } from '../models/large-results.ts'
import type { OffServer } from '../servers/server-tools.ts'
import type { ListedSkill } from '../skills/skill-text.ts'
import type { SkillReader, Skills } from '../skills/skills.ts'
import { READ_SKILL, readSkill, type SkillAnswer, skillTools } from './read-skill.ts'
import { FIND_TOOLS, FoundTools, findTools } from './tool-discovery.ts'

export const BUILT_IN_NAMES: ReadonlySet<string> = new Set([READ_RESULT.name, FIND_TOOLS.name, READ_SKILL])

/**
 * Parley's own tools in one turn. They only read what the model may know anyway, or skills that the person turned on. Nothing is asked
 * unless a rule of the person asks or denies.
 */
export class BuiltInTools {
  /** Handles of texts that were shortened for this turn's model. */
  readonly shortened = new Set<string>()
  readonly #conversationId: ConversationId
  readonly #storage: Pick<Storage, 'blobs' | 'messages'>
  readonly #offerable: () => readonly OfferedTool[]
  readonly #off: () => readonly OffServer[]
  readonly #source: Skills
  readonly #signal: AbortSignal
  #skills: ReadonlyMap<string, ListedSkill> = new Map()
  readonly #found = new FoundTools()

  constructor(parts: {
    conversationId: ConversationId
    storage: Pick<Storage, 'blobs' | 'messages'>
    offerable: () => readonly OfferedTool[]
    off: () => readonly OffServer[]
    skills: Skills
    signal: AbortSignal
  }) {
    this.#conversationId = parts.conversationId
    this.#storage = parts.storage
    this.#offerable = parts.offerable
    this.#off = parts.off
    this.#source = parts.skills
    this.#signal = parts.signal
  }

  /** Adds tools that the model called before in this conversation, so that they need not be found again. */
  remember(calls: Iterable<StoredToolCall>): void {
    this.#found.add([...calls].flatMap(({ extras }) => (typeof extras?.wireName === 'string' ? [extras.wireName] : [])))
  }

  /**
   * The tools for a model: all, or the search and its results. `read_result` is offered from the start, because a tool that appears within
   * a turn invalidates the provider's prompt cache.
   */
  offered(tools: readonly OfferedTool[], searching: boolean): readonly OfferedTool[] {
    const own = tools.length > 0 || this.shortened.size > 0 ? [READ_RESULT] : []
    const skills = this.skillTools
    return searching ? [FIND_TOOLS, ...own, ...skills, ...this.#found.of(tools)] : [...own, ...skills, ...tools]
  }

  get skillTools(): readonly OfferedTool[] {
    return skillTools(this.#skills)
  }

  async setSkills(switches: readonly SkillSwitch[] = []): Promise<void> {
    this.#skills = await this.#source.on(switches, this.#signal)
  }

  async run(
    tool: string,
    args: JsonObject,
    ask: SkillReader['ask'],
  ): Promise<SkillAnswer | { readonly text: string } | { readonly failed: string }> {
    const reader = { conversationId: this.#conversationId, ask }
    if (tool === READ_SKILL)
      return readSkill(args, this.#skills, (skill, path) => this.#source.load(skill, path, this.#signal, reader))
    if (tool === READ_RESULT.name) {
      return readResult(args, await this.#storage.messages.transcript(this.#conversationId), this.#storage.blobs)
    }
    const found = findTools(args, this.#offerable(), this.#off())
    if ('failed' in found) return found
    this.#found.add(found.names)
    // Descriptions are strangers' words, and nothing private.
    return { text: found.text, from: { powers: ['brings-in'], ...(found.off.length > 0 && { foundOff: [...found.off] }) } }
  }
}
