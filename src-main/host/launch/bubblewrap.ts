import { posix as path } from 'node:path'
import { gateBefore, gateEnvironment } from './fence-gate.ts'
import { type Command, environmentInside, type Reach } from './fenced-command.ts'

/** A file or folder of the system: shown as it is, or a symbolic link as in `/bin` → `usr/bin`. */
export interface SystemFile {
  readonly path: string
  readonly link?: string
}

/** Processes of a fenced program at a time, and bytes that each may fill. Address space is not bounded: V8 reserves far more than it uses. */
const PROCESSES = 512
const DATA_BYTES = 8 * 1024 ** 3

/**
 * The command that runs `inner` behind bubblewrap 0.8 or newer, with `prlimit` of util-linux. Everything that is not named is absent:
 * a home folder of its own, an empty /tmp, no other processes, no capabilities, no user namespaces. Unless the network is `any`, it has only
 * its own loopback. Without `--new-session` the program stays in the process group of bubblewrap and gets its signals; without
 * `--die-with-parent` it can answer SIGTERM before it is killed.
 */
export function bubblewrapped(bubblewrap: string, system: readonly SystemFile[], reach: Reach, inner: Command): Command {
  const { read, write, network, home, ownHome } = reach
  const known = environmentInside(inner.env)
  const gate = typeof network === 'string' ? undefined : network
  const folders = [
    ...[...read, ...(gate ? [gate.via] : [])].map((folder) => ({ folder, mount: '--ro-bind-try' })),
    ...write.map((folder) => ({ folder, mount: '--bind-try' })),
  ]
  // A folder within another is mounted after it, or it would be covered.
  const ordered = folders.toSorted((a, b) => depth(a.folder) - depth(b.folder))
  const args = [
    ...['--unshare-user', '--disable-userns', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(network === 'any' ? [] : ['--unshare-net']),
    ...['--cap-drop', 'ALL'],
    ...system.flatMap(({ path, link }) => (link === undefined ? ['--ro-bind-try', path, path] : ['--symlink', link, path])),
    ...['--proc', '/proc', '--dev', '/dev', '--perms', '1777', '--tmpfs', '/tmp', '--perms', '1777', '--tmpfs', '/var/tmp'],
    ...['--bind', ownHome, home],
    ...ordered.flatMap(({ folder, mount }) => [mount, folder, folder]),
    ...['--chdir', inner.cwd, '--', ...(gate ? gateBefore(gate.via, process.arch) : [])],
    ...['/usr/bin/prlimit', `--nproc=${PROCESSES}`, `--data=${DATA_BYTES}`, '--core=0', '--'],
    ...[inner.command, ...inner.args],
  ]
  return { command: bubblewrap, args, env: gate ? gateEnvironment(known, gate.hosts) : known, cwd: '/' }
}

const depth = (folder: string) => path.normalize(folder).split('/').length
