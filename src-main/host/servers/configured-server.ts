import { type Changes, changed } from '../../../src-shared/base/changed.ts'
import { Lifetime } from '../../../src-shared/base/lifetime.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import {
  type FencePolicy,
  type Launch,
  PLAYGROUND_ID,
  type ServerOptions,
  type ServerRecord,
  type ServerState,
  type ServerUsage,
} from '../../../src-shared/contract/servers.ts'
import { APPS, APPS_SETTINGS, CLIENT_CREDENTIALS, SKILLS, TASKS } from '../../../src-shared/mcp/extensions.ts'
import type { DeprecatedFeature, LogLevel, Tool } from '../../../src-shared/mcp/primitives.ts'
import type { CatalogTool } from '../../client/catalog.ts'
import type { Client } from '../../client/client.ts'
import type { Offline } from '../../consent/powers.ts'
import { isWithin } from '../../consent/read-path.ts'
import { processUsages } from '../../transports/process-table.ts'
import type { CallsInFlight } from '../connection/calls-in-flight.ts'
import { type ConnectParts, type ConnectPlan, connectServer } from '../connection/connect-server.ts'
import { KeptSession } from '../connection/kept-session.ts'
import type { PreparedLaunch } from '../connection/prepare-launch.ts'
import { ServerAuthorization } from '../connection/server-authorization.ts'
import { ServerLog } from '../connection/server-log.ts'
import { ServerSupervisor } from '../connection/server-supervisor.ts'
import { TrafficLog } from '../connection/traffic-log.ts'
import type { HostCore } from '../core/host-core.ts'
import type { ShowIcons } from '../core/icons.ts'
import { type CodeSource, codeSources } from '../launch/code-files.ts'
import { offlineUnder } from '../launch/fence-policy.ts'
import type { LaunchGate } from '../launch/launch-gate.ts'
import type { FoundProgram } from '../launch/launch-identity.ts'
import type { LaunchRound } from '../launch/launch-round.ts'
import { shownLaunch } from '../launch/server-config.ts'
import type { ServerTrust } from '../launch/server-trust.ts'
import type { ToolMarks } from './catalog-pages.ts'
import { CodeRestart } from './code-restart.ts'
import { FenceRefusals } from './fence-refusals.ts'
import { IdleStop } from './idle-stop.ts'
import type { ConnectionOffer, KeptOffers } from './kept-offers.ts'
import type { OfferedFeatures } from './offered-features.ts'
import { isOtherAccount } from './other-account.ts'
import { ServerClients } from './server-clients.ts'
import { countsOf, helloOf, NO_CATALOG } from './server-hello.ts'
import { ServerIcons } from './server-icons.ts'
import { ToolBaseline } from './tool-baseline.ts'

/** Stands in for the launch of a server whose entry in mcp.json is invalid. */
const NO_LAUNCH: PreparedLaunch = { launch: { type: 'local', command: '', args: [], env: {} }, identity: '' }

export interface SharedByServers extends HostCore, ConnectParts {
  readonly trust: ServerTrust
  readonly gate: LaunchGate
  readonly features: OfferedFeatures
  readonly inFlight: CallsInFlight
  readonly toolsChanged: (serverId: ServerId) => void
  readonly prepare: (serverId: ServerId, launch: Launch) => Promise<PreparedLaunch>
  /** Why something else than the person may have changed files of a server since then. */
  readonly editDoubt: (serverId: ServerId, at: number, files: readonly string[]) => string | undefined
  readonly offers: KeptOffers
  /** True while something in the host needs the server to run, besides its calls. */
  readonly isNeeded: (serverId: ServerId) => boolean
}

function firstRecord(
  id: ServerId,
  options: ServerOptions,
  { launch, identity }: PreparedLaunch,
  { features }: SharedByServers,
): ServerRecord {
  return {
    id,
    name: id === PLAYGROUND_ID ? 'Playground' : id,
    launch: shownLaunch(launch),
    builtIn: launch.type === 'built-in',
    options,
    state: { is: 'stopped', why: options.enabled ? 'not-started' : 'not-enabled' },
    launchIdentity: identity,
    catalog: { version: 0, ...NO_CATALOG },
    ...features.shown(id, identity),
  }
}

/** One server of the configuration: its record for windows, and every part that belongs to it alone (ARCH-01, ARCH-03). */
export class ConfiguredServer {
  readonly id: ServerId
  readonly traffic: TrafficLog
  readonly log: ServerLog
  readonly supervisor: ServerSupervisor
  readonly authorization: ServerAuthorization
  readonly session: KeptSession
  readonly clients: ServerClients
  readonly refusals: FenceRefusals
  readonly showIcons: ShowIcons = (icons) => this.#icons.shown(icons)
  readonly #shared: SharedByServers
  readonly #lifetime: Lifetime
  /** Dependencies of its own parts. */
  readonly #own: SharedByServers & Pick<ConnectPlan, 'id' | 'lifetime' | 'log' | 'traffic'>
  readonly #icons: ServerIcons
  readonly #idle: IdleStop
  readonly #code: CodeRestart
  #record: ServerRecord
  /** The present configuration, which may wait for permission. */
  #prepared: PreparedLaunch
  #sources: readonly CodeSource[] = []
  /** The files whose content is part of its launch. */
  #codeFiles: readonly string[] = []
  #published: string | undefined
  /** The launch of the present connection; the file may have changed since. */
  #connecting: Launch | undefined
  /** The policy of the process of the present connection; the option may have changed since. */
  #fence: FencePolicy | null = null
  #pid: number | undefined
  /** The lists that windows know. */
  #shown: ConnectionOffer['catalog'] | undefined
  #unsubscribe: (() => void)[] = []
  #logLevel: LogLevel | undefined
  #version = 0
  /** True if its folders changed while it was connecting, when it may have read the old ones. */
  #untold = false
  /** Once true, its id may belong to another server. */
  #removed = false
  readonly #baseline = new ToolBaseline()

  constructor(id: ServerId, options: ServerOptions, prepared: PreparedLaunch | undefined, shared: SharedByServers) {
    this.id = id
    this.#shared = shared
    this.#lifetime = new Lifetime(`server ${id}`, shared.lifetime)
    this.traffic = new TrafficLog(() => shared.clock.now())
    this.log = new ServerLog(shared.clock, (event) => shared.topics.emit(`server/${id}`, event))
    this.#lifetime.onEnd(() => this.log.end())
    this.refusals = new FenceRefusals({
      ...shared,
      log: this.log,
      options: () => this.#record.options,
      onChange: () => this.#show({}),
    })
    this.clients = new ServerClients({
      clock: shared.clock,
      record: () => this.#record,
      removed: () => this.#removed,
      start: () => this.supervisor.start(),
    })
    this.#own = { ...shared, id, lifetime: this.#lifetime, log: this.log, traffic: this.traffic }
    this.#icons = new ServerIcons({ ...this.#own, onChange: () => this.#countsChanged() })
    const launch = prepared ?? NO_LAUNCH
    this.#prepared = launch
    this.#published = launch.published
    this.#record = firstRecord(id, options, launch, shared)
    const { name } = this.#record
    this.authorization = new ServerAuthorization({ ...this.#own, name, onView: (view) => this.#showAuthorization(view) })
    this.session = new KeptSession({
      serverId: id,
      secrets: shared.storage.secrets,
      onError: (error) => this.log.add('host', `Its session could not be kept: ${String(error)}`),
    })
    this.#idle = new IdleStop({
      clock: shared.clock,
      isNeeded: () => this.#isNeeded(),
      onIdle: () => this.supervisor.rest('unused'),
    })
    this.#lifetime.onEnd(() => this.#idle.setRunning(false))
    this.#code = new CodeRestart({
      serverId: id,
      clock: shared.clock,
      trust: shared.trust,
      doubtSince: (at, files) => shared.editDoubt(id, at, files),
      standing: () => this.#standing(),
      restart: () => this.supervisor.renew(),
      log: (text) => this.log.add('host', text),
      onProblem: (problem) => this.#showCodeProblem(problem),
    })
    this.#lifetime.onEnd(() => this.#code.end())
    this.supervisor = this.#supervised(launch)
    shared.state.emit({ type: 'server.added', server: this.#record })
    if (launch.launch.type === 'remote') this.#showSignIn(launch)
    this.#takeCode(launch)
  }

  #supervised(launch: PreparedLaunch): ServerSupervisor {
    const { name, state } = this.#record
    return new ServerSupervisor(
      {
        ...this.#own,
        prepare: (launch) => this.#shared.prepare(this.id, launch),
        name,
        era: () => this.#record.options.era,
        connect: (prepared, lifetime, step) => this.#connect(prepared, lifetime, step),
        onState: (state) => this.#enter(state),
        onAllowed: () => this.authorization.clicked(),
        onClient: (client) => this.#use(client),
        onLaunch: (current, pending) => this.#launchChanged(current, pending),
      },
      launch,
      state,
    )
  }

  #connect({ launch, identity, program }: PreparedLaunch, lifetime: Lifetime, step: ConnectPlan['step']) {
    this.#connecting = launch
    this.#publishDeprecated([])
    const { authorization, session } = this
    const { options } = this.#record
    this.#fence = null
    const plan = {
      ...this.#own,
      authorization,
      session,
      options,
      launch,
      identity,
      ...(program && { program }),
      told: this.#record.folders ?? [],
      features: { ...this.#shared.features.of(this.id), extensions: this.#extensions(options, launch), tasks: options.tasks },
      lifetime,
      step,
      onDeprecated: (feature: DeprecatedFeature) => this.#uses(feature),
      onRefusedHost: (name: string) => this.refusals.add([{ kind: 'host', name }]),
      onProcess: (pid: number | undefined) => {
        this.#pid = pid
      },
      onFence: (policy: FencePolicy | null) => {
        this.#fence = policy
      },
    }
    return connectServer(plan, this.#shared)
  }

  /** Name of the published server that surely runs; a launch that still waits for permission does not count. */
  get published(): string | undefined {
    return this.#published
  }

  get record(): ServerRecord {
    return this.#record
  }

  /** The present configuration with its values in the clear, so never for windows. */
  get launch(): Launch {
    return this.#prepared.launch
  }

  /** The program that the present configuration starts; undefined for an address. */
  get program(): FoundProgram | undefined {
    return this.#prepared.program
  }

  /** The extensions that are declared to it: only those that are built and in use (EXT-1). */
  #extensions({ apps, tasks }: ServerOptions, launch: Launch): Readonly<Record<string, object>> {
    return {
      [SKILLS]: {},
      ...(tasks && { [TASKS]: {} }),
      ...(apps && { [APPS]: APPS_SETTINGS }),
      ...(launch.type === 'remote' && this.authorization.isUnattended(launch.url) && { [CLIENT_CREDENTIALS]: {} }),
    }
  }

  /** Starts it, or leaves it until it is needed. One that must be allowed is started at once, since the person waits for it. */
  begin(round?: LaunchRound): void {
    if (this.#record.builtIn || this.#record.options.keepRunning || !this.supervisor.allowed) this.supervisor.start(round)
    else this.supervisor.rest('not-needed')
  }

  /** It runs, and is not stopped, until the returned undo is called. */
  hold(): () => void {
    return this.#idle.hold()
  }

  /** True if it runs in a fence that lets it change the file. */
  mayWrite(file: string): boolean {
    return this.ready && this.#fence?.folders.some(({ path, write }) => write && isWithin(file, path)) === true
  }

  /** Shows the code of a launch, and follows it if the person wants that. */
  #takeCode({ launch, program }: PreparedLaunch): void {
    const { environment, platform, storage } = this.#shared
    const home = environment.HOME ?? environment.USERPROFILE ?? storage.folder
    this.#sources = codeSources(launch, program, { os: platform.os, home, dataFolder: storage.folder })
    this.#codeFiles = program?.code.map(({ file }) => file) ?? []
    const codePath = this.#sources[0]?.path
    if (codePath !== this.#record.codePath) this.#show({ codePath })
    this.#followCode()
  }

  #followCode(): void {
    this.#code.follow(this.#record.options.restartOnChange ? this.#sources : [], this.#codeFiles)
  }

  #standing(): 'busy' | 'free' | 'down' {
    const { state, problem } = this.#record
    if (problem || !['ready', 'starting', 'restarting', 'failed'].includes(state.is)) return 'down'
    const isUsed = this.#idle.held || this.session.held || this.supervisor.changing || this.#shared.isNeeded(this.id)
    return isUsed ? 'busy' : 'free'
  }

  #showCodeProblem(problem: Problem | undefined): void {
    if (this.#record.codeProblem || problem) this.#show({ codeProblem: problem })
  }

  #isNeeded(): boolean {
    const { options, builtIn } = this.#record
    if (builtIn || options.keepRunning || this.supervisor.changing || this.session.held) return true
    return this.clients.present?.isWatching === true || this.#shared.isNeeded(this.id)
  }

  /** Waits until its lists are known, for which an idle server is started; less when it does not start by itself. Rejects when aborted. */
  async listed(signal: AbortSignal): Promise<void> {
    if (this.#record.state.is !== 'idle' || !this.offer) await this.clients.next(signal)
  }

  /** The present use of the computer; null without a process, or where the system does not tell. */
  async usage(): Promise<ServerUsage | null> {
    const pid = this.#pid
    const used = pid === undefined ? undefined : (await processUsages([pid])).get(pid)
    return used ? { at: this.#shared.clock.now(), ...used } : null
  }

  get ready(): boolean {
    return this.clients.present !== undefined
  }

  /** The running process has no network. Undefined while none runs. */
  get offline(): Offline | undefined {
    return this.clients.present && offlineUnder(this.#fence)
  }

  /** Its process has no network, or gets none at its next start. */
  get startsOffline(): boolean {
    return (this.offline ?? offlineUnder(this.#record.options.fence)) !== undefined
  }

  /** Its introduction and lists as they are, or as they were kept while it is idle or starts; undefined while they are not known. */
  get offer(): ConnectionOffer | undefined {
    if (this.clients.present) return { hello: this.clients.present.hello, catalog: this.clients.present.catalog.value }
    const { is } = this.#record.state
    return is === 'idle' || is === 'starting' ? this.keptOffer : undefined
  }

  /** The same as of the last connection of this launch, in any state. */
  get keptOffer(): ConnectionOffer | undefined {
    return this.#shared.offers.of(this.id, this.#record.launchIdentity)
  }

  tools(): readonly CatalogTool[] {
    return this.offer?.catalog.tools ?? []
  }

  /** Reads its folders, its use of sampling, and how many tools are unmet again. */
  refreshRecord(): void {
    this.#show(this.#features())
  }

  #features(identity = this.#record.launchIdentity): Changes<ServerRecord> {
    const none = { folders: undefined, wantsFolders: undefined, sampled: undefined, unmetTools: undefined }
    return { ...none, ...this.#shared.features.shown(this.id, identity) }
  }

  rootsChanged(): void {
    this.#untold = !this.clients.present
    this.clients.present?.rootsChanged()
  }

  marksOf(tool: Tool): Omit<ToolMarks, 'tokens'> {
    return { hidden: this.#record.options.hiddenTools.includes(tool.name), changed: this.#baseline.changeOf(tool) }
  }

  watchedMore(): void {
    this.#show({ watched: (this.#record.watched ?? 0) + 1 })
  }

  setOptions(options: ServerOptions): void {
    const hidden = this.#record.options.hiddenTools
    this.#show({ options })
    this.#followCode()
    if (options.keepRunning && this.#record.state.is === 'idle') this.supervisor.start()
    if (hidden !== options.hiddenTools) this.#shared.toolsChanged(this.id)
  }

  /** Shows why its entry in mcp.json is invalid; a running server keeps running. */
  setProblem(problem: Problem | undefined): void {
    if (this.#record.problem?.what === problem?.what) return
    this.#show({ problem })
    this.supervisor.refused(problem)
  }

  /** Applied again after each reconnection, for as long as this host runs (LIFE-40). */
  async setLogLevel(level: LogLevel): Promise<void> {
    this.#logLevel = level
    if (this.clients.present) await this.clients.present.setLogLevel(level, { signal: this.#lifetime.signal })
  }

  /** Removes it from windows at once; its process ends later. */
  remove(): void {
    this.#removed = true
    this.session.lost()
    this.clients.wake()
    this.log.end()
    this.#shared.state.emit({ type: 'server.removed', serverId: this.id })
    this.#shared.topics.gone(`server/${this.id}`)
    this.#lifetime.end().catch(() => {}) // A process that does not end by itself is killed.
  }

  #enter(state: ServerState): void {
    if (this.#removed) return
    this.#record = { ...this.#record, state }
    // The connection is about to end, and takes no more calls.
    if (state.is === 'idle' && this.clients.present) this.#use(undefined)
    this.#idle.setRunning(state.is === 'ready')
    if (this.offer?.catalog !== this.#shown) this.#catalogChanged()
    this.clients.wake()
    if (state.is !== 'starting' && state.is !== 'asking') this.authorization.settled()
    this.#shared.state.emit({ type: 'server.state', serverId: this.id, state })
    if (state.is === 'failed' || state.is === 'restarting') {
      this.log.add('host', [state.problem.what, state.problem.said, state.problem.todo].filter(Boolean).join(' '))
      this.refusals.startFailed([state.problem.said, ...state.stderr].join('\n'))
    } else if (state.is === 'starting' && state.step === 'launching') {
      this.#code.started()
      this.log.add('host', 'Starting.')
    }
    if (state.is === 'ready') this.log.add('host', 'Ready.')
    else if (state.is === 'stopped' || (state.is === 'idle' && state.why === 'unused')) this.log.add('host', 'Stopped.')
  }

  #use(client: Client | undefined): void {
    for (const undo of this.#unsubscribe) undo()
    this.#unsubscribe = []
    this.clients.use(client)
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
    if (client) {
      const { id } = this
      const kept = this.#shared.offers.of(id, this.#record.launchIdentity)
      this.#baseline.begin((kept ?? { catalog: client.catalog.value }).catalog.tools)
    }
    this.#catalogChanged()
  }

  /** Keeps what it offers for the time in which it does not run. */
  #keep({ hello, catalog }: Client): void {
    if (this.#record.builtIn) return
    const { offers } = this.#shared
    const { version: _version, ...lists } = catalog.value
    const { launchIdentity } = this.#record
    const kept = catalog.whole ? offers.keep(this.id, { launchIdentity, hello, catalog: lists }) : offers.forget(this.id)
    kept.catch((error: unknown) => this.log.add('host', `Its lists could not be kept: ${String(error)}`))
  }

  #catalogChanged(): void {
    if (this.clients.present) this.#keep(this.clients.present)
    this.#countsChanged()
    this.#shared.toolsChanged(this.id)
  }

  /** Raises the version, so that windows read the lists again. */
  #countsChanged(): void {
    this.#version += 1
    const { offer } = this
    this.#shown = offer?.catalog
    const hello = offer && helloOf(offer)
    const catalog = offer ? countsOf(offer, this.#version) : { version: this.#version, ...NO_CATALOG }
    this.#show({ ...this.#features(), hello, catalog })
  }

  /** Shows the file's launch, but keeps the running one's identity for rules and trust until the new one is allowed. */
  #launchChanged(current: PreparedLaunch, pending: PreparedLaunch | undefined): void {
    this.#prepared = pending ?? current
    this.#published = current.published
    const launched = { launch: shownLaunch(this.launch), launchIdentity: current.identity }
    this.#show({ ...this.#features(current.identity), ...launched, changePending: pending && true })
    if (!pending) this.#showSignIn(current)
    this.#takeCode(current)
  }

  #showSignIn({ launch }: PreparedLaunch): void {
    void this.authorization.show(launch.type === 'remote' ? launch.url : undefined)
  }

  #showAuthorization(view: Pick<ServerRecord, 'signIn' | 'signsInAs' | 'credentials'>): void {
    const before = this.#record.signIn
    this.#show({ signIn: undefined, signsInAs: undefined, credentials: undefined, ...view })
    if (isOtherAccount(before?.is, view.signIn?.is)) {
      // The lists of one account are not for another. Without a state before, this is the first look at the account.
      const forgotten = [before && this.#shared.offers.forget(this.id), this.clients.present?.forget()]
      Promise.all(forgotten).catch((error: unknown) =>
        this.log.add('host', `Its lists could not be read again: ${String(error)}`),
      )
    }
  }

  /** Logs a deprecated feature once for each connection (V26-DEPR-1). */
  #uses(feature: DeprecatedFeature): void {
    const { deprecated = [] } = this.#record
    if (deprecated.includes(feature)) return
    this.log.add('host', `It uses a feature that 2026-07-28 has deprecated: ${feature}.`)
    this.#publishDeprecated([...deprecated, feature])
  }

  #publishDeprecated(features: readonly DeprecatedFeature[]): void {
    const deprecated = features.length > 0 ? features : undefined
    if (deprecated || this.#record.deprecated) this.#show({ deprecated })
  }

  #show(changes: Changes<ServerRecord>): void {
    const record = changed(this.#record, changes)
    const blocked = this.refusals.undecided(record.options)
    this.#record = changed(record, { blocked: blocked.length > 0 ? blocked : undefined })
    if (!this.#removed) this.#shared.state.emit({ type: 'server.changed', server: this.#record })
  }
}
