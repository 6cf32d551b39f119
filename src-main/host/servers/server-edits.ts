import { InTurn } from '../../../src-shared/base/in-turn.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { sameServerName } from '../../../src-shared/contract/server-rules.ts'
import type { Launch, ServerConfig, ServerOptions } from '../../../src-shared/contract/servers.ts'
import type { FileLaunch, SecretStore, Storage } from '../../storage/base/storage.ts'
import type { Fences } from '../launch/fences.ts'
import { checkConfig, liftAll, secretIds, storeSecrets } from '../launch/server-config.ts'
import { SignInClients, type StoredClient } from '../launch/sign-in-clients.ts'
import type { StoredOptions } from '../launch/stored-options.ts'
import type { Watches } from '../launch/watches.ts'
import type { ConfiguredServers } from './configured-servers.ts'
import type { ServerControls } from './server-controls.ts'

interface RemovedServer {
  readonly options: Partial<ServerOptions>
  readonly secrets: readonly string[]
}

/** The page's changes to mcp.json, with secrets moved to the secret store, and to the options stored elsewhere. */
export class ServerEdits {
  readonly #storage: Pick<Storage, 'serverFile' | 'secrets'>
  readonly #options: StoredOptions
  readonly #clients: SignInClients
  readonly #servers: ConfiguredServers
  readonly #controls: ServerControls
  readonly #fences: Fences
  readonly #watches: Watches
  /** Runs one change at a time, since each checks names and values against the file as it is then. */
  readonly #changes = new InTurn()
  /** Removed servers that can still be restored. */
  readonly #removed = new Map<ServerId, RemovedServer>()
  /** Servers that were added together, with their state then. */
  readonly #added = new Map<ServerId, string>()

  constructor(
    storage: Pick<Storage, 'serverFile' | 'secrets'>,
    options: StoredOptions,
    servers: ConfiguredServers,
    controls: ServerControls,
    fences: Fences,
    watches: Watches,
  ) {
    this.#storage = storage
    this.#options = options
    this.#clients = new SignInClients(storage.secrets)
    this.#servers = servers
    this.#controls = controls
    this.#fences = fences
    this.#watches = watches
  }

  /** Writes it into mcp.json and starts it, which asks for permission. Throws HostError `invalid-params`. */
  async add(config: ServerConfig): Promise<{ serverId: ServerId }> {
    const [serverId] = await this.#changes.run(() => this.#addAll([config]))
    return { serverId: serverId as ServerId } // `#addAll` returns an id for each
  }

  /** Adds all in one write, or none; those that are started ask together. Throws like `add`, for the first that cannot be added. */
  addAll(configs: readonly ServerConfig[]): Promise<ServerId[]> {
    return this.#changes.run(async () => {
      const ids = await this.#addAll(configs)
      for (const id of ids) this.#added.set(id, this.#stateOf(id))
      return ids
    })
  }

  async #addAll(configs: readonly ServerConfig[]): Promise<ServerId[]> {
    const ids: ServerId[] = []
    for (const config of configs) ids.push(this.#newId(config, ids))
    const clients = configs.map((config) => clientOf(config, undefined))
    const { secrets, serverFile } = this.#storage
    const lifted: string[] = []
    const lifting: Pick<SecretStore, 'set'> = {
      set: (id, value) => {
        lifted.push(id)
        return secrets.set(id, value)
      },
    }
    try {
      // Options come first, because the server is created as soon as the file has its entry.
      for (const { name, options } of configs) await this.#options.add(name as ServerId, options ?? {})
      // An earlier server of this name may have left its home folder, which is not the new one's.
      for (const id of ids) await this.#fences.forget(id)
      for (const [at, id] of ids.entries()) await this.#clients.write(id, clients[at])
      const launches = new Map<string, FileLaunch>()
      for (const { name, launch } of configs) launches.set(name, await storeSecrets(launch, undefined, lifting))
      await serverFile.putAll(launches)
    } catch (error) {
      const clientIds = ids.map((id) => SignInClients.secretId(id))
      await Promise.allSettled([...ids.map((id) => this.#options.forget(id)), this.#forget([...lifted, ...clientIds])])
      throw error
    }
    await this.#follow()
    return ids
  }

  /** Removes servers that `addAll` added and nobody has changed since; returns the others that are still there. */
  takeBack(serverIds: readonly ServerId[]): Promise<{ left: ServerId[] }> {
    return this.#changes.run(async () => {
      const there = serverIds.filter((id) => this.#servers.find(id))
      const left = there.filter((id) => this.#added.get(id) !== this.#stateOf(id))
      const untouched = there.filter((id) => !left.includes(id))
      if (untouched.length > 0) await this.#storage.serverFile.remove(...untouched)
      await this.#follow()
      return { left }
    })
  }

  /** Sets how a server starts for the first time. That is part of its addition, which can still be taken back. */
  async setStart(serverId: ServerId, options: Partial<ServerOptions>): Promise<void> {
    const isAsAdded = this.#added.get(serverId) === this.#stateOf(serverId)
    await this.#controls.setOptions(serverId, options)
    if (isAsAdded) this.#added.set(serverId, this.#stateOf(serverId))
  }

  /** Entry and options in one text, to detect a change. */
  #stateOf(id: ServerId): string {
    const entry = this.#storage.serverFile.current().entries.find(({ name }) => name === id)
    return JSON.stringify([entry, this.#options.chosen(id)])
  }

  /** A rename is a new server, which must be trusted again; its options and secrets move along (decision 0017). */
  change(serverId: ServerId, config: ServerConfig): Promise<{ serverId: ServerId }> {
    return this.#changes.run(async () => {
      const before = this.#servers.own(serverId).launch as FileLaunch // `own` never gives the built-in one
      const renamed = config.name !== serverId
      if (renamed) this.#newId(config)
      else checkConfig(config)
      const id = config.name as ServerId
      const formerClient = await this.#clients.read(serverId)
      const client = clientOf(config, formerClient)
      const otherClient = renamed || JSON.stringify(client) !== JSON.stringify(formerClient)
      const write = () => this.#write(id, config.launch, before)
      const written = renamed ? await this.#writeNew(id, this.#options.chosen(serverId), write) : await write()
      if (otherClient) await this.#clients.write(id, client)
      if (renamed) {
        await this.#fences.rename(serverId, id)
        await this.#watches.rename(serverId, id)
        await this.#storage.serverFile.remove(serverId)
        await this.#clients.write(serverId, undefined)
      }
      await this.#follow()
      this.#removed.delete(serverId)
      if (otherClient) await this.#reconnectWithClient(id)
      const kept = new Set(secretIds(written))
      await this.#forget(secretIds(before).filter((secret) => !kept.has(secret)))
      if (config.options) await this.#controls.setOptions(id, config.options)
      return { serverId: id }
    })
  }

  /** Stops servers, removes them from mcp.json and forgets their trust. `restore` puts one back while this host runs. */
  remove(...serverIds: ServerId[]): Promise<void> {
    return this.#changes.run(async () => {
      for (const serverId of serverIds) this.#servers.own(serverId)
      await this.#storage.serverFile.remove(...serverIds)
      await this.#follow()
    })
  }

  /** Puts back what was removed since this host started. */
  restore(serverId: ServerId): Promise<void> {
    return this.#changes.run(async () => {
      const { serverFile } = this.#storage
      const left = this.#removed.get(serverId)
      const gone = () => new HostError('not-found', `There is no removed server “${serverId}” to restore.`)
      if (!left) throw gone()
      if (serverFile.current().entries.some((entry) => entry.name === serverId)) {
        throw new HostError('conflict', `Another server named “${serverId}” exists now. Rename or remove it first.`)
      }
      await this.#writeNew(serverId, left.options, async () => {
        if (!(await serverFile.restore(serverId))) throw gone()
      })
      this.#removed.delete(serverId)
      await this.#follow()
    })
  }

  /** Moves secrets from mcp.json to the secret store. The values stay the same, so no permission is needed. */
  liftSecrets(serverId: ServerId): Promise<void> {
    return this.#changes.run(async () => {
      const { serverFile, secrets } = this.#storage
      const launch = this.#servers.own(serverId).launch as FileLaunch // `own` never gives the built-in one
      await serverFile.put(serverId, await liftAll(launch, secrets))
      await this.#follow()
    })
  }

  /** Keeps a server that was removed, by the page or by hand, for `restore`. */
  noteRemoved(serverId: ServerId, launch: Launch): void {
    // A later server of this name is a different one.
    this.#added.delete(serverId)
    this.#removed.set(serverId, {
      options: this.#options.chosen(serverId),
      secrets: [...secretIds(launch), SignInClients.secretId(serverId)],
    })
  }

  /** Deletes the secrets and home folders of removed servers, which can no longer be restored. */
  async end(): Promise<void> {
    for (const [id, { secrets }] of this.#removed) {
      // Another server may have this name by now, with a client of its own.
      const its = this.#servers.find(id) ? SignInClients.secretId(id) : undefined
      await this.#forget(secrets.filter((secret) => secret !== its))
      if (!this.#servers.find(id)) await this.#fences.forget(id)
    }
    this.#removed.clear()
  }

  /** Connects again after a change of its sign-in, because other capabilities are declared then. */
  async #reconnectWithClient(id: ServerId): Promise<void> {
    const server = this.#servers.find(id)
    if (!server) return
    const url = server.launch.type === 'remote' ? server.launch.url : undefined
    await server.authorization.clientChanged(url)
    if (url === undefined) return
    const { is } = server.record.state
    server.authorization.clicked()
    if (is === 'needs-sign-in' || is === 'failed') server.supervisor.start()
    else if (is === 'ready' || is === 'starting' || is === 'restarting') {
      server.log.add('host', 'Its way of signing in changed, so it was reconnected.')
      await server.supervisor.restart()
    }
  }

  #follow(): Promise<void> {
    return this.#servers.follow(this.#storage.serverFile.current())
  }

  /** Options come first, because the server is created as soon as the file has its entry. */
  async #writeNew<T>(id: ServerId, options: Partial<ServerOptions>, write: () => Promise<T>): Promise<T> {
    await this.#options.add(id, options)
    try {
      return await write()
    } catch (error) {
      await this.#options.forget(id)
      throw error
    }
  }

  /** Stores secrets and then the file; the secrets are deleted again when the file cannot be written. */
  async #write(id: ServerId, launch: FileLaunch, before: FileLaunch | undefined): Promise<FileLaunch> {
    const written = await storeSecrets(launch, before, this.#storage.secrets)
    try {
      await this.#storage.serverFile.put(id, written)
    } catch (error) {
      const earlier = new Set(before ? secretIds(before) : [])
      await this.#forget(secretIds(written).filter((secret) => !earlier.has(secret)))
      throw error
    }
    return written
  }

  #newId(config: ServerConfig, beside: readonly ServerId[] = []): ServerId {
    checkConfig(config)
    const { entries, problem } = this.#storage.serverFile.current()
    if (problem) throw new HostError('storage', [problem.what, problem.said, problem.todo].filter(Boolean).join(' '))
    if ([...entries.map(({ name }) => name), ...beside].some((name) => sameServerName(name, config.name))) {
      throw new HostError('conflict', `A server named “${config.name}” already exists. Choose another name.`)
    }
    return config.name as ServerId
  }

  async #forget(ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.#storage.secrets.remove(id)
  }
}

/** The client that signs in to a remote server, the former one unless another is named. A program has none (XAUTH-1). */
function clientOf({ launch, signIn }: ServerConfig, before: StoredClient | undefined): StoredClient | undefined {
  if (launch.type !== 'remote') return undefined
  return signIn ? SignInClients.of(signIn, launch.url, before) : before
}
