import type { Clock } from '../../../src-shared/base/clock.ts'
import { Emitter } from '../../../src-shared/base/emitter.ts'
import type { JsonObject } from '../../../src-shared/base/json.ts'
import { Lifetime } from '../../../src-shared/base/lifetime.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { TrafficEntry } from '../../../src-shared/contract/requests.ts'
import type { ServerConfig, ServerOptions, ServerRecord } from '../../../src-shared/contract/servers.ts'
import type { ServerTopic } from '../../../src-shared/contract/topics.ts'
import type { LogLevel } from '../../../src-shared/mcp/primitives.ts'
import type { CheckValue } from '../../../src-shared/mcp/schema-verdict.ts'
import type { Client } from '../../client/client.ts'
import type { Images } from '../../images/images.ts'
import type { Transport } from '../../protocol/peer/transport.ts'
import type { Storage } from '../../storage/base/storage.ts'
import type { Connector } from '../../transports/connector.ts'
import { CallsInFlight } from '../connection/calls-in-flight.ts'
import type { HostState } from '../core/host-state.ts'
import type { Interactions } from '../core/interactions.ts'
import type { Platform } from '../core/platform.ts'
import type { Topics } from '../core/topics.ts'
import { LaunchGate } from '../launch/launch-gate.ts'
import { ProcessRecords } from '../launch/process-records.ts'
import { ServerTrust } from '../launch/server-trust.ts'
import { StoredOptions } from '../launch/stored-options.ts'
import { kindOf } from '../models/provider-records.ts'
import { CallsByHand } from './calls-by-hand.ts'
import type { ConfiguredServer, ServerDependencies } from './configured-server.ts'
import { ConfiguredServers } from './configured-servers.ts'
import { type CallOptions, type CheckedResult, ServerCalls } from './server-calls.ts'
import { ServerCatalogs } from './server-catalogs.ts'
import { ServerEdits } from './server-edits.ts'
import { NO_FEATURES, type OfferedFeatures } from './server-features.ts'
import { ServerWishes } from './server-wishes.ts'
import { type AvailableTool, availableTool, type ToolSource } from './tool-source.ts'

export interface ServersParts {
  readonly storage: Storage
  readonly platform: Platform
  readonly clock: Clock
  readonly lifetime: Lifetime
  readonly state: HostState
  readonly topics: Topics
  readonly interactions: Interactions
  /** Ours; what a child inherits of it is decided in transports. */
  readonly environment: NodeJS.ProcessEnv
  /** Makes a new link to the built-in server; without it there is none. */
  readonly playground?: () => Transport
  readonly connector: Connector
  /** Draws icons of strangers anew. */
  readonly images: Pick<Images, 'fit'>
  readonly checkValue: CheckValue
}

/** How many servers are launched at a time. */
const LAUNCHES = 4
/** Where somebody has put `assets/client-metadata.json` on the web, for authorization servers to read. */
const METADATA_VARIABLE = 'PARLEY_CLIENT_METADATA_URL'

/** Every configured server: follows mcp.json, keeps what it has no place for, starts and stops them (ARCH-02). */
export class Servers implements ToolSource {
  /** What each ready server offers, page by page. */
  readonly catalogs = new ServerCatalogs(
    (serverId) => this.#servers.get(serverId),
    () => kindOf(this.#parts.state.snapshot),
  )
  /** Which calls wait, so that a server's question can be told from which of them it came. */
  readonly inFlight = new CallsInFlight()
  /** Tool calls on their way, whoever makes them. */
  readonly calls: ServerCalls
  /** Calls that a person makes on a server's page. */
  readonly byHand: CallsByHand
  /** A server is no longer configured; what was allowed to it is over. */
  readonly onRemoved = new Emitter<ServerId>()
  readonly #parts: ServersParts
  readonly #lifetime: Lifetime
  readonly #trust: ServerTrust
  readonly #options: StoredOptions
  readonly #edits: ServerEdits
  readonly #wishes: ServerWishes
  readonly #servers: ConfiguredServers
  readonly #toolsChanged = new Emitter<ServerId>()

  constructor(parts: ServersParts) {
    const { records, serverFile, secrets } = parts.storage
    this.#parts = parts
    this.#lifetime = new Lifetime('servers', parts.lifetime)
    this.#trust = new ServerTrust({ ...parts, records })
    this.#options = new StoredOptions(records)
    this.#servers = new ConfiguredServers({
      ...parts,
      lifetime: this.#lifetime,
      trust: this.#trust,
      options: this.#options,
      onDropping: (server) => this.#edits.noteRemoved(server.id, server.launch),
      onDropped: (serverId) => {
        this.#toolsChanged.fire(serverId)
        this.onRemoved.fire(serverId)
      },
    })
    this.#wishes = new ServerWishes({ servers: this.#servers, options: this.#options })
    this.calls = new ServerCalls({ clock: parts.clock, servers: this.#servers, inFlight: this.inFlight })
    this.byHand = new CallsByHand({ ...parts, calls: this.calls })
    this.#edits = new ServerEdits({
      serverFile,
      secrets,
      options: this.#options,
      own: (serverId) => this.#servers.own(serverId),
      follow: () => this.#servers.follow(serverFile.current()),
    })
  }

  /**
   * Shows every server and starts what is enabled: trusted servers once what an earlier host left running is ended, the others
   * ask. Resolves as soon as all have a state; nothing waits for a server.
   */
  async start(offered: OfferedFeatures = NO_FEATURES): Promise<void> {
    const { storage, topics, playground } = this.#parts
    await this.#trust.load()
    await this.#options.load()
    const folderKey = await storage.secrets.folderKey()
    this.calls.begin(offered.visits)
    this.#servers.begin(this.#dependencies(offered, new ProcessRecords(storage.records, folderKey)), folderKey)
    topics.serve('server', async (key) => {
      const server = this.#servers.find(key as ServerId)
      return server && (() => this.#topicOf(server))
    })
    if (playground) await this.#servers.addBuiltIn()
    await this.#servers.follow(storage.serverFile.current())
    this.#lifetime.onEnd(storage.serverFile.onChange((file) => void this.#servers.follow(file)))
  }

  /** Stops every server, all at a time. */
  async end(): Promise<void> {
    await Promise.allSettled(this.#servers.all().map((server) => server.supervisor.stop('stopped')))
    await this.#edits.end()
    await this.#lifetime.end()
  }

  // What conversations need

  tools(): readonly AvailableTool[] {
    return this.#servers
      .all()
      .flatMap((server) =>
        server.tools().flatMap(({ tool, unusable }) => (unusable === undefined ? [availableTool(server.record, tool)] : [])),
      )
  }

  tool(serverId: ServerId, name: string): AvailableTool | undefined {
    const server = this.#servers.find(serverId)
    const found = server?.tools().find((entry) => entry.tool.name === name && entry.unusable === undefined)
    return server && found && availableTool(server.record, found.tool)
  }

  call(serverId: ServerId, name: string, args: JsonObject, options: CallOptions): Promise<CheckedResult> {
    return this.calls.call(serverId, name, args, options)
  }

  record(serverId: ServerId): ServerRecord | undefined {
    return this.#servers.find(serverId)?.record
  }

  /** Its connection; throws HostError `not-found`, or `unavailable` while it is not ready. */
  client(serverId: ServerId): Client {
    return this.#servers.get(serverId).client
  }

  /** A person waits for an answer of its until the function that it returns is called: a sign-in that is over is asked for in place. */
  awaited(serverId: ServerId, why: string): () => void {
    return this.#servers.get(serverId).signIn.awaited(why)
  }

  /** Its connection while it is ready. */
  connected(serverId: ServerId): Client | undefined {
    const server = this.#servers.find(serverId)
    return server?.ready ? server.client : undefined
  }

  onToolsChanged(listen: (serverId: ServerId) => void): () => void {
    return this.#toolsChanged.on(listen)
  }

  /** What its record shows of folders and sampling changed. */
  showAgain(serverId: ServerId): void {
    this.#servers.find(serverId)?.showAgain()
  }

  /** Its folders changed: it is told, if it wants to know. */
  rootsChanged(serverId: ServerId): void {
    this.#servers.find(serverId)?.rootsChanged()
  }

  // What a person does

  /** Writes it into mcp.json and starts it, which asks. Throws HostError `invalid-params` with a sentence. */
  add(config: ServerConfig): Promise<{ serverId: ServerId }> {
    return this.#edits.add(config)
  }

  async change(serverId: ServerId, config: ServerConfig): Promise<{ serverId: ServerId }> {
    const changed = await this.#edits.change(serverId, config)
    if (config.options) await this.setOptions(changed.serverId, config.options)
    return changed
  }

  /** Stops it, takes it out of mcp.json and forgets its trust. `restore` puts it back for as long as this host runs. */
  remove(serverId: ServerId): Promise<void> {
    return this.#edits.remove(serverId)
  }

  restore(serverId: ServerId): Promise<void> {
    return this.#edits.restore(serverId)
  }

  liftSecrets(serverId: ServerId): Promise<void> {
    return this.#edits.liftSecrets(serverId)
  }

  /** Throws HostError `invalid-params` with a sentence. */
  setOptions(serverId: ServerId, change: Partial<ServerOptions>): Promise<void> {
    return this.#wishes.setOptions(serverId, change)
  }

  /** A person's wish, kept over restarts of the host. */
  startServer(serverId: ServerId): Promise<void> {
    return this.#wishes.start(serverId)
  }

  /** A stopped server stays stopped when the host starts again. */
  stopServer(serverId: ServerId): Promise<void> {
    return this.#wishes.stop(serverId)
  }

  /** A person clicked “Sign in”. */
  authorize(serverId: ServerId): Promise<void> {
    return this.#wishes.authorize(serverId)
  }

  cancelAuthorization(serverId: ServerId): void {
    this.#servers.get(serverId).signIn.cancel()
  }

  pasteRedirect(serverId: ServerId, address: string): void {
    this.#servers.get(serverId).signIn.paste(address)
  }

  /** What runs goes on until the server asks again. */
  async forgetAuthorization(serverId: ServerId, everything: boolean): Promise<void> {
    await this.#servers.get(serverId).signIn.forget(everything)
  }

  async setLogLevel(serverId: ServerId, level: LogLevel): Promise<void> {
    await this.#servers.get(serverId).setLogLevel(level)
  }

  refreshCatalog(serverId: ServerId): Promise<void> {
    return this.catalogs.refresh(serverId)
  }

  /** What passed over its connections, redacted, after entry number `after`. */
  traffic(serverId: ServerId, after: number | undefined): { entries: readonly TrafficEntry[]; dropped: number } {
    return this.#servers.get(serverId).traffic.read(after)
  }

  // Within

  /** Begins to end what an earlier host left running. */
  #dependencies(features: OfferedFeatures, processes: ProcessRecords): ServerDependencies {
    const { storage, topics, platform, clock, state, environment, connector, playground, images, interactions, checkValue } =
      this.#parts
    return {
      ...{ clock, state, topics, images, features },
      lifetime: this.#lifetime,
      trust: this.#trust,
      gate: new LaunchGate(LAUNCHES),
      toolsChanged: (serverId) => this.#toolsChanged.fire(serverId),
      signIn: {
        ...{ connector, interactions, platform },
        secrets: storage.secrets,
        calls: this.inFlight,
        ...(environment[METADATA_VARIABLE] && { metadataUrl: environment[METADATA_VARIABLE] }),
      },
      connecting: {
        ...{ clock, environment, processes, connector, checkValue, playground },
        os: platform.os,
        version: platform.version,
        secrets: storage.secrets,
        reaped: processes.reap(),
        remembered: new Map(),
        home: environment.HOME ?? environment.USERPROFILE ?? storage.folder,
      },
    }
  }

  #topicOf({ id, log }: ConfiguredServer): ServerTopic {
    const calls = this.byHand.of(id)
    return { ...log.value(), ...(calls.length > 0 && { calls }) }
  }
}
