import { parseJson } from '../../../src-shared/base/parse-json.ts'
import { ConfigError } from '../../../src-shared/foreign/foreign-server.ts'
import type { DuplicateKeys } from '../../../src-shared/foreign/json-config.ts'
import { withoutComments } from '../../../src-shared/foreign/without-comments.ts'
import { type JsonNode, JsonTextError, parseJsonText } from '../../storage/server-file/json-text.ts'

export type ConfigurationFormat = 'json' | 'toml' | 'yaml'

/** Characters per format; the worst text of that length takes the thread about a second. */
const MOST: Readonly<Record<ConfigurationFormat, number>> = { json: 1024 * 1024, toml: 512 * 1024, yaml: 64 * 1024 }
/** Characters up to which our own JSON reader, which is slower, finds the position of errors and duplicate keys. */
const MAX_LOCATED = 256 * 1024
const MAX_DEPTH = 64

export interface ConfigurationText {
  readonly value: unknown
  readonly duplicateKeys: DuplicateKeys
}

/** Throws ConfigError. JSON may have comments and trailing commas, as other hosts write them. */
export async function readConfiguration(
  text: string,
  format: ConfigurationFormat,
  most = MOST[format],
): Promise<ConfigurationText> {
  if (text.length > most) throw new ConfigError('It is too large to be read.')
  if (text.includes('\0')) throw new ConfigError('It contains NUL characters, so it is not text.')
  if (text.trim() === '') throw new ConfigError('It is empty.')
  if (format === 'json') return readJson(text.replace(/^\uFEFF/, ''))
  return { value: format === 'toml' ? await readToml(text) : await readYaml(text), duplicateKeys: () => [] }
}

function readJson(text: string): ConfigurationText {
  const doubled = new Map<object, readonly string[]>()
  try {
    const bare = withoutComments(text)
    const value: unknown = bare.length <= MAX_LOCATED ? plain(parseJsonText(bare), doubled) : parseJson(bare)
    return { value, duplicateKeys: (object) => doubled.get(object) ?? [] }
  } catch (error) {
    throw new ConfigError(
      error instanceof JsonTextError ? `It cannot be read: ${error.message}.` : 'It cannot be read: it is not JSON.',
    )
  }
}

/** The recursion is bounded, because the parser refuses deep nesting. */
function plain(node: JsonNode, doubled: Map<object, readonly string[]>): unknown {
  if (node.type === 'scalar') return node.value
  if (node.type === 'array') return node.items.map((item) => plain(item, doubled))
  const seen = new Set<string>()
  const again = node.properties.flatMap(({ key }) => (seen.has(key) || !seen.add(key) ? [key] : []))
  const value = Object.fromEntries(node.properties.map((property) => [property.key, plain(property.value, doubled)]))
  if (again.length > 0) doubled.set(value, [...new Set(again)])
  return value
}

async function readToml(text: string): Promise<unknown> {
  const { parse, TomlError } = await import('smol-toml')
  try {
    return parse(text, { maxDepth: MAX_DEPTH })
  } catch (error) {
    if (error instanceof TomlError) throw notRead(error.line, error.column, error.message)
    throw new ConfigError('It cannot be read.')
  }
}

async function readYaml(text: string): Promise<unknown> {
  const { LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true, logLevel: 'silent' })
    const [wrong] = document.errors
    if (wrong) {
      if (/call stack/.test(wrong.message)) throw new ConfigError('It is nested too deeply.')
      const { line, col } = lines.linePos(wrong.pos[0])
      throw notRead(line, col, wrong.message)
    }
    // A few aliases can expand to a text of any size, and no host writes them.
    return document.toJS({ maxAliasCount: 0 }) as unknown
  } catch (error) {
    if (error instanceof ConfigError) throw error
    if (error instanceof ReferenceError) throw new ConfigError('It uses aliases (`*name`), which are not read.')
    throw new ConfigError(error instanceof RangeError ? 'It is nested too deeply.' : 'It cannot be read.')
  }
}

/** Keeps the first line of the parser's message; the others repeat the text, which may hold secrets. */
function notRead(line: number, column: number, said: string): ConfigError {
  const [why = ''] = said.split('\n')
  const reason = why
    .replace(/^Invalid TOML document: /, '')
    .replace(/[.:]+$/, '')
    .slice(0, 200)
  return new ConfigError(`It cannot be read: line ${line}, column ${column}: ${reason}.`)
}
