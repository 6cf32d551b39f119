import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { ServerOptions } from '../../../src-shared/contract/servers.ts'
import type { StoredOptions } from '../launch/stored-options.ts'
import type { ConfiguredServer } from './configured-server.ts'
import type { ConfiguredServers } from './configured-servers.ts'

interface WishParts {
  readonly servers: Pick<ConfiguredServers, 'get'>
  readonly options: StoredOptions
}

/** What a person wants of a server beside its configuration: whether it runs and how. Kept over restarts of the host. */
export class ServerWishes {
  readonly #parts: WishParts

  constructor(parts: WishParts) {
    this.#parts = parts
  }

  async setOptions(serverId: ServerId, change: Partial<ServerOptions>): Promise<void> {
    const server = this.#parts.servers.get(serverId)
    const before = server.record.options
    const { requestTimeout, maxRequestTime } = { ...before, ...change }
    if (maxRequestTime < requestTimeout) {
      throw new HostError('invalid-params', 'The longest time of a request cannot be shorter than its time without an answer.')
    }
    await this.#parts.options.add(serverId, change)
    const now = { ...before, ...change }
    server.setOptions(now)
    if (now.enabled !== before.enabled) {
      if (now.enabled) {
        server.signIn.clicked()
        server.supervisor.start()
      } else await server.supervisor.stop('not-enabled')
    } else if (now.draftProfile !== before.draftProfile && server.ready) await server.supervisor.restart()
  }

  async start(serverId: ServerId): Promise<void> {
    const server = this.#parts.servers.get(serverId)
    const { problem } = server.record
    if (problem) throw new HostError('unavailable', [problem.what, problem.todo].filter(Boolean).join(' '))
    server.signIn.clicked()
    await this.#setEnabled(server, true)
    if (server.record.state.is === 'restarting') await server.supervisor.restart()
    else server.supervisor.start()
  }

  /** A stopped server stays stopped when the host starts again. */
  async stop(serverId: ServerId): Promise<void> {
    const server = this.#parts.servers.get(serverId)
    await this.#setEnabled(server, false)
    await server.supervisor.stop('stopped')
  }

  /** By starting it, when it does not run: it says then where to sign in. */
  async authorize(serverId: ServerId): Promise<void> {
    const server = this.#parts.servers.get(serverId)
    const { launch } = server
    if (launch.type !== 'remote')
      throw new HostError('refused', 'A program on this computer takes its keys from its environment.')
    if (server.ready) server.signIn.authorize(launch.url)
    else await this.start(serverId)
  }

  async #setEnabled(server: ConfiguredServer, enabled: boolean): Promise<void> {
    if (server.record.options.enabled === enabled) return
    await this.#parts.options.add(server.id, { enabled })
    server.setOptions({ ...server.record.options, enabled })
  }
}
