import { isObject, type JsonObject, type JsonValue } from '../../src-shared/base/json.ts'

/** Values and characters of a sent schema with its references expanded. */
const MAX_NODES = 5_000
const MAX_CHARACTERS = 64 * 1024
/** Levels of subschemas, and of values such as a default. */
const MAX_DEPTH = 32

export class SchemaTooLarge extends Error {}

/** Changes beyond notation, for the person. */
const CHANGES = {
  references: 'References are expanded.',
  recursion: 'It refers to itself; deeper levels allow anything.',
  nowhere: 'Broken references allow anything.',
  depth: `Below ${MAX_DEPTH} levels anything is allowed.`,
  entries: 'Lists without a schema for their entries allow any.',
  invalid: 'Parts that are not valid JSON Schema 2020-12 are rewritten or left out.',
} as const

type Rewrite = (value: unknown, at: SchemaPlace) => JsonValue | undefined

/** The depth in the schema, and the references that led there. */
export interface SchemaPlace {
  readonly depth: number
  readonly followed: readonly string[]
}

export const ROOT: SchemaPlace = { depth: 0, followed: ['#'] }

/**
 * Rewrites a server's schema as plain JSON Schema 2020-12 without references, since a provider refuses a whole request for one other
 * schema. Arguments are still checked by the server's own schema. The work is bounded by the size of the result, however references
 * multiply.
 */
export class SchemaRewriting {
  readonly changes = new Set<string>()
  readonly #document: JsonObject
  #nodes = MAX_NODES
  #characters = MAX_CHARACTERS

  constructor(document: JsonObject) {
    this.#document = document
  }

  /** Throws SchemaTooLarge. */
  schema(value: unknown, at: SchemaPlace): JsonObject {
    this.#spend()
    if (value === true) return {}
    if (value === false) return { not: {} }
    if (!isObject(value)) return this.#changed('invalid', {})
    if (this.tooDeep(at)) return {}
    if (typeof value.$ref === 'string') {
      const found = this.target(value, at)
      return found ? this.schema(found.schema, found.at) : {}
    }
    const written: [string, JsonValue][] = []
    for (const [keyword, rewrite] of this.#rewrites) {
      if (!Object.hasOwn(value, keyword)) continue
      const kept = rewrite(value[keyword], at)
      if (kept === undefined) this.changes.add(CHANGES.invalid)
      else written.push([keyword, kept])
    }
    return this.#tidied(Object.fromEntries(written), value, at)
  }

  /** The target of a reference, with its sibling keywords; undefined for a missing or recursive one. */
  target(
    value: Record<string, unknown>,
    { depth, followed }: SchemaPlace,
  ): { schema: Record<string, unknown>; at: SchemaPlace } | undefined {
    const reference = this.text(String(value.$ref))
    if (followed.includes(reference)) return this.#changed('recursion', undefined)
    const found = pointedAt(this.#document, reference)
    if (!isObject(found)) return this.#changed('nowhere', undefined)
    this.changes.add(CHANGES.references)
    const { $ref: _followed, ...beside } = this.#read(value)
    return { schema: { ...this.#read(found), ...beside }, at: { depth: depth + 1, followed: [...followed, reference] } }
  }

  /** Only known members: a target may have a million others, and many references to it. */
  #read(schema: Record<string, unknown>): Record<string, unknown> {
    const members: [string, unknown][] = []
    for (const name of this.#members) if (Object.hasOwn(schema, name)) members.push([name, schema[name]])
    return Object.fromEntries(members)
  }

  tooDeep({ depth }: SchemaPlace): boolean {
    return depth >= MAX_DEPTH && this.#changed('depth', true)
  }

  text(value: string): string {
    this.#spend(value.length)
    // Providers cannot parse half of a surrogate pair.
    return value.toWellFormed()
  }

  #spend(characters = 0): void {
    this.#nodes -= 1
    this.#characters -= characters
    if (this.#nodes < 0 || this.#characters < 0) throw new SchemaTooLarge()
  }

  #changed<T>(what: keyof typeof CHANGES, value: T): T {
    this.changes.add(CHANGES[what])
    return value
  }

  readonly #subschema: Rewrite = (value, at) => this.schema(value, below(at))
  readonly #subschemas: Rewrite = (value, at) =>
    Array.isArray(value) && value.length > 0 ? value.map((one) => this.schema(one, below(at))) : undefined
  readonly #named: Rewrite = (value, at) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, one]) => [this.text(name), this.schema(one, below(at))]))
      : undefined
  readonly #byPattern: Rewrite = (value, at) => {
    const named = this.#named(value, at)
    return isObject(named) && Object.keys(named).every(isPattern) ? named : undefined
  }
  readonly #words: Rewrite = (value) => (typeof value === 'string' ? this.text(value) : undefined)
  readonly #names: Rewrite = (value) =>
    Array.isArray(value) ? [...new Set(value.map((name) => (typeof name === 'string' ? this.text(name) : '')))] : undefined
  readonly #value: Rewrite = (value, at) => this.#copied(value, at.depth)
  readonly #values: Rewrite = (value, at) => (Array.isArray(value) ? this.#copied(value, at.depth) : undefined)

  /** In the order of the output, so that the same schema gives the same bytes. */
  readonly #keywords: Readonly<Record<string, Rewrite>> = {
    type: (value) => this.#type(value),
    title: this.#words,
    description: this.#words,
    enum: (value, at) => {
      const choices = this.#values(value, at)
      if (!Array.isArray(choices) || choices.length === 0) return undefined
      return [...new Map(choices.map((one) => [JSON.stringify(one), one])).values()]
    },
    const: this.#value,
    default: this.#value,
    examples: this.#values,
    format: this.#words,
    pattern: (value, at) => {
      const text = this.#words(value, at)
      return typeof text === 'string' && isPattern(text) ? text : undefined
    },
    properties: this.#named,
    required: this.#names,
    additionalProperties: (value, at) => (typeof value === 'boolean' ? value : this.#subschema(value, at)),
    patternProperties: this.#byPattern,
    propertyNames: this.#subschema,
    minProperties: count,
    maxProperties: count,
    prefixItems: this.#subschemas,
    items: (value, at) => (Array.isArray(value) ? undefined : this.#subschema(value, at)),
    contains: this.#subschema,
    minItems: count,
    maxItems: count,
    uniqueItems: flag,
    minimum: number,
    maximum: number,
    exclusiveMinimum: number,
    exclusiveMaximum: number,
    multipleOf: (value) => (typeof value === 'number' && value > 0 ? value : undefined),
    minLength: count,
    maxLength: count,
    contentEncoding: this.#words,
    contentMediaType: this.#words,
    anyOf: this.#subschemas,
    oneOf: this.#subschemas,
    allOf: this.#subschemas,
    not: this.#subschema,
    if: this.#subschema,
    // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
    then: this.#subschema,
    else: this.#subschema,
    deprecated: flag,
  }

  readonly #rewrites = Object.entries(this.#keywords)
  readonly #members = [...Object.keys(this.#keywords), '$ref', 'additionalItems', 'nullable']

  #type(value: unknown): JsonValue | undefined {
    const listed: readonly unknown[] = Array.isArray(value) ? value : [value]
    const known = listed.slice(0, TYPES.size * 2).map((name) => {
      const word = typeof name === 'string' ? name.slice(0, MAX_TYPE_LENGTH).toLowerCase() : ''
      return TYPES.has(word) ? word : OTHER_TYPES[word]
    })
    const types = [...new Set(known.filter((type) => type !== undefined))]
    if (types.length === 0) return undefined
    // Compares the found types alone: the list may have a million others, and a thousand references to it.
    if (types.length !== listed.length || types.some((type, at) => type !== listed[at])) this.changes.add(CHANGES.invalid)
    return types.length === 1 ? types[0] : types
  }

  /** Converts older dialects to 2020-12, and adds the `items` that OpenAI requires. */
  #tidied(written: JsonObject, source: Record<string, unknown>, at: SchemaPlace): JsonObject {
    const tidy = { ...written }
    for (const [exclusive, bound] of [
      ['exclusiveMinimum', 'minimum'],
      ['exclusiveMaximum', 'maximum'],
    ] as const) {
      if (source[exclusive] !== true || tidy[bound] === undefined) continue
      tidy[exclusive] = tidy[bound]
      delete tidy[bound]
    }
    if (Array.isArray(source.items) && source.items.length > 0) {
      tidy.prefixItems = source.items.map((one) => this.schema(one, below(at)))
      if (source.additionalItems === false) tidy.maxItems ??= source.items.length
    }
    const isList = tidy.type === 'array' || (Array.isArray(tidy.type) && tidy.type.includes('array'))
    if ((isList || tidy.prefixItems !== undefined) && !isObject(tidy.items)) {
      if (isList && tidy.prefixItems === undefined) this.changes.add(CHANGES.entries)
      tidy.items = {}
    }
    if (source.nullable === true && typeof tidy.type === 'string' && tidy.type !== 'null' && tidy.enum === undefined) {
      tidy.type = [tidy.type, 'null']
    }
    return tidy
  }

  #copied(value: unknown, depth: number): JsonValue | undefined {
    if (typeof value === 'string') return this.text(value)
    this.#spend()
    if (typeof value !== 'object' || value === null) return value as JsonValue
    if (depth >= MAX_DEPTH) return this.#changed('depth', null)
    if (Array.isArray(value)) return value.map((one) => this.#copied(one, depth + 1) ?? null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [this.text(name), this.#copied(one, depth + 1) ?? null]))
  }
}

export const below = ({ depth, followed }: SchemaPlace): SchemaPlace => ({ depth: depth + 1, followed })

/** One more than the longest type has. */
const MAX_TYPE_LENGTH = 8
const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'])
/** Common misspellings. */
const OTHER_TYPES: Readonly<Record<string, string>> = {
  str: 'string',
  text: 'string',
  int: 'integer',
  long: 'integer',
  float: 'number',
  double: 'number',
  decimal: 'number',
  bool: 'boolean',
  list: 'array',
  tuple: 'array',
  dict: 'object',
  map: 'object',
  none: 'null',
}

const number: Rewrite = (value) => (typeof value === 'number' ? value : undefined)
const count: Rewrite = (value) => (Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined)
const flag: Rewrite = (value) => (typeof value === 'boolean' ? value : undefined)

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') !== undefined
  } catch {
    return false
  }
}

/** Resolves a JSON pointer (RFC 6901) within the document; anchors and other documents are not supported. */
export function pointedAt(document: JsonObject, reference: string): unknown {
  if (!reference.startsWith('#/')) return reference === '#' ? document : undefined
  let found: unknown = document
  for (const part of reference.slice(2).split('/')) {
    const name = unescaped(part)
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as Record<string, unknown>)[name]
  }
  return found
}

function unescaped(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return part
  }
}
