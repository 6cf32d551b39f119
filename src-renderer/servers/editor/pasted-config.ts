import { isObject } from '../../../src-shared/base/json.ts'
import { parseJson } from '../../../src-shared/base/parse-json.ts'
import { readAnyJson, wholeJson } from '../../../src-shared/foreign/any-json.ts'
import type { ForeignServer } from '../../../src-shared/foreign/foreign-server.ts'
import { NOTHING } from '../../../src-shared/foreign/json-config.ts'
import { withoutComments } from '../../../src-shared/foreign/without-comments.ts'
import { type Command, readCommandLine } from '../labels/command-line.ts'

/** A server as another host's documentation or configuration file describes it. */
export interface PastedServer {
  readonly name?: string
  readonly command?: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly url?: string
  readonly headers: Readonly<Record<string, string>>
}

const MAX_CHARACTERS = 1_000_000

/**
 * Reads the `mcpServers` shape and its usual variants as the host reads them: the whole file, only its inside, a fragment
 * `"name": {…}` without braces, or one bare entry. Undefined when the text is none of these.
 */
export function readPastedConfig(text: string): readonly PastedServer[] | undefined {
  const whole = wholeJson(text)
  if (whole.length > MAX_CHARACTERS || !/^(?:\{|\/[/*])/.test(whole)) return undefined
  try {
    const value: unknown = parseJson(withoutComments(whole))
    const { servers } = isObject(value) ? readAnyJson(value, () => []) : NOTHING
    return servers.length > 0 ? servers.map(pasted) : undefined
  } catch {
    return undefined
  }
}

function pasted({ name, launch }: ForeignServer): PastedServer {
  const named = name === '' ? {} : { name }
  if (launch.type === 'remote') return { ...named, args: [], env: {}, url: launch.url, headers: launch.headers }
  const { command, args, env, cwd } = launch
  return { ...named, command, args, env, ...(cwd !== undefined && { cwd }), headers: {} }
}

export type Recognised =
  | { readonly is: 'servers'; readonly servers: readonly PastedServer[] }
  | { readonly is: 'line'; readonly line: Command }
  | { readonly is: 'url'; readonly url: string }

const LAUNCHER =
  '(?:env|npx|npm|pnpm|yarn|bunx?|node|deno|uvx?|pipx|python3?|docker|podman|java|dotnet|go|cargo)(?:\\.exe|\\.cmd)?\\s'
/** A known launcher, behind variables or a prompt: nothing but a command line. */
const LAUNCHES = new RegExp(`^(?:\\$ )?(?:[A-Za-z_][A-Za-z0-9_]*=\\S* )*${LAUNCHER}`)
/** First words of a command line that cannot be a path. */
const LIKE_A_LINE = new RegExp(`^(?:\\$ |[A-Z_][A-Z0-9_]*=|[./~\\\\]|[A-Za-z]:\\\\|${LAUNCHER})`)
const LINES: Readonly<Record<string, RegExp>> = { command: /^/, name: LIKE_A_LINE, url: LIKE_A_LINE }

/**
 * Reads a paste into a field of the server form that is more than the field's own value: a configuration anywhere, a command line or
 * an address unless it may be meant as it stands. That is so of values (`field` is empty then), and of arguments beside a command.
 */
export function recognised(text: string, field: string, command = ''): Recognised | undefined {
  const servers = readPastedConfig(text)
  if (servers) return { is: 'servers', servers }
  if (field === '') return undefined
  const trimmed = text.trim()
  const beside = field === 'args' ? command.trim() : ''
  const isUrl = /^https?:\/\/\S+$/i.test(trimmed) && URL.canParse(trimmed)
  if (isUrl) return field === 'url' || beside !== '' ? undefined : { is: 'url', url: trimmed }
  if (!(LINES[field] ?? LAUNCHES).test(trimmed)) return undefined
  const line = readCommandLine(text)
  return line && (beside === '' || beside === line.command) ? { is: 'line', line } : undefined
}

/** A command line typed where the program alone belongs, as far as its first word shows it; undefined for anything that may be a path. */
export function typedCommandLine(command: string, args: string): Recognised | undefined {
  return args === '' && LAUNCHES.test(command.trim()) ? recognised(command, 'command') : undefined
}
