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
  /** Number of views and attachments that need it. */
  owners: number
  /** The connection on which a subscription was tried. */
  asked: Client | undefined
  /** True if that subscription succeeded and has to be ended. */
  held: boolean
  /** True while the server sends updates. */
  subscribed: boolean
  updatedAt: number | undefined
}

/** Subscribes to resources while they are viewed or attached, and no longer (RES-09). */
export class ResourceWatches {
  /** Fires when a server says that a watched resource, or one below it, changed. */
  readonly onUpdated = new Emitter<ResourceUpdate>()
  readonly #parts: WatchesParts
  readonly #watches = new Map<string, Watch>()
  /** Topics that are followed; each counts as one owner. */
  readonly #viewed = new Set<string>()
  readonly #listening = new Map<ServerId, { readonly to: Client; readonly undo: () => void }>()

  constructor(parts: WatchesParts) {
    this.#parts = parts
    // This fires for every new or lost connection, among other times.
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

  /** Adds an owner; true when the server will send updates. Each call needs a `remove`. */
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
    // Later updates are dropped even if the server does not answer.
    asked.unsubscribe(uri, { signal: this.#parts.lifetime.signal }).catch(() => {})
  }

  async #add(serverId: ServerId, uri: string): Promise<Watch> {
    const key = resourceTopic(serverId, uri)
    const watch: Watch = this.#watches.get(key) ?? {
      serverId,
      uri,
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

  /** Subscribes if the server declared that it can (RES-08); never rejects. */
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
      // The resource can still be refreshed by hand.
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

  /** Shows that the server stopped or resumed its updates. */
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
    // Another spelling of the same resource would be a second topic.
    return resourceTopic(serverId, uri) === `resource/${key}` ? { serverId, uri } : undefined
  } catch {
    return undefined
  }
}
