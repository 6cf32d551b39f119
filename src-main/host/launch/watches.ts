import { realpath } from 'node:fs/promises'
import { join, normalize } from 'node:path'
import { Emitter } from '../../../src-shared/base/emitter.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { FolderChoice } from '../../../src-shared/contract/projects.ts'
import type { FencePolicy, Launch, WatchReport } from '../../../src-shared/contract/servers.ts'
import type { Watched } from '../../storage/base/storage.ts'
import type { HostCore } from '../core/host-core.ts'
import { KeptRecords } from '../core/kept-records.ts'
import { namedFolders, namedPaths, ownFolders } from './fence-reach.ts'
import type { Command } from './fenced-command.ts'
import type { FoundProgram } from './launch-identity.ts'
import { packageRunner } from './package-runner.ts'
import { type FoundWatch, findWatch } from './watch.ts'
import { WatchLog } from './watch-log.ts'
import { type Around, NOTHING_WATCHED, placeOf, settled, together, watchedLines } from './watched-places.ts'

interface WatchedLaunch {
  readonly serverId: ServerId
  readonly launch: Extract<Launch, { type: 'local' }>
  readonly program: FoundProgram
  readonly policy: FencePolicy | null
  /** The folders that it is told of. */
  readonly told: readonly FolderChoice[]
  readonly gatePort: Around['gatePort']
}

/** Milliseconds after which something new is kept, so that a crash loses little. */
const KEEP_AFTER = 2_000

/** Folders of the home folder that package runners fill. */
const RUNNER_FOLDERS = ['.npm', '.cache/uv', '.local/share/uv', '.cache/node']

interface Run {
  readonly log: WatchLog
  readonly around: Around
  /** The facts of earlier starts. */
  readonly before: Watched
  cancelTimer: (() => void) | undefined
}

/** Servers that are watched: their system calls are read, and kept as the places that they reached. */
export class Watches {
  /** Fires when more is known of a server. */
  readonly onMore = new Emitter<ServerId>()
  readonly #core: Pick<HostCore, 'clock' | 'environment' | 'platform' | 'storage'>
  readonly #kept: KeptRecords<'watch'>
  readonly #runs = new Map<ServerId, Run>()
  #found: Promise<FoundWatch> | undefined

  constructor(core: Pick<HostCore, 'clock' | 'environment' | 'platform' | 'storage'>) {
    this.#core = core
    this.#kept = new KeptRecords(core.storage.records, 'watch')
  }

  load(): Promise<void> {
    return this.#kept.load()
  }

  /** The command of a start that is watched. Where nothing can be watched it is the same, and `onProblem` gets a sentence. */
  async around(inner: Command, start: WatchedLaunch, onProblem: (text: string) => void) {
    const found = await this.#find()
    if ('none' in found) {
      onProblem(`It is not watched: ${found.none.what}`)
      return { command: inner, close: () => {} }
    }
    const { serverId, policy } = start
    const around = await this.#around(start)
    const startsWith = policy ? { startsWith: '/usr/bin/prlimit' } : {}
    const log = new WatchLog({ cwd: inner.cwd, ...startsWith, placeOf: (place, use) => placeOf(place, use, around) })
    const run: Run = { log, around, before: this.#kept.get(serverId) ?? NOTHING_WATCHED, cancelTimer: undefined }
    this.#runs.set(serverId, run)
    const watched = await found.watch.around(inner, {
      isFenced: policy !== null,
      onLog: (chunk) => {
        log.push(chunk)
        run.cancelTimer ??= this.#core.clock.after(KEEP_AFTER, () => void this.#keep(serverId, run))
      },
    })
    void watched.ended.then(() => this.#keep(serverId, run))
    return watched
  }

  /** Why nothing can be watched here, and what is known of a watched server. */
  async about(
    serverId: ServerId,
    launch: Launch,
    told: readonly FolderChoice[],
    policy: FencePolicy | null,
  ): Promise<WatchReport> {
    const found = await this.#find()
    const run = this.#runs.get(serverId)
    if (run) await this.#keep(serverId, run)
    const kept = this.#kept.get(serverId) ?? NOTHING_WATCHED
    const places = await this.#places()
    const named = launch.type === 'local' ? await this.#named(launch, told, policy) : []
    return { ...watchedLines(kept, named, places), missed: kept.missed, ...('none' in found && { problem: found.none }) }
  }

  /** A renamed server keeps its findings; those under its old name go when it is dropped. */
  async rename(from: ServerId, to: ServerId): Promise<void> {
    const run = this.#runs.get(from)
    if (run) await this.#keep(from, run)
    const kept = this.#kept.get(from)
    if (kept) await this.#kept.put(to, kept)
  }

  /** Before a watch begins or after it ended. */
  async forget(serverId: ServerId): Promise<void> {
    this.#runs.get(serverId)?.cancelTimer?.()
    this.#runs.delete(serverId)
    await this.#kept.remove(serverId)
  }

  async #keep(serverId: ServerId, run: Run): Promise<void> {
    run.cancelTimer?.()
    run.cancelTimer = undefined
    const watched = together(run.before, await settled(run.log, run.around))
    // Forgotten meanwhile, or started again.
    if (this.#runs.get(serverId) !== run) return
    if (JSON.stringify(watched) === JSON.stringify(this.#kept.get(serverId))) return
    await this.#kept.put(serverId, watched)
    this.onMore.fire(serverId)
  }

  /** A computer where nothing can be watched is looked at again: the person may have installed strace. */
  async #find(): Promise<FoundWatch> {
    const { clock, environment, platform } = this.#core
    this.#found ??= findWatch({ os: platform.os, environment, clock })
    const found = await this.#found
    if ('none' in found) this.#found = undefined
    return found
  }

  async #places() {
    const { environment, storage } = this.#core
    const homeLink = normalize(environment.HOME ?? storage.folder)
    return { home: await real(homeLink), homeLink, dataFolder: await real(storage.folder) }
  }

  async #around({ launch, program, policy, told, gatePort }: WatchedLaunch): Promise<Around> {
    const places = await this.#places()
    const kept = packageRunner(launch) ? RUNNER_FOLDERS.map((folder) => join(places.home, folder)) : []
    const own = [...(await ownFolders(program, places)), ...kept]
    const named = new Map((await this.#named(launch, told, policy)).map(({ path }) => [path, path]))
    for (const folder of [...named.keys()]) {
      const whole = await real(folder)
      if (!named.has(whole)) named.set(whole, folder)
    }
    return { ...places, own, named, isFenced: policy !== null, gatePort }
  }

  async #named(
    launch: Extract<Launch, { type: 'local' }>,
    told: readonly FolderChoice[],
    policy: FencePolicy | null,
  ): Promise<FencePolicy['folders']> {
    const roots = told.map(({ path, editable = false }) => ({ path, write: editable }))
    const words = policy ? [] : namedPaths(launch).map((path) => ({ path, write: true }))
    return namedFolders([...(policy?.folders ?? []), ...words, ...roots], await this.#places())
  }
}

const real = (folder: string) => realpath(folder).catch(() => folder)
