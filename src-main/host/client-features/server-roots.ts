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
import {
  folderState,
  foldersAmong,
  MAX_ARGUMENTS,
  type RootVerdict,
  resolveRoot,
  rootOf,
  suggestFolders,
  watchPath,
} from './roots.ts'
import type { ServerQuestions } from './server-questions.ts'

/** Milliseconds within which changes become one message to the server. */
const ANNOUNCE_DELAY = 50
/** Suggestions of folders that a person chose before. */
const KNOWN_SUGGESTIONS = 8
/** Milliseconds between two checks of every folder, where the system reports no changes. */
const CHECK_INTERVAL = 15_000

interface RootsParts extends Pick<HostCore, 'storage' | 'state' | 'clock' | 'lifetime' | 'folders'> {
  readonly questions: ServerQuestions
  readonly servers: Servers
}

interface Shared {
  readonly serverId: ServerId
  folders: readonly SharedFolder[]
  stop: () => void
}

interface ShareTarget {
  readonly serverId: string
  readonly launchIdentity: string
}

interface ProjectShare extends Shared {
  readonly launchIdentity: string
}

/**
 * The roots of each server: folders that a person shared with it for its launch, or from a project. They are watched, and changes are
 * announced to the server.
 */
export class ServerRoots {
  readonly #parts: RootsParts
  /** By launch identity and server id. */
  readonly #shared = new Map<string, Shared>()
  /** By project, launch identity and server id. */
  readonly #sharedFromProject = new Map<string, ProjectShare>()
  /** The open question of each server, of which it has one at most. */
  readonly #asking = new Map<ServerId, Promise<readonly SharedFolder[]>>()
  readonly #telling = new Map<ServerId, () => void>()
  /** Servers that got no folders because nobody has decided, by launch identity and server id. */
  readonly #wanting = new Map<string, ServerId>()
  /** Runs one change at a time, since two at once would leak a watcher. */
  readonly #changes = new InTurn()
  /** Folders to suggest, by the project that has them. */
  readonly #projectFolders = new Map<string, { readonly folders: readonly FolderChoice[]; readonly why: string }>()
  #stopChecking: (() => void) | undefined

  constructor(parts: RootsParts) {
    this.#parts = parts
  }

  async load(): Promise<void> {
    const { storage, lifetime } = this.#parts
    for (const [key, { serverId, folders }] of await storage.records.all('server-folders')) {
      this.#shared.set(key, await this.#watched(serverId as ServerId, folders))
    }
    lifetime.onEnd(() => {
      this.#stopChecking?.()
      for (const { stop } of [...this.#shared.values(), ...this.#sharedFromProject.values()]) stop()
      for (const cancel of this.#telling.values()) cancel()
    })
  }

  /** Undefined while nobody has decided. */
  of(serverId: ServerId, launchIdentity: string): readonly SharedFolder[] | undefined {
    return this.#shared.get(keyOf(serverId, launchIdentity))?.folders
  }

  /** True if it asked for folders and got none because nobody has decided. */
  wantsFolders(serverId: ServerId, launchIdentity: string): boolean {
    const key = keyOf(serverId, launchIdentity)
    return this.#wanting.has(key) && !this.#shared.has(key) && this.#projectShareState(serverId, launchIdentity).length === 0
  }

  sharedFromProject(serverId: ServerId): readonly SharedFolder[] {
    const identity = this.#record(serverId)?.launchIdentity
    return identity === undefined ? [] : this.#projectShareState(serverId, identity)
  }

  #projectShareState(serverId: ServerId, launchIdentity: string): readonly SharedFolder[] {
    const shares = [...this.#sharedFromProject.values()].filter(
      (one) => one.serverId === serverId && one.launchIdentity === launchIdentity,
    )
    return distinct(shares.flatMap(({ folders }) => folders))
  }

  /** Shares a project's folders with servers at their launches, in place of its earlier ones, and suggests them to all others. */
  shareFromProject(project: string, name: string, folders: readonly FolderChoice[], to: readonly ShareTarget[]): Promise<void> {
    if (folders.length > 0) this.#projectFolders.set(project, { folders, why: `Folder of the project “${name}”` })
    else this.#projectFolders.delete(project)
    return this.#changes.run(async () => {
      const touched = new Set<ServerId>()
      for (const [key, share] of [...this.#sharedFromProject]) {
        if (!key.startsWith(`${project} `)) continue
        share.stop()
        this.#sharedFromProject.delete(key)
        touched.add(share.serverId)
      }
      for (const target of folders.length > 0 ? to : []) {
        const serverId = target.serverId as ServerId
        const key = `${project} ${keyOf(serverId, target.launchIdentity)}`
        this.#sharedFromProject.set(key, {
          ...(await this.#watched(serverId, folders)),
          launchIdentity: target.launchIdentity,
        })
        touched.add(serverId)
      }
      for (const serverId of touched) this.#announce(serverId)
    })
  }

  /**
   * Suggests folders that it was started with, folders of projects, and those shared before its launch changed. Repositories are
   * suggested that contain its working folder, its arguments or folders of other servers. `launchIdentity` is the present one unless given.
   */
  async suggestions(serverId: ServerId, launchIdentity?: string): Promise<readonly FolderSuggestion[]> {
    const record = this.#record(serverId)
    const identity = launchIdentity ?? record?.launchIdentity
    const own = (identity !== undefined && this.of(serverId, identity)) || []
    const places: { path: string; reason: string }[] = []
    const known: FolderSuggestion[] = []
    if (record?.launch.type === 'local') {
      const { cwd, args } = record.launch
      if (cwd !== undefined) places.push({ path: cwd, reason: 'that the server runs in' })
      for (const path of await foldersAmong(args, [this.#parts.storage.folder]))
        known.push({ path, why: 'The server was started with it', launched: true })
      for (const arg of args.slice(0, MAX_ARGUMENTS)) places.push({ path: arg, reason: 'that the server was started with' })
    }
    for (const other of this.#shared.values()) {
      if (other.serverId === serverId) known.push(...suggested(other.folders, 'Shared with it before it changed'))
      else for (const { path } of other.folders) places.push({ path, reason: `that is shared with “${cut(other.serverId, 60)}”` })
    }
    for (const { folders, why } of this.#projectFolders.values()) known.push(...suggested(folders, why))
    const taken = own.map(({ path }) => path)
    const free = distinct(known)
      .filter(({ path }) => !taken.includes(path))
      .slice(0, KNOWN_SUGGESTIONS)
    return [...free, ...(await suggestFolders(places, [...taken, ...free.map(({ path }) => path)]))]
  }

  /** Folders that servers in use were given: shared with them, or named in a launch that the person allowed. */
  async given(): Promise<readonly string[]> {
    const { servers, storage } = this.#parts
    const inUse = servers.configured.all().filter(({ record: { state } }) => state.is === 'ready' || state.is === 'idle')
    const found = inUse.map(async ({ record: { folders = [], launch } }) => [
      ...folders.flatMap(({ path, state }) => (state === 'shared' ? path : [])),
      ...(launch.type === 'local' ? await foldersAmong(launch.args, [storage.folder]) : []),
    ])
    return (await Promise.all(found)).flat()
  }

  /** Shares folders that a person named while allowing this launch, so that its first connection knows them. */
  async share(serverId: ServerId, launchIdentity: string, folders: readonly FolderChoice[]): Promise<void> {
    await this.#keep(serverId, launchIdentity, folders, true)
    this.#parts.servers.configured.find(serverId)?.refreshRecord()
  }

  /** Null undoes the decision. Throws HostError `invalid-params` for a folder that cannot be shared, and changes nothing then. */
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
   * Answers `roots/list` with the decided folders. Without a decision the person is asked once, if a call, prompt or read waits for the
   * server (ROOT-13); otherwise it gets none, and a notification when there are some (decision 0034).
   */
  async list(serverId: ServerId, cause: Cause): Promise<ListRootsResult> {
    const { inFlight } = this.#parts.servers
    const launchIdentity = this.#identity(serverId)
    const decided = this.#shared.has(keyOf(serverId, launchIdentity)) || this.sharedFromProject(serverId).length > 0
    if (!decided) {
      const awaited = inFlight.find(serverId, cause.requestId) ?? inFlight.among(serverId, cause.candidates)[0]
      if (!awaited) return this.#answerNone(serverId, launchIdentity)
      try {
        await this.#ask(serverId, cause)
      } catch (error) {
        // Without a yes the answer is an empty list (ROOT-17).
        if (error instanceof ProtocolError || error instanceof InteractionExpired || cause.signal.aborted)
          return this.#answerNone(serverId, launchIdentity)
        throw error
      }
    }
    await this.#checkFolders(serverId)
    const folders = distinct([...(this.of(serverId, launchIdentity) ?? []), ...this.sharedFromProject(serverId)]).slice(
      0,
      ROOT_LIMIT,
    )
    return { roots: folders.filter(({ state }) => state === 'shared').map((folder) => rootOf(folder)) }
  }

  /** Answers with no folders, and shows on the server's page that it asked for some. */
  #answerNone(serverId: ServerId, launchIdentity: string): ListRootsResult {
    this.#wanting.set(keyOf(serverId, launchIdentity), serverId)
    const server = this.#parts.servers.configured.find(serverId)
    if (!server?.record.wantsFolders) server?.refreshRecord()
    return { roots: [] }
  }

  forget(serverId: ServerId): Promise<void> {
    return this.#changes.run(async () => {
      for (const [key, wanting] of this.#wanting) if (wanting === serverId) this.#wanting.delete(key)
      for (const [key, shared] of [...this.#shared]) {
        if (shared.serverId !== serverId) continue
        shared.stop()
        this.#shared.delete(key)
        await this.#parts.storage.records.remove('server-folders', key)
      }
      for (const [key, share] of [...this.#sharedFromProject]) {
        if (share.serverId !== serverId) continue
        share.stop()
        this.#sharedFromProject.delete(key)
      }
    })
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
    // The decision holds while this host runs, and is saved only if the person said so.
    const kept = await this.#keep(serverId, launchIdentity, chosen, answer.remember === true)
    // The server gets the folders as the answer to this request, so only its record is refreshed.
    this.#parts.servers.configured.find(serverId)?.refreshRecord()
    return kept
  }

  /** Leaves out folders that cannot be shared, or were neither offered nor chosen, and tells the person why in a notice. */
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
    if (folders.length > 0) this.#stopChecking ??= every(this.#parts.clock, CHECK_INTERVAL, () => void this.#checkFolders())
    const stops = folders.map(({ path }) => watchPath(path, () => void this.#checkFolders(serverId)))
    let stopped = false
    const stop = () => {
      if (stopped) return
      stopped = true
      for (const one of stops) one()
    }
    return { serverId, folders: states, stop }
  }

  /** Checks which folders exist, and announces changes to their servers (ROOT-12). */
  async #checkFolders(only?: ServerId): Promise<void> {
    for (const shared of [...this.#shared.values(), ...this.#sharedFromProject.values()]) {
      if (only !== undefined && shared.serverId !== only) continue
      const before = shared.folders
      const now = await Promise.all(before.map(async (folder) => ({ ...folder, state: await folderState(folder) })))
      // The person may have changed the folders meanwhile.
      if (shared.folders !== before || now.every(({ state }, at) => state === before[at]?.state)) continue
      shared.folders = now
      this.#announce(shared.serverId)
    }
  }

  /** Updates the record at once, and notifies the server after a short delay (ROOT-03). */
  #announce(serverId: ServerId): void {
    const { clock, servers } = this.#parts
    servers.configured.find(serverId)?.refreshRecord()
    if (this.#telling.has(serverId)) return
    const cancel = clock.after(ANNOUNCE_DELAY, () => {
      this.#telling.delete(serverId)
      servers.configured.find(serverId)?.rootsChanged()
    })
    this.#telling.set(serverId, cancel)
  }

  /** Refuses the host's own data, and paths that only the page names. */
  async #resolve({ path, editable }: FolderChoice, offered: readonly FolderChoice[]): Promise<RootVerdict> {
    const known = offered.some((one) => one.path === path) || this.#parts.folders.has(path)
    if (!known) return { ok: false, why: notChosen(path) }
    return resolveRoot(path, [this.#parts.storage.folder], editable)
  }

  #record(serverId: ServerId) {
    return this.#parts.servers.configured.find(serverId)?.record
  }

  #identity(serverId: ServerId): string {
    const record = this.#record(serverId)
    if (!record) throw new HostError('not-found', 'This server no longer exists.')
    return record.launchIdentity
  }
}

const keyOf = (serverId: ServerId, launchIdentity: string) => `${launchIdentity} ${serverId}`

function suggested(folders: readonly FolderChoice[], why: string): FolderSuggestion[] {
  return folders.map(({ path, name }) => ({ path, ...(name !== undefined && { name }), why }))
}

/** The first of each path. */
function distinct<Folder extends FolderChoice>(folders: readonly Folder[]): readonly Folder[] {
  return folders.filter(({ path }, at) => folders.findIndex((one) => one.path === path) === at)
}
