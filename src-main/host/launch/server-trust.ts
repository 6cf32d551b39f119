import type { Clock } from '../../../src-shared/base/clock.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { RecordStore, TrustRecord } from '../../storage/base/storage.ts'
import type { Interactions } from '../core/interactions.ts'
import type { Platform } from '../core/platform.ts'
import { changes, type LaunchFacts, withoutSecrets } from './launch-identity.ts'

/** A launch with its identity, ready to be asked about. `facts` is absent for the built-in server, which needs no trust. */
export interface IdentifiedLaunch {
  readonly identity: string
  readonly facts?: LaunchFacts
}

/** Which launch of which server a person said yes to (decision 0007). */
export class ServerTrust {
  readonly #parts: { records: RecordStore; interactions: Interactions; platform: Platform; clock: Clock }
  #trusted = new Map<string, TrustRecord>()

  constructor(parts: { records: RecordStore; interactions: Interactions; platform: Platform; clock: Clock }) {
    this.#parts = parts
  }

  async load(): Promise<void> {
    this.#trusted = await this.#parts.records.all('trust')
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
    const verb = facts.summary.type === 'local' ? 'start' : 'contact'
    const { decision } = await this.#parts.interactions.ask(
      'server-trust',
      {
        serverId: server.id,
        serverName: server.name,
        origin: 'user',
        cause: changed
          ? `The way to ${verb} “${server.name}” is not the one you allowed.`
          : `Parley has not been allowed to ${verb} “${server.name}” before.`,
      },
      { launch: facts.summary, launchIdentity: identity, ...(changed && { changed }) },
      signal,
    )
    if (decision === 'deny') return false
    const { confirmTrust } = this.#parts.platform
    if (confirmTrust && !(await confirmTrust.call(this.#parts.platform, server.name, facts.summary, signal))) return false
    signal.throwIfAborted()
    await this.#remember({
      serverId: server.id,
      launchIdentity: identity,
      launch: withoutSecrets(facts.summary),
      values: facts.values,
      ...(facts.code && { code: facts.code }),
      at: this.#parts.clock.now(),
    })
    return true
  }

  async forget(serverId: ServerId): Promise<void> {
    this.#trusted.delete(serverId)
    await this.#parts.records.remove('trust', serverId)
  }

  async #remember(record: TrustRecord): Promise<void> {
    await this.#parts.records.put('trust', record.serverId, record)
    this.#trusted.set(record.serverId, record)
  }
}
