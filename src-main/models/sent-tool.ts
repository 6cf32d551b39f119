import { isObject, type JsonObject, type JsonValue } from '../../src-shared/base/json.ts'
import type { ProviderKind } from '../../src-shared/contract/settings.ts'
import type { OfferedTool } from './model-provider.ts'
import { below, ROOT, type SchemaPlace, SchemaRewriting, SchemaTooLarge } from './schema-rewriting.ts'

export type ServedKind = Exclude<ProviderKind, 'demo'>

/** A provider's rules for tools beyond JSON Schema. It refuses a whole request for one tool that breaks them. */
interface ToolRules {
  readonly argument?: RegExp
  /** The most characters of a description. */
  readonly description: number
}

const ANTHROPIC: ToolRules = { argument: /^[a-zA-Z0-9_.-]{1,64}$/, description: Number.POSITIVE_INFINITY }
const OPENAI: ToolRules = { description: 1024 }
const RULES: Readonly<Record<ServedKind, ToolRules>> = {
  anthropic: ANTHROPIC,
  openai: OPENAI,
  // The address may be OpenAI's own, or a server as strict.
  'openai-compatible': OPENAI,
}
const MAX_ARGUMENT_LENGTH = 64
/** The most renamed arguments, and alternatives, that are listed. */
const MAX_LISTED = 5

type SentTool =
  | {
      readonly is: 'sent'
      readonly tool: OfferedTool
      /** Changed argument names: for the provider → for the server. */
      readonly names: ReadonlyMap<string, string>
      readonly changes: readonly string[]
    }
  /** It cannot be rewritten for the provider. */
  | { readonly is: 'left-out'; readonly why: string }

interface SentSchema {
  readonly schema: JsonObject
  readonly names: ReadonlyMap<string, string>
  readonly changes: readonly string[]
}

/** Rewritten schemas by kind of provider: they are long, and the same in every request. */
const cache = new WeakMap<JsonObject, Map<ServedKind, SentSchema | SchemaTooLarge>>()

export function sentTool({ name, description, inputSchema }: OfferedTool, kind: ServedKind): SentTool {
  const sent = cachedSchema(inputSchema, kind)
  if (sent instanceof SchemaTooLarge) {
    return {
      is: 'left-out',
      why: 'Its schema is too large to send: with all references expanded it has too many parts.',
    }
  }
  const { schema, names, changes } = sent
  const limit = RULES[kind].description
  const text = description.toWellFormed()
  if (text.length <= limit) return { is: 'sent', tool: { name, description: text, inputSchema: schema }, names, changes }
  const head = text.slice(0, limit - 1).toWellFormed()
  const rest = joined(`… ${text.slice(limit - 1).toWellFormed()}`, schema.description)
  return {
    is: 'sent',
    tool: { name, description: `${head}…`, inputSchema: { ...schema, description: rest } },
    names,
    changes: [...changes, `Its description is longer than ${limit} characters, so its end is sent with its arguments.`],
  }
}

function cachedSchema(source: JsonObject, kind: ServedKind): SentSchema | SchemaTooLarge {
  const byKind = cache.get(source) ?? new Map()
  cache.set(source, byKind)
  const known = byKind.get(kind)
  if (known) return known
  const sent = sentSchema(source, RULES[kind])
  byKind.set(kind, sent)
  return sent
}

function sentSchema(source: JsonObject, { argument }: ToolRules): SentSchema | SchemaTooLarge {
  try {
    const rewriting = new SchemaRewriting(source)
    const top = new TopLevel(rewriting)
    const { properties, required, description, more } = top.arguments(source)
    const names = argument ? renamed(Object.keys(properties), argument) : new Map<string, string>()
    const sentAs = new Map([...names].map(([sent, own]) => [own, sent]))
    const named = (name: string) => sentAs.get(name) ?? name
    const asked = required.filter((name) => Object.hasOwn(properties, name)).map(named)
    return {
      schema: {
        type: 'object',
        ...(description !== undefined && { description }),
        ...more,
        properties: Object.fromEntries(Object.entries(properties).map(([name, schema]) => [named(name), schema])),
        ...(asked.length > 0 && { required: asked }),
      },
      names,
      changes: [...rewriting.changes, ...top.changes, ...renamings(names)],
    }
  } catch (error) {
    if (error instanceof SchemaTooLarge) return error
    throw error
  }
}

interface Arguments {
  readonly properties: Readonly<Record<string, JsonObject>>
  readonly required: readonly string[]
  readonly description?: string
  /** Other keywords about all arguments together. */
  readonly more?: JsonObject
}

/** Providers allow one list of arguments at the top of a schema: alternatives are merged into it, conditions left out. */
class TopLevel {
  readonly changes = new Set<string>()
  readonly #rewriting: SchemaRewriting

  constructor(rewriting: SchemaRewriting) {
    this.#rewriting = rewriting
  }

  arguments(source: unknown, at: SchemaPlace = ROOT): Arguments {
    if (!isObject(source) || this.#rewriting.tooDeep(at)) return NOTHING
    if (typeof source.$ref === 'string') {
      const found = this.#rewriting.target(source, at)
      return found ? this.arguments(found.schema, found.at) : NOTHING
    }
    const { properties, required, description, ...more } = this.#rewriting.schema(plain(source), at)
    const own: Arguments = {
      properties: isObject(properties) ? (properties as Record<string, JsonObject>) : {},
      required: Array.isArray(required) ? required.map(String) : [],
      ...(typeof description === 'string' && { description }),
      more,
    }
    if (CONDITIONS.some((keyword) => source[keyword] !== undefined)) this.changes.add('Conditions at its top level are left out.')
    const of = (keyword: string) => branches(source[keyword]).map((one) => this.arguments(one, below(at)))
    const alternatives = [of('anyOf'), of('oneOf')].filter((some) => some.length > 0).map(either)
    const parts = [...of('allOf'), ...alternatives]
    if (parts.length === 0) return own
    this.changes.add('Alternatives at its top level become one list of arguments.')
    return both([own, ...parts])
  }
}

const NOTHING: Arguments = { properties: {}, required: [] }
const CONDITIONS = ['not', 'enum', 'const', 'if'] as const
const PLAIN = ['properties', 'required', 'description', 'additionalProperties', 'patternProperties', 'examples'] as const

const plain = (source: Record<string, unknown>) =>
  Object.fromEntries(PLAIN.filter((name) => Object.hasOwn(source, name)).map((name) => [name, source[name]]))

const branches = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A schema for all of them. A ban on further arguments is dropped, since it held for one part alone. */
function both(all: readonly Arguments[]): Arguments {
  const description = joined(...all.map((one) => one.description))
  return {
    properties: merged(all, 'allOf'),
    required: [...new Set(all.flatMap(({ required }) => required))],
    ...(description && { description }),
  }
}

/** A schema for any of them: all arguments are allowed, common ones required, and the rest is described in words. */
function either(alternatives: readonly Arguments[]): Arguments {
  const asked = alternatives.map(({ required }) => new Set(required))
  const common = new Set([...(asked[0] ?? [])].filter((name) => asked.every((one) => one.has(name))))
  const sets = asked.map((one) => [...one].filter((name) => !common.has(name)))
  const told = sets.slice(0, MAX_LISTED).map((names) => names.slice(0, MAX_LISTED).join(' with '))
  const needed = sets.every((names) => names.length > 0) ? `One of these is needed: ${told.join('; or ')}.` : undefined
  const description = joined(...alternatives.slice(0, MAX_LISTED).map((one) => one.description), needed)
  return { properties: merged(alternatives, 'anyOf'), required: [...common], ...(description && { description }) }
}

function merged(all: readonly Arguments[], combinator: 'allOf' | 'anyOf'): Readonly<Record<string, JsonObject>> {
  const found = new Map<string, Map<string, JsonObject>>()
  for (const [name, schema] of all.flatMap((one) => Object.entries(one.properties))) {
    const schemas = found.get(name) ?? new Map()
    found.set(name, schemas.set(JSON.stringify(schema), schema))
  }
  return Object.fromEntries(
    [...found].map(([name, distinct]) => {
      const schemas = [...distinct.values()]
      return [name, schemas.length === 1 && schemas[0] ? schemas[0] : { [combinator]: schemas }]
    }),
  )
}

/** Replacements for names that the provider refuses: sent → own. */
function renamed(names: readonly string[], allowed: RegExp): ReadonlyMap<string, string> {
  const taken = new Set(names)
  const given = new Map<string, string>()
  for (const name of names) {
    if (allowed.test(name)) continue
    const plainName = name.replace(/[^a-zA-Z0-9_.-]+/g, '_').replace(/^_+|(?<!_)_+$/g, '') || 'argument'
    let free = plainName.slice(0, MAX_ARGUMENT_LENGTH)
    for (let n = 2; taken.has(free); n++) free = `${plainName.slice(0, MAX_ARGUMENT_LENGTH - 8)}_${n}`
    taken.add(free)
    given.set(free, name)
  }
  return given
}

function renamings(names: ReadonlyMap<string, string>): readonly string[] {
  const told = [...names].slice(0, MAX_LISTED).map(([sent, own]) => `“${own.slice(0, 100)}” is called “${sent}”.`)
  return names.size > MAX_LISTED ? [...told, `So are ${names.size - MAX_LISTED} more arguments renamed.`] : told
}

function joined(...texts: readonly (JsonValue | undefined)[]): string {
  return texts.filter((text) => typeof text === 'string' && text !== '').join('\n')
}
