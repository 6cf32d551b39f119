import { parse } from 'unbash'
import { wordSet } from './names.ts'
import { remembered } from './remembered.ts'

/** One plain command. */
export interface ShellReading {
  /** Program and subcommand, or the script of a package: `git status`, `npm run lint`. */
  readonly words: string
  readonly args: readonly string[]
  readonly does: 'reads' | 'runs'
  /** It reads files of the folder that it runs in and of its arguments, and nothing else. */
  readonly looks?: true
}

const LONGEST = 4_096
/** Characters by which shells do more than run one program. */
const MORE = /[|&;<>()`$\n\r\0{}!*?[\]~#]/

/** Programs that only look, unless an option of theirs does more. */
const LOOKING = wordSet(
  'ls cat head tail wc pwd whoami date file stat du df uname which tree grep rg basename dirname realpath md5sum sha256sum cut diff cmp nl',
)
/** Of `find`, `git` and others only these words look. */
const LOOKING_SUBCOMMANDS: Readonly<Record<string, ReadonlySet<string>>> = {
  git: new Set(['status', 'log', 'diff', 'show', 'blame', 'rev-parse', 'ls-files', 'shortlog', 'describe']),
  npm: new Set(['ls', 'list', 'outdated', 'view', 'why']),
  docker: new Set(['ps', 'images', 'logs']),
  kubectl: new Set(['version']),
  cargo: new Set(['tree', 'metadata']),
  go: new Set(['version', 'list']),
}
/** Programs whose first word says what they do; a rule remembers both. */
const WITH_SUBCOMMAND = wordSet(
  'git npm npx pnpm yarn bun cargo go make docker kubectl pip pip3 uv poetry gradle mvn dotnet gh terraform helm systemctl apt brew composer php rake bundle mix deno just task tox nox',
)
/** What a project's own checks are called: it runs the project's code and nothing else that the text names. */
const CHECKS = wordSet('test lint build check typecheck fmt format vet clippy t ci verify compile')
const CHECKERS = wordSet('pytest tsc eslint vitest jest mocha ruff mypy phpunit rspec biome prettier')
/** Options by which even these run something else, write elsewhere, or reach out. */
const HIDDEN_OPTION =
  /^(?:-c|-o|-e|-i|-x|-I|--config|--output|--exec|--eval|--require|-r|--upload-pack|--receive-pack|--ext-diff|--textconv|--git-dir|--work-tree|--script-shell|--prefix|--registry|--node-options|--pre|--to-command|--checkpoint-action|-p|--plugin|--rcfile|--init-file|--hostname-bin|--compile)(?:=|$)/
/** Git and GNU programs know their long options by any beginning: `--outp=x`. */
const HIDDEN_LONG = HIDDEN_OPTION.source.match(/--[a-z-]+/g) ?? []
const isHiddenOption = (arg: string) => {
  const name = /^--[a-z-]{2,}(?==|$)/.exec(arg)?.[0]
  return HIDDEN_OPTION.test(arg) || (name !== undefined && HIDDEN_LONG.some((long) => long.startsWith(name)))
}

/** The one plain command that a text is; undefined for pipes, lists, substitutions, redirections, variables and what cannot be read. */
export function readShell(text: string): ShellReading | undefined {
  if (text.length > LONGEST || MORE.test(text)) return undefined
  return parsed(text)
}

const parsed = remembered(500, (text): ShellReading | undefined => {
  const script = parse(text)
  if (script.commands.length !== 1 || (script.errors?.length ?? 0) > 0) return undefined
  const command = script.commands[0]?.command
  if (command?.type !== 'Command' || command.prefix.length > 0 || !command.name) return undefined
  const args: string[] = []
  for (const word of command.suffix) {
    if (word.type !== 'Word') return undefined
    args.push(word.value)
  }
  const program = command.name.value
  // A path or a backslash says nothing about what is at its end.
  if (!/^[A-Za-z0-9][\w.+-]*$/.test(program)) return undefined
  return reading(program, args)
})

function reading(program: string, args: readonly string[]): ShellReading | undefined {
  if (args.some(isHiddenOption)) return undefined
  const first = args[0] ?? ''
  if (LOOKING.has(program)) return { words: program, args, does: 'reads', looks: true }
  if (CHECKERS.has(program)) return { words: program, args, does: 'runs' }
  if (!WITH_SUBCOMMAND.has(program) || !/^[a-z][\w:-]*$/.test(first)) return undefined
  const rest = args.slice(1)
  if (LOOKING_SUBCOMMANDS[program]?.has(first))
    return { words: `${program} ${first}`, args: rest, does: 'reads', ...(program === 'git' && { looks: true }) }
  const script = first === 'run' && /^[\w:.-]+$/.test(rest[0] ?? '') ? rest[0] : undefined
  const name = script ?? first
  if (!CHECKS.has(name.split(':')[0] ?? '')) return undefined
  return {
    words: script ? `${program} run ${script}` : `${program} ${first}`,
    args: script ? rest.slice(1) : rest,
    does: 'runs',
  }
}
