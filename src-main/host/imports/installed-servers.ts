import { defined } from '../../../src-shared/base/defined.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { ServerOrigin } from '../../../src-shared/contract/registries.ts'
import type { ConfigValue } from '../../../src-shared/contract/servers.ts'
import { type BundleReceipt, bundleAt, readReceipt } from '../../bundles/kept-bundle.ts'
import type { FileLaunch, InstalledFrom } from '../../storage/base/storage.ts'
import type { HostCore } from '../core/host-core.ts'
import { KeptRecords } from '../core/kept-records.ts'
import { belongsTo, configuredValues } from '../launch/launch-values.ts'
import { withValues } from '../launch/server-config.ts'
import type { Servers } from '../servers/servers.ts'

const MAX_NAMED = 50

/** The origin of servers that came from a bundle or a registry, and the version before the last update of each. */
export class InstalledServers {
  readonly #storage: HostCore['storage']
  readonly #servers: Pick<Servers, 'edits' | 'configured'>
  readonly #records: KeptRecords<'installed-server'>

  constructor({ storage }: Pick<HostCore, 'storage'>, servers: Pick<Servers, 'edits' | 'configured'>) {
    this.#storage = storage
    this.#servers = servers
    this.#records = new KeptRecords(storage.records, 'installed-server')
  }

  load(): Promise<void> {
    return this.#records.load()
  }

  /** SHA-256 of the bundles that one step back needs. */
  keptBundles(): readonly string[] {
    return this.#records.values().flatMap(({ before }) => (before ? (this.#bundleOf(before.launch)?.sha256 ?? []) : []))
  }

  from(serverId: ServerId): InstalledFrom | undefined {
    return this.#records.get(serverId)?.from
  }

  /** Servers that came from registries. */
  all(): readonly { readonly serverId: ServerId; readonly from: InstalledFrom }[] {
    return this.#records.keys().flatMap((key) => {
      const from = this.#records.get(key)?.from
      return from ? { serverId: key as ServerId, from } : []
    })
  }

  launchOf(serverId: ServerId): FileLaunch | undefined {
    return this.#storage.serverFile.current().entries.find(({ name }) => name === serverId)?.launch
  }

  /** Notes an installation, or an update of what `launch` was until now. */
  async note(serverId: ServerId, from: InstalledFrom | undefined, launch?: FileLaunch): Promise<void> {
    const version = launch && (await this.#versionOf(serverId, launch))
    const was = this.#records.get(serverId)?.from
    const before = launch && version !== undefined ? { version, launch, ...(was && { from: was }) } : undefined
    if (!from && !before) return this.forget(serverId)
    await this.#records.put(serverId, defined({ from, before }))
  }

  forget(serverId: ServerId): Promise<void> {
    return this.#records.has(serverId) ? this.#records.remove(serverId) : Promise.resolve()
  }

  /** Null for a server that came from neither a bundle nor a registry. */
  async origin(serverId: ServerId): Promise<ServerOrigin | null> {
    const server = this.#servers.configured.get(serverId)
    const record = this.#records.get(serverId)
    const launch = this.launchOf(serverId)
    const receipt = launch && (await this.#receiptOf(launch))
    if (!record && !receipt) return null
    const { from, before } = record ?? {}
    const has = server.offer?.catalog.tools.map(({ tool }) => tool.name)
    return {
      ...(from && { registry: { address: from.registry, name: from.name, version: from.version } }),
      ...(before && { before: before.version }),
      ...(receipt && { bundle: bundleFacts(receipt) }),
      ...(receipt && has && { tools: toolDifferences(receipt.manifest, has) }),
    }
  }

  /**
   * Puts back the version before the last update. Its launch differs, so the person is asked before it starts. Secrets stay as they are;
   * `missing` are the ones that the present version does not have.
   */
  async stepBack(serverId: ServerId): Promise<{ missing: readonly string[] }> {
    const record = this.#records.get(serverId)
    const now = this.launchOf(serverId)
    if (!record?.before || !now) throw new HostError('not-found', 'There is no earlier version.')
    const { launch, from } = record.before
    if (this.#bundleOf(launch) && !(await this.#receiptOf(launch)))
      throw new HostError('not-found', 'The files of the earlier version are gone. Install it again.')
    const present = configuredValues(now)
    const values = Object.entries(configuredValues(launch)).map(([name, value]): [string, ConfigValue | undefined] => {
      if (!('secret' in value)) return [name, value]
      const known = Object.hasOwn(present, name) ? present[name] : undefined
      return [name, known && 'secret' in known && belongsTo(known.secret, launch) ? known : undefined]
    })
    const usable = values.filter((one): one is [string, ConfigValue] => one[1] !== undefined)
    const back = withValues(launch, Object.fromEntries(usable))
    await this.#servers.edits.change(serverId, { name: serverId, launch: back })
    await this.note(serverId, from, now)
    return { missing: values.flatMap(([name, value]) => (value === undefined ? name : [])) }
  }

  async #versionOf(serverId: ServerId, launch: FileLaunch): Promise<string | undefined> {
    return (await this.#receiptOf(launch))?.manifest.version ?? this.#records.get(serverId)?.from?.version
  }

  #bundleOf(launch: FileLaunch) {
    return launch.type === 'local' && launch.cwd !== undefined ? bundleAt(this.#storage.folder, launch.cwd) : undefined
  }

  #receiptOf(launch: FileLaunch): Promise<BundleReceipt | undefined> {
    const bundle = this.#bundleOf(launch)
    return bundle ? readReceipt(this.#storage.folder, bundle.sha256) : Promise.resolve(undefined)
  }
}

function bundleFacts({ manifest, source, sha256, at }: BundleReceipt): NonNullable<ServerOrigin['bundle']> {
  return { title: manifest.title, version: manifest.version, publisher: manifest.author, source, sha256, at }
}

/** A manifest's tools are a claim (MCPB-19); one that names none claims nothing. */
function toolDifferences(
  { tools, moreTools }: BundleReceipt['manifest'],
  has: readonly string[],
): NonNullable<ServerOrigin['tools']> {
  if (tools.length === 0) return { unnamed: [], missing: [] }
  const unnamed = moreTools ? [] : has.filter((tool) => !tools.includes(tool))
  const missing = tools.filter((tool) => !has.includes(tool))
  return { unnamed: unnamed.slice(0, MAX_NAMED), missing: missing.slice(0, MAX_NAMED) }
}
