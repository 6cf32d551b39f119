import { type Clock, within } from '../../src-shared/base/clock.ts'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import type { ResultOf } from '../../src-shared/contract/requests.ts'
import { ask } from '../state/ask.ts'

/** A question is shown after this time with what is known by then. */
export const WAITED = 3_000

/** The ways a server can start: the fence that it would get, why it cannot have one or is better left open, and whether it can be watched. */
export interface StartWays extends Pick<ResultOf<'fence.read'>, 'proposal' | 'known' | 'problem' | 'open'> {
  readonly canWatch: boolean
}

/** The ways of the servers. One that cannot be read, or not in time, has none. */
export async function readStartWays(servers: readonly ServerId[], clock: Clock): Promise<ReadonlyMap<ServerId, StartWays>> {
  const found = new Map<ServerId, StartWays>()
  const read = servers.map(async (serverId) => {
    const way = await ask('fence.read', { serverId })
    found.set(serverId, { ...way, canWatch: false })
    // Only a server that is asked about alone can be watched.
    if (way.problem || servers.length > 1) return
    const watch = await ask('fence.watched', { serverId })
    found.set(serverId, { ...way, canWatch: !watch.problem })
  })
  await within(clock, WAITED, Promise.allSettled(read))
  return new Map(found)
}
