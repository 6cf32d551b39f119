import { isObject, type JsonObject } from '../../src-shared/base/json.ts'
import { RequestError } from './shapes/json-rpc.ts'

/** An argument that is also sent as a header (2026-07-28 server/tools#x-mcp-header). */
export interface MirroredArgument {
  /** Property names, outermost first. */
  readonly path: readonly string[]
  /** The header name without its common prefix. */
  readonly header: string
}

/** The mirrored arguments of a tool. With a `problem`, for the person, the tool cannot be used over HTTP. */
interface Mirrors {
  readonly mirrored: readonly MirroredArgument[]
  readonly problem?: string
}

const ANNOTATION = 'x-mcp-header'
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean'])
/** Keywords with one schema or an array of them; arguments in them do not always exist. */
const INNER = [
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains', 'contentSchema'],
  ...['additionalProperties', 'unevaluatedProperties', 'propertyNames'],
  ...['oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else'],
]
/** Keywords with schemas by name. */
const NAMED = ['patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions']
const NONE: Mirrors = { mirrored: [] }

/** Checks every annotation of an input schema (V26-HTTP-14). Outside of schemas there are none (V26-HTTP-17). */
export function mirrorsOf(inputSchema: object): Mirrors {
  const found: MirroredArgument[] = []
  const problem = findIn(inputSchema, [], true, found)
  if (problem !== undefined) return { mirrored: [], problem }
  return found.length === 0 ? NONE : { mirrored: found }
}

/** Ends, since the schema is bounded already. */
function findIn(schema: unknown, path: readonly string[], reachable: boolean, found: MirroredArgument[]): string | undefined {
  if (!isObject(schema)) return undefined
  if (Object.hasOwn(schema, ANNOTATION)) {
    const problem = problemOf(schema, path, reachable, found)
    if (problem !== undefined) return problem
    found.push({ path, header: String(schema[ANNOTATION]) })
  }
  if (isObject(schema.properties)) {
    for (const name of Object.keys(schema.properties)) {
      const problem = findIn(schema.properties[name], [...path, name], reachable, found)
      if (problem !== undefined) return problem
    }
  }
  for (const keyword of INNER) {
    const inner = schema[keyword]
    if (inner === undefined) continue
    for (const one of Array.isArray(inner) ? inner : [inner]) {
      const problem = findIn(one, [...path, keyword], false, found)
      if (problem !== undefined) return problem
    }
  }
  for (const keyword of NAMED) {
    const inner = schema[keyword]
    if (!isObject(inner)) continue
    for (const one of Object.values(inner)) {
      const problem = findIn(one, [...path, keyword], false, found)
      if (problem !== undefined) return problem
    }
  }
  return undefined
}

function problemOf(
  schema: Readonly<Record<string, unknown>>,
  path: readonly string[],
  reachable: boolean,
  found: readonly MirroredArgument[],
): string | undefined {
  const header = schema[ANNOTATION]
  const what = `Its ${ANNOTATION} at “${path.join('.').slice(0, 100) || 'the whole input'}”`
  if (!reachable || path.length === 0) return `${what} is not at a named argument.`
  if (typeof header !== 'string' || !TOKEN.test(header) || header.length > 200) return `${what} is not a header name.`
  if (!TYPES.has(schema.type)) return `${what} is at an argument that is not a string, integer or boolean.`
  const same = found.some((other) => other.header.toLowerCase() === header.toLowerCase())
  return same ? `${what} names the header “${header}” a second time.` : undefined
}

/**
 * Arguments mirrored as headers, by name, without absent and null ones (V26-HTTP-10). Throws RequestError `not-sent` when an
 * argument cannot be put into a header (V26-HTTP-13).
 */
export function mirroredValues(mirrored: readonly MirroredArgument[], args: JsonObject = {}): Record<string, string> {
  const values: [string, string][] = []
  for (const { path, header } of mirrored) {
    const value = valueAt(args, path)
    if (value !== undefined && value !== null) values.push([header, textOf(value, path)])
  }
  return Object.fromEntries(values)
}

/** Readable names of the arguments that are sent as headers (V26-HTTP-29). */
export function mirroredNames(mirrored: readonly MirroredArgument[], args: JsonObject): readonly string[] {
  return mirrored.flatMap(({ path }) => {
    const value = valueAt(args, path)
    return value === undefined || value === null ? [] : [path.join('.')]
  })
}

function valueAt(args: JsonObject, path: readonly string[]): unknown {
  let value: unknown = args
  for (const name of path) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return value
}

/** A value of another type than declared is sent: the server's refusal teaches the model. */
function textOf(value: unknown, path: readonly string[]): string {
  const unfit = (why: string) => {
    const name = path.join('.').slice(0, 100)
    return new RequestError('not-sent', 'tools/call', `The argument “${name}” travels as a header, and ${why}. Nothing was sent.`)
  }
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw unfit('holds half of a character')
    return value
  }
  if (typeof value === 'boolean') return String(value)
  if (typeof value !== 'number') throw unfit('an object or array cannot')
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw unfit('so large an integer cannot')
  return String(value)
}
