import { defined } from '../../../src-shared/base/defined.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { InteractionId, ServerId } from '../../../src-shared/contract/ids.ts'
import type { LaunchAsked } from '../../../src-shared/contract/interactions.ts'
import type { FolderChoice, FolderSuggestion } from '../../../src-shared/contract/projects.ts'
import { FENCED_FOLDERS, type FencePolicy, MAX_AT_ONCE, type ServerOptions } from '../../../src-shared/contract/servers.ts'
import type { TrustRecord } from '../../storage/base/storage.ts'
import type { HostCore } from '../core/host-core.ts'
import { KeptRecords } from '../core/kept-records.ts'
import { fenceOf, opensMore, presentFence } from './fence-policy.ts'
import { changes, type FoundProgram, type LaunchFacts, withoutSecrets } from './launch-identity.ts'
import { LaunchRound, type RoundPlace, type WaitingLaunch } from './launch-round.ts'
import type { StoredOptions } from './stored-options.ts'
import { differsByVersion } from './version-change.ts'

/** Versions of a server that are remembered. */
const EARLIER = 20

/** `facts` is absent for the built-in server, which needs no trust. */
export interface IdentifiedLaunch {
  readonly identity: string
  readonly facts?: LaunchFacts
}

/** Port to the folders that a person may share while allowing a server. */
export interface LaunchFolders {
  suggestions(serverId: ServerId, launchIdentity: string): Promise<readonly FolderSuggestion[]>
  /** The folders that can be shared; a notice explains why the others cannot. */
  usable(folders: readonly FolderChoice[], offered: readonly FolderChoice[]): Promise<readonly FolderChoice[]>
  share(serverId: ServerId, launchIdentity: string, folders: readonly FolderChoice[]): Promise<void>
}

/** Sets the options of a server that waits for its first start. */
type SetStart = (serverId: ServerId, options: Partial<Pick<ServerOptions, 'fence' | 'watchedSince'>>) => Promise<void>

/** The launches that a person allowed, by server. */
export class ServerTrust {
  readonly #core: Pick<HostCore, 'storage' | 'interactions' | 'platform' | 'clock'>
  readonly #options: StoredOptions
  readonly #trusted: KeptRecords<'trust'>
  #folders: LaunchFolders | undefined
  #setStart: SetStart | undefined

  constructor(core: Pick<HostCore, 'storage' | 'interactions' | 'platform' | 'clock'>, options: StoredOptions) {
    this.#core = core
    this.#options = options
    this.#trusted = new KeptRecords(core.storage.records, 'trust')
  }

  async load(folders: LaunchFolders, setStart: SetStart): Promise<void> {
    this.#folders = folders
    this.#setStart = setStart
    await this.#trusted.load((stored) => {
      const fence = fenceOf(stored.launch)
      return fence && stored.launch.type === 'local'
        ? { ...stored, launch: { ...stored.launch, fence: presentFence(fence) } }
        : stored
    })
  }

  /** A fence that was closed further since needs no new question; one that was opened does. */
  covers(serverId: ServerId, launch: IdentifiedLaunch): boolean {
    if (!launch.facts) return true
    const trusted = this.#trusted.get(serverId)
    return trusted?.launchIdentity === launch.identity && !opensMore(fenceOf(trusted.launch), this.#fenceOf(serverId))
  }

  /** The files of code of a program, where a file that only the person edited counts as the one that was allowed. */
  codeAsAllowed(serverId: ServerId, now: FoundProgram['code']): FoundProgram['code'] {
    const { code = {}, edits = {} } = this.#trusted.get(serverId) ?? {}
    return now.map(({ file, hash }) => ({ file, hash: (hash !== null && edits[file] === hash && code[file]) || hash }))
  }

  /** Takes the person's edits of files that were as allowed before. Hashes are by path. */
  async edited(
    serverId: ServerId,
    before: Readonly<Record<string, string | null>>,
    now: Readonly<Record<string, string | null>>,
  ): Promise<void> {
    const trusted = this.#trusted.get(serverId)
    if (!trusted) return
    const edits = { ...trusted.edits }
    for (const [file, hash] of Object.entries(now)) {
      const allowed = trusted.code?.[file]
      const was = before[file]
      if (hash !== null && allowed && hash !== was && (was === allowed || was === edits[file])) edits[file] = hash
    }
    await this.#trusted.put(serverId, { ...trusted, edits })
  }

  #fenceOf(serverId: ServerId): FencePolicy | null {
    return this.#options.chosen(serverId).fence ?? null
  }

  /** Identities of the launches that the person allowed before this one, from which it differs by version alone. */
  earlier(serverId: ServerId, launchIdentity: string): readonly string[] {
    const trusted = this.#trusted.get(serverId)
    return trusted?.launchIdentity === launchIdentity ? (trusted.earlier ?? []) : []
  }

  /** One question for all local servers that start together, and one for all remote ones. */
  round(): LaunchRound {
    return new LaunchRound((launches) => {
      for (const type of ['local', 'remote'] as const) {
        const some = launches.filter(({ facts }) => facts.summary.type === type)
        for (let at = 0; at < some.length; at += MAX_AT_ONCE) void this.#askTogether(some.slice(at, at + MAX_AT_ONCE))
      }
    })
  }

  /**
   * True once a person allowed this launch. Where the shell has a confirmation of its own, a yes from the page is not enough; a no is
   * final either way. Rejects with the signal's reason, or InteractionExpired.
   */
  async ask(
    server: { id: ServerId; name: string },
    launch: IdentifiedLaunch,
    signal: AbortSignal,
    place?: RoundPlace,
  ): Promise<boolean> {
    const { identity } = launch
    if (!launch.facts) return true
    const facts = behind(launch.facts, this.#fenceOf(server.id))
    const before = this.#trusted.get(server.id)
    const changed =
      before && changes({ summary: before.launch, values: before.values ?? {}, ...(before.code && { code: before.code }) }, facts)
    if (place && !changed) {
      const { promise, resolve: settle, reject: fail } = Promise.withResolvers<boolean>()
      if (place.wait({ server, identity, facts, signal, settle, fail })) {
        signal.addEventListener('abort', () => fail(signal.reason), { once: true })
        return promise
      }
    }
    // A changed launch gets a question of its own, which says what changed.
    place?.leave()
    return this.#askAlone({ server, identity, facts, signal }, changed)
  }

  async #askAlone(
    waiting: Pick<WaitingLaunch, 'server' | 'identity' | 'facts' | 'signal'>,
    changed?: readonly string[],
  ): Promise<boolean> {
    const { server, identity, facts, signal } = waiting
    const nameable = facts.summary.type === 'local' ? this.#folders : undefined
    const suggestions = await nameable?.suggestions(server.id, identity)
    signal.throwIfAborted()
    const answer = await this.#core.interactions.ask(
      'server-trust',
      {
        serverId: server.id,
        serverName: server.name,
        origin: 'user',
        cause: changed
          ? `“${server.name}” changed since you allowed it.`
          : facts.summary.type === 'local'
            ? `First start of “${server.name}”.`
            : `First connection to “${server.name}”.`,
      },
      { launch: facts.summary, launchIdentity: identity, ...defined({ changed, suggestions }) },
      signal,
    )
    if (answer.decision === 'deny') return false
    const { platform } = this.#core
    // The real paths, so that the shell's confirmation names exactly the folders that the server is told of.
    const folders = (answer.folders && (await nameable?.usable(answer.folders, suggestions ?? []))) ?? []
    const paths = folders.map(({ path }) => path)
    // A changed launch keeps its fence: opening or closing it is not part of that question.
    const runs = !changed && facts.summary.type === 'local' && !facts.summary.fence ? answer.runs : undefined
    const chosen = behind(facts, runs === undefined || runs === 'watched' ? null : withFolders(runs, folders))
    const named = { name: server.name, launch: chosen.summary, ...(paths.length > 0 && { folders: paths }) }
    if (platform.confirmTrust && !(await platform.confirmTrust([named], signal))) return false
    signal.throwIfAborted()
    if (runs === 'watched') await this.#setStart?.(server.id, { watchedSince: this.#core.clock.now() })
    await this.#take({ ...waiting, facts: chosen })
    if (folders.length > 0) await nameable?.share(server.id, identity, folders)
    return true
  }

  /** Settles each launch by itself and never rejects. Servers removed while the question is open leave it. */
  async #askTogether(gathered: readonly WaitingLaunch[]): Promise<void> {
    const launches = gathered.filter(({ signal }) => !signal.aborted)
    const asked = new Map(launches.map((launch) => [launch.server.id, launch]))
    const [first, ...others] = launches
    if (!first) return
    if (others.length === 0) return this.#askAlone(first).then(first.settle, first.fail)
    const nobodyLeft = new AbortController()
    let question: InteractionId | undefined
    const { interactions } = this.#core
    const undoes = launches.map((launch) => {
      const withdraw = () => {
        asked.delete(launch.server.id)
        if (asked.size === 0) nobodyLeft.abort(launch.signal.reason)
        else if (question) interactions.change(question, 'servers-trust', { servers: shownOf(asked) })
      }
      launch.signal.addEventListener('abort', withdraw, { once: true })
      return () => launch.signal.removeEventListener('abort', withdraw)
    })
    try {
      const answer = await interactions.ask(
        'servers-trust',
        {
          serverId: first.server.id,
          serverName: first.server.name,
          origin: 'user',
          cause: first.facts.summary.type === 'local' ? 'Their first start.' : 'The first connection to them.',
        },
        { servers: shownOf(asked) },
        nobodyLeft.signal,
        { onOpen: (id) => (question = id) },
      )
      question = undefined
      const wanted = new Set(answer.decision === 'allow' ? answer.servers : [])
      const fences = new Map(answer.decision === 'allow' ? answer.fences?.map(({ serverId, fence }) => [serverId, fence]) : [])
      const allowed: WaitingLaunch[] = []
      for (const launch of asked.values()) {
        const { server, facts } = launch
        if (wanted.has(server.id)) allowed.push({ ...launch, facts: behind(facts, fences.get(server.id) ?? null) })
        else launch.settle(false)
      }
      await this.#confirm(allowed, nobodyLeft.signal)
    } catch (error) {
      for (const launch of asked.values()) launch.fail(error)
    } finally {
      for (const undo of undoes) undo()
    }
  }

  /** Asks the shell's confirmation for all, halving them when they are too many to be read at once. */
  async #confirm(launches: readonly WaitingLaunch[], signal: AbortSignal): Promise<void> {
    const { platform } = this.#core
    try {
      const named = launches.map(({ server, facts }) => ({ name: server.name, launch: facts.summary }))
      const confirmed = !platform.confirmTrust || launches.length === 0 || (await platform.confirmTrust(named, signal))
      for (const launch of launches) {
        if (!confirmed) launch.settle(false)
        else if (!launch.signal.aborted) await this.#take(launch).then(() => launch.settle(true), launch.fail)
      }
    } catch (error) {
      if (launches.length > 1 && error instanceof HostError && error.code === 'refused') {
        const half = Math.ceil(launches.length / 2)
        await this.#confirm(launches.slice(0, half), signal)
        await this.#confirm(launches.slice(half), signal)
      } else for (const launch of launches) launch.fail(error)
    }
  }

  /** A fence that is closed further is what was allowed from then on, so that opening it again is asked about. */
  async fenceChanged(serverId: ServerId, togetherAt?: number): Promise<void> {
    const trusted = this.#trusted.get(serverId)
    const fence = this.#fenceOf(serverId)
    if (trusted?.launch.type !== 'local' || !fence || opensMore(fenceOf(trusted.launch), fence)) return
    const { openUntil: _openUntil, ...record } = trusted
    const openUntil = trusted.launch.fence ? undefined : togetherAt
    const launch = { ...trusted.launch, fence }
    await this.#trusted.put(serverId, { ...record, launch, ...(openUntil !== undefined && { openUntil }) })
  }

  /** Allows a wider fence that the person just named. Only a confirmation of the shell's own is asked for; false if it was denied. */
  async allowFence({ id, name }: { id: ServerId; name: string }, fence: FencePolicy, signal: AbortSignal): Promise<boolean> {
    const { openUntil: _openUntil, ...trusted } = this.#trusted.get(id) ?? {}
    if (!('launch' in trusted) || trusted.launch.type !== 'local') return false
    const launch = { ...trusted.launch, fence }
    const { platform } = this.#core
    if (platform.confirmTrust && !(await platform.confirmTrust([{ name, launch }], signal))) return false
    signal.throwIfAborted()
    await this.#trusted.put(id, { ...trusted, launch })
    return true
  }

  /** When the person fenced it together with others; undefined if its fence changed since or another launch was allowed. */
  openUntil(serverId: ServerId): number | undefined {
    const trusted = this.#trusted.get(serverId)
    const fence = this.#fenceOf(serverId)
    return trusted && fence && !opensMore(fenceOf(trusted.launch), fence) ? trusted.openUntil : undefined
  }

  /** Allows the launch without a fence, as it was before. */
  async openAgain(serverId: ServerId): Promise<void> {
    const trusted = this.#trusted.get(serverId)
    if (trusted?.openUntil === undefined || trusted.launch.type !== 'local') return
    const { fence: _fence, ...launch } = trusted.launch
    await this.#trusted.put(serverId, { ...trusted, launch })
  }

  forget(serverId: ServerId): Promise<void> {
    return this.#trusted.remove(serverId)
  }

  /** Sets the chosen fence before the launch is trusted, so that the server never starts without it. */
  async #take(launch: Pick<WaitingLaunch, 'server' | 'identity' | 'facts'>): Promise<void> {
    const fence = fenceOf(launch.facts.summary)
    if (fence && !this.#fenceOf(launch.server.id)) await this.#setStart?.(launch.server.id, { fence })
    await this.#remember(launch)
  }

  async #remember({ server, identity, facts }: Pick<WaitingLaunch, 'server' | 'identity' | 'facts'>): Promise<void> {
    const before = this.#trusted.get(server.id)
    const updates =
      before &&
      differsByVersion({ summary: before.launch, values: before.values ?? {}, ...(before.code && { code: before.code }) }, facts)
    const same = before?.launchIdentity === identity
    const known = same ? (before.earlier ?? []) : updates ? [before.launchIdentity, ...(before.earlier ?? [])] : []
    const earlier = known.filter((one) => one !== identity).slice(0, EARLIER)
    const record: TrustRecord = {
      serverId: server.id,
      launchIdentity: identity,
      launch: withoutSecrets(facts.summary),
      values: facts.values,
      ...(facts.code && { code: facts.code }),
      ...(before?.edits && { edits: before.edits }),
      ...(earlier.length > 0 && { earlier }),
      at: this.#core.clock.now(),
    }
    await this.#trusted.put(record.serverId, record)
  }
}

/** A launch behind a fence, unless it has one. */
function behind(facts: LaunchFacts, fence: FencePolicy | null): LaunchFacts {
  const { summary } = facts
  return fence && summary.type === 'local' && !summary.fence ? { ...facts, summary: { ...summary, fence } } : facts
}

/** The folders that the server is told of lie inside its fence. */
function withFolders(fence: FencePolicy, folders: readonly FolderChoice[]): FencePolicy {
  const told = folders.filter(({ path }) => !fence.folders.some((one) => one.path === path))
  const all = [...fence.folders, ...told.map(({ path, editable = false }) => ({ path, write: editable }))]
  return { ...fence, folders: all.slice(0, FENCED_FOLDERS) }
}

function shownOf(asked: ReadonlyMap<ServerId, WaitingLaunch>): LaunchAsked[] {
  return [...asked.values()].map(({ server, facts, identity }) => ({
    serverId: server.id,
    serverName: server.name,
    launch: facts.summary,
    launchIdentity: identity,
  }))
}
