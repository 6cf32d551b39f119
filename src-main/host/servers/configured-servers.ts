import { canonicalJson } from '../../../src-shared/base/json.ts'
import { redactUnknown } from '../../../src-shared/base/secrets.ts'
import { HostError, type Problem } from '../../../src-shared/contract/errors.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { isReservedName } from '../../../src-shared/contract/server-rules.ts'
import { type Launch, PLAYGROUND_ID } from '../../../src-shared/contract/servers.ts'
import type { Client } from '../../client/client.ts'
import { type ServerFileEntry, type ServerFileState, StorageError } from '../../storage/base/storage.ts'
import type { HostCore } from '../core/host-core.ts'
import type { LaunchRound } from '../launch/launch-round.ts'
import type { ServerTrust } from '../launch/server-trust.ts'
import type { StoredOptions } from '../launch/stored-options.ts'
import type { Watches } from '../launch/watches.ts'
import { ConfiguredServer, type SharedByServers } from './configured-server.ts'
import type { OfferedFeatures } from './offered-features.ts'

interface ConfiguredServersParts extends Pick<HostCore, 'clock' | 'lifetime' | 'state'> {
  readonly trust: ServerTrust
  readonly options: StoredOptions
  readonly watches: Watches
  readonly onDropping: (server: ConfiguredServer) => void
  readonly onDropped: (serverId: ServerId) => void
}

const FILE_NOTICE = 'server-file'
const NAME_NOTICE = 'server-name'
const KEPT_NOTICE = 'server-kept'

/** The built-in server, and one server for each entry of mcp.json. */
export class ConfiguredServers {
  readonly #parts: ConfiguredServersParts
  readonly #servers = new Map<ServerId, ConfiguredServer>()
  #started: SharedByServers | undefined
  /** Queue of states of the file. */
  #following: Promise<void> = Promise.resolve()

  constructor(parts: ConfiguredServersParts) {
    this.#parts = parts
  }

  /** Must be called before `follow`. */
  begin(shared: SharedByServers): void {
    this.#started = shared
  }

  get features(): OfferedFeatures {
    return this.#shared.features
  }

  all(): readonly ConfiguredServer[] {
    return [...this.#servers.values()]
  }

  find(serverId: ServerId): ConfiguredServer | undefined {
    return this.#servers.get(serverId)
  }

  /** Redacts a text with the secrets of every server. */
  clean(text: string): string {
    return this.all().reduce((clean, { log }) => log.clean(clean), redactUnknown(text))
  }

  /** Throws HostError `not-found`. */
  get(serverId: ServerId): ConfiguredServer {
    const server = this.#servers.get(serverId)
    if (server) return server
    throw new HostError('not-found', 'This server no longer exists.')
  }

  /** Throws HostError `not-found`, or `refused` for the built-in server. */
  own(serverId: ServerId): ConfiguredServer {
    const server = this.get(serverId)
    if (server.record.builtIn) throw new HostError('refused', 'The built-in server cannot be changed or removed.')
    return server
  }

  connected(serverId: ServerId): Client | undefined {
    return this.#servers.get(serverId)?.clients.present
  }

  addBuiltIn(): Promise<void> {
    return this.#create({ name: PLAYGROUND_ID }, { type: 'built-in' })
  }

  follow(state: ServerFileState): Promise<void> {
    this.#following = this.#following.catch(() => {}).then(() => this.#take(state)) // An earlier failure is reported to its own caller.
    return this.#following
  }

  /** Adds, changes and removes servers by the entries of the file; an invalid entry affects its server only. */
  async #take({ entries, problem }: ServerFileState): Promise<void> {
    this.#notice(FILE_NOTICE, problem)
    this.#notice(NAME_NOTICE, entries.find(({ name }) => isReservedName(name))?.problem)
    const wanted = new Map(entries.filter(({ name }) => !isReservedName(name)).map((entry) => [entry.name as ServerId, entry]))
    for (const server of this.all()) {
      if (!server.record.builtIn && !wanted.has(server.id)) await this.#drop(server)
    }
    const round = this.#parts.trust.round()
    try {
      for (const [id, entry] of wanted) {
        if (this.#parts.lifetime.ended) return
        const server = this.#servers.get(id)
        if (server) await this.#changed(server, entry, round)
        else await this.#create(entry, entry.launch, round)
      }
    } finally {
      round.close()
    }
  }

  async #changed(server: ConfiguredServer, { launch, problem }: ServerFileEntry, round: LaunchRound): Promise<void> {
    const corrected = server.record.problem && !problem
    server.setProblem(problem)
    if (launch && canonicalJson(launch) !== canonicalJson(server.launch)) {
      await server.supervisor.change(await this.#shared.prepare(server.id, launch))
    }
    const { state } = server.record
    if (corrected && state.is === 'stopped' && state.why === 'not-started') server.supervisor.start(round)
  }

  async #create(entry: ServerFileEntry, launch: Launch | undefined, round?: LaunchRound): Promise<void> {
    const id = entry.name as ServerId
    const prepared = launch && (await this.#shared.prepare(id, launch))
    const server = new ConfiguredServer(id, this.#parts.options.of(id, entry.disabled), prepared, this.#shared)
    this.#servers.set(id, server)
    server.setProblem(entry.problem)
    if (server.record.options.enabled && !server.record.problem) server.begin(round)
  }

  /** Removes it from windows and conversations at once; its process ends later. */
  async #drop(server: ConfiguredServer): Promise<void> {
    const { id } = server
    const { trust, options, watches, onDropping, onDropped } = this.#parts
    onDropping(server)
    this.#servers.delete(id)
    server.remove()
    const forgotten = await Promise.allSettled([
      ...[server.authorization.forget(true), trust.forget(id), options.forget(id)],
      ...[this.#shared.offers.forget(id), watches.forget(id)],
    ])
    onDropped(id)
    const kept = keptProblem(id, forgotten)
    if (kept) this.#notice(KEPT_NOTICE, kept)
  }

  get #shared(): SharedByServers {
    if (this.#started) return this.#started
    throw new Error('begin() must be called first')
  }

  #notice(code: string, problem: Problem | undefined): void {
    const { state, clock } = this.#parts
    if (problem) state.notice('warning', { ...problem, code }, clock.now())
    else state.dismiss(code)
  }
}

/** The notice about records of a removed server that could not be deleted. */
function keptProblem(name: string, forgotten: readonly PromiseSettledResult<void>[]): Problem | undefined {
  const failed = forgotten.find((one) => one.status === 'rejected')
  if (!failed) return undefined
  return {
    code: KEPT_NOTICE,
    what: `“${name.slice(0, 100)}” was removed, but its saved data could not be deleted.`,
    ...(failed.reason instanceof StorageError && { said: failed.reason.message }),
    todo: 'Make room on the disk and check that the data folder can be written. Then add the server again and remove it.',
  }
}
