import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { BudgetLeft } from '../../../src-shared/contract/sampling.ts'
import type { RecordStore, SamplingUsed } from '../../storage/base/storage.ts'
import type { Servers } from '../servers/servers.ts'

/** A server's permission to use the person's model, and the rest of its budget. Counts belong to server and launch. */
export class SamplingPolicy {
  readonly #records: RecordStore
  readonly #servers: Servers
  #used = new Map<string, SamplingUsed>()

  constructor(records: RecordStore, servers: Servers) {
    this.#records = records
    this.#servers = servers
  }

  async load(): Promise<void> {
    this.#used = await this.#records.all('sampling-used')
  }

  /** Read for every connection and every request. */
  allows(serverId: ServerId): boolean {
    return this.#servers.configured.find(serverId)?.record?.options.sampling !== 'off'
  }

  /** With policy “budget” only; never below zero. */
  left(serverId: ServerId): BudgetLeft | undefined {
    const record = this.#servers.configured.find(serverId)?.record
    if (record?.options.sampling !== 'budget') return undefined
    const { requests, tokens } = record.options.samplingBudget
    const used = this.used(serverId, record.launchIdentity)
    return { requests: Math.max(0, requests - (used?.requests ?? 0)), tokens: Math.max(0, tokens - (used?.tokens ?? 0)) }
  }

  used(serverId: ServerId, launchIdentity: string): BudgetLeft | undefined {
    const used = this.#used.get(keyOf(serverId, launchIdentity))
    return used && { requests: used.requests, tokens: used.tokens }
  }

  /** Counts at once; resolves when it is on disk. */
  async count(serverId: ServerId, more: BudgetLeft): Promise<void> {
    const launchIdentity = this.#servers.configured.find(serverId)?.record.launchIdentity
    if (launchIdentity === undefined) return
    const key = keyOf(serverId, launchIdentity)
    const used = this.#used.get(key)
    const now: SamplingUsed = {
      serverId,
      launchIdentity,
      requests: (used?.requests ?? 0) + more.requests,
      tokens: (used?.tokens ?? 0) + more.tokens,
    }
    this.#used.set(key, now)
    this.#servers.configured.find(serverId)?.showAgain()
    await this.#records.put('sampling-used', key, now)
  }

  async reset(serverId: ServerId): Promise<void> {
    await this.#remove(({ serverId: id, launchIdentity }) => {
      return id === serverId && launchIdentity === this.#servers.configured.find(serverId)?.record.launchIdentity
    })
    this.#servers.configured.find(serverId)?.showAgain()
  }

  /** It is no longer configured. */
  async forget(serverId: ServerId): Promise<void> {
    await this.#remove((used) => used.serverId === serverId)
  }

  async #remove(wanted: (used: SamplingUsed) => boolean): Promise<void> {
    for (const [key, used] of [...this.#used]) {
      if (!wanted(used)) continue
      this.#used.delete(key)
      await this.#records.remove('sampling-used', key)
    }
  }
}

const keyOf = (serverId: ServerId, launchIdentity: string) => `${launchIdentity} ${serverId}`
