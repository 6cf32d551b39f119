import { parse } from 'unbash'
import { defined } from '../../src-shared/base/defined.ts'
import { type KnownCommand, knownCommand, type OptionTable, type Takes } from './known-commands.ts'
import { memoized } from './memoized.ts'

/** One plain command, or several that only look. */
interface ShellReading {
  /** Program with subcommand or script: `git status`, `npm run lint`. */
  readonly words: string
  readonly args: readonly string[]
  /** Options with their values, in order. */
  readonly options: readonly string[]
  /** Arguments that may be files. */
  readonly files: readonly string[]
  readonly does: KnownCommand['does']
  /** It only reads files of its folder and arguments. */
  readonly looks?: true
  /** Only if the repository's configuration runs no program. */
  readonly git?: true
  /** The folder of a preceding `cd`, or of `git -C`. */
  readonly folder?: string
}

const LONGEST = 4_096
/** Words of one command. */
const WORDS = 50
/** Characters that make a shell do more than run one program. */
const MORE = /[|&;<>()`$\n\r\0{}!*?[\]~#]/

/** `cd /home/ana/shop && …`, absolute only, since the shell's own folder is unknown. */
const GOES_FIRST = /^cd (?:"([/][^"\\]*)"|'([/][^']*)'|(~?\/[^\s"'\\]*)) && (.+)$/

/**
 * Reads a plain command, or a pipe of programs that only look; undefined for lists, substitutions, redirections, variables, unknown options
 * and syntax errors.
 */
export function readShell(text: string): ShellReading | undefined {
  if (text.length > LONGEST) return undefined
  const first = GOES_FIRST.exec(text)
  if (!first) return piped(text)
  const folder = first[1] ?? first[2] ?? first[3] ?? ''
  if (MORE.test(folder.replace(/^~/, ''))) return undefined
  const reading = piped(first[4] ?? '')
  return reading?.folder === undefined ? reading && { ...reading, folder } : undefined
}

/** A program that only looks takes no place from what another one prints. */
function piped(text: string): ShellReading | undefined {
  const [first, ...filters] = text.split('|').map((part) => (MORE.test(withoutPatterns(part)) ? undefined : parsed(part.trim())))
  if (!first || filters.length === 0) return first
  const all = [first]
  for (const filter of filters) {
    // Only one folder is known: that of the first.
    if (!filter?.looks || filter.git || (first.folder !== undefined && filter.files.length > 0)) return undefined
    all.push(filter)
  }
  if (!first.looks) return undefined
  return {
    ...first,
    words: all.map(({ words }) => words).join(' | '),
    args: all.flatMap(({ args }) => args),
    options: all.flatMap(({ options }) => options),
    files: all.flatMap(({ files }) => files),
  }
}

/** Quoted signs of patterns, which no shell expands, are left out. */
const withoutPatterns = (text: string) =>
  text.includes('\\') ? text : text.replace(/'[^']*'|"[^"]*"/g, (quoted) => quoted.replace(/[*?[\]]/g, ''))

const parsed = memoized(500, (text): ShellReading | undefined => {
  const script = parse(text)
  if (script.commands.length !== 1 || (script.errors?.length ?? 0) > 0) return undefined
  const command = script.commands[0]?.command
  if (command?.type !== 'Command' || command.prefix.length > 0 || !command.name) return undefined
  const args: string[] = []
  for (const word of command.suffix) {
    if (word.type !== 'Word') return undefined
    args.push(word.value)
  }
  // A program by path, or with a backslash, could be anything.
  const program = command.name.value
  if (args.length >= WORDS || !/^[A-Za-z0-9][\w.+-]*$/.test(program)) return undefined
  // Git starts a pager only on a terminal, so the option changes nothing.
  const shown = program === 'git' && args[0] === '--no-pager' ? args.slice(1) : args
  const folder = program === 'git' && shown[0] === '-C' && shown[1]?.startsWith('/') ? shown[1] : undefined
  const words = [program, ...(folder === undefined ? shown : shown.slice(2))]
  const found = knownCommand(words)
  if (!found) return undefined
  const { known, length } = found
  const rest = words.slice(length)
  const sorted = sortedArgs(rest, known)
  if (!sorted) return undefined
  const { does, looks, git } = known
  return {
    words: words.slice(0, length).join(' '),
    args: rest,
    ...sorted,
    does,
    ...defined({ looks, git, folder }),
  }
})

/** Separates options from files; undefined for an unknown option or an unexpected argument. */
function sortedArgs(args: readonly string[], { takes, options: known, does }: KnownCommand) {
  const options: string[] = []
  const others: string[] = []
  let ended = false
  let pattern = takes === 'text'
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (arg === '--' && !ended) {
      // For a check, the rest goes to its script and is read in the same way.
      ended = does !== 'runs'
    } else if (arg.startsWith('-') && !ended) {
      const needs = optionOf(arg, known)
      if (needs === undefined) return undefined
      options.push(arg)
      if (/^(?:-e|--regexp)/.test(arg)) pattern = false
      if (needs === 'nothing') continue
      const value = args[++at]
      // Some programs take a value with a dash for the next option.
      if (value === undefined || !needs.test(value) || /^-\D|^-$/.test(value)) return undefined
      options.push(value)
    } else others.push(arg)
  }
  const files = filesOf(pattern ? others.slice(1) : others, takes)
  return files && { options, files }
}

/** The pattern of the value that an option needs; undefined for an unknown option. */
function optionOf(arg: string, known: OptionTable): RegExp | 'nothing' | undefined {
  if (/^-\d{1,9}$/.test(arg)) return known.has('-#') ? 'nothing' : undefined
  const [, name = '', , value] = /^(-[^=]*)(=([\s\S]*))?$/.exec(arg) ?? []
  const whole = known.get(name)
  if (whole && (name.length > 2 || value === undefined)) {
    if (value !== undefined) return whole.value?.test(value) === true ? 'nothing' : undefined
    return whole.alone ? 'nothing' : whole.value
  }
  if (arg.startsWith('--')) return undefined
  for (let at = 1; at < arg.length; at++) {
    const letter = known.get(`-${arg[at]}`)
    if (!letter) return undefined
    if (letter.alone) continue
    const rest = arg.slice(at + 1)
    if (rest === '') return letter.value
    return letter.value?.test(rest) === true ? 'nothing' : undefined
  }
  return arg.length > 1 ? 'nothing' : undefined
}

/** A path of plain characters: no assignment, no `@file`, no module. */
const PLAIN = /^(?:\/|\.{0,2}\/)?[\p{L}\p{N}_.][\p{L}\p{N}_.+@/-]*$/u

const PLAIN_NAME = /^[A-Za-z0-9][\w./+@-]{0,199}$/

function filesOf(words: readonly string[], takes: Takes): readonly string[] | undefined {
  if (takes === 'words' || takes === 'text') return words
  if (takes === 'none') return words.length === 0 ? words : undefined
  if (takes === 'names')
    return words.length > 0 && words.every((word) => PLAIN_NAME.test(word) && !word.includes('..')) ? [] : undefined
  const files: string[] = []
  for (const word of words) {
    const file =
      takes === 'packages'
        ? word.replace(/(?<=^\.\.?(?:\/.{0,4000})?)\/\.\.\.$/, '')
        : takes === 'tests'
          ? word.split('::', 1)[0]
          : word
    if (file === undefined || !PLAIN.test(file) || file.includes('...')) return undefined
    if (takes === 'packages' && !/^\.{1,2}(?:\/|$)/.test(file)) return undefined
    if (takes === 'dotted' && !/[./]/.test(file)) return undefined
    files.push(file)
  }
  return files
}
