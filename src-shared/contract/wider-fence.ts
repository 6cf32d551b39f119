import { type BlockedReach, FENCED_FOLDERS, FENCED_HOSTS, type FencePolicy } from './servers.ts'

/** The fence opened for one reach; undefined when none may allow it, or its list is full. */
export function widened(fence: FencePolicy, { kind, name, write, closed }: BlockedReach): FencePolicy | undefined {
  if (closed) return undefined
  if (kind === 'network') return { ...fence, network: 'any' }
  if (kind === 'host') {
    const hosts = typeof fence.network === 'string' ? [] : fence.network.hosts
    return hosts.length < FENCED_HOSTS ? { ...fence, network: { hosts: [...hosts, name] } } : undefined
  }
  const others = fence.folders.filter(({ path }) => path !== name)
  return others.length < FENCED_FOLDERS ? { ...fence, folders: [...others, { path: name, write: write === true }] } : undefined
}
