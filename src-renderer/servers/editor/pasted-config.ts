import { isObject } from '../../../src-shared/base/json.ts'
import { type Command, readCommandLine } from '../words/command-line.ts'

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

const CONTAINERS = ['mcpServers', 'servers', 'context_servers', 'mcp']
const MOST_CHARACTERS = 1_000_000

/**
 * Reads the `mcpServers` shape and its usual variants: the whole file, only its inside, a fragment `"name": {…}` without
 * braces, or one bare entry. Undefined when the text is none of these.
 */
export function readPastedConfig(text: string): readonly PastedServer[] | undefined {
  const trimmed = text.trim().replace(/,$/, '')
  if (trimmed.length > MOST_CHARACTERS || !/^["{]/.test(trimmed)) return undefined
  const value = parse(trimmed) ?? (trimmed.startsWith('"') ? parse(`{${trimmed}}`) : undefined)
  if (!isObject(value)) return undefined
  const servers = entriesOf(value)
  return servers.length > 0 ? servers : undefined
}

export type Recognised =
  | { readonly is: 'servers'; readonly servers: readonly PastedServer[] }
  | { readonly is: 'line'; readonly line: Command }
  | { readonly is: 'url'; readonly url: string }

/** What a command line begins with, where it might as well be words: a prompt, a variable, a path, or a known launcher. */
const LAUNCHES =
  /^(?:\$ |[A-Z_][A-Z0-9_]*=|[./~\\]|[A-Za-z]:\\|(?:env|npx|npm|pnpm|yarn|bunx?|node|deno|uvx?|pipx|python3?|docker|podman|java|dotnet|go|cargo)(?:\.exe|\.cmd)?\s)/

/**
 * What was pasted into a field of the server form, where it is more than the field's own: a configuration anywhere, a command line or
 * an address in the boxes `name`, `command` and `url`. In others, such as an argument or a header, both may be meant.
 */
export function recognised(text: string, field: string): Recognised | undefined {
  const servers = readPastedConfig(text)
  if (servers) return { is: 'servers', servers }
  const trimmed = text.trim()
  const isUrl = /^https?:\/\/\S+$/i.test(trimmed) && URL.canParse(trimmed)
  if (isUrl) return field === 'name' || field === 'command' ? { is: 'url', url: trimmed } : undefined
  if (field !== 'command' && !((field === 'name' || field === 'url') && LAUNCHES.test(trimmed))) return undefined
  const line = readCommandLine(text)
  return line && { is: 'line', line }
}

function entriesOf(value: Record<string, unknown>): readonly PastedServer[] {
  const bare = readEntry(undefined, value)
  if (bare) return [bare]
  for (const container of CONTAINERS) {
    const inside = value[container]
    if (isObject(inside)) return entriesOf(inside)
  }
  return Object.entries(value).flatMap(([name, entry]) => readEntry(name, entry) ?? [])
}

function readEntry(name: string | undefined, entry: unknown): PastedServer | undefined {
  if (!isObject(entry)) return undefined
  const command = typeof entry.command === 'string' ? entry.command : undefined
  const url = [entry.url, entry.serverUrl, entry.httpUrl].find((one) => typeof one === 'string')
  if (command === undefined && url === undefined) return undefined
  return {
    ...(name !== undefined && { name }),
    ...(command !== undefined && { command }),
    args: Array.isArray(entry.args) ? entry.args.map(asText) : [],
    env: texts(entry.env),
    ...(typeof entry.cwd === 'string' && { cwd: entry.cwd }),
    ...(url !== undefined && { url }),
    headers: texts(entry.headers),
  }
}

function texts(value: unknown): Readonly<Record<string, string>> {
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, asText(one)])) : {}
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
