import type { Clock } from '../../src-shared/base/clock.ts'
import { Emitter } from '../../src-shared/base/emitter.ts'
import type { JsonObject } from '../../src-shared/base/json.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import { HostError, type Problem } from '../../src-shared/contract/errors.ts'
import type { TrafficEntry } from '../../src-shared/contract/requests.ts'
import {
  type Launch,
  PLAYGROUND_ID,
  type ServerConfig,
  type ServerId,
  type ServerOptions,
  type ServerRecord,
  type ToolHints,
  toolHints,
} from '../../src-shared/contract/servers.ts'
import type { ServerTopic } from '../../src-shared/contract/topics.ts'
import type { ElicitUrlParams } from '../../src-shared/mcp/client-requests.ts'
import type { LogLevel, Tool } from '../../src-shared/mcp/primitives.ts'
import type { Client } from '../client/client.ts'
import type { Transport } from '../protocol/transport.ts'
import type { ServerFileEntry, ServerFileState, Storage } from '../storage/storage.ts'
import type { Connector } from '../transports/connector.ts'
import { CallsByHand } from './calls-by-hand.ts'
import type { CallInFlight, CallsInFlight } from './calls-in-flight.ts'
import { ConfiguredServer, fingerprintOf, type ShownParts, type Surroundings } from './configured-server.ts'
import { canonicalJson } from './fingerprint.ts'
import type { HostState } from './host-state.ts'
import type { Interactions } from './interactions.ts'
import { LaunchGate } from './launch-gate.ts'
import type { Platform } from './platform.ts'
import { prepareLaunch } from './prepare-launch.ts'
import { ProcessRecords } from './process-records.ts'
import { type CallOptions, type CheckedResult, ServerCalls } from './server-calls.ts'
import { ServerCatalogs } from './server-catalogs.ts'
import { nameProblem } from './server-config.ts'
import { ServerEdits } from './server-edits.ts'
import type { FeaturePart } from './server-features.ts'
import type { PreparedLaunch } from './server-supervisor.ts'
import { ServerTrust } from './server-trust.ts'
import { StoredOptions } from './stored-options.ts'
import type { Topics } from './topics.ts'

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
  /** What servers may ask of us; more may be pushed until `start`. */
  readonly features?: readonly FeaturePart[]
  /** What the records of servers show of folders and sampling. */
  readonly shown?: ShownParts
  /** Which calls wait, so that a server's question can be told from which of them it came. */
  readonly calls?: CallsInFlight
  /** A call was refused until a person has been at these addresses; true when it is to be tried again. */
  readonly visits?: (serverId: ServerId, required: readonly ElicitUrlParams[], call: CallInFlight) => Promise<boolean>
}

/** A tool as the model may be offered it, with what consent needs to judge it. */
export interface AvailableTool {
  readonly serverId: ServerId
  readonly serverName: string
  readonly launchIdentity: string
  readonly tool: Tool
  readonly fingerprint: string
  readonly hints: ToolHints
  readonly hidden: boolean
}

/** What conversations need of servers. */
export interface ToolSource {
  /** Every usable tool of every ready server, in the order of the servers. */
  tools(): readonly AvailableTool[]
  tool(serverId: ServerId, name: string): AvailableTool | undefined
  call(serverId: ServerId, name: string, args: JsonObject, options: CallOptions): Promise<CheckedResult>
  record(serverId: ServerId): ServerRecord | undefined
  onToolsChanged(listen: (serverId: ServerId) => void): () => void
}

/** How many servers are launched at a time. */
const LAUNCHES = 4
/** The notices that this room shows and takes back. */
const FILE_NOTICE = 'server-file'
const NAME_NOTICE = 'server-name'
/** Where somebody has put `assets/client-metadata.json` on the web, for authorization servers to read (ruling 20). */
const METADATA_VARIABLE = 'PARLEY_CLIENT_METADATA_URL'

/** Every configured server: follows mcp.json, keeps what it has no place for, starts and stops them (ARCH-02). */
export class Servers implements ToolSource {
  /** What each ready server offers, page by page. */
  readonly catalogs = new ServerCatalogs((serverId) => this.#server(serverId))
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
  readonly #servers = new Map<ServerId, ConfiguredServer>()
  readonly #toolsChanged = new Emitter<ServerId>()
  #started: { readonly around: Surroundings; readonly folderKey: Uint8Array } | undefined
  /** The file is followed one state after another. */
  #following: Promise<void> = Promise.resolve()

  constructor(parts: ServersParts) {
    const { records, serverFile, secrets } = parts.storage
    this.#parts = parts
    this.#lifetime = new Lifetime('servers', parts.lifetime)
    this.#trust = new ServerTrust({ ...parts, records })
    this.#options = new StoredOptions(records)
    this.calls = new ServerCalls({
      clock: parts.clock,
      find: (serverId) => this.#servers.get(serverId),
      get: (serverId) => this.#server(serverId),
      inFlight: parts.calls,
      visits: parts.visits,
    })
    this.byHand = new CallsByHand({ ...parts, calls: this.calls })
    this.#edits = new ServerEdits({
      serverFile,
      secrets,
      options: this.#options,
      own: (serverId) => this.#own(serverId),
      follow: () => this.#follow(serverFile.current()),
    })
  }

  /**
   * Shows every server and starts what is enabled: trusted servers once what an earlier host left running is ended, the others
   * ask. Resolves as soon as all have a state; nothing waits for a server.
   */
  async start(): Promise<void> {
    const { storage, topics, platform, clock, state, environment, connector, playground } = this.#parts
    await this.#trust.load()
    await this.#options.load()
    const folderKey = await storage.secrets.folderKey()
    const processes = new ProcessRecords(storage.records, folderKey)
    this.#started = {
      folderKey,
      around: {
        clock,
        state,
        topics,
        lifetime: this.#lifetime,
        trust: this.#trust,
        gate: new LaunchGate(LAUNCHES),
        features: this.#parts.features ?? [],
        shown: this.#parts.shown ?? (() => ({})),
        toolsChanged: (serverId) => this.#toolsChanged.fire(serverId),
        signIn: {
          secrets: storage.secrets,
          connector,
          interactions: this.#parts.interactions,
          platform,
          ...(this.#parts.calls && { calls: this.#parts.calls }),
          ...(environment[METADATA_VARIABLE] && { metadataUrl: environment[METADATA_VARIABLE] }),
        },
        connecting: {
          clock,
          environment,
          os: platform.os,
          version: platform.version,
          secrets: storage.secrets,
          processes,
          reaped: processes.reap(),
          connector,
          remembered: new Map(),
          playground,
          home: environment.HOME ?? environment.USERPROFILE ?? storage.folder,
        },
      },
    }
    topics.serve('server', async (key) => {
      const server = this.#servers.get(key as ServerId)
      return server && (() => this.#topicOf(server))
    })
    if (playground) await this.#create({ name: PLAYGROUND_ID }, { type: 'built-in' })
    await this.#follow(storage.serverFile.current())
    this.#lifetime.onEnd(storage.serverFile.onChange((file) => void this.#follow(file)))
  }

  /** Stops every server, all at a time. */
  async end(): Promise<void> {
    await Promise.allSettled([...this.#servers.values()].map((server) => server.supervisor.stop('stopped')))
    await this.#edits.end()
    await this.#lifetime.end()
  }

  // What conversations need

  tools(): readonly AvailableTool[] {
    return [...this.#servers.values()].flatMap((server) =>
      server.tools().flatMap(({ tool, unusable }) => (unusable === undefined ? [available(server, tool)] : [])),
    )
  }

  tool(serverId: ServerId, name: string): AvailableTool | undefined {
    const server = this.#servers.get(serverId)
    const found = server?.tools().find((entry) => entry.tool.name === name && entry.unusable === undefined)
    return server && found && available(server, found.tool)
  }

  call(serverId: ServerId, name: string, args: JsonObject, options: CallOptions): Promise<CheckedResult> {
    return this.calls.call(serverId, name, args, options)
  }

  record(serverId: ServerId): ServerRecord | undefined {
    return this.#servers.get(serverId)?.record
  }

  /** Its connection; throws HostError `not-found`, or `unavailable` while it is not ready. */
  client(serverId: ServerId): Client {
    return this.#server(serverId).client
  }

  /** Its connection while it is ready. */
  connected(serverId: ServerId): Client | undefined {
    const server = this.#servers.get(serverId)
    return server?.ready ? server.client : undefined
  }

  onToolsChanged(listen: (serverId: ServerId) => void): () => void {
    return this.#toolsChanged.on(listen)
  }

  /** What its record shows of folders and sampling changed. */
  showAgain(serverId: ServerId): void {
    this.#servers.get(serverId)?.showAgain()
  }

  /** Its folders changed: it is told, if it wants to know. */
  rootsChanged(serverId: ServerId): void {
    this.#servers.get(serverId)?.rootsChanged()
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

  async setOptions(serverId: ServerId, change: Partial<ServerOptions>): Promise<void> {
    const server = this.#server(serverId)
    const before = server.record.options
    const { requestTimeout, maxRequestTime } = { ...before, ...change }
    if (maxRequestTime < requestTimeout) {
      throw new HostError('invalid-params', 'The longest time of a request cannot be shorter than its time without an answer.')
    }
    await this.#options.add(serverId, change)
    const now = { ...before, ...change }
    server.setOptions(now)
    if (now.enabled !== before.enabled) {
      if (now.enabled) {
        server.signIn.clicked()
        server.supervisor.start()
      } else await server.supervisor.stop('not-enabled')
    } else if (now.draftProfile !== before.draftProfile && server.ready) await server.supervisor.restart()
  }

  /** A person's wish, kept over restarts of the host. */
  async startServer(serverId: ServerId): Promise<void> {
    const server = this.#server(serverId)
    const { problem } = server.record
    if (problem) throw new HostError('unavailable', [problem.what, problem.todo].filter(Boolean).join(' '))
    server.signIn.clicked()
    await this.#setEnabled(server, true)
    if (server.record.state.is === 'restarting') await server.supervisor.restart()
    else server.supervisor.start()
  }

  /** A stopped server stays stopped when the host starts again. */
  async stopServer(serverId: ServerId): Promise<void> {
    const server = this.#server(serverId)
    await this.#setEnabled(server, false)
    await server.supervisor.stop('stopped')
  }

  /** A person clicked “Sign in”. */
  async authorize(serverId: ServerId): Promise<void> {
    const server = this.#server(serverId)
    const { launch } = server
    if (launch.type !== 'remote')
      throw new HostError('refused', 'A program on this computer takes its keys from its environment.')
    if (server.ready) server.signIn.authorize(launch.url)
    else await this.startServer(serverId)
  }

  cancelAuthorization(serverId: ServerId): void {
    this.#server(serverId).signIn.cancel()
  }

  pasteRedirect(serverId: ServerId, address: string): void {
    this.#server(serverId).signIn.paste(address)
  }

  /** What runs goes on until the server asks again. */
  async forgetAuthorization(serverId: ServerId, everything: boolean): Promise<void> {
    await this.#server(serverId).signIn.forget(everything)
  }

  async setLogLevel(serverId: ServerId, level: LogLevel): Promise<void> {
    await this.#server(serverId).setLogLevel(level)
  }

  refreshCatalog(serverId: ServerId): Promise<void> {
    return this.catalogs.refresh(serverId)
  }

  /** What passed over its connections, redacted, after entry number `after`. */
  traffic(serverId: ServerId, after: number | undefined): { entries: readonly TrafficEntry[]; dropped: number } {
    return this.#server(serverId).traffic.read(after)
  }

  // Within

  #topicOf({ id, log }: ConfiguredServer): ServerTopic {
    const calls = this.byHand.of(id)
    return { ...log.value(), ...(calls.length > 0 && { calls }) }
  }

  #server(serverId: ServerId): ConfiguredServer {
    const server = this.#servers.get(serverId)
    if (server) return server
    throw new HostError('not-found', 'There is no such server.')
  }

  /** One that a person configured. */
  #own(serverId: ServerId): ConfiguredServer {
    const server = this.#server(serverId)
    if (server.record.builtIn) throw new HostError('refused', 'The built-in server cannot be changed or removed.')
    return server
  }

  async #setEnabled(server: ConfiguredServer, enabled: boolean): Promise<void> {
    if (server.record.options.enabled === enabled) return
    await this.#options.add(server.id, { enabled })
    server.setOptions({ ...server.record.options, enabled })
  }

  #follow(state: ServerFileState): Promise<void> {
    this.#following = this.#following.catch(() => {}).then(() => this.#take(state))
    return this.#following
  }

  /** Brings the servers in line with the file; one bad entry fails alone (ruling 27). */
  async #take({ entries, problem }: ServerFileState): Promise<void> {
    this.#notice(FILE_NOTICE, problem)
    const refused = entries.find(({ name }) => isReserved(name))
    this.#notice(NAME_NOTICE, refused && nameRefused(refused.name))
    const wanted = new Map(entries.filter(({ name }) => !isReserved(name)).map((entry) => [entry.name as ServerId, entry]))
    for (const server of [...this.#servers.values()]) {
      if (!server.record.builtIn && !wanted.has(server.id)) await this.#drop(server)
    }
    for (const [id, entry] of wanted) {
      if (this.#lifetime.ended) return
      const server = this.#servers.get(id)
      if (!server) await this.#create(entry, entry.launch)
      else {
        server.setProblem(entry.problem)
        if (entry.launch && canonicalJson(entry.launch) !== canonicalJson(server.launch)) {
          await server.supervisor.change(await this.#prepare(entry.launch))
        }
      }
    }
  }

  async #create(entry: ServerFileEntry, launch: Launch | undefined): Promise<void> {
    const id = entry.name as ServerId
    const prepared = launch && (await this.#prepare(launch))
    const server = new ConfiguredServer(id, this.#options.of(id, entry.disabled), prepared, this.#running.around)
    this.#servers.set(id, server)
    const badName = server.record.builtIn ? undefined : nameProblem(id)
    server.setProblem(entry.problem ?? (badName ? nameRefused(id, badName) : undefined))
    if (server.record.options.enabled && !server.record.problem) server.supervisor.start()
  }

  /** Gone for windows and conversations at once; its process ends in its own time. */
  async #drop(server: ConfiguredServer): Promise<void> {
    const { id } = server
    this.#edits.noteRemoved(id, server.launch)
    this.#servers.delete(id)
    server.remove()
    await server.signIn.forget(true)
    await this.#trust.forget(id)
    await this.#options.forget(id)
    this.#toolsChanged.fire(id)
    this.onRemoved.fire(id)
  }

  #prepare(launch: Launch): Promise<PreparedLaunch> {
    const { folderKey, around } = this.#running
    return prepareLaunch(launch, folderKey, around.connecting)
  }

  get #running() {
    if (this.#started) return this.#started
    throw new Error('Servers.start() comes first')
  }

  #notice(code: string, problem: Problem | undefined): void {
    const { state, clock } = this.#parts
    if (problem) state.notice('warning', { ...problem, code }, clock.now())
    else state.dismiss(code)
  }
}

/** Names that no server of the file can bear, for the host or the language has them. */
const isReserved = (name: string): boolean => name.toLowerCase() === PLAYGROUND_ID || name === '__proto__'

function nameRefused(name: string, why = `The name “${name}” is taken by Parley itself.`): Problem {
  return {
    code: NAME_NOTICE,
    what: `The entry “${name.slice(0, 100)}” in mcp.json is not used. ${why}`,
    todo: 'Give it another name in mcp.json.',
  }
}

function available(server: ConfiguredServer, tool: Tool): AvailableTool {
  const { id, name, launchIdentity, options } = server.record
  return {
    serverId: id,
    serverName: name,
    launchIdentity,
    tool,
    fingerprint: fingerprintOf(tool),
    hints: toolHints(tool.annotations),
    hidden: options.hiddenTools.includes(tool.name),
  }
}
