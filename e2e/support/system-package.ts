import { spawnSync } from 'node:child_process'

/** Installs a package of Debian where that is ours to do: in a container whose user is root. */
export function installSystemPackage(name: string): void {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return
  const quiet = { stdio: 'ignore' as const, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  if (spawnSync('apt-get', ['install', '-y', name], quiet).status === 0) return
  spawnSync('apt-get', ['update'], quiet)
  spawnSync('apt-get', ['install', '-y', name], quiet)
}
