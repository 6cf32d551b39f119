import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { findFence } from '../../src-main/host/launch/fence.ts'
import { systemClock } from '../../src-shared/base/clock.ts'

/** True if servers can be fenced here. Installs bubblewrap where that is ours to do; says loudly what is not tested. */
export async function fenceHere(): Promise<boolean> {
  const look = () => findFence({ os: process.platform, environment: process.env, clock: systemClock, folder: tmpdir() })
  let found = await look()
  if ('none' in found && process.platform === 'linux' && process.getuid?.() === 0) {
    const quiet = { stdio: 'ignore' as const, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
    if (spawnSync('apt-get', ['install', '-y', 'bubblewrap'], quiet).status !== 0) {
      spawnSync('apt-get', ['update'], quiet)
      spawnSync('apt-get', ['install', '-y', 'bubblewrap'], quiet)
    }
    found = await look()
  }
  if ('none' in found) console.warn(`\nNOT TESTED: fences of servers. ${found.none.what} ${found.none.said ?? ''}\n`)
  return !('none' in found)
}
