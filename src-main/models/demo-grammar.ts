import { isObject, type JsonObject, type JsonValue } from '../../src-shared/base/json.ts'
import { jsonIn, parseJson } from '../../src-shared/base/parse-json.ts'
import type { OfferedTool } from './model-provider.ts'

export interface SpelledCall {
  /** As written: `echo` or `everything/echo`. */
  readonly tool: string
  /** `a=2 b=3`, values still text. */
  readonly pairs?: Readonly<Record<string, string>>
  /** `{"json": …}` */
  readonly json?: JsonObject
  readonly problem?: string
}

/** Rounds of calls: `;` separates calls of one round, `then` separates rounds. Undefined for any other text. */
export function readCommand(text: string): readonly (readonly SpelledCall[])[] | undefined {
  const command = text.trim()
  if (!/^use\s+\S/i.test(command)) return undefined
  return splitOutside(command, /^\s+then\s+/i)
    .map((round) => splitOutside(round, /^\s*;\s*/).map(readCall))
    .filter((round) => round.length > 0)
}

/** Splits where `separator` matches, outside quotes and braces. Empty parts are left out. */
function splitOutside(text: string, separator: RegExp): string[] {
  const parts: string[] = []
  let start = 0
  let depth = 0
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? ''
    if (quote) {
      if (char === '\\') at++
      else if (char === quote) quote = ''
      continue
    }
    if (char === '"' || (char === "'" && depth === 0 && !/\w/.test(text[at - 1] ?? ''))) quote = char
    else if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') depth--
    else if (depth === 0) {
      const found = separator.exec(text.slice(at, at + 40))
      if (!found) continue
      parts.push(text.slice(start, at))
      at += found[0].length - 1
      start = at + 1
    }
  }
  parts.push(text.slice(start))
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

function readCall(text: string): SpelledCall {
  const [, tool = '', rest = ''] = /^(?:use\s+)?(\S+)\s*([\s\S]*)$/i.exec(text) ?? []
  if (rest === '') return { tool, pairs: {} }
  if (rest.startsWith('{')) {
    try {
      const json: unknown = parseJson(rest)
      if (isObject(json)) return { tool, json: json as JsonObject }
    } catch (error) {
      return { tool, problem: `its arguments are not JSON: ${(error as Error).message}` }
    }
  }
  return { tool, pairs: readPairs(rest.replace(/^with\b\s*/i, '')) }
}

/** `a=2 b="two words"`; quotes group, a backslash inside them keeps the next character. */
export function readPairs(text: string): Record<string, string> {
  const pairs: Record<string, string> = {}
  for (const [, name = '', double, single, bare] of text.matchAll(
    /(?<![\w.-])([\w.-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|((?:\{[^}]*\}|\[[^\]]*\]|[^\s,])+))/g,
  )) {
    pairs[name] = bare ?? (double ?? single ?? '').replace(/\\(.)/g, '$1')
  }
  return pairs
}

/** Converts typed values to the types of the schema: `2` becomes a number or stays text. */
export function coerce(pairs: Readonly<Record<string, string>>, schema: JsonObject): JsonObject {
  const properties = isObject(schema.properties) ? schema.properties : {}
  return Object.fromEntries(Object.entries(pairs).map(([name, text]) => [name, coerceValue(text, properties[name])]))
}

function coerceValue(text: string, schema: unknown): JsonValue {
  const type = isObject(schema) ? schema.type : undefined
  if (type === 'string') return text
  if (type === 'number' || type === 'integer') return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
  if (type === 'boolean') return text === 'true' || text === 'yes' ? true : text === 'false' || text === 'no' ? false : text
  const value = jsonIn(text)
  return value === undefined ? text : value
}

/** Finds a tool by `tool` or `server/tool`. Wire names are `server__tool` or `tool`, made safe. */
export function findTool(written: string, tools: readonly OfferedTool[]): OfferedTool | undefined {
  const [tool = '', server] = written.split('/').reverse()
  const wanted = safe(tool)
  const matches = tools.filter((offered) => {
    const [name = '', from] = offered.name.split('__').reverse()
    if (safe(offered.name) === safe(written)) return true
    return safe(name) === wanted && (server === undefined || from === undefined || safe(from) === safe(server))
  })
  return matches.find((offered) => safe(offered.name) === wanted) ?? matches[0]
}

const safe = (name: string) => name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
