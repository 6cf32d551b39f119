import type { Clock } from '../../../src-shared/base/clock.ts'
import { InTurn } from '../../../src-shared/base/in-turn.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { BlockedReach, FencePolicy, ServerOptions } from '../../../src-shared/contract/servers.ts'
import { widened } from '../../../src-shared/contract/wider-fence.ts'
import type { ServerTrust } from '../launch/server-trust.ts'
import type { StoredOptions } from '../launch/stored-options.ts'
import type { Watches } from '../launch/watches.ts'
import type { ConfiguredServer } from './configured-server.ts'
import type { ConfiguredServers } from './configured-servers.ts'

/** Options that a server is told of when it connects. */
const TOLD = ['draftProfile', 'apps', 'tasks'] as const

/** Starts and stops servers, and changes the options that mcp.json has no place for. */
export class ServerControls {
  readonly #clock: Clock
  readonly #servers: ConfiguredServers
  readonly #options: StoredOptions
  readonly #trust: ServerTrust
  readonly #watches: Watches
  readonly #lists = new InTurn()

  constructor(clock: Clock, servers: ConfiguredServers, options: StoredOptions, trust: ServerTrust, watches: Watches) {
    this.#clock = clock
    this.#servers = servers
    this.#options = options
    this.#trust = trust
    this.#watches = watches
  }

  /** Throws HostError `invalid-params`. */
  setOptions(serverId: ServerId, change: Partial<ServerOptions>): Promise<void> {
    return this.#set(serverId, change)
  }

  async #set(serverId: ServerId, change: Partial<ServerOptions>, togetherAt?: number): Promise<void> {
    const server = this.#servers.get(serverId)
    const wanted = { ...server.record.options, ...change }
    const { requestTimeout, maxRequestTime } = wanted
    if (requestTimeout !== null && maxRequestTime !== null && maxRequestTime < requestTimeout) {
      throw new HostError('invalid-params', 'The maximum request time cannot be shorter than the request timeout.')
    }
    await this.#options.add(serverId, change)
    if (change.watchedSince !== undefined) await this.#watches.forget(serverId)
    if (change.fence !== undefined) await this.#trust.fenceChanged(serverId, togetherAt)
    // Another change may have come while this one was saved.
    const before = server.record.options
    const now = { ...before, ...change }
    server.setOptions(now)
    if (now.enabled !== before.enabled) {
      if (now.enabled) {
        server.authorization.clicked()
        server.supervisor.start()
      } else await server.supervisor.stop('not-enabled')
    } else if (
      now.era !== before.era ||
      now.fence !== before.fence ||
      now.watchedSince !== before.watchedSince ||
      (server.ready && TOLD.some((key) => now[key] !== before[key]))
    ) {
      // A failed server may have failed because of its era or its fence.
      const { is } = server.record.state
      if (server.ready || is === 'starting' || is === 'restarting' || is === 'failed') await this.#restart(server)
    }
  }

  /** Fences servers that have no fence. `openAgain` takes it back. */
  async fenceAll(fences: readonly { readonly serverId: ServerId; readonly fence: FencePolicy }[]): Promise<void> {
    const at = this.#clock.now()
    for (const { serverId, fence } of fences) {
      if (this.#servers.own(serverId).record.options.fence === null) await this.#set(serverId, { fence }, at)
    }
  }

  /** Those that were fenced together last and that nobody changed since. */
  fencedTogether(): readonly ServerId[] {
    const fenced = this.#servers.all().map(({ id }) => ({ id, at: this.#trust.openUntil(id) ?? 0 }))
    const last = Math.max(...fenced.map(({ at }) => at))
    return last > 0 ? fenced.filter(({ at }) => at === last).map(({ id }) => id) : []
  }

  /** Opens them. They were allowed to run open before, so nothing is asked. */
  async openAgain(): Promise<void> {
    for (const serverId of this.fencedTogether()) {
      await this.#trust.openAgain(serverId)
      await this.setOptions(serverId, { fence: null })
    }
  }

  /** Opens a fence for what the person just named, and starts the server behind it. False where it stays as it is. */
  async openFurther(serverId: ServerId, named: readonly BlockedReach[], signal: AbortSignal): Promise<boolean> {
    const server = this.#servers.get(serverId)
    const { fence } = server.record.options
    const wider = fence && named.reduce((one, reach) => widened(one, reach) ?? one, fence)
    if (!wider || wider === fence || !(await this.#trust.allowFence({ id: serverId, name: server.record.name }, wider, signal)))
      return false
    await this.setOptions(serverId, { fence: wider })
    await server.clients.next(signal)
    return true
  }

  /** Adds a tool to a list of the options, or removes it. */
  listTool(
    serverId: ServerId,
    list: 'hiddenTools' | 'backgroundTools' | 'reviewedTools',
    tool: string,
    listed: boolean,
  ): Promise<void> {
    return this.#lists.run(() => {
      const others = this.#servers.get(serverId).record.options[list].filter((name) => name !== tool)
      return this.setOptions(serverId, { [list]: listed ? [...others, tool] : others })
    })
  }

  async start(serverId: ServerId): Promise<void> {
    const server = this.#clicked(serverId)
    await this.#setEnabled(server, true)
    if (server.record.state.is === 'restarting') await this.#restart(server)
    else server.supervisor.start()
  }

  /** Restarts without saving, so that an interruption leaves the server enabled. A server that is off is started. */
  async restart(serverId: ServerId): Promise<void> {
    const server = this.#clicked(serverId)
    if (server.record.options.enabled) await this.#restart(server)
    else await this.start(serverId)
  }

  async stop(serverId: ServerId): Promise<void> {
    const server = this.#servers.get(serverId)
    await this.#setEnabled(server, false)
    await server.supervisor.stop('not-enabled')
  }

  /** Begins a sign-in. A server that does not run is started, and then asks for it. */
  async authorize(serverId: ServerId): Promise<void> {
    const server = this.#servers.get(serverId)
    const { launch } = server
    if (launch.type !== 'remote')
      throw new HostError('refused', 'A program on this computer takes its keys from its environment.')
    if (server.ready) server.authorization.authorize(launch.url)
    else await this.start(serverId)
  }

  /** Lets the person be asked to sign in. Throws HostError `unavailable` when the server's entry is invalid. */
  #clicked(serverId: ServerId): ConfiguredServer {
    const server = this.#servers.get(serverId)
    const { problem } = server.record
    if (problem) throw new HostError('unavailable', [problem.what, problem.todo].filter(Boolean).join(' '))
    server.authorization.clicked()
    return server
  }

  async #restart(server: ConfiguredServer): Promise<void> {
    await server.supervisor.stop('stopped')
    // It may have been disabled meanwhile.
    if (server.record.options.enabled) server.supervisor.start()
    else await server.supervisor.stop('not-enabled')
  }

  async #setEnabled(server: ConfiguredServer, enabled: boolean): Promise<void> {
    if (server.record.options.enabled === enabled) return
    await this.#options.add(server.id, { enabled })
    server.setOptions({ ...server.record.options, enabled })
  }
}
