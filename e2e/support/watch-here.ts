import { findWatch } from '../../src-main/host/launch/watch.ts'
import { systemClock } from '../../src-shared/base/clock.ts'
import { installSystemPackage } from './system-package.ts'

/** True if servers can be watched here. Installs strace where that is ours to do; says loudly what is not tested. */
export async function watchHere(): Promise<boolean> {
  const look = () => findWatch({ os: process.platform, environment: process.env, clock: systemClock })
  let found = await look()
  if ('none' in found) {
    installSystemPackage('strace')
    found = await look()
  }
  if ('none' in found) console.warn(`\nNOT TESTED: the watch of servers. ${found.none.what} ${found.none.said ?? ''}\n`)
  return !('none' in found)
}
