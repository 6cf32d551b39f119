import { Emitter } from '../../../src-shared/base/emitter.ts'
import { Lifetime } from '../../../src-shared/base/lifetime.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { ServerTopic } from '../../../src-shared/contract/topics.ts'
import { loginPath } from '../../transports/login-path.ts'
import { CallsInFlight } from '../connection/calls-in-flight.ts'
import { prepareLaunch } from '../connection/prepare-launch.ts'
import { RememberedEras } from '../connection/remembered-eras.ts'
import { cut } from '../core/content-views.ts'
import type { HostCore } from '../core/host-core.ts'
import { FenceBounds } from '../launch/fence-bounds.ts'
import { Fences } from '../launch/fences.ts'
import { LaunchGate } from '../launch/launch-gate.ts'
import { ProcessRecords } from '../launch/process-records.ts'
import { ServerTrust } from '../launch/server-trust.ts'
import { StoredOptions } from '../launch/stored-options.ts'
import { Watches } from '../launch/watches.ts'
import { defaultKindOf } from '../models/provider-records.ts'
import type { CallsByHand } from './calls-by-hand.ts'
import type { ConfiguredServer } from './configured-server.ts'
import { ConfiguredServers } from './configured-servers.ts'
import { KeptOffers } from './kept-offers.ts'
import type { OfferedFeatures } from './offered-features.ts'
import { ServerCalls } from './server-calls.ts'
import { ServerCatalogs } from './server-catalogs.ts'
import { ServerControls } from './server-controls.ts'
import { ServerDoctor } from './server-doctor.ts'
import { ServerEdits } from './server-edits.ts'
import { ServerTools } from './server-tools.ts'

/** Servers that are launched at a time. */
const LAUNCHES = 4

/** Puts together all parts that concern servers (ARCH-02). */
export class Servers {
  readonly configured: ConfiguredServers
  readonly tools: ServerTools
  readonly catalogs: ServerCatalogs
  readonly inFlight: CallsInFlight
  readonly calls: ServerCalls
  readonly controls: ServerControls
  readonly edits: ServerEdits
  readonly doctor: ServerDoctor
  readonly fences: Fences
  readonly watches: Watches
  /** Fires when a server is no longer configured. */
  readonly onRemoved = new Emitter<ServerId>()
  /** Asked before a server is stopped for want of use. */
  readonly needs: ((serverId: ServerId) => boolean)[] = []
  readonly #core: HostCore
  readonly #trust: ServerTrust
  readonly #options: StoredOptions
  #processes: ProcessRecords | undefined

  constructor(core: HostCore) {
    this.#core = { ...core, lifetime: new Lifetime('servers', core.lifetime) }
    this.inFlight = new CallsInFlight(core.clock)
    this.#options = new StoredOptions(core.storage.records)
    this.#trust = new ServerTrust(core, this.#options)
    this.fences = new Fences(core)
    this.watches = new Watches(core)
    this.configured = new ConfiguredServers({
      ...this.#core,
      trust: this.#trust,
      options: this.#options,
      watches: this.watches,
      onDropping: (server) => this.edits.noteRemoved(server.id, server.launch),
      onDropped: (serverId) => {
        this.tools.onChange.fire(serverId)
        this.onRemoved.fire(serverId)
      },
    })
    this.tools = new ServerTools(this.configured)
    this.catalogs = new ServerCatalogs(this.configured, () => defaultKindOf(core.state.snapshot), core.clock)
    this.calls = new ServerCalls(core, this.configured, this.inFlight)
    this.controls = new ServerControls(core.clock, this.configured, this.#options, this.#trust, this.watches)
    this.edits = new ServerEdits(core.storage, this.#options, this.configured, this.controls, this.fences, this.watches)
    this.doctor = new ServerDoctor(core, this.configured)
  }

  /** Identities of earlier launches of a server that differ from its present one by version alone. */
  earlierLaunches(serverId: ServerId): readonly string[] {
    const record = this.configured.find(serverId)?.record
    return record ? this.#trust.earlier(serverId, record.launchIdentity) : []
  }

  /**
   * Shows every server and starts the enabled ones: trusted servers as soon as an earlier host's processes have ended, others once the
   * person allowed them. Resolves when all have a state, without waiting for a server.
   */
  async start(features: OfferedFeatures, byHand: CallsByHand): Promise<void> {
    const { storage, topics, playground, lifetime, clock, environment, platform } = this.#core
    const askLogin = loginPath(environment, platform.os, clock)
    await this.#trust.load(features.roots, (id, options) => this.edits.setStart(id, options))
    await this.#options.load()
    await this.watches.load()
    lifetime.onEnd(this.watches.onMore.on((serverId) => this.configured.find(serverId)?.watchedMore()))
    const eras = new RememberedEras(storage.records, clock)
    await eras.load()
    const offers = new KeptOffers(storage.records)
    await offers.load()
    const folderKey = await storage.secrets.folderKey()
    const processes = new ProcessRecords(storage.records, folderKey)
    this.#processes = processes
    this.configured.begin({
      ...this.#core,
      features,
      trust: this.#trust,
      gate: new LaunchGate(LAUNCHES),
      processes,
      fences: this.fences,
      bounds: new FenceBounds(clock, platform.memory / 2),
      watches: this.watches,
      inFlight: this.inFlight,
      eras,
      offers,
      isNeeded: (serverId) => this.#isNeeded(serverId),
      toolsChanged: (serverId) => this.tools.onChange.fire(serverId),
      editDoubt: (serverId, at, files) => this.#editDoubt(serverId, at, files),
      prepare: (serverId, launch) => {
        return prepareLaunch(launch, folderKey, this.#core, askLogin, (code) => this.#trust.codeAsAllowed(serverId, code))
      },
    })
    topics.serve('server', async (key) => {
      const server = this.configured.find(key as ServerId)
      return server && (() => topicOf(server, byHand))
    })
    if (playground) await this.configured.addBuiltIn()
    await this.configured.follow(storage.serverFile.current())
    lifetime.onEnd(storage.serverFile.onChange((file) => void this.configured.follow(file)))
  }

  /** True while a question of it is open, or it runs a call in the background. */
  #isNeeded(serverId: ServerId): boolean {
    const { interactions, background } = this.#core.state.snapshot
    const { needs } = this
    return (
      interactions.some(({ about }) => about.serverId === serverId) ||
      background.some((call) => call.serverId === serverId && !call.ended) ||
      needs.some((isNeeded) => isNeeded(serverId))
    )
  }

  /** Why something else than the person may have changed files since then. A server without a fence could run any code anyway. */
  #editDoubt(serverId: ServerId, at: number, files: readonly string[]): string | undefined {
    const { background } = this.#core.state.snapshot
    if (this.inFlight.busySince(at) || background.some(({ ended }) => !ended)) return 'while a tool call ran'
    const writer = this.configured.all().find((server) => server.id !== serverId && files.some((file) => server.mayWrite(file)))
    return writer && `where “${cut(writer.record.name, 80)}” may change files`
  }

  /** Stops all servers at once, and kills processes that outlive that. */
  async end(): Promise<void> {
    await Promise.allSettled(this.configured.all().map((server) => server.supervisor.stop('stopped')))
    await this.#processes?.end()
    await this.edits.end()
    await this.#core.lifetime.end()
  }
}

function topicOf({ id, log }: ConfiguredServer, byHand: CallsByHand): ServerTopic {
  const calls = byHand.of(id)
  return { ...log.value(), ...(calls.length > 0 && { calls }) }
}
