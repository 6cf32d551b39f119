import { randomUUID } from 'node:crypto'
import { isAbsolute } from 'node:path'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ImportReviewId, ServerId } from '../../../src-shared/contract/ids.ts'
import { inputProblem } from '../../../src-shared/contract/import-rules.ts'
import type {
  ExportedConfig,
  FoundConfig,
  ImportChoice,
  ImportReview,
  ImportSource,
  OtherHost,
} from '../../../src-shared/contract/imports.ts'
import type { PackageOwner } from '../../../src-shared/contract/registries.ts'
import { MAX_AT_ONCE, type ServerConfig } from '../../../src-shared/contract/servers.ts'
import { ConfigError, EntryError } from '../../../src-shared/foreign/foreign-server.ts'
import { BundleError } from '../../bundles/bundle-error.ts'
import { Bundles } from '../../bundles/bundles.ts'
import { bundleAt } from '../../bundles/kept-bundle.ts'
import { loginPath } from '../../transports/login-path.ts'
import type { HostCore } from '../core/host-core.ts'
import { findProgram } from '../launch/find-program.ts'
import type { Servers } from '../servers/servers.ts'
import { stageBundle } from './bundle-server.ts'
import { bundleUpdate } from './bundle-update.ts'
import { ConfigurationThread } from './configuration-thread.ts'
import type { Configuration } from './configurations.ts'
import { exportServers } from './exports.ts'
import { HARMLESS } from './import-values.ts'
import { InstalledServers } from './installed-servers.ts'
import { stagePublished } from './published-server.ts'
import { type FromRegistry, RegistryServers } from './registry-servers.ts'
import { readRegularFile } from './regular-file.ts'
import { MAX_LABEL_LENGTH, reviewServers, type StagedEntry } from './review-servers.ts'
import { filledLaunch, inputsOf, shownStagedLaunch, stageServer } from './staged-server.ts'
import { foldersOf, PROJECT_FILES, usualPlaces } from './usual-places.ts'

/** Milliseconds for which a review can be used. */
const REVIEW_LIFE = 30 * 60_000
const MAX_REVIEWS = 8

type Unusable = ImportReview['unusable'][number]

type Core = Pick<
  HostCore,
  'clock' | 'environment' | 'platform' | 'storage' | 'lifetime' | 'folders' | 'onLost' | 'connector' | 'settings'
>

/** A configuration to review. */
interface Wanted {
  readonly host?: OtherHost
  readonly path?: string
  /** A pasted text, in place of a path. */
  readonly text?: string
  /** A project's folder, whose files are written by the project's author and not by the person. */
  readonly folder?: string
}

/** Servers of other hosts, of bundles, of registries and of server.json: read, reviewed, and those added that a person chooses. */
export class Imports {
  readonly #core: Core
  readonly #edits: Servers['edits']
  readonly #configured: Servers['configured']
  readonly #thread: ConfigurationThread
  readonly #bundles: Bundles
  readonly registry: RegistryServers
  readonly installed: InstalledServers
  readonly #askLogin: ReturnType<typeof loginPath>
  readonly #held = new Map<ImportReviewId, { readonly entries: readonly StagedEntry[]; readonly forget: () => void }>()

  constructor(core: Core, { edits, configured }: Pick<Servers, 'edits' | 'configured'>) {
    this.#core = core
    this.#edits = edits
    this.#configured = configured
    this.#thread = new ConfigurationThread(core)
    const { storage, platform, environment, clock } = core
    this.#bundles = new Bundles({ ...core, dataFolder: storage.folder, os: platform.os })
    this.installed = new InstalledServers(core, { edits, configured })
    this.registry = new RegistryServers(core, this.installed)
    this.#askLogin = loginPath(environment, platform.os, clock)
    core.lifetime.onEnd(() => this.#forgetAll())
  }

  /** Configurations in their usual places that have servers, or cannot be read. */
  async look(): Promise<{ found: FoundConfig[] }> {
    const found: FoundConfig[] = []
    for (const { host, path } of this.#places()) {
      try {
        const text = await readRegularFile(path)
        const { servers } = text === undefined ? { servers: [] } : await this.#thread.read(text, host)
        if (servers.length > 0) found.push({ host, path, servers: servers.length })
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error
        found.push({ host, path, servers: 0, problem: error.message })
      }
    }
    return { found }
  }

  /** Takes a bundle in pieces, the first without `upload`. Throws HostError `refused` with a sentence. */
  async receive(piece: string, upload?: string): Promise<{ upload: string }> {
    return { upload: await refusing(this.#bundles.receive(Buffer.from(piece, 'base64'), upload)) }
  }

  /** Drops all reviews, and the bundles that no server uses. */
  end(): Promise<void> {
    this.#forgetAll()
    return this.#removeUnused()
  }

  /** Removes the bundles that no server, no step back and no review uses. Without a readable mcp.json nobody knows which those are. */
  async #removeUnused(): Promise<void> {
    const { entries, problem } = this.#core.storage.serverFile.current()
    if (problem) return
    const { folder } = this.#core.storage
    const used = entries.flatMap(({ launch }) =>
      launch?.type === 'local' && launch.cwd !== undefined ? (bundleAt(folder, launch.cwd)?.sha256 ?? []) : [],
    )
    const reviewed = [...this.#held.values()].flatMap(({ entries: held }) => held.flatMap((entry) => entry.package?.sha256 ?? []))
    await this.#bundles.tidy(new Set([...used, ...reviewed, ...this.installed.keptBundles()]))
  }

  /** Reads configurations and keeps their servers for `add`. Throws HostError `invalid-params` when there is nothing to review. */
  async review(from: ImportSource, signal: AbortSignal = new AbortController().signal): Promise<ImportReview> {
    if ('bundle' in from) return this.#reviewed([await this.#bundle(from)], [])
    if ('registry' in from) return this.#ofRegistry(from, signal)
    const unusable: Unusable[] = []
    const entries: StagedEntry[] = []
    for (const [at, wanted] of this.#wanted(from).entries()) {
      try {
        const config = await this.#read(wanted)
        if (!config) continue
        const read = this.#hold(config, wanted, `${at}/`)
        entries.push(...read.entries)
        unusable.push(...read.unusable)
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error
        const called = wanted.path ?? ('name' in from && from.name ? from.name : 'What you pasted')
        unusable.push({
          called: called.slice(0, MAX_LABEL_LENGTH),
          why: error.message,
          ...(wanted.path && { path: wanted.path }),
        })
      }
    }
    const [first] = unusable
    if (entries.length === 0 && !first) throw new HostError('invalid-params', 'It has no servers.')
    if (entries.length > MAX_AT_ONCE) {
      throw new HostError('invalid-params', `It has ${entries.length} servers; at most ${MAX_AT_ONCE} can be imported at once.`)
    }
    return this.#reviewed(entries, unusable)
  }

  async #ofRegistry(from: FromRegistry, signal: AbortSignal): Promise<ImportReview> {
    const { download } = from
    if (download !== undefined) return this.#reviewed([await this.#downloaded({ ...from, download }, signal)], [])
    const { entries, unusable, downloads } = await this.registry.stage(from, signal)
    return { ...(await this.#reviewed(entries, unusable)), downloads }
  }

  /** A bundle that a registry lists: the same review as for a file, with what the registry says of it. */
  async #downloaded(from: FromRegistry & { readonly download: string }, signal: AbortSignal): Promise<StagedEntry> {
    let upload: string | undefined
    const take = async (piece: Buffer) => {
      upload = await refusing(this.#bundles.receive(piece, upload))
    }
    const { alarms, from: origin } = await this.registry.download(from, take, signal)
    if (upload === undefined) throw new HostError('refused', 'Its file is empty.')
    const entry = await this.#bundle({ bundle: upload, name: from.download })
    if (!entry.package) return entry
    return { ...entry, from: origin, package: { ...entry.package, alarms: [...alarms, ...entry.package.alarms] } }
  }

  async #reviewed(staged: readonly StagedEntry[], unusable: readonly Unusable[]): Promise<ImportReview> {
    const entries: StagedEntry[] = []
    for (const entry of staged) entries.push(entry.package ? await this.#withProgram(entry) : entry)
    const id = randomUUID() as ImportReviewId
    this.#keep(id, entries)
    return { id, servers: reviewServers(entries, this.#core.storage.serverFile.current().entries), unusable }
  }

  /** Unpacks what was received; nothing in it is run. Throws HostError `refused` with a sentence. */
  async #bundle({ bundle, name }: Extract<ImportSource, { bundle: string }>): Promise<StagedEntry> {
    const { platform, environment, storage } = this.#core
    await this.#removeUnused()
    const installed = await refusing(this.#bundles.install(bundle, name.slice(0, MAX_LABEL_LENGTH)))
    const entry = await refusing(async () => stageBundle(installed, platform.os, environment))
    const updates = await bundleUpdate(installed, storage.serverFile.current().entries, storage.folder)
    return updates && entry.package ? { ...entry, package: { ...entry.package, updates } } : entry
  }

  /** Says before the installation what the computer lacks for it. */
  async #withProgram(entry: StagedEntry): Promise<StagedEntry> {
    const launch = shownStagedLaunch(entry.held)
    if (launch.type === 'remote' || !entry.package) return entry
    const found = await findProgram({ ...launch, args: [], env: {} }, {}, this.#core, this.#askLogin)
    if (found.path !== undefined) return entry
    const alarms = [
      `“${launch.command.slice(0, 200)}” was not found on this computer. Install it first.`,
      ...entry.package.alarms,
    ]
    return { ...entry, package: { ...entry.package, alarms } }
  }

  /** Asks whose a reviewed package is. Throws HostError. */
  confirm(review: ImportReviewId, key: string, signal: AbortSignal): Promise<PackageOwner> {
    return this.registry.confirm(this.#entry(review, key), signal)
  }

  #entry(review: ImportReviewId, key: string): StagedEntry {
    const entries = this.#held.get(review)?.entries
    if (!entries) throw new HostError('not-found', 'This review has expired. Import again.')
    const entry = /^\d+$/.test(key) ? entries[Number(key)] : undefined
    if (!entry) throw new HostError('not-found', 'This server is not in what was read.')
    return entry
  }

  /** Adds all in one write, or none. The review can be used again. */
  async add(review: ImportReviewId, choices: readonly ImportChoice[]): Promise<{ serverIds: ServerId[] }> {
    const configs = choices.map(({ key, name, inputs, enabled, update }) => {
      const entry = this.#entry(review, key)
      for (const input of inputsOf(entry.held)) {
        const problem = inputProblem(input, (Object.hasOwn(inputs, input.id) && inputs[input.id]) || '')
        if (problem !== undefined && problem !== 'Required')
          throw new HostError('invalid-params', `“${input.label}” cannot have this value. ${problem}.`)
      }
      const launch = filledLaunch(entry.held, inputs)
      if (!('type' in launch)) throw new HostError('invalid-params', `“${name}” needs “${launch.label}”.`)
      const updates = update ? entry.package?.updates?.serverId : undefined
      if (update && updates === undefined) throw new HostError('invalid-params', 'There is no server to update.')
      const options = { ...entry.foreign.options, ...(enabled !== undefined && { enabled }) }
      return { updates, from: entry.from, config: { name: updates ?? name, launch, options } satisfies ServerConfig }
    })
    const added = configs.filter(({ updates }) => updates === undefined)
    const serverIds: ServerId[] = []
    for (const { updates, from, config } of configs) {
      if (updates === undefined) continue
      const before = this.installed.launchOf(updates)
      serverIds.push((await this.#edits.change(updates, config)).serverId)
      await this.installed.note(updates, from, before)
    }
    if (added.length > 0) serverIds.push(...(await this.#edits.addAll(added.map(({ config }) => config))))
    for (const { from, config } of added) await this.installed.note(config.name as ServerId, from)
    return { serverIds }
  }

  /** The servers in another host's format, without secrets. */
  async export(host: OtherHost, serverIds: readonly ServerId[]): Promise<ExportedConfig> {
    const records = serverIds.map((id) => this.#configured.get(id).record)
    const place = this.#places().find((one) => one.host === host)
    return { ...(await exportServers(host, records)), ...(place && { path: place.path }) }
  }

  async #read({ host, path, text }: Wanted): Promise<Configuration | undefined> {
    if (text !== undefined) return this.#thread.read(text)
    const read = path === undefined ? undefined : await readRegularFile(path)
    return read === undefined || !host ? undefined : this.#thread.read(read, host)
  }

  #hold(config: Configuration, { path, text, folder }: Wanted, prefix: string): { entries: StagedEntry[]; unusable: Unusable[] } {
    const { environment, platform } = this.#core
    const { home, separator, join } = foldersOf(platform.os, environment)
    const where = path === undefined ? {} : { path }
    const unusable: Unusable[] = config.unusable.map((one) => ({
      ...one,
      called: one.called.slice(0, MAX_LABEL_LENGTH),
      ...where,
    }))
    const entries: StagedEntry[] = []
    if (config.published) {
      const { entries: staged, unusable: refused } = stagePublished(config.published, prefix, platform.os)
      entries.push(...staged)
      unusable.push(...refused)
    }
    for (const foreign of config.servers) {
      const project = foreign.project ?? folder
      const source = {
        syntaxes: config.syntaxes,
        inputs: config.inputs,
        known: { home, separator, ...(project !== undefined && { project }) },
        // The person's own hosts may read the environment; pasted texts and projects may not.
        environment: (name: string) =>
          (text === undefined && folder === undefined) || HARMLESS.has(name) ? environment[name] : undefined,
        prefix,
        server: foreign.name,
      }
      try {
        const startsIn =
          project === undefined ? undefined : (cwd: string) => (isAbsolute(cwd) || cwd.startsWith('$') ? cwd : join(project, cwd))
        const held = stageServer(foreign, source, startsIn)
        entries.push({
          foreign: project === undefined ? foreign : { ...foreign, project },
          held,
          ...where,
          ...(config.host && { host: config.host }),
        })
      } catch (error) {
        if (!(error instanceof EntryError)) throw error
        unusable.push({ called: foreign.name.slice(0, MAX_LABEL_LENGTH), why: error.message, ...where })
      }
    }
    return { entries, unusable }
  }

  /**
   * The page can name a path only if it is a usual place, and a folder only if the person chose it (ChosenFolders); of a folder only the
   * files of other hosts are read. So the page cannot read any other file.
   */
  #wanted(from: Exclude<ImportSource, { bundle: string } | { registry: string }>): Wanted[] {
    if ('text' in from) return [{ text: from.text }]
    if ('folder' in from) {
      const { folder } = from
      this.#core.folders.check(folder)
      if (!isAbsolute(folder)) throw new HostError('invalid-params', 'Enter the full path of the folder.')
      const { join } = foldersOf(this.#core.platform.os, this.#core.environment)
      return PROJECT_FILES.map(({ host, parts }) => ({ host, path: join(folder, ...parts), folder }))
    }
    const places = this.#places()
    return from.found.map((path) => {
      const place = places.find((one) => one.path === path)
      if (!place) throw new HostError('invalid-params', `No known app keeps its servers at ${path}.`)
      return place
    })
  }

  #forgetAll(): void {
    for (const { forget } of this.#held.values()) forget()
    this.#held.clear()
  }

  #places() {
    return usualPlaces(this.#core.platform.os, this.#core.environment)
  }

  #keep(id: ImportReviewId, entries: readonly StagedEntry[]): void {
    const { clock } = this.#core
    this.#held.set(id, { entries, forget: clock.after(REVIEW_LIFE, () => this.#held.delete(id)) })
    const [oldest] = this.#held
    if (this.#held.size <= MAX_REVIEWS || !oldest) return
    oldest[1].forget()
    this.#held.delete(oldest[0])
  }
}

/** Passes on the sentence of what a stranger's file did not fulfil. */
async function refusing<T>(work: Promise<T> | (() => Promise<T>)): Promise<T> {
  try {
    return await (typeof work === 'function' ? work() : work)
  } catch (error) {
    if (error instanceof BundleError || error instanceof EntryError) throw new HostError('refused', error.message)
    throw error
  }
}
