import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { hostPatterns } from '../../../src-shared/base/host-pattern.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { FolderChoice } from '../../../src-shared/contract/projects.ts'
import type { BlockedReach, FencePolicy, Launch } from '../../../src-shared/contract/servers.ts'
import { KNOWN_FENCES, OPEN_SERVERS } from '../../consent/known/known-fences.ts'
import { isWithin } from '../../consent/read-path.ts'
import { askProgram } from '../../transports/ask-program.ts'
import type { TakeSocket } from '../../transports/child-process.ts'
import { resolveCommand, variableOf } from '../../transports/resolve-command.ts'
import type { HostCore } from '../core/host-core.ts'
import { readError } from './blocked-guesses.ts'
import { type Fence, type FoundFence, findFence } from './fence.ts'
import { noGate, PROXY_TRIAL } from './fence-gate.ts'
import { allowsReach } from './fence-policy.ts'
import { hiddenFolder, namedFolders, neededPlaces, ownFolders, type Places, reachOf, real, TEMPORARY } from './fence-reach.ts'
import type { Command, Reach } from './fenced-command.ts'
import { LaunchError } from './launch-error.ts'
import type { FoundProgram } from './launch-identity.ts'
import { runsInlineCode } from './launched-code.ts'
import { withCopied } from './mxc.ts'
import { packageRunner } from './package-runner.ts'
import { type Download, downloadOf, publishedPackage } from './published-package.ts'
import { temporaryFolder } from './seatbelt.ts'

/** Milliseconds after which a package is looked up again of which the newest version is started. */
const LOOK_UP_AGAIN = 24 * 60 * 60_000

/** Programs of version managers that stand in for others. */
const CHOOSERS = ['asdf', 'mise', 'volta-shim']

interface AboutFence {
  readonly problem?: Problem
  readonly suggestions: FencePolicy['folders']
  readonly proposal: FencePolicy
  readonly known: boolean
  /** The reason why it is better left open. */
  readonly open?: string
}

interface AskedLaunch {
  readonly launch: Launch
  readonly program: FoundProgram | undefined
  readonly published: string | undefined
}

interface FencedLaunch {
  readonly serverId: ServerId
  readonly launch: Extract<Launch, { type: 'local' }>
  readonly program: FoundProgram
  readonly policy: FencePolicy
  /** Gets each host that it asks for and may not reach, in the spelling that would allow it. */
  readonly onRefusedHost: (host: string) => void
  /** Aborts when the server has ended. */
  readonly signal: AbortSignal
}

/** A fenced start: what to run, and before it the download that may use the network but none of the person's folders. */
export interface FencedStart {
  readonly start: Command
  /** Serves the named hosts. */
  readonly takeSocket?: TakeSocket
  /** The port of the loopback inside that leads to them, once it is known. */
  readonly gatePort?: () => number | undefined
  readonly download?: Command
  /** To be called once the server has answered. Removes what the programs read as they started; the end of the server does, too. */
  readonly started?: () => void
}

/** Fences of local servers, and the home folders that fenced servers have of their own. */
export class Fences {
  readonly #core: Pick<HostCore, 'clock' | 'connector' | 'environment' | 'platform' | 'storage'>
  #found: Promise<FoundFence> | undefined
  #gate: Promise<string | undefined> | undefined
  #proxied: Promise<boolean> | undefined

  constructor(core: Pick<HostCore, 'clock' | 'connector' | 'environment' | 'platform' | 'storage'>) {
    this.#core = core
  }

  /** Why a launch cannot be fenced here, the folders that it was started with or is told of, and a fence for it. */
  async about({ launch, program, published }: AskedLaunch, told: readonly FolderChoice[]): Promise<AboutFence> {
    if (launch.type !== 'local') {
      const problem = { code: 'no-fence', what: 'Only programs that Parley starts on this computer can be fenced.' }
      return { problem, suggestions: [], proposal: { network: 'none', folders: [] }, known: false }
    }
    const found = await this.#find()
    const roots = told.map(({ path, editable = false }) => ({ path, write: editable }))
    const places = this.#places('' as ServerId)
    const { os } = this.#core.platform
    const { folders, closed } = await neededPlaces(launch, program, places)
    const suggestions = await namedFolders([...folders, ...roots], places)
    const known = published === undefined ? undefined : KNOWN_FENCES.get(published)
    const network: FencePolicy['network'] =
      typeof known?.network === 'object' && !(await this.#asksProxy()) ? 'any' : (known?.network ?? 'any')
    const proposal = { network, folders: known?.folders === 'none' ? [] : suggestions }
    const problem = 'none' in found ? found.none : unfitProblem(launch, network)
    const open =
      (os === 'win32' && 'Fences on Windows are not yet tested with real servers.') ||
      (knownOpen(launch) ??
        (closed === undefined
          ? await hiddenCode(launch, program, { os, home: places.home })
          : `It is started with “${closed}”, which a fence hides.`))
    return { suggestions, proposal, known: known !== undefined, ...(problem && { problem }), ...(open && { open }) }
  }

  /** Reads in an error of the server what its fence may have kept from it. A path counts only where it leads to something on this computer. */
  async guesses(error: string, policy: FencePolicy): Promise<readonly BlockedReach[]> {
    const { hosts, network, paths } = readError(error)
    const guessed = true
    const found: BlockedReach[] = hosts.map((name) => ({ kind: 'host', name, guessed }))
    if (network && hosts.length === 0) found.push({ kind: 'network', name: '*', guessed })
    for (const { path, write } of paths) {
      const folder = await hiddenFolder(path, this.#places('' as ServerId))
      if (folder) found.push({ kind: 'folder', ...folder, ...(write && { write }), guessed })
    }
    return found.filter((reach) => !allowsReach(policy, reach))
  }

  /** The folders of these paths that a fence hides, of those that it can be opened for. */
  async hidden(
    paths: readonly string[],
    write: boolean,
    { program, policy }: { readonly program: FoundProgram | undefined; readonly policy: FencePolicy },
  ): Promise<readonly BlockedReach[]> {
    const places = this.#places('' as ServerId)
    const own = program ? [...(await ownFolders(program, places))] : []
    const found = new Map<string, BlockedReach>()
    for (const path of paths) {
      const { name, closed } = (await hiddenFolder(path, places)) ?? {}
      if (name === undefined || closed || TEMPORARY.includes(name) || (!write && own.some((one) => isWithin(name, one)))) continue
      const reach: BlockedReach = { kind: 'folder', name, ...(write && { write }) }
      if (!allowsReach(policy, reach)) found.set(name, reach)
    }
    return [...found.values()]
  }

  /** Throws LaunchError when this launch cannot be fenced; it is then not started at all. */
  async around(inner: Command, { serverId, launch, program, policy, onRefusedHost, signal }: FencedLaunch): Promise<FencedStart> {
    const found = await this.#find()
    if ('none' in found) throw new LaunchError(found.none)
    const unfit = unfitProblem(launch, policy.network)
    if (unfit) throw new LaunchError(unfit)
    const places = this.#places(serverId)
    await this.#makeHome(places.ownHome)
    const { fence } = found
    const { network, ...served } = await this.#network(policy.network, fence, { onRefused: onRefusedHost, signal })
    const reach = await reachOf({ ...policy, network }, program, launch.cwd !== undefined, places)
    // A package that is not known was refused above.
    const download = network === 'any' || !packageRunner(launch) ? undefined : downloadOf(launch.command, launch.args)
    if (!download) return handedOver({ start: fence.around(inner, reach), ...served }, signal)
    // The download has the network and obeys the settings of its home folder, so that it neither sees nor shares what the server wrote.
    await this.#makeHome(this.#packagesOf(serverId))
    const packages = await real(this.#packagesOf(serverId))
    const open = await reachOf({ network: 'any', folders: [] }, program, false, { ...places, ownHome: packages })
    const fetched = await this.#fetched(serverId, download)
    const starts = {
      ...served,
      started: fetched.note,
      start: fence.around(
        withPackages({ ...inner, env: { ...inner.env, ...download.offline } }, packages, this.#core.platform.os),
        {
          ...reach,
          read: [...reach.read, packages],
        },
      ),
      ...(!fetched.isFresh && {
        download: fence.around(
          { command: inner.command, args: download.args, env: withoutValues(inner.env, launch), cwd: places.home },
          open,
        ),
      }),
    }
    return handedOver(starts, signal)
  }

  /**
   * Tells if its package was downloaded and need not be looked up again. The note of it is there only while the last start
   * answered, so that a package which no longer starts is downloaded again.
   */
  async #fetched(serverId: ServerId, { args, exact }: Pick<Download, 'args' | 'exact'>) {
    const file = `${this.#packagesOf(serverId)}.fetched`
    const now = this.#core.clock.now()
    const [time, ...words] = (await readFile(file, 'utf8').catch(() => '')).split('\n') // There is none before the first start.
    const at = Number(time)
    const isFresh = words.join('\n') === args.join('\n') && (exact || (at <= now && now - at < LOOK_UP_AGAIN))
    await rm(file, { force: true })
    const note = () => void writeFile(file, [isFresh ? at : now, ...args].join('\n')).catch(() => {}) // Else it is looked up again.
    return { isFresh, note }
  }

  async #network(
    network: FencePolicy['network'],
    fence: Fence,
    { onRefused, signal }: { readonly onRefused: (host: string) => void; readonly signal: AbortSignal },
  ): Promise<Pick<Reach, 'network'> & Pick<FencedStart, 'takeSocket' | 'gatePort'>> {
    if (typeof network === 'string') return { network }
    const hosts = hostPatterns(network.hosts)
    const { connector } = this.#core
    if (!fence.findGate) {
      const { openHostProxy } = await import('../../transports/http/host-proxy.ts')
      const { address, port } = await openHostProxy({ hosts, connector, onRefused }, signal)
      return { network: { via: address, hosts: network.hosts }, gatePort: () => port }
    }
    this.#gate ??= fence.findGate()
    const via = await this.#gate
    if (via === undefined) {
      this.#gate = undefined
      throw new LaunchError(noGate(process.arch))
    }
    const { serveHosts } = await import('../../transports/http/host-proxy.ts')
    let port: number | undefined
    return {
      network: { via, hosts: network.hosts },
      gatePort: () => port,
      takeSocket: (listener, ended) => {
        const address = listener.address()
        if (typeof address === 'object') port = address?.port
        serveHosts(listener, { hosts, connector, onRefused, ended })
      },
    }
  }

  /** True if Node, which all servers with known hosts run on, asks a proxy by itself. */
  #asksProxy(): Promise<boolean> {
    const { clock, environment, platform } = this.#core
    const ask = async () => {
      const node = await resolveCommand('node', environment, '/', platform.os)
      return 'path' in node && (await askProgram(node.path, PROXY_TRIAL, { env: {}, cwd: '/', clock }))?.code === 0
    }
    this.#proxied ??= ask()
    return this.#proxied
  }

  /** The home folder of a renamed server goes with it. */
  async rename(from: ServerId, to: ServerId): Promise<void> {
    await this.forget(to)
    await rename(this.#homeOf(from), this.#homeOf(to)).catch(ignoreMissing)
    await rename(this.#packagesOf(from), this.#packagesOf(to)).catch(ignoreMissing)
  }

  async forget(serverId: ServerId): Promise<void> {
    const homes = [this.#homeOf(serverId), this.#packagesOf(serverId)]
    const places = homes.flatMap((folder) => [folder, `${folder}.json`, `${folder}.fetched`])
    for (const place of places) await rm(place, { recursive: true, force: true })
  }

  /** A computer without a fence is looked at again: the person may have installed one. */
  async #find(): Promise<FoundFence> {
    const { clock, environment, platform, storage } = this.#core
    this.#found ??= findFence({ os: platform.os, environment, clock, folder: storage.folder })
    const found = await this.#found
    if ('none' in found) this.#found = undefined
    return found
  }

  #places(serverId: ServerId): Places {
    const { environment, storage, platform } = this.#core
    return {
      home: variableOf(environment, platform.os === 'win32' ? 'USERPROFILE' : 'HOME') ?? storage.folder,
      ownHome: this.#homeOf(serverId),
      dataFolder: storage.folder,
      isMac: platform.os === 'darwin',
    }
  }

  async #makeHome(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // Nothing is made in place of a link that the server left.
    if (this.#core.platform.os === 'darwin') await mkdir(temporaryFolder(folder), { recursive: true })
  }

  #homeOf(serverId: ServerId): string {
    return join(this.#core.storage.folder, 'homes', createHash('sha256').update(serverId).digest('hex').slice(0, 32))
  }

  /** The home folder of its downloads, which the server can only read. */
  #packagesOf(serverId: ServerId): string {
    return `${this.#homeOf(serverId)}-packages`
  }
}

/** The reason why a published server does not work behind a fence as it is started. */
function knownOpen({ command, args, env }: Extract<Launch, { type: 'local' }>): string | undefined {
  const { why, unless = '' } = OPEN_SERVERS.get(publishedPackage(command, args) ?? '') ?? {}
  const told = env[unless]
  return told && 'text' in told && isAbsolute(told.text) ? undefined : why
}

/** The reason why the code of a server is not surely among the files that its command line names. */
async function hiddenCode(
  { command, args }: Extract<Launch, { type: 'local' }>,
  program: FoundProgram | undefined,
  { os, home }: { readonly os: string; readonly home: string },
): Promise<string | undefined> {
  if (program?.path === undefined) return undefined
  if (runsInlineCode(command, args, os)) return 'Its code is in its command line and may need any file.'
  const name = basename(await real(program.path))
  const chooses = basename(dirname(program.path)) === 'shims' || CHOOSERS.includes(name)
  if (chooses) return `“${program.path}” chooses its version by files that a fence hides.`
  const loose = program.code.find(({ file }) => dirname(file) === home)
  return loose && `“${loose.file}” lies in your home folder, whose other files a fence hides.`
}

/** The reason why a launch cannot be fenced anywhere, or not with this network. */
function unfitProblem(launch: Extract<Launch, { type: 'local' }>, network: FencePolicy['network']): Problem | undefined {
  const runner = packageRunner(launch)
  if (runner === 'docker' || runner === 'podman') {
    return {
      code: 'no-fence',
      what: `${runner} starts the server outside the fence, in a container of its own.`,
      todo: 'Leave the fence off for this server.',
    }
  }
  if (network === 'any' || !runner || downloadOf(launch.command, launch.args)) return undefined
  return {
    code: 'no-fence',
    what: `Parley cannot tell what ${runner} would download for this server, so it cannot start it without the network.`,
    todo: 'Allow the network under “Fence”, or name the package as in: npx -y name@1.2.3',
  }
}

/** Copies what is newer among the downloaded packages into the home folder first. It happens inside the fence, where links lead nowhere else. */
function withPackages(inner: Command, packages: string, os: string): Command {
  if (os === 'win32') return withCopied(inner, packages)
  // The cp of macOS has no -u.
  const script = `cp ${os === 'darwin' ? '-a' : '-au'} "$0"/. "$HOME"/; exec "$@"`
  return { ...inner, command: '/bin/sh', args: ['-c', script, packages, inner.command, ...inner.args] }
}

/** Writes what the programs of a start read as they begin. */
async function handedOver(starts: FencedStart, signal: AbortSignal): Promise<FencedStart> {
  const handed = [starts.download?.handed, starts.start.handed].filter((one) => one !== undefined)
  if (handed.length === 0) return starts
  for (const { file, text } of handed) await writeFile(file, text, { mode: 0o600 })
  const started = () => {
    starts.started?.()
    for (const { file } of handed) void rm(file, { force: true }).catch(ignoreMissing)
  }
  signal.addEventListener('abort', started, { once: true })
  return { ...starts, started }
}

/** A download gets none of the values that are configured for the server. */
function withoutValues(env: Command['env'], launch: Extract<Launch, { type: 'local' }>): Command['env'] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !(name in launch.env)))
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
