import { createHash, randomUUID } from 'node:crypto'
import { lstat, mkdir, readFile, readlink, realpath, rm, writeFile } from 'node:fs/promises'
import { win32 } from 'node:path'
import type { Clock } from '../../../src-shared/base/clock.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'
import { askProgram } from '../../transports/ask-program.ts'
import { childEnvironment } from '../../transports/child-environment.ts'
import { resolveCommand, variableOf } from '../../transports/resolve-command.ts'
import { bubblewrapped, type SystemFile } from './bubblewrap.ts'
import { gateTrial } from './fence-gate.ts'
import type { Command, Reach } from './fenced-command.ts'
import { contained, MXC_PACKAGE, MXC_PROGRAMS, mxcFolder, mxcProgram, readsOnlyInside } from './mxc.ts'
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
  if (computer.os === 'win32') return containerFence(computer)
  return {
    none: {
      code: 'no-fence',
      what: 'Parley has no fence for this system yet.',
      todo: 'Leave the fence off.',
    },
  }
}

/** A container of Windows, by Microsoft's program for it. The trial looks for what it must not see: Windows is young at this. */
async function containerFence({ os, environment, clock, folder }: Computer): Promise<FoundFence> {
  const local = variableOf(environment, 'LOCALAPPDATA') ?? ''
  const windows = variableOf(environment, 'SYSTEMROOT') ?? ''
  const program = mxcProgram(local, process.arch)
  const install = `It needs Windows 11 with an update of August 2026 or newer, Node.js, and 130 MB: npm install --ignore-scripts --prefix "${mxcFolder(local)}" ${MXC_PACKAGE}`
  const none = (what: string, said?: string, todo = install) => ({
    none: { code: 'no-fence', what, ...(said && { said }), todo },
  })
  const bytes = await readFile(program).catch(() => undefined) // Most computers have none.
  if (!bytes) return none('The fence needs Microsoft’s MXC, which is not installed.')
  if (createHash('sha256').update(bytes).digest('hex') !== MXC_PROGRAMS.get(process.arch)) {
    return none('The installed MXC is not the release that Parley knows.')
  }
  const token = randomUUID()
  const ownHome = win32.join(folder, 'fence-trial')
  const [inside, outside] = [win32.join(ownHome, 'inside.txt'), win32.join(mxcFolder(local), 'outside.txt')]
  await mkdir(ownHome, { recursive: true })
  for (const file of [inside, outside]) await writeFile(file, token)
  try {
    const reach: Reach = { read: [], write: [], network: 'none', home: '', ownHome, dataFolder: folder }
    const look = { command: win32.join(windows, 'System32', 'findstr.exe'), args: [`/c:${token}`, inside, outside] }
    let said: string | undefined
    // Programs look at the root of a drive. Should Windows show more of it, it is not shown.
    for (const roots of [[win32.parse(windows).root], []]) {
      const around = (inner: Command, within: Reach) => contained(program, roots, within, inner)
      const { command, args, env, cwd, handed } = around(
        { ...look, env: childEnvironment(environment, {}, os), cwd: ownHome },
        reach,
      )
      if (handed) await writeFile(handed.file, handed.text)
      const answer = await askProgram(command, args, { env, cwd, clock })
      if (handed) await rm(handed.file, { force: true })
      if (answer && readsOnlyInside(answer.output, { inside, outside, token })) return { fence: { around } }
      said = answer?.output
    }
    return none('Windows cannot make a fence here.', said, 'Update Windows, or leave the fence off.')
  } finally {
    await rm(ownHome, { recursive: true, force: true })
    await rm(outside, { force: true })
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
async function bubblewrapFence({ os, environment, clock, folder }: Computer): Promise<FoundFence> {
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
    const found = await program('perl')
    const path = 'path' in found ? await realpath(found.path).catch(() => undefined) : undefined // No gate without it.
    const answer = path === undefined ? undefined : await tried({ command: path, args: gateTrial(process.arch) }, [path])
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
