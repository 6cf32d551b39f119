import type { HostSnapshot } from '../../src-shared/contract/events.ts'
import { cut } from '../host/core/content-views.ts'

const MAX_NAMED = 10

/** A line for each call in the background that says if it survives the end of Parley (TASK-34). */
export function callsAtQuit({ background, servers }: Pick<HostSnapshot, 'background' | 'servers'>): readonly string[] {
  const running = background.filter(({ ended }) => !ended)
  const named = running.slice(0, MAX_NAMED).map(({ tool, serverName, serverId }) => {
    const remote = serverId !== undefined && servers[serverId]?.launch.type === 'remote'
    const fate = remote
      ? 'continues. Parley asks for its result at its next start.'
      : 'may be lost, because its server stops too.'
    return `“${cut(tool, 80)}” of ${cut(serverName, 80)} ${fate}`
  })
  const more = running.length - named.length
  return more > 0 ? [...named, `And ${more} more.`] : named
}
