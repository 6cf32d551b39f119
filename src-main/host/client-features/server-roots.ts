import { every } from '../../../src-shared/base/clock.ts'
import { InTurn } from '../../../src-shared/base/in-turn.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { type FolderChoice, type FolderSuggestion, ROOT_LIMIT, type SharedFolder } from '../../../src-shared/contract/projects.ts'
import type { ListRootsResult } from '../../../src-shared/mcp/client-requests.ts'
import type { Cause } from '../../protocol/peer/client-features.ts'
import { ProtocolError } from '../../protocol/shapes/json-rpc.ts'
import type { ServerFolders } from '../../storage/base/storage.ts'
import { notChosen } from '../core/chosen-folders.ts'
import { cut } from '../core/content-views.ts'
import type { HostCore } from '../core/host-core.ts'
import { InteractionExpired } from '../core/interactions.ts'
import type { Servers } from '../servers/servers.ts'
import { folderState, type RootVerdict, resolveRoot, rootOf, suggestFolders, watchPath } from './roots.ts'
import type { ServerQuestions } from './server-questions.ts'

/** Milliseconds in which changes become one message to the server. */
const SETTLE = 50
/** Suggestions of folders that somebody chose before. */
const KNOWN_SUGGESTIONS = 8
/** Milliseconds between two looks at every folder, where the system tells nothing. */
const LOOK = 15_000

interface RootsParts extends Pick<HostCore, 'storage' | 'state' | 'clock' | 'lifetime' | 'folders'> {
  readonly questions: ServerQuestions
  readonly servers: Servers
}

interface Shared {
  readonly serverId: ServerId
  folders: readonly SharedFolder[]
  stop: () => void
}

interface LentTo {
  readonly serverId: string
  readonly launchIdentity: string
}

interface Lent extends Shared {
  readonly launchIdentity: string
}

/**
 * The roots of each server: folders that a person decided on per server and launch, or shares with it from a project, watched, and
 * told again when they change.
 */
export class ServerRoots {
  readonly #parts: RootsParts
  /** By launch identity and server id. */
  readonly #shared = new Map<string, Shared>()
  /** By who lends, launch identity and server id. */
  readonly #sharedFromProject = new Map<string, Lent>()
  /** One question per server, however often it asks. */
  readonly #asking = new Map<ServerId, Promise<readonly SharedFolder[]>>()
  readonly #telling = new Map<ServerId, () => void>()
  /** By launch identity and server id: servers that asked and got none, for nobody has decided. */
  readonly #wanting = new Map<string, ServerId>()
  /** One change of what is shared at a time: of two at once, one would leave its watchers behind. */
  readonly #changes = new InTurn()
  /** By who named them. */
  readonly #named = new Map<string, { readonly folders: readonly FolderChoice[]; readonly why: string }>()
  #stopLooking: (() => void) | undefined

  constructor(parts: RootsParts) {
    this.#parts = parts
  }

  async load(): Promise<void> {
    const { storage, lifetime } = this.#parts
    for (const [key, { serverId, folders }] of await storage.records.all('server-folders')) {
      this.#shared.set(key, await this.#watched(serverId as ServerId, folders))
    }
    lifetime.onEnd(() => {
      this.#stopLooking?.()
      for (const { stop } of [...this.#shared.values(), ...this.#sharedFromProject.values()]) stop()
      for (const cancel of this.#telling.values()) cancel()
    })
  }

  /** For its record; undefined while nobody has decided. */
  of(serverId: ServerId, launchIdentity: string): readonly SharedFolder[] | undefined {
    return this.#shared.get(keyOf(serverId, launchIdentity))?.folders
  }

  /** True if it asked for folders and was told of none, though nobody decided so. */
  wantedBy(serverId: ServerId, launchIdentity: string): boolean {
    const key = keyOf(serverId, launchIdentity)
    return this.#wanting.has(key) && !this.#shared.has(key) && this.#projectShareState(serverId, launchIdentity).length === 0
  }

  /** Folders that projects share with it, for its page. */
  sharedFromProject(serverId: ServerId): readonly SharedFolder[] {
    const identity = this.#record(serverId)?.launchIdentity
    return identity === undefined ? [] : this.#projectShareState(serverId, identity)
  }

  #projectShareState(serverId: ServerId, launchIdentity: string): readonly SharedFolder[] {
    const lent = [...this.#sharedFromProject.values()].filter(
      (one) => one.serverId === serverId && one.launchIdentity === launchIdentity,
    )
    return distinct(lent.flatMap(({ folders }) => folders))
  }

  /** The person shares these with servers as they are launched now; what `from` lent before is over. */
  shareFromProject(from: string, folders: readonly FolderChoice[], to: readonly LentTo[]): Promise<void> {
    return this.#changes.run(() => this.#shareFromProject(from, folders, to))
  }

  async #shareFromProject(from: string, folders: readonly FolderChoice[], to: readonly LentTo[]): Promise<void> {
    const touched = new Set<ServerId>()
    for (const [key, lent] of [...this.#sharedFromProject]) {
      if (!key.startsWith(`${from} `)) continue
      lent.stop()
      this.#sharedFromProject.delete(key)
      touched.add(lent.serverId)
    }
    for (const one of folders.length > 0 ? to : []) {
      const serverId = one.serverId as ServerId
      const key = `${from} ${keyOf(serverId, one.launchIdentity)}`
      this.#sharedFromProject.set(key, { ...(await this.#watched(serverId, folders)), launchIdentity: one.launchIdentity })
      touched.add(serverId)
    }
    for (const serverId of touched) this.#announce(serverId)
  }

  /**
   * Folders to suggest: those it was told of before its launch changed, those of projects, and repositories around where it runs
   * and what it was started with, and that others are told of. Of another launch than that of now where one is given.
   */
  async suggestions(serverId: ServerId, launchIdentity?: string): Promise<readonly FolderSuggestion[]> {
    const record = this.#record(serverId)
    const identity = launchIdentity ?? record?.launchIdentity
    const own = (identity !== undefined && this.of(serverId, identity)) || []
    const places: { path: string; because: string }[] = []
    const known: FolderSuggestion[] = []
    if (record?.launch.type === 'local') {
      const { cwd, args } = record.launch
      if (cwd !== undefined) places.push({ path: cwd, because: 'that the server runs in' })
      for (const arg of args.slice(0, 32)) places.push({ path: arg, because: 'that the server was started with' })
    }
    for (const { folders, why } of this.#named.values()) known.push(...suggested(folders, why))
    for (const other of this.#shared.values()) {
      if (other.serverId === serverId) known.push(...suggested(other.folders, 'Shared with it before it changed'))
      else for (const { path } of other.folders) places.push({ path, because: `that “${cut(other.serverId, 60)}” is told of` })
    }
    const taken = own.map(({ path }) => path)
    const free = distinct(known)
      .filter(({ path }) => !taken.includes(path))
      .slice(0, KNOWN_SUGGESTIONS)
    return [...free, ...(await suggestFolders(places, [...taken, ...free.map(({ path }) => path)]))]
  }

  /** Folders that a person named elsewhere, to be suggested; what `by` named before is over. */
  named(by: string, folders: readonly FolderChoice[], why: string): void {
    if (folders.length > 0) this.#named.set(by, { folders, why })
    else this.#named.delete(by)
  }

  /** A person named them when they allowed this launch: it is told of them from its first connection on. */
  async share(serverId: ServerId, launchIdentity: string, folders: readonly FolderChoice[]): Promise<void> {
    await this.#keep(serverId, launchIdentity, folders, true)
    this.#parts.servers.configured.find(serverId)?.refreshRecord()
  }

  /** Throws HostError `invalid-params` for the first folder that cannot be shared; nothing is changed then. */
  async set(serverId: ServerId, folders: readonly FolderChoice[] | null): Promise<void> {
    const launchIdentity = this.#identity(serverId)
    if (folders === null) return this.#undecide(keyOf(serverId, launchIdentity), serverId)
    const resolved: FolderChoice[] = []
    const offered = [...(this.of(serverId, launchIdentity) ?? []), ...(await this.suggestions(serverId))]
    for (const folder of folders) {
      const verdict = await this.#resolve(folder, offered)
      if (!verdict.ok) throw new HostError('invalid-params', verdict.why)
      resolved.push({ ...folder, path: verdict.path })
    }
    await this.#keep(serverId, launchIdentity, distinct(resolved), true)
    this.#announce(serverId)
  }

  /**
   * Answers `roots/list`: what is decided. Else, where a call, prompt or read of a person waits for it, they are asked, and answer for
   * all that wait (ROOT-13); where nobody waits, it gets none at once, and hears when there are some (decision 0034).
   */
  async list(serverId: ServerId, cause: Cause): Promise<ListRootsResult> {
    const { inFlight } = this.#parts.servers
    const launchIdentity = this.#identity(serverId)
    const decided = this.#shared.has(keyOf(serverId, launchIdentity)) || this.sharedFromProject(serverId).length > 0
    if (!decided) {
      const awaited = inFlight.find(serverId, cause.requestId) ?? inFlight.among(serverId, cause.candidates)[0]
      if (!awaited) return this.#none(serverId, launchIdentity)
      try {
        await this.#ask(serverId, cause)
      } catch (error) {
        // Nobody said yes: none is a valid answer (ROOT-17).
        if (error instanceof ProtocolError || error instanceof InteractionExpired || cause.signal.aborted)
          return this.#none(serverId, launchIdentity)
        throw error
      }
    }
    await this.#look(serverId)
    const folders = distinct([...(this.of(serverId, launchIdentity) ?? []), ...this.sharedFromProject(serverId)]).slice(
      0,
      ROOT_LIMIT,
    )
    return { roots: folders.filter(({ state }) => state === 'shared').map((folder) => rootOf(folder)) }
  }

  /** Nobody has decided: it is told of none, and the person sees that it would like to know some. */
  #none(serverId: ServerId, launchIdentity: string): ListRootsResult {
    this.#wanting.set(keyOf(serverId, launchIdentity), serverId)
    const server = this.#parts.servers.configured.find(serverId)
    if (!server?.record.wantsFolders) server?.refreshRecord()
    return { roots: [] }
  }

  /** It is no longer configured. */
  forget(serverId: ServerId): Promise<void> {
    return this.#changes.run(() => this.#forget(serverId))
  }

  async #forget(serverId: ServerId): Promise<void> {
    for (const [key, wanting] of this.#wanting) if (wanting === serverId) this.#wanting.delete(key)
    for (const [key, shared] of [...this.#shared]) {
      if (shared.serverId !== serverId) continue
      shared.stop()
      this.#shared.delete(key)
      await this.#parts.storage.records.remove('server-folders', key)
    }
    for (const [key, lent] of [...this.#sharedFromProject]) {
      if (lent.serverId !== serverId) continue
      lent.stop()
      this.#sharedFromProject.delete(key)
    }
  }

  #ask(serverId: ServerId, cause: Cause): Promise<readonly SharedFolder[]> {
    const open = this.#asking.get(serverId)
    if (open) return open
    const asking = this.#question(serverId, cause).finally(() => this.#asking.delete(serverId))
    this.#asking.set(serverId, asking)
    return asking
  }

  async #question(serverId: ServerId, cause: Cause): Promise<readonly SharedFolder[]> {
    const { questions } = this.#parts
    questions.admit(serverId)
    const launchIdentity = this.#identity(serverId)
    const asked = questions.attributionOf(serverId, cause)
    const suggestions = await this.suggestions(serverId)
    const answer = await questions.ask('roots-request', asked, { suggestions })
    const chosen = answer.decision === 'share' ? await this.usable(answer.folders, suggestions) : []
    // Kept for as long as this host runs, and on disk only when the person said so.
    const kept = await this.#keep(serverId, launchIdentity, chosen, answer.remember === true)
    // The server has its answer from this very request.
    this.#parts.servers.configured.find(serverId)?.refreshRecord()
    return kept
  }

  /** Folders that cannot be shared, or were neither offered nor chosen, are left out, and the person hears why. */
  async usable(folders: readonly FolderChoice[], offered: readonly FolderChoice[]): Promise<readonly FolderChoice[]> {
    const usable: FolderChoice[] = []
    for (const folder of folders) {
      const verdict = await this.#resolve(folder, offered)
      if (verdict.ok) usable.push({ ...folder, path: verdict.path })
      else {
        const problem = { code: 'folder-not-shared', what: verdict.why, todo: 'Choose it again in the server’s folders.' }
        this.#parts.state.notice('warning', problem, this.#parts.clock.now())
      }
    }
    return distinct(usable)
  }

  #keep(
    serverId: ServerId,
    launchIdentity: string,
    folders: readonly FolderChoice[],
    remember: boolean,
  ): Promise<readonly SharedFolder[]> {
    return this.#changes.run(async () => {
      const { storage, clock } = this.#parts
      const key = keyOf(serverId, launchIdentity)
      const stored: ServerFolders = { serverId, launchIdentity, folders: folders.slice(0, ROOT_LIMIT), at: clock.now() }
      if (remember) await storage.records.put('server-folders', key, stored)
      const shared = await this.#watched(serverId, stored.folders)
      this.#shared.get(key)?.stop()
      this.#shared.set(key, shared)
      return shared.folders
    })
  }

  #undecide(key: string, serverId: ServerId): Promise<void> {
    return this.#changes.run(async () => {
      await this.#parts.storage.records.remove('server-folders', key)
      this.#shared.get(key)?.stop()
      this.#shared.delete(key)
      this.#announce(serverId)
    })
  }

  async #watched(serverId: ServerId, folders: readonly FolderChoice[]): Promise<Shared> {
    const states = await Promise.all(folders.map(async (folder) => ({ ...folder, state: await folderState(folder) })))
    if (folders.length > 0) this.#stopLooking ??= every(this.#parts.clock, LOOK, () => void this.#look())
    const stops = folders.map(({ path }) => watchPath(path, () => void this.#look(serverId)))
    let stopped = false
    const stop = () => {
      if (stopped) return
      stopped = true
      for (const one of stops) one()
    }
    return { serverId, folders: states, stop }
  }

  /** Looks whether folders came or went; what went is dropped, and the server is told (ROOT-12). */
  async #look(only?: ServerId): Promise<void> {
    for (const shared of [...this.#shared.values(), ...this.#sharedFromProject.values()]) {
      if (only !== undefined && shared.serverId !== only) continue
      const before = shared.folders
      const now = await Promise.all(before.map(async (folder) => ({ ...folder, state: await folderState(folder) })))
      // Another decision may have been made meanwhile.
      if (shared.folders !== before || now.every(({ state }, at) => state === before[at]?.state)) continue
      shared.folders = now
      this.#announce(shared.serverId)
    }
  }

  /** The record at once; the server once things have settled (ROOT-03). */
  #announce(serverId: ServerId): void {
    const { clock, servers } = this.#parts
    servers.configured.find(serverId)?.refreshRecord()
    if (this.#telling.has(serverId)) return
    const cancel = clock.after(SETTLE, () => {
      this.#telling.delete(serverId)
      servers.configured.find(serverId)?.rootsChanged()
    })
    this.#telling.set(serverId, cancel)
  }

  /** No server is ever told of the host's own data, nor of what a page names by itself. */
  async #resolve({ path }: FolderChoice, offered: readonly FolderChoice[]): Promise<RootVerdict> {
    const known = offered.some((one) => one.path === path) || this.#parts.folders.has(path)
    if (!known) return { ok: false, why: notChosen(path) }
    return resolveRoot(path, [this.#parts.storage.folder])
  }

  #record(serverId: ServerId) {
    return this.#parts.servers.configured.find(serverId)?.record
  }

  #identity(serverId: ServerId): string {
    const record = this.#record(serverId)
    if (!record) throw new HostError('not-found', 'There is no such server.')
    return record.launchIdentity
  }
}

const keyOf = (serverId: ServerId, launchIdentity: string) => `${launchIdentity} ${serverId}`

function suggested(folders: readonly FolderChoice[], why: string): FolderSuggestion[] {
  return folders.map(({ path, name }) => ({ path, ...(name !== undefined && { name }), why }))
}

function distinct<Folder extends FolderChoice>(folders: readonly Folder[]): readonly Folder[] {
  return [...new Map(folders.map((folder) => [folder.path, folder])).values()]
}
