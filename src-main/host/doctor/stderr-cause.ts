import { causeIn, type KnownCause } from './causes.ts'

/** The lines of stderr that tell the cause, and the cause itself if it is a known one. */
export type StderrCause = { readonly said: string } & Partial<KnownCause>

/** Lines shown after the one that tells the cause. */
const BELONGS = 3
const LAST = 5

/** Prefixes of the line of the cause in the output of runtimes and package managers. */
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
/** Stack frames, echoes of source, and lines that end a report. */
const NOISE =
  /^(?:at .+|File ".+", line \d+.*|\^+~*|throw err.*|\.\.\. \d+ lines matching.*|Node\.js v\d.*|node:internal\S*|.*\.[cm]?[jt]s:\d+$|Traceback \(most recent call last\):|During handling of the above exception.*|note: run with `RUST_BACKTRACE.*|npm (?:error|ERR!) (?:A complete log|\/.*debug-0\.log|code|errno|syscall|path|notarget$|404$|$).*|npm (?:warn|WARN|notice).*|\[?(?:debug|info|warn(?:ing)?|trace)\b.*)$/i

/** Takes the first line that tells the cause with the lines after it, else the last lines. */
export function stderrCause(stderr: readonly string[], os = ''): StderrCause {
  const telling = (line: string) => line.trim() !== '' && !NOISE.test(line.trim())
  const strong = (line: string) => telling(line) && STRONG.some((pattern) => pattern.test(line.trim()))
  const first = stderr.findIndex(strong)
  const at = first >= 0 ? first : stderr.findIndex((line) => telling(line) && WEAK.test(line))
  if (at < 0) return meant(stderr.slice(-LAST).join('\n').trim(), os)
  const lines = [(stderr[at] ?? '').trim()]
  for (const line of stderr.slice(at + 1)) {
    if (lines.length > BELONGS || !telling(line)) break
    lines.push(line.trimEnd())
  }
  // The underlying cause comes after the stack frames.
  const beneath = stderr.slice(at + 1).find((line) => /^\s*(?:\[cause\]|Caused by):/.test(line))
  if (beneath !== undefined && !lines.includes(beneath.trimEnd())) lines.push(beneath.trim())
  return meant(lines.join('\n'), os)
}

const meant = (said: string, os: string): StderrCause => ({ said, ...causeIn(said, os) })
