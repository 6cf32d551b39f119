import { randomUUID } from 'node:crypto'
import { isAbsolute } from 'node:path'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ImportReviewId, ServerId } from '../../../src-shared/contract/ids.ts'
import type {
  ExportedConfig,
  FoundConfig,
  ImportChoice,
  ImportReview,
  ImportSource,
  OtherHost,
} from '../../../src-shared/contract/imports.ts'
import { MAX_AT_ONCE, type ServerConfig } from '../../../src-shared/contract/servers.ts'
import { ConfigError, EntryError } from '../../../src-shared/foreign/foreign-server.ts'
import type { HostCore } from '../core/host-core.ts'
import type { Servers } from '../servers/servers.ts'
import { ConfigurationThread } from './configuration-thread.ts'
import type { Configuration } from './configurations.ts'
import { exportServers } from './exports.ts'
import { HARMLESS } from './import-values.ts'
import { readRegularFile } from './regular-file.ts'
import { MAX_LABEL_LENGTH, reviewServers, type StagedEntry } from './review-servers.ts'
import { filledLaunch, stageServer } from './staged-server.ts'
import { foldersOf, PROJECT_FILES, usualPlaces } from './usual-places.ts'

/** Milliseconds for which a review can be used. */
const REVIEW_LIFE = 30 * 60_000
const MAX_REVIEWS = 8

type Unusable = ImportReview['unusable'][number]

type Core = Pick<HostCore, 'clock' | 'environment' | 'platform' | 'storage' | 'lifetime' | 'folders'>

/** A configuration to review. */
interface Wanted {
  readonly host?: OtherHost
  readonly path?: string
  /** A pasted text, in place of a path. */
  readonly text?: string
  /** A project's folder, whose files are written by the project's author and not by the person. */
  readonly folder?: string
}

/** Imports servers of other hosts: finds their files, reviews them, and adds the servers that a person chooses. */
export class Imports {
  readonly #core: Core
  readonly #edits: Servers['edits']
  readonly #configured: Servers['configured']
  readonly #thread: ConfigurationThread
  readonly #held = new Map<ImportReviewId, { readonly entries: readonly StagedEntry[]; readonly forget: () => void }>()

  constructor(core: Core, { edits, configured }: Pick<Servers, 'edits' | 'configured'>) {
    this.#core = core
    this.#edits = edits
    this.#configured = configured
    this.#thread = new ConfigurationThread(core)
    core.lifetime.onEnd(() => {
      for (const { forget } of this.#held.values()) forget()
      this.#held.clear()
    })
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

  /** Reads configurations and keeps their servers for `add`. Throws HostError `invalid-params` when there is nothing to review. */
  async review(from: ImportSource): Promise<ImportReview> {
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
    if (entries.length === 0 && !first) throw new HostError('invalid-params', 'There are no servers in it.')
    if (entries.length > MAX_AT_ONCE) {
      throw new HostError(
        'invalid-params',
        `There are ${entries.length} servers in it; at most ${MAX_AT_ONCE} can be brought along at once.`,
      )
    }
    const id = randomUUID() as ImportReviewId
    this.#keep(id, entries)
    return { id, servers: reviewServers(entries, this.#core.storage.serverFile.current().entries), unusable }
  }

  /** Adds all in one write, or none. The review can be used again. */
  async add(review: ImportReviewId, choices: readonly ImportChoice[]): Promise<{ serverIds: ServerId[] }> {
    const entries = this.#held.get(review)?.entries
    if (!entries) throw new HostError('not-found', 'This review has expired. Import again.')
    const configs = choices.map(({ key, name, inputs, enabled }): ServerConfig => {
      const entry = /^\d+$/.test(key) ? entries[Number(key)] : undefined
      if (!entry) throw new HostError('not-found', 'This server is not in what was read.')
      const launch = filledLaunch(entry.held, inputs)
      if (!('type' in launch)) throw new HostError('invalid-params', `“${name}” needs “${launch.label}”.`)
      return { name, launch, options: { ...entry.foreign.options, ...(enabled !== undefined && { enabled }) } }
    })
    return { serverIds: await this.#edits.addAll(configs) }
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
  #wanted(from: ImportSource): Wanted[] {
    if ('text' in from) return [{ text: from.text }]
    if ('folder' in from) {
      const { folder } = from
      this.#core.folders.check(folder)
      if (!isAbsolute(folder)) throw new HostError('invalid-params', 'The folder must be named by its whole path.')
      const { join } = foldersOf(this.#core.platform.os, this.#core.environment)
      return PROJECT_FILES.map(({ host, parts }) => ({ host, path: join(folder, ...parts), folder }))
    }
    const places = this.#places()
    return from.found.map((path) => {
      const place = places.find((one) => one.path === path)
      if (!place) throw new HostError('invalid-params', `No host keeps its servers at ${path}.`)
      return place
    })
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
