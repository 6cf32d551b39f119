/** The arguments of a command line, or why it cannot be split. */
type CommandLine = { readonly ok: true; readonly words: readonly string[] } | { readonly ok: false; readonly error: string }

/**
 * Splits like a shell without substitutions: at spaces, except within quotes. A backslash escapes only spaces, quotes and
 * backslashes, so that Windows paths survive.
 */
export function splitCommandLine(text: string): CommandLine {
  const words: string[] = []
  let word = ''
  let inWord = false
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    const next = text.charAt(at + 1)
    const escapes = quote === '"' ? /["\\]/ : /[\s"'\\]/
    if (char === '\\' && quote !== "'" && escapes.test(next)) {
      word += next
      inWord = true
      at++
    } else if (quote === '' && (char === '"' || char === "'")) {
      quote = char
      inWord = true
    } else if (quote === char) {
      quote = ''
    } else if (quote === '' && /\s/.test(char)) {
      if (inWord) words.push(word)
      word = ''
      inWord = false
    } else {
      word += char
      inWord = true
    }
  }
  if (quote !== '') return { ok: false, error: `A ${quote === '"' ? 'double' : 'single'} quote is not closed` }
  if (inWord) words.push(word)
  return { ok: true, words }
}

/** The inverse of `splitCommandLine`. */
export function joinCommandLine(words: readonly string[]): string {
  return words.map(quoted).join(' ')
}

function quoted(word: string): string {
  if (word !== '' && !/[\s"'\\]/.test(word)) return word
  return word.includes("'") ? `"${word.replace(/["\\]/g, '\\$&')}"` : `'${word}'`
}

export interface ParsedCommand {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Parses a line such as `$ TOKEN=x npx -y some-server`; undefined for a command alone, or anything else. */
export function readCommandLine(text: string): ParsedCommand | undefined {
  const split = splitCommandLine(
    text
      .trim()
      .replace(/^[$>]\s+/, '')
      .replace(/\\\r?\n/g, ' '),
  )
  if (!split.ok) return undefined
  const words = split.words[0] === 'env' ? split.words.slice(1) : split.words
  const env: [string, string][] = []
  let at = 0
  for (; at < words.length; at++) {
    const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]*)=([\s\S]*)$/.exec(words[at] ?? '') ?? []
    if (name === undefined || value === undefined) break
    env.push([name, value])
  }
  const [command, ...args] = words.slice(at)
  if (command === undefined || (args.length === 0 && env.length === 0)) return undefined
  return { command, args, env: Object.fromEntries(env) }
}
