import { createHash } from 'node:crypto'
import type { Clock } from '../../src-shared/base/clock.ts'
import { Emitter } from '../../src-shared/base/emitter.ts'
import type { JsonObject } from '../../src-shared/base/json.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import type { ToolCallResult } from '../../src-shared/contract/conversations.ts'
import { HostError, type Problem } from '../../src-shared/contract/errors.ts'
import type { TrafficEntry } from '../../src-shared/contract/requests.ts'
import {
  DEFAULT_SERVER_OPTIONS,
  type Launch,
  PLAYGROUND_ID,
  type ServerConfig,
  type ServerId,
  type ServerOptions,
  type ServerRecord,
  type ToolDetails,
  type ToolEntry,
  type ToolHints,
  toolHints,
} from '../../src-shared/contract/servers.ts'
import type {
  CallToolResult,
  LogLevel,
  Progress,
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
} from '../../src-shared/mcp/primitives.ts'
import type { Transport } from '../protocol/transport.ts'
import type { ServerFileEntry, ServerFileState, Storage } from '../storage/storage.ts'
import type { Connector } from '../transports/connector.ts'
import { listed, type Page, pageOf, toolDetails, toolEntry } from './catalog-pages.ts'
import { ConfiguredServer, fingerprintOf, type Surroundings } from './configured-server.ts'
import { configuredValues, findCommand } from './connect-server.ts'
import { toolCallResult } from './content-views.ts'
import { asHostError } from './failure-explanations.ts'
import { canonicalJson } from './fingerprint.ts'
import type { HostState } from './host-state.ts'
import type { Interactions } from './interactions.ts'
import { LaunchGate } from './launch-gate.ts'
import { launchIdentity, summarize, valueMarks } from './launch-identity.ts'
import type { Platform } from './platform.ts'
import { ProcessRecords } from './process-records.ts'
import { checkConfig, liftAll, nameProblem, secretIds, storeSecrets } from './server-config.ts'
import type { FeaturePart } from './server-features.ts'
import type { PreparedLaunch } from './server-supervisor.ts'
import { ServerTrust } from './server-trust.ts'
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
  /** One for all HTTP; called at the first HTTP connection. */
  readonly connectorFor: () => Connector | Promise<Connector>
  /** What servers may ask of us; more may be pushed until `start`. */
  readonly features?: readonly FeaturePart[]
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

export interface CallOptions {
  readonly signal: AbortSignal
  readonly onProgress: (progress: Progress) => void
}

/** What conversations need of servers. */
export interface ToolSource {
  /** Every usable tool of every ready server, in the order of the servers. */
  tools(): readonly AvailableTool[]
  tool(serverId: ServerId, name: string): AvailableTool | undefined
  call(
    serverId: ServerId,
    name: string,
    args: JsonObject,
    options: CallOptions,
  ): Promise<CallToolResult & { readonly warnings: readonly string[] }>
  record(serverId: ServerId): ServerRecord | undefined
  onToolsChanged(listen: (serverId: ServerId) => void): () => void
}

interface Paging {
  readonly cursor?: string
  readonly search?: string
}

/** How many servers are launched at a time. */
const LAUNCHES = 4
/** The notices that this room shows and takes back. */
const FILE_NOTICE = 'server-file'
const NAME_NOTICE = 'server-name'

/** Every configured server: follows mcp.json, keeps what it has no place for, starts and stops them (ARCH-02). */
export class Servers implements ToolSource {
  readonly onRemoved = new Emitter<ServerId>()
  readonly #parts: ServersParts
  readonly #lifetime: Lifetime
  readonly #trust: ServerTrust
  readonly #servers = new Map<ServerId, ConfiguredServer>()
  readonly #toolsChanged = new Emitter<ServerId>()
  /** What a removed server leaves for as long as it can be put back. */
  readonly #removed = new Map<
    ServerId,
    { readonly options: Partial<ServerOptions> | undefined; readonly secrets: readonly string[] }
  >()
  #options = new Map<string, Partial<ServerOptions>>()
  #folderKey = new Uint8Array()
  #around: Surroundings | undefined
  /** The file is followed one state after another. */
  #following: Promise<void> = Promise.resolve()

  constructor(parts: ServersParts) {
    this.#parts = parts
    this.#lifetime = new Lifetime('servers', parts.lifetime)
    this.#trust = new ServerTrust({ ...parts, records: parts.storage.records })
  }

  /**
   * Shows every server, ends what an earlier host left running, then starts what is enabled: trusted servers at once, the others
   * ask. Resolves as soon as all have a state; nothing waits for a server.
   */
  async start(): Promise<void> {
    const { storage, topics, platform, clock, environment, connectorFor, playground } = this.#parts
    await this.#trust.load()
    this.#options = await storage.records.all('server-options')
    this.#folderKey = new Uint8Array(await storage.secrets.folderKey())
    const processes = new ProcessRecords(storage.records, this.#folderKey)
    this.#around = {
      ...this.#parts,
      lifetime: this.#lifetime,
      trust: this.#trust,
      gate: new LaunchGate(LAUNCHES),
      features: this.#parts.features ?? [],
      toolsChanged: (serverId) => this.#toolsChanged.fire(serverId),
      connecting: {
        clock,
        environment,
        os: platform.os,
        version: platform.version,
        secrets: storage.secrets,
        processes,
        connectorFor,
        playground,
        home: environment.HOME ?? environment.USERPROFILE ?? storage.folder,
      },
    }
    topics.serve('server', async (key) => {
      const server = this.#servers.get(key as ServerId)
      return server && (() => server.log.value())
    })
    await processes.reap()
    if (playground) this.#create(PLAYGROUND_ID, { name: PLAYGROUND_ID }, await this.#prepare({ type: 'built-in' }))
    await this.#follow(storage.serverFile.current())
    this.#lifetime.onEnd(storage.serverFile.onChange((state) => void this.#follow(state)))
  }

  /** Stops every server, all at a time. */
  async end(): Promise<void> {
    await Promise.allSettled([...this.#servers.values()].map((server) => server.supervisor.stop('stopped')))
    for (const { secrets } of this.#removed.values()) await this.#forgetSecrets(secrets)
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

  async call(serverId: ServerId, name: string, args: JsonObject, options: CallOptions) {
    const { client, record } = this.#server(serverId)
    const { requestTimeout, maxRequestTime } = record.options
    return client.callTool(name, args, { ...options, timeout: requestTimeout, maxTime: maxRequestTime })
  }

  record(serverId: ServerId): ServerRecord | undefined {
    return this.#servers.get(serverId)?.record
  }

  onToolsChanged(listen: (serverId: ServerId) => void): () => void {
    return this.#toolsChanged.on(listen)
  }

  // What a person does

  /** Writes it into mcp.json and starts it, which asks. Throws HostError `invalid-params` with a sentence. */
  async add(config: ServerConfig): Promise<{ serverId: ServerId }> {
    const serverId = this.#newId(config)
    const launch = await storeSecrets(config.launch, undefined, this.#parts.storage.secrets)
    await this.#keepOptions(serverId, config.options ?? {})
    await this.#parts.storage.serverFile.put(serverId, launch)
    await this.#follow(this.#parts.storage.serverFile.current())
    return { serverId }
  }

  /** A rename is a new server, which is trusted anew; its options move along (ruling 27). */
  async change(serverId: ServerId, config: ServerConfig): Promise<{ serverId: ServerId }> {
    const server = this.#own(serverId)
    const { serverFile, secrets } = this.#parts.storage
    const renamed = config.name !== serverId
    if (renamed) this.#newId(config)
    else checkConfig(config)
    const before = server.launch as Exclude<Launch, { type: 'built-in' }>
    const launch = await storeSecrets(config.launch, before, secrets)
    const id = config.name as ServerId
    await this.#keepOptions(id, { ...this.#options.get(serverId), ...config.options })
    await serverFile.put(id, launch)
    if (renamed) await serverFile.remove(serverId)
    await this.#follow(serverFile.current())
    this.#servers.get(id)?.setOptions(this.#optionsOf(id, undefined))
    if (renamed) this.#removed.delete(serverId) // its secrets went along
    const kept = new Set(secretIds(launch))
    await this.#forgetSecrets(secretIds(before).filter((secret) => !kept.has(secret)))
    return { serverId: id }
  }

  /** Stops it, takes it out of mcp.json and forgets its trust. `restore` puts it back for as long as this host runs. */
  async remove(serverId: ServerId): Promise<void> {
    this.#own(serverId)
    await this.#parts.storage.serverFile.remove(serverId)
    await this.#follow(this.#parts.storage.serverFile.current())
  }

  async restore(serverId: ServerId): Promise<void> {
    const left = this.#removed.get(serverId)
    if (left?.options) await this.#keepOptions(serverId, left.options)
    if (!(await this.#parts.storage.serverFile.restore(serverId))) {
      throw new HostError('not-found', `There is no removed server “${serverId}” to put back.`)
    }
    this.#removed.delete(serverId)
    await this.#follow(this.#parts.storage.serverFile.current())
  }

  async setOptions(serverId: ServerId, change: Partial<ServerOptions>): Promise<void> {
    const server = this.#server(serverId)
    const before = server.record.options
    const { requestTimeout = before.requestTimeout, maxRequestTime = before.maxRequestTime } = change
    if (maxRequestTime < requestTimeout) {
      throw new HostError('invalid-params', 'The longest time of a request cannot be shorter than its time without an answer.')
    }
    await this.#keepOptions(serverId, { ...this.#options.get(serverId), ...change })
    const now = { ...before, ...change }
    server.setOptions(now)
    if (now.enabled !== before.enabled) {
      if (now.enabled) server.supervisor.start()
      else await server.supervisor.stop('not-enabled')
    } else if (now.draftProfile !== before.draftProfile && server.ready) await server.supervisor.restart()
  }

  /** A person's wish, kept over restarts of the host. */
  async startServer(serverId: ServerId): Promise<void> {
    const server = this.#server(serverId)
    if (server.record.problem)
      throw new HostError('unavailable', `${server.record.problem.what} ${server.record.problem.todo ?? ''}`.trim())
    if (!server.record.options.enabled) await this.#setEnabled(server, true)
    server.supervisor.start()
  }

  /** A stopped server stays stopped when the host starts again. */
  async stopServer(serverId: ServerId): Promise<void> {
    const server = this.#server(serverId)
    if (server.record.options.enabled) await this.#setEnabled(server, false)
    await server.supervisor.stop('stopped')
  }

  async setLogLevel(serverId: ServerId, level: LogLevel): Promise<void> {
    await this.#server(serverId).setLogLevel(level)
  }

  /** Moves what stands in the clear in mcp.json to the secret store. The values stay the same, so nothing is asked. */
  async liftSecrets(serverId: ServerId): Promise<void> {
    const { launch } = this.#own(serverId)
    if (launch.type === 'built-in') return
    await this.#parts.storage.serverFile.put(serverId, await liftAll(launch, this.#parts.storage.secrets))
    await this.#follow(this.#parts.storage.serverFile.current())
  }

  /** The click is the consent; it stands in the ledger like every other call (TOOL-10). */
  async callByHand(serverId: ServerId, tool: string, args: JsonObject, signal: AbortSignal): Promise<ToolCallResult> {
    const { storage, clock } = this.#parts
    const entry = {
      at: clock.now(),
      serverId,
      tool,
      argumentsHash: createHash('sha256').update(canonicalJson(args)).digest('hex'),
      decision: 'by-hand' as const,
    }
    try {
      const result = await this.call(serverId, tool, args, { signal, onProgress: () => {} })
      await storage.conversations.addLedger({ ...entry, outcome: result.isError ? 'error' : 'finished' })
      return await toolCallResult(result, storage.blobs)
    } catch (error) {
      await storage.conversations.addLedger({ ...entry, outcome: signal.aborted ? 'cancelled' : 'failed' })
      throw asHostError(error) ?? error
    }
  }

  // What windows read

  catalogTools(serverId: ServerId, page: Paging): Page<ToolEntry> {
    const server = this.#server(serverId)
    const found = pageOf(server.tools(), page, ({ tool }) => [tool.name, tool.title, tool.description])
    return { ...found, items: found.items.map((entry) => toolEntry(entry, server.marksOf(entry.tool))) }
  }

  catalogTool(serverId: ServerId, name: string): ToolDetails {
    const server = this.#server(serverId)
    const entry = server.tools().find(({ tool }) => tool.name === name)
    if (!entry) throw new HostError('not-found', `“${server.record.name}” does not offer that tool now.`)
    return toolDetails(entry, server.marksOf(entry.tool))
  }

  catalogResources(serverId: ServerId, page: Paging): Page<Resource> {
    const server = this.#server(serverId)
    const all = server.ready ? server.client.catalog.value.resources : []
    return pageOf(all.map(listed), page, (entry) => [entry.name, entry.title, entry.uri, entry.description])
  }

  catalogTemplates(serverId: ServerId, page: Paging): Page<ResourceTemplate> {
    const server = this.#server(serverId)
    const all = server.ready ? server.client.catalog.value.templates : []
    return pageOf(all.map(listed), page, (entry) => [entry.name, entry.title, entry.uriTemplate, entry.description])
  }

  catalogPrompts(serverId: ServerId, page: Paging): Page<Prompt> {
    const server = this.#server(serverId)
    const all = server.ready ? server.client.catalog.value.prompts : []
    return pageOf(all.map(listed), page, (entry) => [entry.name, entry.title, entry.description])
  }

  async refreshCatalog(serverId: ServerId): Promise<void> {
    await this.#server(serverId).client.catalog.refresh()
  }

  traffic(serverId: ServerId, after: number | undefined): { entries: readonly TrafficEntry[]; dropped: number } {
    return this.#server(serverId).traffic.read(after)
  }

  // Within

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

  #newId(config: ServerConfig): ServerId {
    checkConfig(config)
    const { entries, problem } = this.#parts.storage.serverFile.current()
    if (problem) throw new HostError('storage', [problem.what, problem.said, problem.todo].filter(Boolean).join(' '))
    if (entries.some((entry) => entry.name.toLowerCase() === config.name.toLowerCase())) {
      throw new HostError('conflict', `There is a server “${config.name}” already. Choose another name.`)
    }
    return config.name as ServerId
  }

  #follow(state: ServerFileState): Promise<void> {
    this.#following = this.#following.then(
      () => this.#take(state),
      () => this.#take(state),
    )
    return this.#following
  }

  /** Brings the servers in line with the file; one bad entry fails alone (ruling 27). */
  async #take({ entries, problem }: ServerFileState): Promise<void> {
    if (this.#lifetime.ended) return
    this.#notice(FILE_NOTICE, problem)
    const refused = entries.filter(({ name }) => isReserved(name))
    this.#notice(NAME_NOTICE, refused[0] && nameRefused(refused[0].name))
    const wanted = new Map(entries.filter(({ name }) => !isReserved(name)).map((entry) => [entry.name as ServerId, entry]))
    for (const server of [...this.#servers.values()]) {
      if (!server.record.builtIn && !wanted.has(server.id)) await this.#drop(server)
    }
    for (const [id, entry] of wanted) {
      const prepared = entry.launch && (await this.#prepare(entry.launch))
      const server = this.#servers.get(id)
      if (!server) this.#create(id, entry, prepared)
      else {
        server.setProblem(entry.problem)
        if (prepared && canonicalJson(prepared.launch) !== canonicalJson(server.launch)) void server.supervisor.change(prepared)
      }
    }
  }

  #create(id: ServerId, entry: ServerFileEntry, prepared: PreparedLaunch | undefined): void {
    if (!this.#around) throw new Error('Servers.start() comes first')
    const server = new ConfiguredServer(id, this.#optionsOf(id, entry), prepared, this.#around)
    this.#servers.set(id, server)
    const tooLong = id === PLAYGROUND_ID ? undefined : nameProblem(id)
    server.setProblem(entry.problem ?? (tooLong ? nameRefused(id, tooLong) : undefined))
    if (server.record.options.enabled && !server.record.problem) server.supervisor.start()
  }

  async #drop(server: ConfiguredServer): Promise<void> {
    const { id } = server
    this.#servers.delete(id)
    this.#removed.set(id, { options: this.#options.get(id), secrets: secretIds(server.launch) })
    await server.end().catch(() => {}) // what failed to end was killed
    await this.#trust.forget(id)
    this.#options.delete(id)
    await this.#parts.storage.records.remove('server-options', id)
    this.#toolsChanged.fire(id)
    this.onRemoved.fire(id)
  }

  /** Its identity, and what a person would be shown; reads secrets only to hash them. */
  async #prepare(launch: Launch): Promise<PreparedLaunch> {
    const values = new Map<string, string>()
    for (const value of Object.values(configuredValues(launch))) {
      if (!('secret' in value)) continue
      // One that cannot be opened here counts as missing; connecting will say so.
      const text = await this.#parts.storage.secrets.get(value.secret).catch(() => undefined)
      if (text !== undefined) values.set(value.secret, text)
    }
    const identity = launchIdentity(this.#folderKey, launch, values)
    if (launch.type === 'built-in') return { launch, identity }
    const connecting = this.#around?.connecting
    const found = launch.type === 'local' && connecting ? await findCommand(launch, connecting) : { cwd: '' }
    return { launch, identity, facts: { summary: summarize(launch, found), values: valueMarks(this.#folderKey, launch, values) } }
  }

  #optionsOf(id: ServerId, entry: ServerFileEntry | undefined): ServerOptions {
    return { ...DEFAULT_SERVER_OPTIONS, ...(entry?.disabled && { enabled: false }), ...this.#options.get(id) }
  }

  async #keepOptions(id: ServerId, options: Partial<ServerOptions>): Promise<void> {
    await this.#parts.storage.records.put('server-options', id, options)
    this.#options.set(id, options)
  }

  async #setEnabled(server: ConfiguredServer, enabled: boolean): Promise<void> {
    await this.#keepOptions(server.id, { ...this.#options.get(server.id), enabled })
    server.setOptions({ ...server.record.options, enabled })
  }

  async #forgetSecrets(ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.#parts.storage.secrets.remove(id)
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
