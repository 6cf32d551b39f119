import { posix } from 'node:path'
import { programName, splitOption } from './launched-code.ts'
import { variableReach } from './variable-reach.ts'

/** A runner of published packages, with the only options that cannot change which package runs. */
interface Runner {
  /** Subcommands before the package. */
  readonly after: readonly string[]
  readonly switches: readonly string[]
  /** Options with a value that does not matter. */
  readonly values?: readonly string[]
  /** Options whose value is the package; the next word is then its command. */
  readonly names: readonly string[]
  readonly nameIn: (spec: string) => string | undefined
}

const YES = ['-y', '--yes']
const QUIET = ['-q', '--quiet', '-s', '--silent']
const OFFLINE = ['--prefer-offline', '--prefer-online', '--offline']
const NPX = { switches: [...YES, ...QUIET, ...OFFLINE, '--no-install'], names: ['-p', '--package'], nameIn: npmName }
const UVX = {
  switches: ['-q', '--quiet', '--no-progress', '--isolated', '--refresh', '--upgrade', '--offline', '--no-cache', '-n'],
  values: ['-p', '--python'],
  names: ['--from'],
  nameIn: pythonName,
}
const RUNNERS: Readonly<Record<string, readonly Runner[]>> = {
  npx: [{ ...NPX, after: [] }],
  npm: [
    { ...NPX, after: ['exec'] },
    { ...NPX, after: ['x'] },
  ],
  pnpx: [{ ...NPX, after: [], switches: QUIET, names: ['--package'] }],
  pnpm: [{ ...NPX, after: ['dlx'], switches: QUIET, names: ['--package'] }],
  yarn: [{ ...NPX, after: ['dlx'], switches: QUIET }],
  bunx: [{ ...NPX, after: [], switches: [...YES, ...QUIET, '--bun'] }],
  bun: [{ ...NPX, after: ['x'], switches: [...YES, ...QUIET, '--bun'] }],
  uvx: [{ ...UVX, after: [] }],
  uv: [{ ...UVX, after: ['tool', 'run'] }],
  pipx: [{ ...UVX, after: ['run'], switches: ['-q', '--quiet'], values: ['--python'], names: ['--spec'] }],
}

/**
 * The published package that a command line surely starts: a name on npm, `pypi:` with a name on PyPI, or `docker:` with an image.
 * Undefined if an option, an address or a file may start something else. `publishedLaunch` checks everything beyond the command line.
 */
export function publishedPackage(command: string, args: readonly string[]): string | undefined {
  // A program given by its path may be any program.
  if (/[\\/]/.test(command)) return undefined
  const program = programName(command, 'win32')
  if (program === 'cmd') return /^\/c$/i.test(args[0] ?? '') ? behindCmd(args.slice(1)) : undefined
  if (program === 'docker' || program === 'podman') return imageIn(args)
  if (program === 'node' || program === 'nodejs') return packageAround(args[0] ?? '')
  const runner = RUNNERS[program]?.find(({ after }) => after.every((word, at) => args[at] === word))
  return runner && packageIn(runner, program, args.slice(runner.after.length))
}

const EXACT = /.(?:@|==)\d+\.\d+\.\d+(?:[-+][\w.+-]*)?$/

/** Arguments with which a runner downloads a package without starting it, and the variables that keep it offline afterwards. */
export interface Download {
  readonly args: readonly string[]
  /** It names one version, which never changes. */
  readonly exact: boolean
  readonly offline: Readonly<Record<string, string>>
}

/** The download of what a command line starts; undefined unless it surely is a published package of npx or uvx. */
export function downloadOf(command: string, args: readonly string[]): Download | undefined {
  const program = programName(command, 'win32')
  const [runner] = program === 'npx' || program === 'uvx' ? (RUNNERS[program] ?? []) : []
  const found = runner && specIn(runner, program, args)
  if (!found) return undefined
  const { spec, settings } = found
  const exact = EXACT.test(spec)
  return program === 'npx'
    ? { args: ['--yes', '--package', spec, '--', 'node', '--eval', '0'], exact, offline: { npm_config_offline: 'true' } }
    : { args: [...settings, '--from', spec, 'python', '-c', '0'], exact, offline: { UV_OFFLINE: '1' } }
}

/**
 * A remote server as the list of known servers names it: its https address without a trailing slash. Undefined if a user, port, query
 * or fragment could make it another server.
 */
export function publishedAddress(address: string): string | undefined {
  const url = URL.parse(address)
  if (url?.protocol !== 'https:' || url.username + url.password + url.port + url.search + url.hash !== '') return undefined
  return url.href.replace(/\/$/, '')
}

function behindCmd(line: readonly string[]): string | undefined {
  const [command = '', ...args] = line
  return line.some((word) => /[&|<>^%!"\r\n]/.test(word)) ? undefined : publishedPackage(command, args)
}

function packageIn(runner: Runner, program: string, args: readonly string[]): string | undefined {
  const found = specIn(runner, program, args)
  return found && runner.nameIn(found.spec)
}

/** The package of a command line as it is written there, perhaps with a version, and the options with a value before it. */
function specIn(runner: Runner, program: string, args: readonly string[]) {
  const { switches, values = [], names, nameIn } = runner
  const settings: string[] = []
  let named: string | undefined
  let at = 0
  for (; at < args.length; at++) {
    const word = args[at] ?? ''
    const { option, given } = splitOption(word)
    if (names.includes(option)) {
      if (named !== undefined) return undefined
      named = given ?? args[++at] ?? ''
    } else if (values.includes(option)) settings.push(word, ...(given === undefined ? [args[++at] ?? ''] : []))
    else if (word !== '--' && !switches.includes(word)) break
  }
  const word = args[at] ?? ''
  if (word.startsWith('-')) return undefined
  // npm also takes its own options after the package.
  if (program === 'npm' && !args.slice(0, at).includes('--') && !plain(args.slice(at + 1), switches)) return undefined
  const name = nameIn(named ?? word)
  return name !== undefined && (named === undefined || isCommandOf(name, word)) ? { spec: named ?? word, settings } : undefined
}

function plain(args: readonly string[], switches: readonly string[]): boolean {
  const end = args.indexOf('--')
  return args.slice(0, end < 0 ? args.length : end).every((word) => !word.startsWith('-') || switches.includes(word))
}

/** True if a command surely belongs to a package: any program could be started with it, so the names must match. */
function isCommandOf(name: string, command: string): boolean {
  const [, scope, base = ''] = /^(?:@([^/]+)\/|pypi:)?(.*)$/.exec(name) ?? []
  return command === base || command === `mcp-${base}` || (scope !== undefined && command === `${scope}-${base}`)
}

/** The name in a spec with or without a version, range or tag; undefined for a folder, archive, address, alias or `user/repository`. */
function npmName(spec: string): string | undefined {
  if (/\.(?:tgz|tar|tar\.gz)$/i.test(spec)) return undefined
  return /^((?:@[a-z\d~-][\w.~-]*\/)?[a-z\d~-][a-z\d._~-]*)(?:@[\w^~<>=*| +-][\w.^~<>=*| +-]*)?$/.exec(spec)?.[1]
}

function pythonName(spec: string): string | undefined {
  const name = /^([a-z\d](?:[\w.-]*[a-z\d])?)(?:\[[\w,. -]*\])?(?:@[\w.+!-]+|(?:[=<>!~]=?=?[\w.*+!-]+,?)+)?$/i.exec(spec)?.[1]
  if (name === undefined || /\.(?:py|pyw|whl|zip|gz|tar|tgz)$/i.test(spec)) return undefined
  return `pypi:${name.toLowerCase().replace(/[-_.]+/g, '-')}`
}

/** The innermost package that contains a file, by the layout of npm. */
function packageAround(file: string): string | undefined {
  if (file.startsWith('-')) return undefined
  const parts = posix.normalize(file.replaceAll('\\', '/')).split('/')
  const at = parts.lastIndexOf('node_modules')
  const [first = '', second = '', third = ''] = at < 0 ? [] : parts.slice(at + 1)
  const scoped = first.startsWith('@')
  return (scoped ? third : second) === '' ? undefined : npmName(scoped ? `${first}/${second}` : first)
}

function imageIn([run, ...args]: readonly string[]): string | undefined {
  if (run !== 'run') return undefined
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? ''
    const { option, given } = splitOption(word)
    if (option === '-e' || option === '--env') {
      if (variableReach((given ?? args[++at] ?? '').replace(/=.*$/s, '')) !== undefined) return undefined
    } else if (!['-i', '--interactive', '--rm', '--init'].includes(word)) {
      const image = /^([a-z\d][a-z\d._/-]*)(?::[\w.-]+)?(?:@sha256:[\da-f]{64})?$/.exec(word)?.[1]
      return image === undefined ? undefined : `docker:${image}`
    }
  }
  return undefined
}
