import { lstat, readlink, realpath } from 'node:fs/promises'
import type { Clock } from '../../../src-shared/base/clock.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'
import { askProgram } from '../../transports/ask-program.ts'
import { resolveCommand } from '../../transports/resolve-command.ts'
import { bubblewrapped, type SystemFile } from './bubblewrap.ts'
import { gateTrial } from './fence-gate.ts'
import type { Command, Reach } from './fenced-command.ts'
import { seatbelted } from './seatbelt.ts'

/** Runs programs so that they reach nothing but what is named. */
export interface Fence {
  /** A program that can be a gate to named hosts; undefined where there is none. Absent where the loopback inside is the computer's. */
  readonly findGate?: () => Promise<string | undefined>
  around(program: Command, reach: Reach): Command
}

/** The fence of this computer, or the reason why there is none. */
export type FoundFence = { readonly fence: Fence } | { readonly none: Problem }

/** Folders of programs. */
export const PROGRAMS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/opt', '/nix/store', '/gnu/store']

/** Files of /etc that programs need and that hold nothing of the person or of other programs. */
const SETTINGS =
  `alternatives ca-certificates ca-certificates.conf crypto-policies fonts gai.conf group host.conf hosts ld.so.cache
  ld.so.conf ld.so.conf.d localtime locale.alias locale.conf magic mime.types nsswitch.conf os-release passwd pki protocols resolv.conf
  services ssl timezone xattr.conf`.split(/\s+/)

interface Computer {
  /** Node, where Parley itself runs on it. */
  readonly node?: string
  /** `process.platform` */
  readonly os: string
  readonly environment: NodeJS.ProcessEnv
  readonly clock: Clock
  /** An existing folder for the trial. */
  readonly folder: string
}

/** Tries a fence with a program that does nothing: an installed bubblewrap may lack the system's permission, or be too old. */
export async function findFence(computer: Computer): Promise<FoundFence> {
  if (computer.os === 'linux') return bubblewrapFence(computer)
  if (computer.os === 'darwin') return seatbeltFence(computer)
  return { none: noneFor(computer.os) }
}

/** The problem on a system whose own ways to fence a program Parley cannot use. */
export function noneFor(os: string): Problem {
  return {
    code: 'no-fence',
    what: `${os === 'win32' ? 'Windows' : 'This system'} has no fence for programs that Parley can use yet.`,
    todo: 'Leave the fence off.',
  }
}

/** The whole profile is tried, so that a version of macOS that does not understand it is known before a server starts. */
async function seatbeltFence({ clock, folder }: Computer): Promise<FoundFence> {
  const reach: Reach = { read: [], write: [], network: 'none', home: '/Users', ownHome: folder, dataFolder: folder }
  const { command, args, env, cwd } = seatbelted(reach, { command: '/usr/bin/true', args: [], env: {}, cwd: '/' })
  const answer = await askProgram(command, args, { env, cwd, clock })
  if (answer?.code === 0) return { fence: { around: (inner, around) => seatbelted(around, inner) } }
  return {
    none: {
      code: 'no-fence',
      what: 'macOS cannot make a fence here.',
      ...(answer?.output && { said: answer.output }),
      todo: 'Leave the fence off.',
    },
  }
}

/** Namespaces of Linux, by bubblewrap. */
async function bubblewrapFence({ os, environment, clock, folder, node }: Computer): Promise<FoundFence> {
  const program = (name: string) => resolveCommand(name, environment, '/', os)
  const bubblewrap = await program('bwrap')
  if (!('path' in bubblewrap)) {
    return {
      none: {
        code: 'no-fence',
        what: 'The fence needs bubblewrap, which is not installed.',
        todo: 'Install the package “bubblewrap” of your system, for example with: sudo apt install bubblewrap',
      },
    }
  }
  const system = await systemFiles()
  const around = (inner: Command, reach: Reach) => bubblewrapped(bubblewrap.path, system, reach, inner)
  const reach: Reach = { read: [], write: [], network: 'none', home: '/home', ownHome: folder, dataFolder: folder }
  const tried = async (inner: Pick<Command, 'command' | 'args'>, read: readonly string[] = []) => {
    const { command, args, env, cwd } = around({ ...inner, env: {}, cwd: '/' }, { ...reach, read })
    return askProgram(command, args, { env, cwd, clock })
  }
  const findGate = async () => {
    const found = node === undefined ? await program('node') : { path: node }
    const path = 'path' in found ? await realpath(found.path).catch(() => undefined) : undefined // No gate without it.
    const answer = path === undefined ? undefined : await tried(gateTrial(path), [path])
    return answer?.code === 0 ? path : undefined
  }
  const answer = await tried({ command: '/usr/bin/true', args: [] })
  if (answer?.code === 0) return { fence: { around, findGate } }
  return {
    none: {
      code: 'no-fence',
      what: 'bubblewrap cannot make a fence on this system.',
      ...(answer?.output && { said: answer.output }),
      todo: 'It needs version 0.8 or newer, and permission to make user namespaces. On Ubuntu 24.04: sudo apt install apparmor-profiles, then copy bwrap-userns-restrict from /usr/share/apparmor/extra-profiles to /etc/apparmor.d and restart.',
    },
  }
}

/** The files of the system that every program may read. */
async function systemFiles(): Promise<readonly SystemFile[]> {
  const wanted = [...PROGRAMS, ...SETTINGS.map((name) => `/etc/${name}`)]
  const found = await Promise.all(
    wanted.map(async (path): Promise<readonly SystemFile[]> => {
      const there = await lstat(path).catch(() => undefined) // Not every system has all of them.
      if (!there) return []
      // A link of /etc may lead to /run, which is absent inside: bubblewrap shows the file that it leads to.
      return there.isSymbolicLink() && !path.startsWith('/etc/') ? [{ path, link: await readlink(path) }] : [{ path }]
    }),
  )
  return found.flat()
}
