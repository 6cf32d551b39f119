import type { Clock } from '../../src-shared/base/clock.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import { PIN_LIMIT } from '../../src-shared/contract/conversations.ts'
import { emptySnapshot, SNAPSHOT_HEADS } from '../../src-shared/contract/events.ts'
import type { ConversationId } from '../../src-shared/contract/ids.ts'
import { Images } from '../images/images.ts'
import type { Transport } from '../protocol/peer/transport.ts'
import type { Storage } from '../storage/base/storage.ts'
import type { Connector } from '../transports/connector.ts'
import { ServerAsks } from './client-features/server-asks.ts'
import { Consent } from './consent/consent.ts'
import type { MarkOutside } from './consent/tool-permission.ts'
import { ConversationContext } from './context/conversation-context.ts'
import { Conversations } from './conversations/conversations.ts'
import { ToolCalls } from './conversations/tool-calls.ts'
import { HostState } from './core/host-state.ts'
import { Interactions } from './core/interactions.ts'
import type { Platform } from './core/platform.ts'
import { HostSettings, readSettings } from './core/settings.ts'
import { Topics } from './core/topics.ts'
import { type LookLocal, type ProviderFactory, Providers } from './models/providers.ts'
import { Servers } from './servers/servers.ts'

/** What ending may take: each server gets its own staged stop within it. */
const END_LIMIT = 6_000
const LOOK_LIMIT = 1_500

export interface HostParts {
  /** Opened and closed by the shell. */
  readonly storage: Storage
  readonly platform: Platform
  readonly clock: Clock
  readonly lifetime: Lifetime
  readonly environment: NodeJS.ProcessEnv
  /** The one for all HTTP of ours (ruling 21); opened and closed by the shell. */
  readonly connector: Connector
  /** Adapters of model providers; without it there is the Demo model alone. */
  readonly providers?: ProviderFactory
  /** Makes a link to the built-in server. */
  readonly playground?: () => Transport
  /** Looks for a local model server; over the network when absent. */
  readonly look?: LookLocal
}

/** The front door of the application: what a shell starts and a renderer link serves. */
export class Host {
  readonly state: HostState
  readonly topics: Topics
  readonly interactions: Interactions
  readonly consent: Consent
  readonly servers: Servers
  /** What servers ask of people. */
  readonly asks: ServerAsks
  readonly conversations: Conversations
  /** What people bring into conversations: resources, prompts, branches, files. */
  readonly context: ConversationContext
  readonly providers: Providers
  readonly settings: HostSettings
  /** For the bridge: blobs by reference. */
  readonly storage: Storage
  /** For the bridge: links and folder dialogs. */
  readonly platform: Platform
  readonly #clock: Clock
  readonly #lifetime: Lifetime
  #ended: Promise<void> | undefined

  private constructor(host: Omit<Host, 'end'>, clock: Clock, lifetime: Lifetime) {
    this.state = host.state
    this.topics = host.topics
    this.interactions = host.interactions
    this.consent = host.consent
    this.servers = host.servers
    this.asks = host.asks
    this.conversations = host.conversations
    this.context = host.context
    this.providers = host.providers
    this.settings = host.settings
    this.storage = host.storage
    this.platform = host.platform
    this.#clock = clock
    this.#lifetime = lifetime
  }

  /** Resolves when the snapshot is complete and every server has a state; no server and no provider is waited for. Throws StorageError. */
  static async start(parts: HostParts): Promise<Host> {
    const { storage, platform, clock, environment, connector } = parts
    const lifetime = new Lifetime('host', parts.lifetime)
    try {
      await storage.conversations.purgeRemoved()
      await storage.conversations.markInterrupted(clock.now())
      const state = new HostState(await firstSnapshot(parts))
      const topics = new Topics()
      const interactions = new Interactions({ state, clock })
      const settings = new HostSettings({ records: storage.records, state })
      const images = new Images({ clock, lifetime })
      const providers = await Providers.open({
        records: storage.records,
        secrets: storage.secrets,
        settings,
        images,
        state,
        clock,
        signal: lifetime.signal,
        factory: parts.providers,
        look: parts.look ?? lookOver(connector, clock),
      })
      const servers = new Servers({
        ...{ storage, platform, clock, lifetime, state, topics, interactions, environment, connector, images },
        ...(parts.playground && { playground: parts.playground }),
      })
      const asks = await ServerAsks.open({ storage, state, interactions, providers, platform, clock, lifetime, servers })
      const consent = await Consent.open({ records: storage.records, clock, state, interactions, tools: servers })
      await consent.forgetConversations(async (id) => (await storage.conversations.head(id)) !== undefined)
      const outside: MarkOutside = (serverId, conversationId, args) =>
        asks.conversationFolders.outside(conversationId, servers.record(serverId)?.folders ?? [], args)
      const calls = new ToolCalls({ tools: servers, consent, interactions, storage, state, clock, outside })
      const conversations = new Conversations({ storage, state, topics, clock, lifetime, providers, calls })
      const context = new ConversationContext({
        ...{ storage, platform, state, topics, clock, lifetime, servers, conversations, calls },
        blobs: asks.blobs,
      })
      servers.onRemoved.on((serverId) => {
        Promise.all([consent.forgetServer(serverId), asks.forget(serverId)]).catch((error: unknown) => {
          // They sleep without their server; a removed one that comes back is asked about anyway.
          state.notice(
            'warning',
            { code: 'rules-kept', what: 'Its rules could not be removed.', said: String(error) },
            clock.now(),
          )
        })
      })
      tellOfQuestions(state, platform)
      await servers.start(asks.offered)
      void providers.refreshAll()
      return new Host(
        {
          ...{ state, topics, interactions, consent, servers, asks, conversations, context, providers, settings, platform },
          storage: { ...storage, blobs: asks.blobs },
        },
        clock,
        lifetime,
      )
    } catch (error) {
      await lifetime.end().catch(() => {})
      throw error
    }
  }

  /** Ends turns and servers, in parallel and within six seconds. The storage stays open: whoever opened it closes it. */
  end(): Promise<void> {
    this.#ended ??= this.#end()
    return this.#ended
  }

  async #end(): Promise<void> {
    const limit = Promise.withResolvers<void>()
    const cancel = this.#clock.after(END_LIMIT, limit.resolve)
    const parts = Promise.allSettled([this.conversations.end(), this.servers.end()])
    await Promise.race([parts.then(() => this.#lifetime.end()), limit.promise])
    cancel()
  }
}

/** Bounded: heads without messages, servers without catalogs (ruling 22). Servers and providers are added as they are opened. */
async function firstSnapshot({ storage, platform }: HostParts) {
  const heads = await storage.conversations.heads({ limit: SNAPSHOT_HEADS })
  const pinned = await storage.conversations.heads({ limit: PIN_LIMIT, pinned: true })
  const known = new Set(heads.items.map(({ id }) => id))
  const shown = [...heads.items, ...pinned.items.filter(({ id }) => !known.has(id))]
  return {
    ...emptySnapshot,
    shell: platform.shell,
    version: platform.version,
    platform: platform.os,
    dataFolder: storage.folder,
    secretsIn: platform.cipher ? ('key-store' as const) : ('file' as const),
    conversations: shown.map((head) => ({ ...head, turn: 'idle' as const })),
    conversationCount: heads.total,
    settings: await readSettings(storage.records),
  }
}

function lookOver({ fetch }: Connector, clock: Clock): LookLocal {
  return async (url, signal) => {
    const limit = new AbortController()
    const cancel = clock.after(LOOK_LIMIT, () => limit.abort())
    try {
      const response = await fetch(url, { signal: AbortSignal.any([signal, limit.signal]) })
      await response.body?.cancel()
      return response.ok
    } finally {
      cancel()
    }
  }
}

/** A person whose window is in the background hears from the system of a question, and of a call that only they can keep going. */
function tellOfQuestions(state: HostState, platform: Platform): void {
  const overdue = new Set<ConversationId>()
  state.onEvent((_seq, event) => {
    if (event.type === 'interaction.opened') {
      const { about } = event.interaction
      platform.notify?.(`${about.serverName}: your answer is needed`, about.cause)
    } else if (event.type === 'conversation.changed') {
      const { id, title } = event.head
      if (!event.head.overdue) overdue.delete(id)
      else if (!overdue.has(id)) {
        overdue.add(id)
        platform.notify?.('Still waiting for a tool', title)
      }
    }
  })
}
