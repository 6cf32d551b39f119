import { tmpdir } from 'node:os'
import { findFence } from '../../src-main/host/launch/fence.ts'
import { systemClock } from '../../src-shared/base/clock.ts'
import { installSystemPackage } from './system-package.ts'

/** True if servers can be fenced here. Installs bubblewrap where that is ours to do; says loudly what is not tested. */
export async function fenceHere(): Promise<boolean> {
  const look = () => findFence({ os: process.platform, environment: process.env, clock: systemClock, folder: tmpdir() })
  let found = await look()
  if ('none' in found) {
    installSystemPackage('bubblewrap')
    found = await look()
  }
  // Every Mac has the parts of a fence, so that one without is a fault of ours.
  if ('none' in found && process.platform === 'darwin') throw new Error(`${found.none.what} ${found.none.said ?? ''}`)
  if ('none' in found) console.warn(`\nNOT TESTED: fences of servers. ${found.none.what} ${found.none.said ?? ''}\n`)
  return !('none' in found)
}
