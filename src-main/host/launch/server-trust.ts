import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { TrustRecord } from '../../storage/base/storage.ts'
import type { HostCore } from '../core/host-core.ts'
import { changes, type LaunchFacts, withoutSecrets } from './launch-identity.ts'

/** A launch with its identity, ready to be asked about. `facts` is absent for the built-in server, which needs no trust. */
export interface IdentifiedLaunch {
  readonly identity: string
  readonly facts?: LaunchFacts
}

/** Which launch of which server a person said yes to. */
export class ServerTrust {
  readonly #core: Pick<HostCore, 'storage' | 'interactions' | 'platform' | 'clock'>
  #trusted = new Map<string, TrustRecord>()

  constructor(core: Pick<HostCore, 'storage' | 'interactions' | 'platform' | 'clock'>) {
    this.#core = core
  }

  async load(): Promise<void> {
    this.#trusted = await this.#core.storage.records.all('trust')
  }

  covers(serverId: ServerId, launch: IdentifiedLaunch): boolean {
    return !launch.facts || this.#trusted.get(serverId)?.launchIdentity === launch.identity
  }

  /**
   * True once a person allowed this very launch. The page's answer is a wish where the shell lends a confirmation of its own;
   * a no is final either way. Rejects with the signal's reason, or InteractionExpired.
   */
  async ask(server: { id: ServerId; name: string }, launch: IdentifiedLaunch, signal: AbortSignal): Promise<boolean> {
    const { facts, identity } = launch
    if (!facts) return true
    const before = this.#trusted.get(server.id)
    const changed =
      before && changes({ summary: before.launch, values: before.values ?? {}, ...(before.code && { code: before.code }) }, facts)
    const { decision } = await this.#core.interactions.ask(
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
      { launch: facts.summary, launchIdentity: identity, ...(changed && { changed }) },
      signal,
    )
    if (decision === 'deny') return false
    const { confirmTrust } = this.#core.platform
    if (confirmTrust && !(await confirmTrust.call(this.#core.platform, server.name, facts.summary, signal))) return false
    signal.throwIfAborted()
    await this.#remember({
      serverId: server.id,
      launchIdentity: identity,
      launch: withoutSecrets(facts.summary),
      values: facts.values,
      ...(facts.code && { code: facts.code }),
      at: this.#core.clock.now(),
    })
    return true
  }

  async forget(serverId: ServerId): Promise<void> {
    this.#trusted.delete(serverId)
    await this.#core.storage.records.remove('trust', serverId)
  }

  async #remember(record: TrustRecord): Promise<void> {
    await this.#core.storage.records.put('trust', record.serverId, record)
    this.#trusted.set(record.serverId, record)
  }
}
