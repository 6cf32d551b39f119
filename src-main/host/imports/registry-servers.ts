import { defined } from '../../../src-shared/base/defined.ts'
import { nearnessOf } from '../../../src-shared/base/hosts.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { ImportReview, ImportSource } from '../../../src-shared/contract/imports.ts'
import type { PackageOwner, RegistryEntry, RegistryPage, RegistrySearch } from '../../../src-shared/contract/registries.ts'
import { KNOWN_SERVERS } from '../../consent/known/known-servers.ts'
import type { InstalledFrom } from '../../storage/base/storage.ts'
import type { HostCore } from '../core/host-core.ts'
import type { InstalledServers } from './installed-servers.ts'
import { launchChanges, versionChange } from './launch-changes.ts'
import { lookAlike } from './look-alikes.ts'
import { PUBLISHED_NAME, stagePublished } from './published-server.ts'
import { Registries } from './registries.ts'
import type { ListedServer } from './registry-answers.ts'
import type { StagedEntry } from './review-servers.ts'
import { shownStagedLaunch } from './staged-server.ts'

export type FromRegistry = Extract<ImportSource, { registry: string }>

interface StagedListing extends Pick<ImportReview, 'unusable'> {
  readonly entries: readonly StagedEntry[]
  readonly downloads: NonNullable<ImportReview['downloads']>
}

/** Servers of the registries that the person chose: found, compared with those that are here, and staged for the review. */
export class RegistryServers {
  readonly #settings: HostCore['settings']
  readonly #registries: Registries
  readonly #installed: InstalledServers
  readonly #os: string

  constructor(core: Pick<HostCore, 'connector' | 'clock' | 'settings' | 'platform'>, installed: InstalledServers) {
    this.#settings = core.settings
    this.#registries = new Registries(core)
    this.#installed = installed
    this.#os = core.platform.os
  }

  /** One page of entries, without deleted ones. Throws HostError. */
  async search(asked: RegistrySearch, signal: AbortSignal): Promise<RegistryPage> {
    this.#check(asked.registry)
    const { servers, next, staleSince } = await this.#registries.search(asked, signal)
    const there = servers.filter(({ status }) => status !== 'deleted')
    const usable = there.filter(({ published: { name, version } }) => PUBLISHED_NAME.test(name) && version !== '')
    return {
      entries: usable.map((one) => this.#entryOf(one, asked.registry, usable)),
      leftOut: there.length - usable.length,
      ...defined({ next, staleSince }),
    }
  }

  /** Looks at an entry again and stages each way to run it; its bundles are only named. Throws HostError. */
  async stage(from: FromRegistry, signal: AbortSignal): Promise<StagedListing> {
    const listed = await this.#look(from, signal)
    const { published } = listed
    const bundles = published.packages.filter(({ type }) => type === 'mcpb')
    const others = { ...published, packages: published.packages.filter(({ type }) => type !== 'mcpb') }
    const { entries, unusable } = stagePublished(others, 'registry/', this.#os)
    const isWhole = ({ sha256 }: (typeof bundles)[number]) => /^[0-9a-f]{64}$/i.test(sha256 ?? '')
    const without = bundles.filter((one) => !isWhole(one))
    const alarms = this.#alarms(listed)
    return {
      entries: entries.map((entry) => this.#said(entry, from, listed, alarms)),
      unusable: [
        ...unusable,
        ...without.map(({ identifier }) => ({
          called: identifier.slice(0, 200),
          why: 'The registry lists no SHA-256 of this bundle.',
        })),
      ],
      downloads: bundles.filter(isWhole).map(({ identifier }) => ({
        address: identifier.slice(0, 4096),
        from: { ...from, version: published.version, download: identifier },
      })),
    }
  }

  /** Asks a package whose it is, since the person wants to know (REG-4, REG-13). Throws HostError. */
  async confirm({ from, npm }: StagedEntry, signal: AbortSignal): Promise<PackageOwner> {
    if (!from || !npm) throw new HostError('not-found', 'Its package does not say who owns it.')
    const owner = await this.#registries.nameInPackage(npm, from.registry, signal)
    const confirmed = owner === from.name
    return { confirmed, ...(owner !== undefined && !confirmed && { says: owner.slice(0, 200) }) }
  }

  /** Downloads a bundle that an entry lists, held against the SHA-256 there before it is opened. Throws HostError. */
  async download(
    from: FromRegistry & { readonly download: string },
    take: (piece: Buffer) => Promise<void>,
    signal: AbortSignal,
  ): Promise<{ alarms: readonly string[]; from: InstalledFrom }> {
    const listed = await this.#look(from, signal)
    const bundle = listed.published.packages.find(({ type, identifier }) => type === 'mcpb' && identifier === from.download)
    if (!bundle?.sha256) throw new HostError('not-found', 'The registry no longer lists this bundle.')
    await this.#registries.download({ url: from.download, sha256: bundle.sha256, registry: from.registry }, take, signal)
    return { alarms: this.#alarms(listed), from: installedFrom(from.registry, listed) }
  }

  /** The newest version of what a server was installed from. */
  async latest(serverId: ServerId, signal: AbortSignal): Promise<{ version: string; installed: string; from: ImportSource }> {
    const from = this.#installed.from(serverId)
    if (!from) throw new HostError('not-found', 'It was not installed from a registry.')
    const { registry, name } = from
    this.#check(registry)
    const { published, status } = await this.#registries.entry(registry, name, 'latest', signal)
    if (status === 'deleted') throw new HostError('refused', 'Its entry was deleted from the registry.')
    return { version: published.version, installed: from.version, from: { registry, server: name, version: published.version } }
  }

  /** The page cannot make the host ask any other address. */
  #check(registry: string): void {
    if (!this.#settings.current.registries.includes(registry))
      throw new HostError('refused', 'You have not added this registry. Add it first.')
  }

  async #look({ registry, server, version }: FromRegistry, signal: AbortSignal): Promise<ListedServer> {
    this.#check(registry)
    const listed = await this.#registries.entry(registry, server, version, signal)
    if (listed.status !== 'deleted') return listed
    throw new HostError('refused', `This version was deleted from the registry. ${listed.statusMessage ?? ''}`.trim())
  }

  #alarms({ published, status, statusMessage }: ListedServer): readonly string[] {
    const twin = this.#twinOf(published.name)
    return [
      ...(status === 'deprecated' ? [`It is deprecated. ${statusMessage ?? ''}`.trim()] : []),
      ...(twin === undefined ? [] : [`Its name looks like “${twin}”, which is installed here.`]),
    ]
  }

  #twinOf(name: string): string | undefined {
    const here = this.#installed.all().map(({ from }) => from.name)
    return lookAlike(name, here)
  }

  #entryOf(listed: ListedServer, registry: string, listing: readonly ListedServer[]): RegistryEntry {
    const { published, status, statusMessage, publishedAt } = listed
    const { name, title, version, description, website, packages, remotes } = published
    const here = this.#installed.all().find(({ from }) => from.registry === registry && from.name === name)
    const twin = this.#twinOf(name)
    // Of two that look alike, the one that was there first is not the imitation.
    const isLater = (other: ListedServer) => publishedAt !== '' && other.publishedAt > publishedAt
    const beside = lookAlike(
      name,
      listing.flatMap((other) => (isLater(other) ? [] : other.published.name)),
    )
    return {
      name,
      version: version.slice(0, 200),
      description: description.slice(0, 1000),
      status: status === 'deleted' ? 'unknown' : status,
      ...(title !== undefined && { title: title.slice(0, 200) }),
      ...(statusMessage !== undefined && { statusMessage }),
      ...(website !== undefined && /^https?:/i.test(website) && { website }),
      ...(here && { installed: { serverId: here.serverId, version: here.from.version } }),
      ways: [
        ...packages.map(({ type, identifier }) => `${type.slice(0, 20)} ${identifier.slice(0, 200)}`),
        ...remotes.map(({ url }) => `address ${(URL.parse(url.replace(/[{}]/g, ''))?.host ?? url).slice(0, 200)}`),
      ].slice(0, 10),
      warnings: [
        ...(twin === undefined ? [] : [`Its name looks like “${twin}”, which is installed here.`]),
        ...(beside === undefined ? [] : [`Its name looks like “${beside}”, which is also listed.`]),
      ],
    }
  }

  /** Adds to a staged entry the claims of the registry, and the server here that it updates. */
  #said(entry: StagedEntry, { registry }: FromRegistry, listed: ListedServer, alarms: readonly string[]): StagedEntry {
    const from = installedFrom(registry, listed)
    const { package: about, npm } = entry
    if (!about) return entry
    const knownAt = npm && URL.parse(npm.at)?.host
    const known = npm && lookAlike(npm.name, KNOWN_PACKAGES)
    const launch = shownStagedLaunch(entry.held)
    return {
      ...entry,
      from,
      package: {
        ...about,
        ...(knownAt !== undefined && { knownAt: knownAt.slice(0, 200) }),
        ...this.#updates(entry, from),
        alarms: [
          ...alarms,
          ...(known === undefined ? [] : [`Its package’s name looks like “${known}”, a well-known one.`]),
          ...(launch.type === 'remote' && isPrivate(launch.url) ? ['Its address is on a private network or this computer.'] : []),
          ...about.alarms,
        ],
      },
    }
  }

  /** The server here that came from the same entry and is started the same way. */
  #updates(entry: StagedEntry, from: InstalledFrom) {
    const is = shownStagedLaunch(entry.held)
    for (const here of this.#installed.all()) {
      const was = this.#installed.launchOf(here.serverId)
      if (here.from.registry !== from.registry || here.from.name !== from.name || was?.type !== is.type) continue
      if (was.type === 'local' && is.type === 'local' && was.command !== is.command) continue
      const changes = [versionChange(here.from.version, from.version), ...launchChanges(was, is)]
      return { updates: { serverId: here.serverId, changes } }
    }
    return {}
  }
}

const KNOWN_PACKAGES = KNOWN_SERVERS.map(({ name }) => name).filter((name) => /^@[^/]+\/[^/]+$/.test(name))

const installedFrom = (registry: string, { published }: ListedServer): InstalledFrom => ({
  registry,
  name: published.name,
  version: published.version,
})

function isPrivate(address: string): boolean {
  const url = URL.parse(address.replace(/\$?[{}]/g, ''))
  return url !== null && nearnessOf(url.hostname) !== 'internet'
}
