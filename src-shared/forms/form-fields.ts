import { isObject, type JsonValue } from '../base/json.ts'
import { FORM_LIMITS } from './form-limits.ts'
import { asksForSecret, namesSecret } from './secret-words.ts'

export const TEXT_FORMATS = ['email', 'uri', 'date', 'date-time'] as const
export type TextFormat = (typeof TEXT_FORMATS)[number]

interface FieldBase {
  /** The property's key, as it is sent. */
  readonly name: string
  /** The server's title, else the key. Server text: rendered inert. */
  readonly label: string
  readonly description?: string
  readonly required: boolean
}

export interface TextFormField extends FieldBase {
  readonly kind: 'text'
  readonly format?: TextFormat
  readonly pattern?: string
  /** In characters, not UTF-16 units. */
  readonly minLength?: number
  readonly maxLength?: number
  readonly default?: string
  /** Its name, label or description mentions a password, key or card number (ELIC-28). */
  readonly secret: boolean
}

export interface NumberField extends FieldBase {
  readonly kind: 'number'
  readonly integer: boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: number
}

interface BooleanField extends FieldBase {
  readonly kind: 'boolean'
  readonly default?: boolean
}

interface ChoiceOption {
  readonly value: string
  readonly label: string
}

/** One of several strings. */
export interface ChoiceField extends FieldBase {
  readonly kind: 'choice'
  readonly options: readonly ChoiceOption[]
  readonly default?: string
}

/** Any of several strings (since 2025-11-25). */
export interface ChoicesField extends FieldBase {
  readonly kind: 'choices'
  readonly options: readonly ChoiceOption[]
  readonly minItems?: number
  readonly maxItems?: number
  readonly default?: readonly string[]
}

/** A value written as JSON: only in tool inputs, never in an elicitation. */
export interface JsonField extends FieldBase {
  readonly kind: 'json'
  /** The JSON types that the schema allows; empty for any. */
  readonly types: readonly string[]
  /** The property's schema, to show beside the editor. */
  readonly schema: JsonValue
  readonly default?: JsonValue
}

export type FormField = TextFormField | NumberField | BooleanField | ChoiceField | ChoicesField | JsonField

type FormSchema =
  | { readonly ok: true; readonly fields: readonly FormField[] }
  /** `problem` is one plain sentence, fit for the error that goes back to the server. */
  | { readonly ok: false; readonly problem: string }

/**
 * Reads the flat schema of a form elicitation (ELIC-17, ELIC-18): 2025-06-18, the draft's `pattern`, and the titled and
 * multiple choices of 2025-11-25. `multiSelect: false` refuses arrays, as the older revisions do.
 */
export function fieldsOfElicitation(schema: unknown, options: { readonly multiSelect?: boolean } = {}): FormSchema {
  if (!isObject(schema)) return refused('The schema is not an object.')
  if (schema.type !== 'object') return refused('The schema must have type "object".')
  if (!isObject(schema.properties)) return refused('The schema has no properties.')
  const properties = Object.entries(schema.properties)
  if (properties.length > FORM_LIMITS.fields) return refused(`The form has more than ${FORM_LIMITS.fields} fields.`)
  const required = requiredNames(schema.required)
  const fields: FormField[] = []
  for (const [name, property] of properties) {
    const field = simpleField(name, property, required.has(name))
    if (!field || (field.kind === 'choices' && options.multiSelect === false)) {
      return refused(`The property ${JSON.stringify(name.slice(0, 100))} is not a simple field.`)
    }
    fields.push(field)
  }
  const missing = [...required].find((name) => !Object.hasOwn(schema.properties as object, name))
  if (missing !== undefined) return refused(`The required property ${JSON.stringify(missing.slice(0, 100))} is not defined.`)
  return { ok: true, fields }
}

/** Reads a tool's input schema: simple properties become fields, anything else is written as JSON. Never fails. */
export function fieldsOfInputSchema(schema: unknown): readonly FormField[] {
  if (!isObject(schema) || !isObject(schema.properties)) return []
  const required = requiredNames(schema.required)
  return Object.entries(schema.properties)
    .slice(0, FORM_LIMITS.fields)
    .map(
      ([name, property]) =>
        simpleField(name, withoutNull(property), required.has(name)) ?? jsonField(name, property, required.has(name)),
    )
}

/** Undefined for a property that needs more than a plain input. */
function simpleField(name: string, property: unknown, required: boolean): FormField | undefined {
  if (!isObject(property)) return undefined
  const base = fieldBase(name, property, required)
  switch (property.type) {
    case 'string':
      if (property.enum !== undefined || property.oneOf !== undefined) return choiceField(base, property)
      return textField(base, property)
    case 'number':
    case 'integer':
      return numberField(base, property)
    case 'boolean':
      return { kind: 'boolean', ...base, ...(typeof property.default === 'boolean' && { default: property.default }) }
    case 'array':
      return choicesField(base, property)
    default:
      return undefined
  }
}

function fieldBase(name: string, property: Record<string, unknown>, required: boolean): FieldBase {
  const title = typeof property.title === 'string' ? property.title.trim() : ''
  const label = (title || name).slice(0, FORM_LIMITS.labelLength)
  if (typeof property.description !== 'string' || property.description === '') return { name, label, required }
  return { name, label, required, description: property.description.slice(0, FORM_LIMITS.descriptionLength) }
}

function textField(base: FieldBase, property: Record<string, unknown>): TextFormField {
  const format = TEXT_FORMATS.find((known) => known === property.format)
  const pattern = property.pattern
  const hasPattern = typeof pattern === 'string' && pattern.length <= FORM_LIMITS.patternLength
  return {
    kind: 'text',
    ...base,
    ...(format && { format }),
    ...(hasPattern && { pattern }),
    ...count('minLength', property.minLength),
    ...count('maxLength', property.maxLength),
    ...(typeof property.default === 'string' && { default: property.default.slice(0, FORM_LIMITS.valueLength) }),
    secret: namesSecret(base.name) || namesSecret(base.label) || asksForSecret(base.description ?? ''),
  }
}

function numberField(base: FieldBase, property: Record<string, unknown>): NumberField | undefined {
  if (property.enum !== undefined) return undefined
  const integer = property.type === 'integer'
  const fallback = property.default
  const hasDefault = typeof fallback === 'number' && (!integer || Number.isInteger(fallback))
  return {
    kind: 'number',
    ...base,
    integer,
    ...(typeof property.minimum === 'number' && { minimum: property.minimum }),
    ...(typeof property.maximum === 'number' && { maximum: property.maximum }),
    ...(hasDefault && { default: fallback }),
  }
}

function choiceField(base: FieldBase, property: Record<string, unknown>): ChoiceField | undefined {
  const options = property.oneOf === undefined ? plainOptions(property.enum, property.enumNames) : titledOptions(property.oneOf)
  if (!options) return undefined
  const fallback = options.find((option) => option.value === property.default)?.value
  return { kind: 'choice', ...base, options, ...(fallback !== undefined && { default: fallback }) }
}

function choicesField(base: FieldBase, property: Record<string, unknown>): ChoicesField | undefined {
  const items = property.items
  if (!isObject(items)) return undefined
  const titled = items.anyOf ?? items.oneOf
  if (titled === undefined && items.type !== 'string') return undefined
  const options = titled === undefined ? plainOptions(items.enum, items.enumNames) : titledOptions(titled)
  if (!options) return undefined
  const known = new Set(options.map((option) => option.value))
  const fallback = property.default
  const hasDefault = Array.isArray(fallback) && fallback.every((value) => typeof value === 'string' && known.has(value))
  return {
    kind: 'choices',
    ...base,
    options,
    ...count('minItems', property.minItems),
    ...count('maxItems', property.maxItems),
    ...(hasDefault && { default: [...new Set<string>(fallback)] }),
  }
}

function jsonField(name: string, property: unknown, required: boolean): JsonField {
  const schema = isObject(property) ? property : {}
  const types = [schema.type].flat().filter((type) => typeof type === 'string')
  return {
    kind: 'json',
    ...fieldBase(name, schema, required),
    types,
    schema: property as JsonValue,
    ...(schema.default !== undefined && { default: schema.default as JsonValue }),
  }
}

/** Ignores labels unless there is one for each value (ELIC-24). */
function plainOptions(values: unknown, names: unknown): readonly ChoiceOption[] | undefined {
  if (!Array.isArray(values) || !usable(values)) return undefined
  const labels: readonly unknown[] | undefined = Array.isArray(names) && names.length === values.length ? names : undefined
  return distinct(values.map((value: unknown, index) => option(value, labels?.[index])))
}

function titledOptions(choices: unknown): readonly ChoiceOption[] | undefined {
  if (!Array.isArray(choices) || !usable(choices)) return undefined
  return distinct(choices.map((choice: unknown) => (isObject(choice) ? option(choice.const, choice.title) : undefined)))
}

function usable(list: readonly unknown[]): boolean {
  return list.length > 0 && list.length <= FORM_LIMITS.options
}

function option(value: unknown, label: unknown): ChoiceOption | undefined {
  if (typeof value !== 'string') return undefined
  return { value, label: typeof label === 'string' && label.trim() !== '' ? label.slice(0, FORM_LIMITS.labelLength) : value }
}

function distinct(options: readonly (ChoiceOption | undefined)[]): readonly ChoiceOption[] | undefined {
  const known = new Map<string, ChoiceOption>()
  for (const one of options) {
    if (!one) return undefined
    if (!known.has(one.value)) known.set(one.value, one)
  }
  return [...known.values()]
}

/** `["string", "null"]` is an optional string. */
function withoutNull(property: unknown): unknown {
  if (!isObject(property) || !Array.isArray(property.type)) return property
  const types = property.type.filter((type) => type !== 'null')
  return types.length === 1 ? { ...property, type: types[0] } : property
}

function requiredNames(required: unknown): ReadonlySet<string> {
  return new Set(Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [])
}

function count<K extends string>(key: K, value: unknown): { readonly [P in K]?: number } {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) return {}
  return { [key]: value } as { readonly [P in K]?: number } // a computed key widens to string
}

function refused(problem: string): FormSchema {
  return { ok: false, problem }
}
