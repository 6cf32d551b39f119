import { randomUUID } from 'node:crypto'
import { Emitter } from '../../../src-shared/base/emitter.ts'
import { Lifetime } from '../../../src-shared/base/lifetime.ts'
import { type ConversationHead, SEARCH_HITS } from '../../../src-shared/contract/conversations.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ConversationId, ProjectId, ScheduleId } from '../../../src-shared/contract/ids.ts'
import type { ResultOf } from '../../../src-shared/contract/requests.ts'
import { isSwitched, type ModelRef } from '../../../src-shared/contract/settings.ts'
import type { HeadsQuery, UnplacedHead } from '../../storage/base/storage.ts'
import type { HostCore } from '../core/host-core.ts'
import { Conversation, type ConversationParts, gone } from './conversation.ts'

const PAGE = 50
/** Idle conversations that stay in memory. */
const MAX_IDLE = 20
/** The same for those whose attachments are watched. */
const MAX_IDLE_FOLLOWED = 100

type ConversationsParts = Omit<ConversationParts, 'onFinished'> & Pick<HostCore, 'lifetime'>

interface NewConversation {
  readonly model?: ModelRef
  readonly project?: ProjectId
  readonly title?: string
  readonly schedule?: ScheduleId
}

interface Loaded {
  readonly loading: Promise<Conversation>
  conversation?: Conversation
  users: number
}

/** Opens, lists, searches, creates and removes conversations. */
export class Conversations {
  /** Fires when a turn finished by itself. */
  readonly onFinished = new Emitter<ConversationId>()
  readonly #parts: ConversationParts
  readonly #lifetime: Lifetime
  /** The least recently used first. */
  readonly #loaded = new Map<ConversationId, Loaded>()

  constructor(parts: ConversationsParts) {
    this.#lifetime = new Lifetime('conversations', parts.lifetime)
    this.#parts = { ...parts, lifetime: this.#lifetime, onFinished: this.onFinished }
    // Turns are younger lifetimes, so they end before their journals.
    this.#lifetime.onEnd(async () => {
      await Promise.all([...this.#loaded.values()].map(({ conversation }) => conversation?.journal.end()))
    })
    parts.topics.serve(
      'conversation',
      (key) => this.open(key as ConversationId, (conversation) => conversation.follow()).catch(orUndefined),
      (key) => this.find(key as ConversationId)?.unfollow(),
    )
  }

  /** Loads a conversation and keeps it in memory while `run` uses it. Throws HostError `not-found`. */
  async open<T>(id: ConversationId, run: (conversation: Conversation) => T | Promise<T>): Promise<T> {
    const loaded = this.#loaded.get(id) ?? { loading: this.#load(id), users: 0 }
    loaded.users += 1
    this.#loaded.delete(id)
    this.#loaded.set(id, loaded)
    try {
      loaded.conversation = await loaded.loading
      if (loaded.conversation.removed) throw gone()
      return await run(loaded.conversation)
    } finally {
      loaded.users -= 1
      this.#dropIdle()
    }
  }

  /** Undefined unless it is in memory. */
  find(id: ConversationId): Conversation | undefined {
    return this.#loaded.get(id)?.conversation
  }

  /** Throws HostError `not-found` without the project. */
  async create({ model, project, title = '', schedule }: NewConversation = {}): Promise<{ id: ConversationId }> {
    const within = this.#project(project)
    const now = this.#parts.clock.now()
    const { defaultModel, newSwitches } = this.#parts.state.snapshot.settings
    const unplaced: UnplacedHead = {
      id: randomUUID() as ConversationId,
      title,
      createdAt: now,
      updatedAt: now,
      model: model ?? within?.model ?? defaultModel,
      turn: 'idle',
      ...(within && { project: within.id }),
      ...(schedule !== undefined && { schedule }),
    }
    const head = await this.#store.create(unplaced)
    this.#parts.state.emit({ type: 'conversation.added', head })
    // A project has its own switches.
    if (!within && isSwitched(newSwitches)) {
      await this.open(head.id, (conversation) => conversation.setSwitches(newSwitches))
    }
    return { id: head.id }
  }

  /** Null removes it from its project. Applies from the next turn on. */
  async setProject(id: ConversationId, project: ProjectId | null): Promise<void> {
    const within = this.#project(project ?? undefined)
    await this.open(id, (conversation) =>
      conversation.changeHead(({ project: _before, ...head }) => (within ? { ...head, project: within.id } : head)),
    )
  }

  /** Hides it; `restore` can undo that until the host ends. */
  async remove(id: ConversationId): Promise<void> {
    await this.open(id, (conversation) => conversation.remove())
    this.#parts.state.emit({ type: 'conversation.removed', id })
  }

  async restore(id: ConversationId): Promise<void> {
    const conversation = this.find(id)
    if (!conversation?.removed) throw new HostError('not-found', 'This conversation cannot be brought back.')
    if (await conversation.restore()) this.#parts.state.emit({ type: 'conversation.added', head: conversation.head })
  }

  async page(wanted: Omit<HeadsQuery, 'limit'> = {}): Promise<ResultOf<'conversation.page'>> {
    const page = await this.#store.heads({ ...wanted, limit: PAGE })
    return { ...page, items: page.items.map((head) => this.#shown(head)) }
  }

  async search(query: string): Promise<ResultOf<'conversation.search'>> {
    const hits = await this.#parts.storage.search.find(query, SEARCH_HITS)
    return { hits: hits.map((hit) => ({ ...hit, head: this.#shown(hit.head) })) }
  }

  async tags(): Promise<ResultOf<'conversation.tags'>> {
    const { total } = await this.#store.heads({ limit: 1, archived: true })
    return { tags: await this.#store.tags(), archived: total }
  }

  /** Asks servers again about the calls that they run in the background since before this start. */
  async resumeBackground(): Promise<void> {
    for (const id of await this.#parts.storage.messages.inBackground())
      await this.open(id, ({ background }) => background.resume())
  }

  /** Ends every turn; they can be resumed after the next start. */
  async end(): Promise<void> {
    await this.#lifetime.end()
  }

  #shown(head: ConversationHead): ConversationHead {
    return this.find(head.id)?.head ?? head
  }

  #project(id: ProjectId | undefined) {
    const project = this.#parts.projects.find(id)
    if (id !== undefined && !project) throw new HostError('not-found', 'This project no longer exists.')
    return project
  }

  get #store() {
    return this.#parts.storage.conversations
  }

  async #load(id: ConversationId): Promise<Conversation> {
    try {
      const [head, state] = await Promise.all([this.#store.head(id), this.#parts.storage.states.of(id)])
      if (!head) throw gone()
      return new Conversation(this.#parts, head, state)
    } catch (error) {
      this.#loaded.delete(id)
      throw error
    }
  }

  #dropIdle(): void {
    for (const [id, { users, conversation }] of this.#loaded) {
      if (users > 0 || !conversation?.idle) continue
      if (this.#loaded.size <= (conversation.attachments.followed ? MAX_IDLE_FOLLOWED : MAX_IDLE)) continue
      conversation.attachments.unfollow()
      this.#loaded.delete(id)
    }
  }
}

function orUndefined(error: unknown): undefined {
  if (error instanceof HostError && error.code === 'not-found') return undefined
  throw error
}
