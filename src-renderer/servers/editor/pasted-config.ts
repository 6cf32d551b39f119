import { isObject } from '../../../src-shared/base/json.ts'
import { parseJson } from '../../../src-shared/base/parse-json.ts'
import { completedJson, readAnyJson } from '../../../src-shared/foreign/any-json.ts'
import type { ForeignServer } from '../../../src-shared/foreign/foreign-server.ts'
import { EMPTY_CONFIG } from '../../../src-shared/foreign/json-config.ts'
import { withoutComments } from '../../../src-shared/foreign/without-comments.ts'
import { type ParsedCommand, readCommandLine } from '../labels/command-line.ts'

/** A server from the documentation or configuration of another host. */
export interface PastedServer {
  readonly name?: string
  readonly command?: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly url?: string
  readonly headers: Readonly<Record<string, string>>
}

const MAX_LENGTH = 1_000_000

/**
 * Parses the `mcpServers` shape and its variants as the host does: the whole file, its inside, a fragment `"name": {…}` without
 * braces, or one bare entry. Undefined for other texts.
 */
export function readPastedConfig(text: string): readonly PastedServer[] | undefined {
  const whole = completedJson(text)
  if (whole.length > MAX_LENGTH || !/^(?:\{|\/[/*])/.test(whole)) return undefined
  try {
    const value: unknown = parseJson(withoutComments(whole))
    const { servers } = isObject(value) ? readAnyJson(value, () => []) : EMPTY_CONFIG
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
  | { readonly is: 'line'; readonly line: ParsedCommand }
  | { readonly is: 'url'; readonly url: string }

const LAUNCHER =
  '(?:env|npx|npm|pnpm|yarn|bunx?|node|deno|uvx?|pipx|python3?|docker|podman|java|dotnet|go|cargo)(?:\\.exe|\\.cmd)?\\s'
/** Begins with a known launcher, possibly after variables or a prompt: certainly a command line. */
const COMMAND_LINE = new RegExp(`^(?:\\$ )?(?:[A-Za-z_][A-Za-z0-9_]*=\\S* )*${LAUNCHER}`)
/** Beginnings of a command line that are not a name or a URL. */
const LIKELY_COMMAND_LINE = new RegExp(`^(?:\\$ |[A-Z_][A-Z0-9_]*=|[./~\\\\]|[A-Za-z]:\\\\|${LAUNCHER})`)
const LINE_PATTERNS: Readonly<Record<string, RegExp>> = { command: /^/, name: LIKELY_COMMAND_LINE, url: LIKELY_COMMAND_LINE }

/**
 * Recognises a paste that is more than the value of its field: a configuration in any field, a command line or an address where
 * it cannot be meant literally. It may be in fields of any text (`field` is empty) and in arguments beside a command.
 */
export function recognised(text: string, field: string, command = ''): Recognised | undefined {
  const servers = readPastedConfig(text)
  if (servers) return { is: 'servers', servers }
  if (field === '') return undefined
  const trimmed = text.trim()
  const beside = field === 'args' ? command.trim() : ''
  const isUrl = /^https?:\/\/\S+$/i.test(trimmed) && URL.canParse(trimmed)
  if (isUrl) return field === 'url' || beside !== '' ? undefined : { is: 'url', url: trimmed }
  if (!(LINE_PATTERNS[field] ?? COMMAND_LINE).test(trimmed)) return undefined
  const line = readCommandLine(text)
  return line && (beside === '' || beside === line.command) ? { is: 'line', line } : undefined
}

/** A command line typed into the command field, recognised by its first word; undefined for a possible path. */
export function typedCommandLine(command: string, args: string): Recognised | undefined {
  return args === '' && COMMAND_LINE.test(command.trim()) ? recognised(command, 'command') : undefined
}
