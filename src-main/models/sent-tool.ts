import { isObject, type JsonObject, type JsonValue } from '../../src-shared/base/json.ts'
import type { ProviderKind } from '../../src-shared/contract/settings.ts'
import type { OfferedTool } from './model-provider.ts'
import { below, ROOT, type SchemaPlace, SchemaRewriting, SchemaTooLarge } from './schema-rewriting.ts'

/** A kind of provider that has an API. */
export type ServedKind = Exclude<ProviderKind, 'demo'>

/** A provider's requirements for tools beyond JSON Schema; it refuses a whole request for one tool that fails them. */
interface ToolRules {
  /** How arguments may be called. */
  readonly argument?: RegExp
  /** Characters of a description. */
  readonly description: number
}

const ANTHROPIC: ToolRules = { argument: /^[a-zA-Z0-9_.-]{1,64}$/, description: Number.POSITIVE_INFINITY }
const OPENAI: ToolRules = { description: 1024 }
const RULES: Readonly<Record<ServedKind, ToolRules>> = {
  anthropic: ANTHROPIC,
  openai: OPENAI,
  // The address may be OpenAI's own, or of a server that is as strict.
  'openai-compatible': OPENAI,
}
const MAX_ARGUMENT_LENGTH = 64
/** Sentences on renamed arguments, and alternatives that are told. */
const TOLD = 5

/** A tool as one provider gets it. */
type SentTool =
  | {
      readonly is: 'sent'
      readonly tool: OfferedTool
      /** How arguments are called for the provider → for the server, where that differs. */
      readonly names: ReadonlyMap<string, string>
      /** The changes, in plain sentences. */
      readonly changes: readonly string[]
    }
  /** It cannot be written so that the provider takes it. */
  | { readonly is: 'left-out'; readonly why: string }

interface SentSchema {
  readonly schema: JsonObject
  readonly names: ReadonlyMap<string, string>
  readonly changes: readonly string[]
}

/** Schemas that were written before, by the kind of provider: they are long, and the same in every request. */
const written = new WeakMap<JsonObject, Map<ServedKind, SentSchema | SchemaTooLarge>>()

export function sentTool({ name, description, inputSchema }: OfferedTool, kind: ServedKind): SentTool {
  const sent = writtenFor(inputSchema, kind)
  if (sent instanceof SchemaTooLarge) {
    return {
      is: 'left-out',
      why: 'Its schema is too large to be sent: with all its references written out it has too many parts.',
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
    changes: [...changes, `The end of its description stands with its arguments: ${limit} characters are allowed before them.`],
  }
}

function writtenFor(source: JsonObject, kind: ServedKind): SentSchema | SchemaTooLarge {
  const byKind = written.get(source) ?? new Map()
  written.set(source, byKind)
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

/** Only one list of arguments may stand at the top of a schema: alternatives and conditions are made part of it or left out. */
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
    if (CONDITIONS.some((keyword) => source[keyword] !== undefined)) this.changes.add('Conditions at its top are left out.')
    const of = (keyword: string) => branches(source[keyword]).map((one) => this.arguments(one, below(at)))
    const alternatives = [of('anyOf'), of('oneOf')].filter((some) => some.length > 0).map(either)
    const parts = [...of('allOf'), ...alternatives]
    if (parts.length === 0) return own
    this.changes.add('Alternatives at its top are one list of arguments.')
    return both([own, ...parts])
  }
}

const NOTHING: Arguments = { properties: {}, required: [] }
const CONDITIONS = ['not', 'enum', 'const', 'if'] as const
/** Keywords that may be at the top of a schema. */
const PLAIN = ['properties', 'required', 'description', 'additionalProperties', 'patternProperties', 'examples'] as const

const plain = (source: Record<string, unknown>) =>
  Object.fromEntries(PLAIN.filter((name) => Object.hasOwn(source, name)).map((name) => [name, source[name]]))

const branches = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A schema that fits all of them. A keyword against other arguments is left out: it was said of one of them alone. */
function both(all: readonly Arguments[]): Arguments {
  const description = joined(...all.map((one) => one.description))
  return {
    properties: merged(all, 'allOf'),
    required: [...new Set(all.flatMap(({ required }) => required))],
    ...(description && { description }),
  }
}

/** A schema that fits any of them: everything is allowed, the common requirements are required, and the rest is said in words. */
function either(alternatives: readonly Arguments[]): Arguments {
  const asked = alternatives.map(({ required }) => new Set(required))
  const common = new Set([...(asked[0] ?? [])].filter((name) => asked.every((one) => one.has(name))))
  const sets = asked.map((one) => [...one].filter((name) => !common.has(name)))
  const told = sets.slice(0, TOLD).map((names) => names.slice(0, TOLD).join(' with '))
  const needed = sets.every((names) => names.length > 0) ? `One of these is needed: ${told.join('; or ')}.` : undefined
  const description = joined(...alternatives.slice(0, TOLD).map((one) => one.description), needed)
  return { properties: merged(alternatives, 'anyOf'), required: [...common], ...(description && { description }) }
}

/** Arguments of the same name whose schemas differ are combined. */
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

/** Names that the provider takes for those that it does not: sent → own. */
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
  const told = [...names].slice(0, TOLD).map(([sent, own]) => `“${own.slice(0, 100)}” is called “${sent}”.`)
  return names.size > TOLD ? [...told, `So are ${names.size - TOLD} more arguments renamed.`] : told
}

function joined(...texts: readonly (JsonValue | undefined)[]): string {
  return texts.filter((text) => typeof text === 'string' && text !== '').join('\n')
}
