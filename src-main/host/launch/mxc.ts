import { win32 as path } from 'node:path'
import { isWithin } from '../../consent/read-path.ts'
import { variableOf } from '../../transports/resolve-command.ts'
import type { Command, Reach } from './fenced-command.ts'
import { LaunchError } from './launch-error.ts'

/** The release of Microsoft eXecution Containers whose program Parley runs. */
export const MXC_PACKAGE = '@microsoft/mxc-sdk@1.0.1'

/**
 * SHA-256 of its `wxc-exec.exe`, by processor. This build falls back to one weaker container alone, the one that changes
 * permissions of folders. Every request forbids it.
 */
export const MXC_PROGRAMS: ReadonlyMap<string, string> = new Map([
  ['x64', '090f5d1f7bb93104ab08dcd4e8034ef954aeefcdaf6658dde5f7dff4cfc12f3a'],
  ['arm64', '91aa4171e8809f33f19622c381116188eab7d8c8cffad231230a31b58146ee77'],
])

/** The folder that the package is installed into. */
export const mxcFolder = (localAppData: string): string => path.join(localAppData, 'mxc')

export const mxcProgram = (localAppData: string, arch: string): string =>
  path.join(mxcFolder(localAppData), 'node_modules', '@microsoft', 'mxc-sdk', 'bin', arch, 'wxc-exec.exe')

/** Variables that the program itself needs; it reads others that change what it does. */
const OF_LAUNCHER = ['LOCALAPPDATA', 'SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'TMP', 'USERPROFILE', 'WINDIR']
/** Other names of the person's home folder. */
const OUTSIDE = ['HOME', 'HOMEDRIVE', 'HOMEPATH']

/**
 * The command that runs `inner` in a container of Windows (decision 0057). The request stands in a file, since it holds the values of
 * variables, and other programs see a command line. It starts in a folder that the server cannot write: Windows also looks there for libraries.
 * @param roots roots of drives that may be looked at; Windows gives nothing of what is below them
 */
export function contained(program: string, roots: readonly string[], reach: Reach, inner: Command): Command {
  const { ownHome } = reach
  const { command, args } = withoutScript(inner)
  const words = [command, ...args]
  const env = environmentInside(inner.env, reach)
  const texts = [...words, inner.cwd, ...reach.read, ...reach.write, ...Object.entries(env).flat()]
  // The rest would be another variable, or be cut off.
  if (texts.some((text) => text.includes('\0'))) {
    throw new LaunchError({
      code: 'fence-words',
      what: 'An argument or a variable of this server has a character that Windows cannot pass on.',
    })
  }
  if (/\.(?:bat|cmd)$/i.test(command)) {
    throw new LaunchError({
      code: 'fence-words',
      what: `Windows runs “${path.basename(command)}” through its command interpreter, which can read arguments as commands, so Parley cannot fence it.`,
      todo: 'Start the program itself, for example node with the path of a script, or leave the fence off.',
    })
  }
  const request = {
    version: '1.0.0',
    containment: 'processcontainer',
    fallback: { allowDaclMutation: false },
    lifecycle: { destroyOnExit: true, preservePolicy: false },
    process: {
      commandLine: words.map(quoted).join(' '),
      cwd: inner.cwd === reach.home ? ownHome : inner.cwd,
      env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
      inheritDefaultEnv: false,
    },
    filesystem: { readonlyPaths: [...roots, ...reach.read], readwritePaths: [ownHome, ...reach.write] },
    ...networkOf(reach.network),
    // Node and most other programs do not start without windows.
    ui: { disable: false, clipboard: 'none', injection: false },
  }
  const file = `${ownHome}.json`
  return {
    command: program,
    args: ['--config', file],
    env: Object.fromEntries(Object.entries(inner.env).filter(([name]) => OF_LAUNCHER.includes(name.toUpperCase()))),
    cwd: path.dirname(program),
    handed: { file, text: JSON.stringify(request) },
  }
}

/** The verdict about a trial that looked for a word in two files: it was found in the one inside, and nothing was seen of the other. */
export function readsOnlyInside(
  output: string,
  { inside, outside, token }: { readonly inside: string; readonly outside: string; readonly token: string },
): boolean {
  const lines = output.toLowerCase().split(/\r?\n/)
  return (
    lines.includes(`${inside}:${token}`.toLowerCase()) &&
    !lines.some((line) => line.includes(`${outside}:${token}`.toLowerCase()))
  )
}

/** Without an address on this computer; a program of the person's network may be asked for only with any network. */
function networkOf(network: Reach['network']) {
  const ingress = { default: 'deny', hostLoopback: 'deny' }
  if (network === 'none') return { network: { egress: { default: 'deny' }, ingress } }
  if (network === 'any') return { network: { egress: { default: 'allow' }, ingress: { ...ingress, default: 'allow' } } }
  // MXC wants both open for a proxy outside of a container; Windows lets nothing out but to its port.
  const open = { default: 'allow', hostLoopback: 'allow' }
  return { network: { egress: { default: 'deny' }, ingress: open }, runtimeConfig: { networkProxy: network.via } }
}

/** Windows puts folders of its own in the place of LOCALAPPDATA and TEMP, and wants the first to be there. */
function environmentInside(outside: Command['env'], { ownHome, network }: Reach): Command['env'] {
  const own = {
    USERPROFILE: ownHome,
    APPDATA: path.join(ownHome, 'roaming'),
    LOCALAPPDATA: path.join(ownHome, 'local'),
    TEMP: ownHome,
    TMP: ownHome,
    npm_config_cache: path.join(ownHome, 'npm-cache'),
    // npm looks for this folder, which has to be there.
    npm_config_prefix: ownHome,
    UV_CACHE_DIR: path.join(ownHome, 'uv-cache'),
    // Node would look at every folder above its script, which no container shows.
    NODE_OPTIONS: `${variableOf(outside, 'NODE_OPTIONS') ?? ''} --preserve-symlinks --preserve-symlinks-main`.trim(),
    // MXC itself sets the other variables of a proxy.
    ...(typeof network !== 'string' && { NODE_USE_ENV_PROXY: '1' }),
  }
  const replaced = [...OUTSIDE, ...Object.keys(own)].map((name) => name.toUpperCase())
  const kept = Object.entries(outside).filter(([name]) => /^[^=]+$/.test(name) && !replaced.includes(name.toUpperCase()))
  return { ...Object.fromEntries(kept), ...own }
}

/** A word as the C runtime of Windows reads it. */
function quoted(word: string): string {
  return `"${word.replace(/(\\*)("|$)/g, (_all, slashes: string, quote: string) => slashes + slashes + (quote && '\\"'))}"`
}

/** The same command without `npx.cmd`, which is a script of the command interpreter: Node with the script that it stands for. */
function withoutScript(inner: Command): Command {
  if (path.basename(inner.command).toLowerCase() !== 'npx.cmd') return inner
  const folder = path.dirname(inner.command)
  const script = path.join(folder, 'node_modules', 'npm', 'bin', 'npx-cli.js')
  return { ...inner, command: path.join(folder, 'node.exe'), args: [script, ...inner.args] }
}

/**
 * Copies downloaded packages into the home folder first, inside the container, and then runs the script in the same process. `cpSync` would look
 * at the folders above.
 */
const COPY = `
const { copyFileSync, mkdirSync, readdirSync } = require('node:fs')
const { join } = require('node:path')
const [from, script, ...args] = process.argv.slice(1)
const folders = ['']
for (const folder of folders) {
  mkdirSync(join(process.env.USERPROFILE, folder), { recursive: true })
  for (const entry of readdirSync(join(from, folder), { withFileTypes: true })) {
    const name = join(folder, entry.name)
    if (entry.isDirectory()) folders.push(name)
    else if (entry.isFile()) copyFileSync(join(from, name), join(process.env.USERPROFILE, name))
  }
}
process.argv = [process.execPath, script, ...args]
require(script)`

/** Starts a script of Node with the packages of another folder. Throws LaunchError for another program. */
export function withCopied(inner: Command, packages: string): Command {
  const script = withoutScript(inner)
  if (script === inner) {
    throw new LaunchError({
      code: 'no-fence',
      what: 'On Windows, Parley can download a package before a fenced start only with npx.',
      todo: 'Allow the network under “Fence”.',
    })
  }
  return { ...script, args: ['--eval', COPY, '--', packages, ...script.args] }
}

export const isOnDrive = (place: string): boolean => /^[a-z]:\\/i.test(place)

/** Folders of Windows and of its programs, on any drive. */
const SYSTEM = [
  'windows',
  'program files',
  'program files (x86)',
  'programdata',
  'recovery',
  'system volume information',
  '$recycle.bin',
]

/** The reason why a folder cannot be reached from inside a container, beside what it holds. Real paths, without links. */
export function windowsRefusal(folder: string, home: string): string | undefined {
  if (!isOnDrive(folder)) return 'it is not on a drive of this computer'
  const [top = ''] = folder.slice(3).toLowerCase().split('\\')
  if (top === '') return 'it is a whole drive'
  if (SYSTEM.includes(top)) return 'it belongs to the system'
  if (!isWithin(folder, home)) return undefined
  const [first = ''] = path.relative(home, folder).split('\\')
  return first.startsWith('.') || first.toLowerCase() === 'appdata'
    ? `programs keep keys and passwords in “${path.join(home, first)}”`
    : undefined
}
