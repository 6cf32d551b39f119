/** A program or subcommand. Every option listed for it has been reviewed. */
export interface KnownCommand {
  readonly does: 'reads' | 'runs' | 'records'
  /** It only reads files of its folder and arguments. */
  readonly looks?: true
  /** It may run programs from the repository's configuration, and hooks if it records. */
  readonly git?: true
  /** The kind of its positional arguments. */
  readonly takes: Takes
  readonly options: OptionTable
}

/**
 * - `files`: plain paths of what it reads or checks
 * - `dotted`: plain paths with a dot or a slash, since other words are subcommands
 * - `packages`: relative folders of Go packages, since other words are modules to fetch
 * - `tests`: test files, each possibly with the name of a test
 * - `text`: a pattern, then files
 * - `names`: branches and revisions of plain characters
 * - `words`: any revisions, names and files for a program that only reads
 * - `none`
 */
export type Takes = 'files' | 'dotted' | 'packages' | 'tests' | 'text' | 'names' | 'words' | 'none'

/**
 * Option → what its value may be: false for none, a pattern, or both. Options of one letter with a plain `-` may be written together.
 */
export type OptionTable = ReadonlyMap<string, { readonly alone: boolean; readonly value?: RegExp }>

const NUMBER = /^[+-]?\d{1,9}[kKmMsh]?$/
/** Cannot be a path, a module or an assignment. */
const NAME = /^[\w.,+-]{1,200}$/
/** Any text without `%G`, for which Git runs a program to check a signature. */
const TEXT = /^(?![\s\S]*%G)/

/**
 * Options as one writes them down: `-abc` three letters, `-n#` one with a number, `-e*` with a text, `-t=ts` with a word, `--color=a|b` with
 * one of these, `+race` the word `-race`.
 */
function table(...texts: readonly string[]): OptionTable {
  const options = new Map<string, { alone: boolean; value?: RegExp }>()
  const add = (name: string, value?: RegExp) => {
    const before = options.get(name)
    const allowed = value ?? before?.value
    options.set(name, { alone: value === undefined || before?.alone === true, ...(allowed && { value: allowed }) })
  }
  for (const word of texts.join(' ').split(/\s+/).filter(Boolean)) {
    // `-20`
    if (word === '-#') options.set(word, { alone: true })
    const [, name = '', kind] = /^([^=#*]+)(.*)$/.exec(word) ?? []
    const value = allowedBy(kind ?? '')
    if (name.startsWith('+')) add(`-${name.slice(1)}`, value)
    else if (name.startsWith('--')) add(name, value)
    else for (const letter of name.slice(1)) add(`-${letter}`, value)
  }
  return options
}

function allowedBy(kind: string): RegExp | undefined {
  if (kind === '') return undefined
  if (kind === '#' || kind === '=#') return NUMBER
  if (kind === '*' || kind === '=*') return TEXT
  return kind === '=name' ? NAME : new RegExp(`^(?:${kind.slice(1)})$`)
}

const COLOR = '--color --color=auto|always|never --no-color'
const CONTEXT = '-ABC# --context=# --after-context=# --before-context=#'

const looking = (takes: Takes, ...options: readonly string[]): KnownCommand => ({
  does: 'reads',
  looks: true,
  takes,
  options: table(...options),
})

/** Programs that only read files. None follows links inside folders. */
const LOOKING: Readonly<Record<string, KnownCommand>> = {
  ls: looking(
    'words',
    '-alhtrS1FRdinsGpcukAoQ --all --almost-all --human-readable --recursive --reverse --directory --size --inode',
    '--sort=size|time|name|none|extension --group-directories-first --full-time',
    COLOR,
  ),
  cat: looking('words', '-nbsAETv --number --number-nonblank --squeeze-blank --show-all'),
  head: looking('words', '-nc# -qv -# --lines=# --bytes=# --quiet'),
  tail: looking('words', '-nc# -qv -# --lines=# --bytes=# --quiet'),
  wc: looking('words', '-clmwL --lines --words --bytes --chars --max-line-length'),
  pwd: looking('none', '-PL'),
  whoami: looking('none'),
  date: looking('none'),
  file: looking('words'),
  tree: looking('words'),
  stat: looking('words', '-c* -t --format=* --printf=* --terse'),
  du: looking(
    'words',
    '-shackbxm -d# --max-depth=# --summarize --human-readable --total --all --apparent-size --one-file-system',
  ),
  df: looking('words', '-hTikPam --human-readable --total --inodes --print-type --all'),
  uname: looking('none', '-asnrvmpio --all'),
  which: looking('words', '-a'),
  grep: looking(
    'text',
    `-rinlLcvwxsohHEFGPIqabZ -m# -e* -# ${CONTEXT} --recursive --ignore-case --line-number --files-with-matches`,
    '--files-without-match --count --invert-match --word-regexp --line-regexp --no-messages --only-matching --no-filename --with-filename',
    '--extended-regexp --fixed-strings --basic-regexp --perl-regexp --quiet --text --null --max-count=# --regexp=* --include=* --exclude=*',
    '--exclude-dir=* --byte-offset --initial-tab',
    COLOR,
  ),
  rg: looking(
    'text',
    `-nilcvwxsoFSUNHIqu -m# -e* -g* -tT=name -r* ${CONTEXT} --line-number --ignore-case --files-with-matches --files-without-match`,
    '--count --invert-match --word-regexp --line-regexp --case-sensitive --only-matching --fixed-strings --smart-case --multiline --no-line-number',
    '--with-filename --no-filename --quiet --max-count=# --max-depth=# --regexp=* --glob=* --iglob=* --type=name --type-not=name --hidden',
    '--no-ignore --json --stats --heading --no-heading --column --vimgrep --sort=path|modified|none --replace=*',
    COLOR,
  ),
  basename: looking('words'),
  dirname: looking('words'),
  realpath: looking('words'),
  md5sum: looking('words'),
  sha256sum: looking('words'),
  cut: looking('words', '-dfcb* -s --delimiter=* --fields=* --characters=* --bytes=* --complement --output-delimiter=*'),
  diff: looking(
    'words',
    '-uqNywbBiasEtZ -U# -W# --brief --unified --unified=# --side-by-side --ignore-all-space --ignore-space-change --ignore-blank-lines',
    '--ignore-case --text --report-identical-files --suppress-common-lines --width=# --new-file',
    COLOR,
  ),
  cmp: looking('words', '-slb -n# --silent --quiet --verbose --bytes=#'),
  sort: looking(
    'words',
    '-bdfghiMnRrVuszcC -t* -k=[\\d.,bdfghiMnRrV]+ --reverse --numeric-sort --human-numeric-sort --general-numeric-sort --version-sort',
    '--month-sort --unique --ignore-case --stable --check --zero-terminated --field-separator=* --key=[\\d.,bdfghiMnRrV]+',
  ),
  // A second file would be written.
  uniq: looking('none', '-cdDuiz -fsw# --count --repeated --unique --ignore-case --skip-fields=# --skip-chars=# --check-chars=#'),
  tr: looking('words', '-cCdst --complement --delete --squeeze-repeats'),
  find: looking(
    'words',
    '+maxdepth=# +mindepth=# +name=* +iname=* +path=* +ipath=* +type=[bcdpfls,]+ +size=[+-]?\\d+[bcwkMG]? +mtime=# +mmin=# +atime=# +amin=#',
    '+ctime=# +cmin=# +newermt=* +perm=name +user=name +group=name +empty +print +print0 +printf=* +ls +prune +not +and +or +xdev +mount',
    '+depth +daystart +readable +writable +executable -ao',
  ),
  nl: looking('words', '-b=a|t|n -w# --body-numbering=a|t|n --number-width=#'),
}

const COMMITS = `-n# -# -i -S* -G* --max-count=# --skip=# --oneline --graph --all --branches --tags --merges --no-merges --first-parent
  --reverse --follow --since=* --after=* --until=* --before=* --author=* --committer=* --grep=* --date=* --format=* --pretty --pretty=*
  --decorate --decorate=short|full|no|auto --no-decorate --abbrev-commit --no-abbrev-commit --topo-order --date-order --left-right`
const CHANGES = `-pusabwzRMC -U# --patch --no-patch --stat --shortstat --numstat --dirstat --name-only --name-status --summary --raw --check
  --cached --staged --quiet --exit-code --minimal --patience --histogram --word-diff --word-diff=color|plain|porcelain|none
  --ignore-all-space --ignore-space-change --ignore-blank-lines --unified=# --diff-filter=name --find-renames --find-copies --no-renames
  --full-index --text --no-ext-diff --no-textconv --merge-base --compact-summary`

const git = (...options: readonly string[]): KnownCommand => ({ ...looking('words', ...options), git: true })
const GIT: Readonly<Record<string, KnownCommand>> = {
  'git status': git(
    '-sbz --short --branch --porcelain --porcelain=v1|v2|1|2 --long --ignored --show-stash --ahead-behind --no-ahead-behind',
    '--untracked-files --untracked-files=no|normal|all --ignore-submodules --renames --no-renames',
  ),
  'git log': git(COMMITS, CHANGES, COLOR),
  'git show': git(COMMITS, CHANGES, COLOR),
  'git diff': git(CHANGES, COLOR),
  'git blame': git('-wlsetM -L* --date=* --porcelain --show-email --show-name --show-number'),
  'git rev-parse':
    git(`--short --short=# --abbrev-ref --show-toplevel --show-prefix --show-cdup --git-dir --is-inside-work-tree --verify
    --symbolic-full-name --all --branches --tags --is-bare-repository`),
  'git ls-files': git(
    '-cdmostz --cached --deleted --modified --others --stage --ignored --exclude-standard --full-name --error-unmatch',
  ),
  'git shortlog': git('-sne --summary --numbered --email', COMMITS),
  'git stash list': git('-p --patch --stat --oneline'),
  'git describe': git('--tags --always --long --all --abbrev=# --dirty --exact-match'),
}

const recording = (takes: Takes, ...options: readonly string[]): KnownCommand => ({
  does: 'records',
  git: true,
  takes,
  options: table(...options),
})
/** A name that Git cannot take for an option, a file or a range. */
const BRANCH = '=(?!.*\\.\\.)[A-Za-z0-9][\\w./+-]{0,199}'
/** Git commands that only add to a repository: they rewrite, remove, check out and send nothing. */
const RECORDING: Readonly<Record<string, KnownCommand>> = {
  'git add': recording('files', '-Aunv --all --update --verbose --dry-run'),
  'git commit': recording('none', '-aqv -m* --message=* --all --quiet --verbose --allow-empty -s --signoff --dry-run'),
  'git branch': recording('names', '-q --quiet'),
  'git switch': recording('none', `-c${BRANCH} --create${BRANCH} -q --quiet`),
  'git checkout': recording('none', `-b${BRANCH} -q --quiet`),
  'git stash': recording('none', '-uq -m* --include-untracked --quiet --message=*'),
  'git stash push': recording('none', '-uq -m* --include-untracked --quiet --message=*'),
}

const PACKAGES = '-alg --all --long --json --global --depth=# --omit=dev|optional|peer --prod --parseable'
const listing: KnownCommand = { does: 'reads', takes: 'words', options: table(PACKAGES) }

/** Options after `--` for the test runners, builds and linters in package scripts. */
const RUNNER = `-tg* --run --ci --coverage --no-coverage --silent --verbose --quiet --watch=false --passWithNoTests --bail --bail=#
  --testNamePattern=* --grep=* --fix --check --max-warnings=# --no-cache --runInBand --maxWorkers=# --noEmit
  --reporter=dot|verbose|json|tap|basic|default|spec|list|min|line|progress`

const checking = (takes: Takes, ...options: readonly string[]): KnownCommand => ({
  does: 'runs',
  takes,
  options: table(...options),
})
const script = checking('files', '-s --silent --if-present', RUNNER)
const cargo = checking(
  'none',
  `-qv --release --all --workspace --lib --bins --bin=name --tests --test=name --examples --all-targets --all-features --no-default-features
  --features=name --quiet --verbose --locked --offline --frozen --no-run --doc --no-fail-fast --check --nocapture --ignored --exact
  --test-threads=# --show-output --no-deps --keep-going`,
)
const GO = `+v +race +short +cover +failfast +json +count=# +run=* +timeout=# +p=# +parallel=# +bench=* +benchmem +vet=off +shuffle=on|off +skip=*`
const maven = checking('none', '-qBo --quiet --batch-mode --offline --no-transfer-progress --fail-at-end')
const gradle = checking(
  'none',
  '-q --quiet --offline --no-daemon --stacktrace --info --continue --parallel --rerun-tasks --no-build-cache --console=plain',
)
const make = checking('none', '-sk -j# --silent --quiet --keep-going --jobs=# --no-print-directory')
const plain = checking('none')
const dotnet = checking(
  'files',
  '-c=Debug|Release --configuration=Debug|Release --no-restore --no-build --nologo --verbosity=quiet|minimal|normal',
)
const ruff = checking(
  'files',
  '-q --fix --diff --check --quiet --statistics --no-cache --select=name --ignore=name --output-format=concise|full|json|github|grouped',
)
const biome = checking(
  'files',
  '--write --fix --max-diagnostics=# --no-errors-on-unmatched --diagnostic-level=info|warn|error --error-on-warnings',
)
const vitest = (takes: Takes) => checking(takes, RUNNER)

/** A project's own checks: each runs only the project's code. */
const CHECKS: Readonly<Record<string, KnownCommand>> = {
  ...Object.fromEntries(['npm', 'pnpm', 'yarn', 'bun'].map((name) => [`${name} test`, script])),
  'npm t': script,
  ...Object.fromEntries(
    ['lint', 'build', 'typecheck', 'format'].flatMap((name) => [`pnpm ${name}`, `yarn ${name}`].map((one) => [one, script])),
  ),
  ...Object.fromEntries(['test', 'check', 'build', 'clippy', 'fmt'].map((name) => [`cargo ${name}`, cargo])),
  ...Object.fromEntries(['test', 'vet', 'build', 'fmt'].map((name) => [`go ${name}`, checking('packages', GO)])),
  ...Object.fromEntries(['test', 'verify', 'compile'].map((name) => [`mvn ${name}`, maven])),
  ...Object.fromEntries(['test', 'check', 'build'].map((name) => [`gradle ${name}`, gradle])),
  ...Object.fromEntries(
    ['test', 'check', 'lint', 'build', 'verify', 'fmt', 'format', 'typecheck', 'ci'].flatMap((name) => [
      [`make ${name}`, make],
      [`just ${name}`, plain],
      [`task ${name}`, plain],
    ]),
  ),
  ...Object.fromEntries(['test', 'lint'].flatMap((name) => [`composer ${name}`, `rake ${name}`].map((one) => [one, plain]))),
  ...Object.fromEntries(['test', 'compile', 'format'].map((name) => [`mix ${name}`, plain])),
  ...Object.fromEntries(['test', 'build'].map((name) => [`dotnet ${name}`, dotnet])),
  pytest: checking(
    'tests',
    `-vqxsl -km* --maxfail=# --tb=short|long|line|no|native|auto --lf --ff --last-failed --failed-first --co --collect-only --durations=#
    --verbose --quiet --exitfirst --no-header --no-summary --strict-markers --stepwise`,
  ),
  tsc: checking('files', '-b --noEmit --pretty --build --strict --skipLibCheck --incremental --listFiles --version'),
  eslint: checking(
    'files',
    '--fix --fix-dry-run --quiet --cache --max-warnings=# --ext=name --no-error-on-unmatched-pattern --format=stylish|json|compact|unix',
  ),
  vitest: vitest('dotted'),
  'vitest run': vitest('files'),
  jest: checking('files', RUNNER, '-i --updateSnapshot --listTests --onlyChanged --detectOpenHandles --forceExit'),
  mocha: checking(
    'dotted',
    '-b -gf* --bail --exit --recursive --check-leaks --grep=* --fgrep=* --timeout=# --reporter=spec|dot|json|min|list|tap|progress',
  ),
  'ruff check': ruff,
  'ruff format': ruff,
  mypy: checking('files', '--strict --ignore-missing-imports --pretty --show-error-codes --no-incremental --no-error-summary'),
  phpunit: checking('files', '--testdox --stop-on-failure --filter=* --colors --colors=never|auto|always --no-coverage'),
  rspec: checking('files', '--fail-fast --color --no-color --format=documentation|progress|json --example=*'),
  ...Object.fromEntries(['check', 'lint', 'format', 'ci'].map((name) => [`biome ${name}`, biome])),
  prettier: checking('files', '-clw --check --write --list-different --cache --no-error-on-unmatched-pattern'),
}

/** Scripts that are checks: `npm run test:unit`. */
const SCRIPT = /^(?:test|lint|build|check|typecheck|fmt|format|ci|verify|compile)(?::[\w:.-]+)?$/

const KNOWN: ReadonlyMap<string, KnownCommand> = new Map(
  Object.entries({
    ...LOOKING,
    ...GIT,
    ...RECORDING,
    ...Object.fromEntries(['ls', 'list', 'why'].map((name) => [`npm ${name}`, listing])),
    ...CHECKS,
  }),
)

/** The longest known prefix of a command, with its number of words. */
export function knownCommand(words: readonly string[]): { readonly known: KnownCommand; readonly length: number } | undefined {
  const [program = '', first, second] = words
  if (/^(?:npm|pnpm|yarn|bun)$/.test(program) && first === 'run')
    return SCRIPT.test(second ?? '') ? { known: script, length: 3 } : undefined
  const three = KNOWN.get(`${program} ${first} ${second}`)
  if (three) return { known: three, length: 3 }
  const both = KNOWN.get(`${program} ${first}`)
  if (both) return { known: both, length: 2 }
  const alone = KNOWN.get(program)
  return alone && { known: alone, length: 1 }
}

/** For tests of all known commands. */
export const KNOWN_COMMANDS: readonly string[] = [...KNOWN.keys()]
