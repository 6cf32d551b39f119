import type { Clock } from '../../../src-shared/base/clock.ts'
import { Lifetime } from '../../../src-shared/base/lifetime.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import {
  type Launch,
  PLAYGROUND_ID,
  type ServerOptions,
  type ServerRecord,
  type ServerState,
} from '../../../src-shared/contract/servers.ts'
import type { LogLevel, Tool } from '../../../src-shared/mcp/primitives.ts'
import type { CatalogTool } from '../../client/catalog.ts'
import type { Client } from '../../client/client.ts'
import type { Images } from '../../images/images.ts'
import { type ConnectParts, connectServer } from '../connection/connect-server.ts'
import type { PreparedLaunch } from '../connection/prepare-launch.ts'
import { ServerLog } from '../connection/server-log.ts'
import { ServerSignIn, type ServerSignInParts } from '../connection/server-sign-in.ts'
import { ServerSupervisor } from '../connection/server-supervisor.ts'
import { TrafficLog } from '../connection/traffic-log.ts'
import type { HostState } from '../core/host-state.ts'
import type { ShowIcons } from '../core/icons.ts'
import type { Topics } from '../core/topics.ts'
import type { LaunchGate } from '../launch/launch-gate.ts'
import { shownLaunch } from '../launch/server-config.ts'
import type { ServerTrust } from '../launch/server-trust.ts'
import type { ToolMarks } from './catalog-pages.ts'
import { claimsOf, countsOf, NO_CATALOG } from './server-claims.ts'
import { type OfferedFeatures, serverFeatures } from './server-features.ts'
import { ServerIcons } from './server-icons.ts'
import { ToolBaseline } from './tool-baseline.ts'

/** A problem of its entry leaves a server without a launch; this stands in its place. */
const NO_LAUNCH: PreparedLaunch = { launch: { type: 'local', command: '', args: [], env: {} }, identity: '' }

/** What a server is given by those who keep all of them. */
export interface ServerDependencies {
  readonly clock: Clock
  readonly lifetime: Lifetime
  readonly state: HostState
  readonly topics: Topics
  readonly trust: ServerTrust
  readonly gate: LaunchGate
  readonly connecting: ConnectParts
  readonly images: Pick<Images, 'fit'>
  readonly features: OfferedFeatures
  readonly toolsChanged: (serverId: ServerId) => void
  readonly signIn: Pick<ServerSignInParts, 'secrets' | 'connector' | 'interactions' | 'platform' | 'calls' | 'metadataUrl'>
}

/** One server of the configuration: its record as windows see it, and everything that belongs to it alone (ARCH-01, ARCH-03). */
export class ConfiguredServer {
  readonly id: ServerId
  readonly traffic: TrafficLog
  readonly log: ServerLog
  readonly supervisor: ServerSupervisor
  readonly signIn: ServerSignIn
  readonly showIcons: ShowIcons = (icons) => this.#icons.shown(icons)
  readonly #dependencies: ServerDependencies
  readonly #lifetime: Lifetime
  readonly #icons: ServerIcons
  #record: ServerRecord
  #launch: Launch
  /** What its client was or is being connected to, whatever the file says by now. */
  #connecting: Launch | undefined
  #client: Client | undefined
  #unsubscribe: (() => void)[] = []
  #logLevel: LogLevel | undefined
  #version = 0
  /** Its folders changed while it was being connected, so it may have asked for them before. */
  #untold = false
  /** Its name may be another server's by now. */
  #removed = false
  readonly #baseline = new ToolBaseline()

  constructor(id: ServerId, options: ServerOptions, prepared: PreparedLaunch | undefined, dependencies: ServerDependencies) {
    this.id = id
    this.#dependencies = dependencies
    this.#lifetime = new Lifetime(`server ${id}`, dependencies.lifetime)
    this.traffic = new TrafficLog(() => dependencies.clock.now())
    this.log = new ServerLog(dependencies.clock, (event) => dependencies.topics.emit(`server/${id}`, event))
    this.#lifetime.onEnd(() => this.log.end())
    this.#icons = new ServerIcons({
      request: dependencies.connecting.connector.request,
      images: dependencies.images,
      clock: dependencies.clock,
      lifetime: this.#lifetime,
      onChange: () => this.#countsChanged(),
    })
    const launch = prepared ?? NO_LAUNCH
    this.#launch = launch.launch
    const name = id === PLAYGROUND_ID ? 'Playground' : id
    this.#record = {
      id,
      name,
      launch: shownLaunch(launch.launch),
      builtIn: launch.launch.type === 'built-in',
      options,
      state: { is: 'stopped', why: options.enabled ? 'not-started' : 'not-enabled' },
      launchIdentity: launch.identity,
      catalog: { version: 0, ...NO_CATALOG },
      ...dependencies.features.shown(id, launch.identity),
    }
    this.signIn = new ServerSignIn({
      ...dependencies.signIn,
      id,
      name,
      clock: dependencies.clock,
      lifetime: this.#lifetime,
      log: this.log,
      traffic: this.traffic,
      onView: (view) => this.#showSignIn(view),
    })
    this.supervisor = new ServerSupervisor(
      {
        id,
        name,
        clock: dependencies.clock,
        lifetime: this.#lifetime,
        trust: dependencies.trust,
        gate: dependencies.gate,
        log: this.log,
        connect: (configured, lifetime, onLaunched) => {
          this.#connecting = configured
          return connectServer(
            {
              serverId: id,
              launch: configured,
              options: this.#record.options,
              features: serverFeatures(id, dependencies.features.parts),
              lifetime,
              log: this.log,
              traffic: this.traffic,
              signIn: this.signIn,
              onLaunched,
            },
            dependencies.connecting,
          )
        },
        onState: (state) => this.#enter(state),
        onAllowed: () => this.signIn.clicked(),
        onClient: (client) => this.#use(client),
        onLaunch: (current, pending) => this.#launchChanged(current, pending),
      },
      launch,
    )
    dependencies.state.emit({ type: 'server.added', server: this.#record })
    if (launch.launch.type === 'remote') void this.signIn.show(launch.launch.url)
  }

  get record(): ServerRecord {
    return this.#record
  }

  /** As configured now, with values in the clear where the file has them so: never for windows. */
  get launch(): Launch {
    return this.#launch
  }

  /** Its client while it is ready; throws HostError `unavailable` else. */
  get client(): Client {
    if (this.#client) return this.#client
    throw new HostError('unavailable', `“${this.#record.name}” is not running. Start it and try again.`)
  }

  get ready(): boolean {
    return this.#client !== undefined
  }

  tools(): readonly CatalogTool[] {
    return this.#client?.catalog.value.tools ?? []
  }

  /** Its folders or what sampling has used are others now. */
  showAgain(): void {
    const { folders: _folders, sampled: _sampled, ...rest } = this.#record
    this.#replace({ ...rest, ...this.#dependencies.features.shown(this.id, rest.launchIdentity) })
  }

  /** Tells it that its folders changed, when it is connected and was told of folders. */
  rootsChanged(): void {
    this.#untold = !this.#client
    this.#client?.rootsChanged()
  }

  marksOf(tool: Tool): Omit<ToolMarks, 'tokens'> {
    return { hidden: this.#record.options.hiddenTools.includes(tool.name), changed: this.#baseline.changeOf(tool) }
  }

  setOptions(options: ServerOptions): void {
    const hidden = this.#record.options.hiddenTools
    this.#publish({ options })
    if (hidden !== options.hiddenTools) this.#dependencies.toolsChanged(this.id)
  }

  /** Why its entry in the file cannot be used; what runs goes on. */
  setProblem(problem: Problem | undefined): void {
    if (this.#record.problem?.what === problem?.what) return
    const { problem: _before, ...rest } = this.#record
    this.#replace(problem ? { ...rest, problem } : rest)
    const { state } = this.#record
    if (problem && (state.is === 'stopped' || state.is === 'failed')) {
      this.#enter({ is: 'failed', at: this.#dependencies.clock.now(), problem, stderr: [] })
    }
  }

  /** Kept for as long as this host runs and applied again after each reconnection (LIFE-40). */
  async setLogLevel(level: LogLevel): Promise<void> {
    this.#logLevel = level
    if (this.#client) await this.#client.setLogLevel(level, { signal: this.#lifetime.signal })
  }

  /** Gone for every window at once; its process ends in its own time. */
  remove(): void {
    this.#removed = true
    this.log.end()
    this.#dependencies.state.emit({ type: 'server.removed', serverId: this.id })
    this.#dependencies.topics.gone(`server/${this.id}`)
    this.#lifetime.end().catch(() => {}) // what did not end by itself was killed
  }

  #enter(state: ServerState): void {
    if (this.#removed) return
    this.#record = { ...this.#record, state }
    if (state.is !== 'starting' && state.is !== 'asking') this.signIn.settled()
    this.#dependencies.state.emit({ type: 'server.state', serverId: this.id, state })
    if (state.is === 'failed' || state.is === 'restarting') {
      this.log.add('host', [state.problem.what, state.problem.said, state.problem.todo].filter(Boolean).join(' '))
    } else if (state.is === 'starting' && state.step === 'launching') this.log.add('host', 'Starting.')
    else if (state.is === 'ready') this.log.add('host', 'Ready.')
    else if (state.is === 'stopped') this.log.add('host', 'Stopped.')
  }

  #use(client: Client | undefined): void {
    for (const undo of this.#unsubscribe) undo()
    this.#unsubscribe = []
    this.#client = client
    if (client) {
      if (this.#untold) this.rootsChanged()
      this.#unsubscribe = [
        client.catalog.onChange.on(() => this.#catalogChanged()),
        client.onLog.on((entry) => this.log.message(entry)),
      ]
      if (this.#logLevel) {
        client.setLogLevel(this.#logLevel, { signal: this.#lifetime.signal }).catch((error: unknown) => {
          this.log.add('host', `Its log level could not be set again: ${String(error)}`)
        })
      }
    }
    this.#icons.begin(client && this.#connecting?.type === 'remote' ? this.#connecting.url : undefined)
    this.#baseline.begin(client?.catalog.value.tools ?? [])
    const { hello: _before, ...rest } = this.#record
    this.#record = client ? { ...rest, hello: claimsOf(client) } : rest
    this.#catalogChanged()
  }

  #catalogChanged(): void {
    this.#countsChanged()
    this.#dependencies.toolsChanged(this.id)
  }

  /** Windows read the lists anew. */
  #countsChanged(): void {
    this.#version += 1
    this.#publish({ catalog: this.#client ? countsOf(this.#client, this.#version) : { version: this.#version, ...NO_CATALOG } })
  }

  /** Windows see what the file says; rules and trust belong to what runs, until the new launch is allowed. */
  #launchChanged(current: PreparedLaunch, pending: PreparedLaunch | undefined): void {
    this.#launch = (pending ?? current).launch
    const { changePending: _before, folders: _folders, sampled: _sampled, ...rest } = this.#record
    this.#replace({
      ...rest,
      ...this.#dependencies.features.shown(this.id, current.identity),
      launch: shownLaunch(this.#launch),
      launchIdentity: current.identity,
      ...(pending && { changePending: true }),
    })
  }

  #showSignIn(view: Pick<ServerRecord, 'signIn' | 'credentials'>): void {
    const { signIn: _signIn, credentials: _credentials, ...rest } = this.#record
    this.#replace({ ...rest, ...view })
  }

  #publish(part: Partial<ServerRecord>): void {
    this.#replace({ ...this.#record, ...part })
  }

  #replace(record: ServerRecord): void {
    this.#record = record
    if (!this.#removed) this.#dependencies.state.emit({ type: 'server.changed', server: record })
  }
}
