import { posix, win32 } from 'node:path'

/**
 * The code that a command line names besides the program itself. The content of its files is part of the launch's identity. Both are
 * empty for a program that is no interpreter or runner.
 */
interface LaunchedCode {
  /** As written, relative to the working folder. */
  readonly files: readonly string[]
  /** The reason why other code can run without a new question. */
  readonly open?: string
  /** The folder in which the code is looked for, relative to the working folder. */
  readonly folder?: string
}

interface Interpreter {
  /** Options whose value is the next argument. */
  readonly values: readonly string[]
  /** Options whose value is a file of code. */
  readonly loads: readonly string[]
  /** Options whose value is the code itself. */
  readonly inline: readonly string[]
  /** Options whose value is a module that the interpreter finds. */
  readonly modules?: readonly string[]
  /** Subcommands that may precede the script. */
  readonly words?: readonly string[]
}

const NODE: Interpreter = {
  values: ['-C', '--conditions', '--title', '--icu-data-dir', '--input-type', '--env-file', '--env-file-if-exists'],
  loads: ['-r', '--require', '--import', '--loader', '--experimental-loader'],
  inline: ['-e', '--eval', '-p', '--print', '-pe'],
}
const SHELL: Interpreter = { values: ['-o', '+o', '-O', '+O', '--rcfile', '--init-file'], loads: [], inline: ['-c'] }
const INTERPRETERS: Readonly<Record<string, Interpreter>> = {
  node: NODE,
  nodejs: NODE,
  tsx: NODE,
  'ts-node': NODE,
  bun: { values: ['--cwd', '-c', '--config'], loads: ['-r', '--preload'], inline: ['-e', '--eval'], words: ['run'] },
  deno: {
    values: ['-c', '--config', '--import-map', '--lock', '--cert', '--location'],
    loads: ['--preload'],
    inline: ['eval'],
    words: ['run'],
  },
  python: { values: ['-W', '-X', '-Q', '--check-hash-based-pycs'], loads: [], inline: ['-c'], modules: ['-m'] },
  ruby: { values: ['-I', '-C', '-E', '-W'], loads: [], inline: ['-e'], modules: ['-r'] },
  perl: { values: ['-I'], loads: [], inline: ['-e', '-E'] },
  php: { values: ['-c', '-d', '-z'], loads: ['-f'], inline: ['-r'] },
  java: { values: ['-cp', '-classpath', '--class-path', '-p', '--module-path'], loads: ['-jar'], inline: [], modules: ['-m'] },
  dotnet: { values: ['--fx-version', '--depsfile', '--runtimeconfig'], loads: [], inline: [], words: ['exec'] },
  bash: SHELL,
  sh: SHELL,
  zsh: SHELL,
  dash: SHELL,
  ksh: SHELL,
  fish: SHELL,
}

/** The argument that names a package, the options with a value before it, and the form of an exact version. */
interface Runner {
  /** Subcommands that take a package; absent if the command itself takes one. */
  readonly after?: readonly string[]
  readonly values: readonly string[]
  /** Options whose value is the package. */
  readonly names: readonly string[]
  readonly exact: RegExp
  readonly example: string
}

const VERSION = String.raw`v?\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?`
const NPM = { exact: new RegExp(`^(?:@[^/@]+/)?[^/@]+@${VERSION}$`), example: 'name@1.2.3' }
const PYTHON = { exact: /^[\w.-]+(?:\[[\w,.-]*\])?(?:==|@)\d+(?:[abrc]\w+)?(?:\.\w+)*$/, example: 'name==1.2.3' }
const IMAGE = { exact: /@sha256:[0-9a-f]{64}$/, example: 'name@sha256:…' }
const NPX_VALUES = ['-c', '--call', '-w', '--workspace', '--registry', '--cache', '--prefix', '--loglevel', '--userconfig']
const UV_VALUES = [
  '--with',
  '-p',
  '--python',
  '--index-url',
  '-i',
  '--extra-index-url',
  '--index',
  '--default-index',
  '--with-editable',
]
const RUNNERS: Readonly<Record<string, Runner>> = {
  npx: { ...NPM, values: NPX_VALUES, names: ['-p', '--package'] },
  npm: { ...NPM, values: NPX_VALUES, names: ['-p', '--package'], after: ['exec', 'x'] },
  pnpx: { ...NPM, values: ['--reporter'], names: ['--package'] },
  pnpm: { ...NPM, values: ['--reporter', '-C', '--dir'], names: ['--package'], after: ['dlx'] },
  yarn: { ...NPM, values: ['--cwd'], names: ['-p', '--package'], after: ['dlx'] },
  bunx: { ...NPM, values: [], names: ['-p', '--package'] },
  uvx: { ...PYTHON, values: UV_VALUES, names: ['--from'] },
  uv: { ...PYTHON, values: UV_VALUES, names: ['--from'], after: ['tool run', 'x'] },
  pipx: { ...PYTHON, values: ['--python', '--index-url', '-i', '--pip-args'], names: ['--spec'], after: ['run'] },
  docker: { ...IMAGE, values: [], names: [], after: ['run', 'container run'] },
  podman: { ...IMAGE, values: [], names: [], after: ['run', 'container run'] },
}

/** `command` is the resolved path of the program, or the command as written. */
export function launchedCode(command: string, args: readonly string[], os: string): LaunchedCode {
  const name = programName(command, os)
  const runner = RUNNERS[name]
  if (runner) return packageOf(name, runner, args)
  const interpreter = interpreterOf(name)
  return interpreter ? scriptOf(name, interpreter, args) : { files: [] }
}

/** True for an interpreter that is given code instead of a file: `bash -c`, `node -e`. */
export function runsInlineCode(command: string, args: readonly string[], os: string): boolean {
  const interpreter = interpreterOf(programName(command, os))
  return interpreter !== undefined && args.some((word) => interpreter.inline.includes(splitOption(word).option))
}

const interpreterOf = (name: string): Interpreter | undefined => INTERPRETERS[name] ?? INTERPRETERS[name.replace(/[\d.]+$/, '')]

export function programName(command: string, os: string): string {
  const base = os === 'win32' ? win32.basename(command) : posix.basename(command)
  return base.toLowerCase().replace(/\.(?:exe|cmd|bat|com)$/, '')
}

function scriptOf(
  name: string,
  { values, loads, inline, modules = [], words = [] }: Interpreter,
  args: readonly string[],
): LaunchedCode {
  const files: string[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as string
    const { option, given } = splitOption(word)
    if (inline.includes(option)) return { files }
    if (modules.includes(option)) return { files, open: `${name} looks up its module at each start.`, folder: '.' }
    if (loads.includes(option)) {
      if (given === undefined) at += 1
      const file = given ?? args[at]
      if (file !== undefined) files.push(file)
      // The file of these options is the script itself.
      if (option === '-jar' || option === '-f') return { files }
    } else if (values.includes(option) && given === undefined) at += 1
    else if (word === '--' || (word.startsWith('-') && word !== '-')) continue
    else if (words.includes(word)) continue
    else if (/^[a-z][a-z\d+.-]+:\/\//i.test(word)) return { files, open: 'The script at its address can change.' }
    else return { files: [...files, word] }
  }
  return { files }
}

function packageOf(name: string, runner: Runner, args: readonly string[]): LaunchedCode {
  const { after, exact, example } = runner
  const rest = after === undefined ? args : argumentsAfter(args, after)
  if (rest === undefined) {
    return { files: [], open: `The files in its folder decide what ${name} runs.`, folder: folderAmong(args) }
  }
  const packages = packagesIn(runner, rest)
  const pinned =
    exact === IMAGE.exact
      ? rest.some((word) => exact.test(word))
      : packages.length > 0 && packages.every((spec) => exact.test(spec))
  if (pinned) return { files: [] }
  return { files: [], open: `${name} chooses a version at each start, unless an exact one is named, as in ${example}.` }
}

const FOLDER_OPTIONS = new Set(['--directory', '--project', '--prefix', '--cwd', '--dir', '-C'])

/** The folder that options of a runner name instead of the working folder. */
function folderAmong(args: readonly string[]): string {
  const at = args.findIndex((word) => FOLDER_OPTIONS.has(splitOption(word).option))
  return (at >= 0 && (splitOption(args[at] as string).given ?? args[at + 1])) || '.'
}

function argumentsAfter(args: readonly string[], subcommands: readonly string[]): readonly string[] | undefined {
  for (const subcommand of subcommands) {
    const words = subcommand.split(' ')
    const at = args.findIndex((_, from) => words.every((word, n) => args[from + n] === word))
    if (at >= 0) return args.slice(at + words.length)
  }
  return undefined
}

/** The packages named by options, else the first word. With such options that word is a command of the package. */
function packagesIn({ values, names }: Runner, args: readonly string[]): readonly string[] {
  const named: string[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as string
    const { option, given } = splitOption(word)
    if (names.includes(option)) named.push(given ?? args[++at] ?? '')
    else if (values.includes(option) && given === undefined) at += 1
    else if (!word.startsWith('-')) return named.length > 0 ? named : [word]
  }
  return named
}

/** Splits `--option=value`; any other word is an option without a value. */
export function splitOption(word: string): { readonly option: string; readonly given?: string } {
  const at = word.startsWith('--') ? word.indexOf('=') : -1
  return at < 0 ? { option: word } : { option: word.slice(0, at), given: word.slice(at + 1) }
}
