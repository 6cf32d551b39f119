import { hostPatterns, matchesHost } from '../../../src-shared/base/host-pattern.ts'
import type { BlockedReach, FencePolicy, LaunchSummary } from '../../../src-shared/contract/servers.ts'
import type { Offline } from '../../consent/powers.ts'
import { isWithin } from '../../consent/read-path.ts'

/** The fence of a launch; null when it runs with all of the person's rights. */
export const fenceOf = (launch: LaunchSummary): FencePolicy | null => (launch.type === 'local' && launch.fence) || null

/** A stored policy as it is written today: the network was once true or false. */
export function presentFence(stored: FencePolicy): FencePolicy {
  const network: unknown = stored.network
  return typeof network === 'boolean' ? { ...stored, network: network ? 'any' : 'none' } : stored
}

/** The network of a process under this policy, as consent counts it. Named hosts are one. */
export function offlineUnder(policy: FencePolicy | null): Offline | undefined {
  if (policy?.network !== 'none') return undefined
  return policy.folders.length === 0 ? 'alone' : 'with-folders'
}

/** True if a server under this policy may reach it. */
export function allowsReach({ network, folders }: FencePolicy, { kind, name, write }: BlockedReach): boolean {
  if (kind === 'folder') return folders.some((one) => isWithin(name, one.path) && (one.write || !write))
  if (typeof network === 'string') return network === 'any'
  if (kind === 'network') return true
  const [wanted] = hostPatterns([name])
  return wanted !== undefined && hostPatterns(network.hosts).some((one) => matchesHost(one, wanted.name, wanted.port ?? 443))
}

/** True if something can be reached under `now` that could not be under `before`. Null is no fence at all. */
export function opensMore(before: FencePolicy | null, now: FencePolicy | null): boolean {
  if (before === null) return false
  return now === null || fenceChanges(before, now).length > 0
}

/** A sentence for each thing that can be reached under `now` and could not be under `before`. */
export function fenceChanges(before: FencePolicy | null, now: FencePolicy | null): string[] {
  if (before === null) return []
  if (now === null) return ['Its fence is off: it would run with your full user permissions.']
  const added = now.folders.filter(
    ({ path, write }) => !before.folders.some((one) => isWithin(path, one.path) && (one.write || !write)),
  )
  const kept = before.network === 'none' ? ' and send what it has kept' : ''
  return [
    ...(now.network === 'any' && before.network !== 'any' ? [`It may use the network${kept}.`] : []),
    ...newHosts(before.network, now.network).map((host) => `It may reach “${host}”.`),
    ...added.map(({ path, write }) => `It may ${write ? 'change' : 'read'} files in “${path}”.`),
  ]
}

/** A host below one that was named counts as new: a host by its own name may lie in the person's network. */
function newHosts(before: FencePolicy['network'], now: FencePolicy['network']): readonly string[] {
  if (typeof now === 'string' || before === 'any') return []
  return before === 'none' ? now.hosts : now.hosts.filter((host) => !before.hosts.includes(host))
}
