import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { BudgetLeft } from '../../../src-shared/contract/sampling.ts'
import type { RecordStore, SamplingUsed } from '../../storage/base/storage.ts'
import { KeptRecords } from '../core/kept-records.ts'
import type { Servers } from '../servers/servers.ts'

/** Permission of servers to use the person's model, and the rest of their budgets, counted per server and launch. */
export class SamplingPolicy {
  readonly #servers: Servers
  readonly #used: KeptRecords<'sampling-used'>

  constructor(records: RecordStore, servers: Servers) {
    this.#servers = servers
    this.#used = new KeptRecords(records, 'sampling-used')
  }

  load(): Promise<void> {
    return this.#used.load()
  }

  allows(serverId: ServerId): boolean {
    return this.#servers.configured.find(serverId)?.record?.options.sampling !== 'off'
  }

  /** Undefined unless the policy is “budget”; never below zero. */
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

  /** Counts at once; resolves when saved. */
  async count(serverId: ServerId, more: BudgetLeft): Promise<void> {
    const launchIdentity = this.#servers.configured.find(serverId)?.record.launchIdentity
    if (launchIdentity === undefined) return
    const kept = this.#used.change(
      keyOf(serverId, launchIdentity),
      (used) => ({ ...used, requests: used.requests + more.requests, tokens: used.tokens + more.tokens }),
      { serverId, launchIdentity, requests: 0, tokens: 0 },
    )
    this.#servers.configured.find(serverId)?.refreshRecord()
    await kept
  }

  async reset(serverId: ServerId): Promise<void> {
    await this.#remove(({ serverId: id, launchIdentity }) => {
      return id === serverId && launchIdentity === this.#servers.configured.find(serverId)?.record.launchIdentity
    })
    this.#servers.configured.find(serverId)?.refreshRecord()
  }

  async forget(serverId: ServerId): Promise<void> {
    await this.#remove((used) => used.serverId === serverId)
  }

  async #remove(wanted: (used: SamplingUsed) => boolean): Promise<void> {
    for (const used of this.#used.values().filter(wanted)) await this.#used.remove(keyOf(used.serverId, used.launchIdentity))
  }
}

const keyOf = (serverId: string, launchIdentity: string) => `${launchIdentity} ${serverId}`
