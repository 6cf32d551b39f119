/** What a program's stderr tells of its end. */
export interface StderrCause {
  /** The line that names the cause, and what belongs to it. */
  readonly said: string
  /** What to do about it, where the line tells. */
  readonly todo?: string
  /** The variable that the line asks for. */
  readonly variable?: string
}

/** Lines after the telling one that are shown with it. */
const BELONGS = 3
const LAST = 5

/** What runtimes and package managers begin the line of the cause with. */
const STRONG = [
  /^(?:Uncaught |Unhandled )?(?:[A-Za-z_][\w.]*)?(?:Error|Exception|Exit|Interrupt|Failure)(?: \[\w+\])?: ?\S/,
  /^(?:Fatal|FATAL|panic|fatal error|Fatal error|thread '[^']*'.* panicked|Unhandled exception\b)/,
  /^(?:error|ERROR|Error|✖|×|❌)[:!\s[(]/,
  /^(?:npm (?:error|ERR!)|docker: |uvx?: |uv error|bash: |sh: |\/bin\/sh: |env: |exec[: ]|deno: |bun: )/,
  /^\S*(?:usage|Usage|USAGE): /,
]
/** Words of causes anywhere in a line. */
const WEAK =
  /\b(?:error|failed|failure|fatal|cannot|can't|could not|unable to|not found|no such|denied|refused|missing|required|must be|must set|not set|invalid|unknown option|unrecognized|unsupported|unauthorized|expired)\b/i
/** Frames, echoes of source, and lines that end a report rather than begin it. */
const NOISE =
  /^(?:at .+|File ".+", line \d+.*|\^+~*|throw err.*|\.\.\. \d+ lines matching.*|Node\.js v\d.*|node:internal\S*|.*\.[cm]?[jt]s:\d+$|Traceback \(most recent call last\):|During handling of the above exception.*|note: run with `RUST_BACKTRACE.*|npm (?:error|ERR!) (?:A complete log|\/.*debug-0\.log|code|errno|syscall|path|notarget$|404$|$).*|npm (?:warn|WARN|notice).*|\[?(?:debug|info|warn(?:ing)?|trace)\b.*)$/i

interface Remedy {
  readonly when: RegExp
  /** Of a variable it names the first group. */
  readonly todo: string | ((variable: string) => string)
}

const VARIABLE = '[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+'
const LONGEST_NAME = 100
const EDIT = 'in “Edit server”, then start it again.'

const setVariable = (name: string) => `Set the variable ${name} ${EDIT}`

/** The most particular first. */
const REMEDIES: readonly Remedy[] = [
  {
    when: /ECONNREFUSED|connection refused|actively refused/i,
    todo: 'What it connects to does not answer. Start that, or correct its address in the variables or arguments.',
  },
  {
    when: /\bENOTFOUND\b|EAI_AGAIN|getaddrinfo|name or service not known|could not resolve|no such host|Name resolution/i,
    todo: 'It looks for a computer by a name that is not found. Correct the address in its variables or arguments, or check the network.',
  },
  {
    when: /E404|404 Not Found|no matching distribution|not found in the package registry|could not find a version|No matching version|pull access denied|manifest unknown/i,
    todo: `There is no such package or version. Correct its name ${EDIT}`,
  },
  {
    when: /cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|ModuleNotFoundError|no module named|cannot load such file|Could not find or load main class/i,
    todo: 'A file or module that it needs is missing. Correct the path of its script, or install what it names in its folder.',
  },
  {
    when: /EADDRINUSE|address already in use/i,
    todo: 'Another program uses its port. End that one, or give it another port.',
  },
  {
    when: /EACCES|EPERM|permission denied|operation not permitted|access is denied/i,
    todo: 'It may not read, write or run what it names. Check the permissions of that place.',
  },
  {
    when: /self.signed|unable to (?:get local issuer|verify).*certificate|CERTIFICATE_VERIFY_FAILED|certificate has expired|x509:/i,
    todo: 'It does not trust the certificate of what it connects to. Check that address, and the clock of this computer.',
  },
  {
    when: /invalid (?:api.?)?(?:key|token|credentials)|unauthori[sz]ed|\b401\b|authentication failed|bad credentials|incorrect api key/i,
    todo: `Its key or token is not accepted. Enter a valid one ${EDIT}`,
  },
  {
    when: new RegExp(
      `\\b(${VARIABLE})\\b[^.]{0,80}(?:not set|required|missing|must be|undefined|not found|is not defined|is empty|not provided)`,
    ),
    todo: setVariable,
  },
  {
    when: new RegExp(`(?:missing|required|set|provide|define|KeyError|need)[^.]{0,80}\\b(${VARIABLE})\\b`, 'i'),
    todo: setVariable,
  },
  {
    when: /(?:missing|no|required?|provide)[^.]{0,40}(?:api.?key|access.?token|\btoken\b|credentials|password)/i,
    todo: `It needs a key or token. Add it as a variable ${EDIT}`,
  },
  {
    when: /unsupported engine|EBADENGINE|requires? (?:node|python)|unexpected token|SyntaxError|ERR_REQUIRE_ESM|UnsupportedClassVersionError/i,
    todo: 'It may need a newer version of its runtime. Update that, or choose another version of the server.',
  },
  {
    when: /\busage:|unknown (?:option|argument|command)|unrecognized arguments?|missing (?:required )?argument|expected .* arguments?|the following arguments are required/i,
    todo: `Its arguments are not what it expects. Correct them ${EDIT}`,
  },
  {
    when: /ENOENT|no such file|does not exist|not a directory|cannot open|cannot access/i,
    todo: `A file or folder that it names does not exist. Correct the path in its arguments ${EDIT}`,
  },
  {
    when: /command not found|not recognized as an internal|executable file not found|not found in PATH/i,
    todo: 'A program that it starts is not installed. Install it, or set its full path.',
  },
  {
    when: /cannot connect to the docker daemon|docker daemon is not running|docker_engine/i,
    todo: 'Docker is not running. Start it, then start the server again.',
  },
]

/** The first line that tells the cause, with what belongs to it; the last lines where none does. Empty for nothing. */
export function stderrCause(stderr: readonly string[]): StderrCause {
  const telling = (line: string) => line.trim() !== '' && !NOISE.test(line.trim())
  const strong = (line: string) => telling(line) && STRONG.some((pattern) => pattern.test(line.trim()))
  const first = stderr.findIndex(strong)
  const at = first >= 0 ? first : stderr.findIndex((line) => telling(line) && WEAK.test(line))
  if (at < 0) return withRemedy(stderr.slice(-LAST).join('\n').trim())
  const lines = [(stderr[at] ?? '').trim()]
  for (const line of stderr.slice(at + 1)) {
    if (lines.length > BELONGS || !telling(line)) break
    lines.push(line.trimEnd())
  }
  // What lies beneath stands after the frames.
  const beneath = stderr.slice(at + 1).find((line) => /^\s*(?:\[cause\]|Caused by):/.test(line))
  if (beneath !== undefined && !lines.includes(beneath.trimEnd())) lines.push(beneath.trim())
  return withRemedy(lines.join('\n'))
}

function withRemedy(said: string): StderrCause {
  for (const { when, todo } of REMEDIES) {
    const match = when.exec(said)
    if (!match) continue
    if (typeof todo === 'string') return { said, todo }
    const [, variable = ''] = match
    return { said, todo: todo(variable), ...(variable.length <= LONGEST_NAME && { variable }) }
  }
  return { said }
}
