import { Emitter } from '../../../src-shared/base/emitter.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { type ResourceTopic, resourceTopic } from '../../../src-shared/contract/topics.ts'
import type { Client } from '../../client/client.ts'
import { covers } from '../../client/subscriptions.ts'
import type { HostCore } from '../core/host-core.ts'
import type { Servers } from '../servers/servers.ts'

interface WatchesParts extends Pick<HostCore, 'topics' | 'clock' | 'lifetime'> {
  readonly servers: Servers
}

export interface ResourceUpdate {
  readonly serverId: ServerId
  readonly uri: string
  readonly at: number
}

interface Watch {
  readonly serverId: ServerId
  readonly uri: string
  /** Views and attachments that need it. */
  owners: number
  /** The subscribed connection; a new one is subscribed again. */
  asked: Client | undefined
  /** It was subscribed to there, and is to be unsubscribed from. */
  held: boolean
  /** The server tells of it now. */
  subscribed: boolean
  updatedAt: number | undefined
}

/** Resources that somebody looks at or has attached: subscribed while they are needed, and no longer (RES-09). */
export class ResourceWatches {
  /** The server says that a watched resource, or something below it, changed. */
  readonly onUpdated = new Emitter<ResourceUpdate>()
  readonly #parts: WatchesParts
  readonly #watches = new Map<string, Watch>()
  /** Topics that count as one owner, however many windows follow them. */
  readonly #viewed = new Set<string>()
  readonly #listening = new Map<ServerId, { readonly to: Client; readonly undo: () => void }>()

  constructor(parts: WatchesParts) {
    this.#parts = parts
    // Fires whenever a connection came or went, and at other times.
    parts.lifetime.onEnd(parts.servers.tools.onChange.on((serverId) => this.#connectionChanged(serverId)))
    parts.topics.serve(
      'resource',
      async (key) => {
        const place = parsed(key)
        if (!place) return undefined
        const known = this.#viewed.has(key) && this.#watches.get(`resource/${key}`)
        this.#viewed.add(key)
        const watch = known || (await this.#add(place.serverId, place.uri))
        return () => topicOf(watch)
      },
      (key) => {
        const place = parsed(key)
        if (this.#viewed.delete(key) && place) this.remove(place.serverId, place.uri)
      },
    )
  }

  /** Somebody needs to hear of it; true when the server will tell. `remove` as often. */
  async add(serverId: ServerId, uri: string): Promise<boolean> {
    return (await this.#add(serverId, uri)).subscribed
  }

  remove(serverId: ServerId, uri: string): void {
    const key = resourceTopic(serverId, uri)
    const watch = this.#watches.get(key)
    if (!watch || --watch.owners > 0) return
    this.#watches.delete(key)
    const { asked } = watch
    if (!watch.held || !asked || asked !== this.#parts.servers.configured.connected(serverId)) return
    // Where the server does not answer, its updates are dropped all the same.
    asked.unsubscribe(uri, { signal: this.#parts.lifetime.signal }).catch(() => {})
  }

  async #add(serverId: ServerId, uri: string): Promise<Watch> {
    const key = resourceTopic(serverId, uri)
    const watch: Watch = this.#watches.get(key) ?? {
      ...{ serverId, uri },
      owners: 0,
      asked: undefined,
      held: false,
      subscribed: false,
      updatedAt: undefined,
    }
    watch.owners += 1
    this.#watches.set(key, watch)
    await this.#ask(watch)
    return watch
  }

  /** Asks only where the server declared it (RES-08); never rejects. */
  async #ask(watch: Watch): Promise<void> {
    const connection = this.#parts.servers.configured.connected(watch.serverId)
    if (watch.asked === connection && watch.held) return
    watch.asked = connection
    watch.held = false
    watch.subscribed = false
    if (connection?.hello.capabilities.resources?.subscribe !== true) return
    this.#listen(watch.serverId, connection)
    try {
      await connection.subscribe(watch.uri, { signal: this.#parts.lifetime.signal })
      if (watch.asked !== connection) return
      watch.held = true
      watch.subscribed = true
    } catch {
      // It can be read and refreshed by hand all the same.
    }
  }

  #listen(serverId: ServerId, to: Client): void {
    const known = this.#listening.get(serverId)
    if (known?.to === to) return
    known?.undo()
    const undos = [
      to.onResourceUpdated.on(({ uri }) => this.#updated(serverId, uri)),
      to.onWatching?.on(() => this.#watchingChanged(serverId, to)),
    ]
    const undo = () => {
      for (const one of undos) one?.()
    }
    this.#listening.set(serverId, { to, undo })
  }

  #updated(serverId: ServerId, updated: string): void {
    const at = this.#parts.clock.now()
    for (const watch of this.#watches.values()) {
      if (watch.serverId !== serverId || !covers(watch.uri, updated)) continue
      watch.updatedAt = at
      this.#show(watch)
      this.onUpdated.fire({ serverId, uri: watch.uri, at })
    }
  }

  /** The server stopped telling of resources, or tells of them again. */
  #watchingChanged(serverId: ServerId, client: Client): void {
    for (const watch of this.#watches.values()) {
      if (watch.serverId !== serverId || watch.asked !== client || !watch.held) continue
      const subscribed = client.watches(watch.uri)
      if (subscribed === watch.subscribed) continue
      watch.subscribed = subscribed
      this.#show(watch)
    }
  }

  #connectionChanged(serverId: ServerId): void {
    const connection = this.#parts.servers.configured.connected(serverId)
    for (const watch of this.#watches.values()) {
      if (watch.serverId !== serverId || watch.asked === connection) continue
      void this.#ask(watch).then(() => this.#show(watch))
    }
  }

  #show(watch: Watch): void {
    const { kind: _kind, ...now } = topicOf(watch)
    this.#parts.topics.emit(resourceTopic(watch.serverId, watch.uri), { type: 'resource.changed', ...now })
  }
}

const topicOf = ({ subscribed, updatedAt }: Watch): ResourceTopic => ({
  kind: 'resource',
  subscribed,
  ...(updatedAt !== undefined && { updatedAt }),
})

function parsed(key: string): { serverId: ServerId; uri: string } | undefined {
  const slash = key.indexOf('/')
  if (slash <= 0 || slash === key.length - 1) return undefined
  try {
    const serverId = decodeURIComponent(key.slice(0, slash)) as ServerId
    const uri = key.slice(slash + 1)
    // One resource has one topic.
    return resourceTopic(serverId, uri) === `resource/${key}` ? { serverId, uri } : undefined
  } catch {
    return undefined
  }
}
