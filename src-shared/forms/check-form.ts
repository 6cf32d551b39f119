import { assertNever, type JsonValue } from '../base/json.ts'
import { jsonIn } from '../base/parse-json.ts'
import type { FormField, JsonField, TextFormField } from './form-fields.ts'
import { FORM_LIMITS } from './form-limits.ts'
import { FORMAT_HINTS, matchesFormat } from './text-formats.ts'

/** Compiles a pattern into a linear-time test; undefined for one that cannot be compiled, which is then not checked. */
export type PatternEngine = (pattern: string) => ((text: string) => boolean) | undefined

/** The value of an input while a person types: numbers and JSON are texts, an untouched input has none. */
export type RawValue = string | boolean | readonly string[]
/** By field name. */
export type RawValues = Readonly<Record<string, RawValue>>

type ValueCheck =
  | { readonly ok: true; readonly value: JsonValue }
  /** Nothing is to be sent for this field. */
  | { readonly ok: true; readonly absent: true }
  | { readonly ok: false; readonly error: string }

type FormCheck =
  | { readonly ok: true; readonly content: Readonly<Record<string, JsonValue>> }
  /** One sentence by field name, in the order of the fields. */
  | { readonly ok: false; readonly errors: ReadonlyMap<string, string> }

const ABSENT: ValueCheck = { ok: true, absent: true }

/** Checks what was typed into one field and says what it sends (ELIC-25 to ELIC-27). */
export function checkValue(field: FormField, raw: RawValue | undefined, patterns: PatternEngine): ValueCheck {
  if (raw === undefined) {
    if (field.default !== undefined) return checkSent(field, field.default as JsonValue, patterns)
    if (field.kind === 'boolean' && field.required) return { ok: true, value: false }
    return field.required ? failed(requiredError(field)) : ABSENT
  }
  if (isEmpty(field, raw)) {
    return field.required ? failed(requiredError(field)) : ABSENT
  }
  const parsed = parse(field, raw)
  return parsed.ok && 'value' in parsed ? checkSent(field, parsed.value, patterns) : parsed
}

/** Checks a whole form. The content holds exactly what is to be sent. */
export function checkForm(fields: readonly FormField[], values: RawValues, patterns: PatternEngine): FormCheck {
  const errors = new Map<string, string>()
  const content: [string, JsonValue][] = []
  for (const field of fields) {
    const raw = Object.hasOwn(values, field.name) ? values[field.name] : undefined
    const check = checkValue(field, raw, patterns)
    if (!check.ok) errors.set(field.name, check.error)
    else if ('value' in check) content.push([field.name, check.value])
  }
  return errors.size > 0 ? { ok: false, errors } : { ok: true, content: Object.fromEntries(content) }
}

/** Checks content from a renderer; the host does so before anything leaves. */
export function checkContent(
  fields: readonly FormField[],
  content: Readonly<Record<string, unknown>>,
  patterns: PatternEngine,
): FormCheck {
  const errors = new Map<string, string>()
  const known = new Set(fields.map((field) => field.name))
  for (const name of Object.keys(content)) {
    if (!known.has(name)) errors.set(name, 'The form has no such field')
  }
  const kept: [string, JsonValue][] = []
  for (const field of fields) {
    if (!Object.hasOwn(content, field.name)) {
      if (field.required) errors.set(field.name, requiredError(field))
      continue
    }
    const check = checkSent(field, content[field.name], patterns)
    if (!check.ok) errors.set(field.name, check.error)
    else if ('value' in check) kept.push([field.name, check.value])
  }
  return errors.size > 0 ? { ok: false, errors } : { ok: true, content: Object.fromEntries(kept) }
}

/** A required field must be filled in even where the schema allows an empty value (ELIC-26). */
function isEmpty(field: FormField, raw: RawValue): boolean {
  if (typeof raw === 'object') return raw.length === 0 && field.required
  if (typeof raw !== 'string') return false
  if (field.kind === 'choice') return raw === '' && !field.options.some((option) => option.value === '')
  return field.kind === 'text' ? raw === '' : raw.trim() === ''
}

/** Converts the value of an input to the value to send, unchecked. */
function parse(field: FormField, raw: RawValue): ValueCheck {
  if (field.kind === 'number' && typeof raw === 'string') {
    const text = raw.trim()
    return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? sent(Number(text)) : failed('Enter a number')
  }
  if (field.kind === 'json' && typeof raw === 'string') {
    if (raw.length > FORM_LIMITS.valueLength) return failed(tooLong(FORM_LIMITS.valueLength))
    const value = jsonIn(raw)
    return value === undefined ? failed('This is not valid JSON') : sent(value)
  }
  return sent(typeof raw === 'object' ? [...raw] : raw)
}

function checkSent(field: FormField, value: unknown, patterns: PatternEngine): ValueCheck {
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' ? checkText(field, value, patterns) : failed('Enter text')
    case 'number':
      if (typeof value !== 'number' || !Number.isFinite(value)) return failed('Enter a number')
      if (field.integer && !Number.isInteger(value)) return failed('Enter a whole number')
      if (field.integer && !Number.isSafeInteger(value)) return failed('This number is too large to be sent exactly')
      if (field.minimum !== undefined && value < field.minimum) return failed(`Enter ${field.minimum} or more`)
      if (field.maximum !== undefined && value > field.maximum) return failed(`Enter ${field.maximum} or less`)
      return sent(value)
    case 'boolean':
      return typeof value === 'boolean' ? sent(value) : failed('Choose yes or no')
    case 'choice':
      return typeof value === 'string' && field.options.some((option) => option.value === value)
        ? sent(value)
        : failed('Choose one of the options')
    case 'choices': {
      const allowed = new Set(field.options.map((option) => option.value))
      const isChoice = (one: unknown): one is string => typeof one === 'string' && allowed.has(one)
      if (!Array.isArray(value) || !value.every(isChoice)) return failed('Choose from the options')
      if (field.minItems !== undefined && value.length < field.minItems) return failed(`Choose at least ${field.minItems}`)
      if (field.maxItems !== undefined && value.length > field.maxItems) return failed(`Choose at most ${field.maxItems}`)
      return sent(value)
    }
    case 'json':
      return checkJson(field, value)
    default:
      return assertNever(field)
  }
}

function checkText(field: TextFormField, text: string, patterns: PatternEngine): ValueCheck {
  if (text.length > FORM_LIMITS.valueLength) return failed(tooLong(FORM_LIMITS.valueLength))
  const length = [...text].length
  if (field.minLength !== undefined && length < field.minLength) {
    return failed(`Enter at least ${characters(field.minLength)}; this has ${length}`)
  }
  if (field.maxLength !== undefined && length > field.maxLength) {
    return failed(`Enter at most ${characters(field.maxLength)}; this has ${length}`)
  }
  if (field.format && !matchesFormat(field.format, text)) return failed(FORMAT_HINTS[field.format])
  if (field.pattern !== undefined && patterns(field.pattern)?.(text) === false) {
    return failed(`This does not fit the pattern ${field.pattern}`)
  }
  return sent(text)
}

function checkJson(field: JsonField, value: unknown): ValueCheck {
  const fits = field.types.length === 0 || field.types.some((type) => isOfType(type, value))
  // Both callers pass parsed JSON.
  return fits ? sent(value as JsonValue) : failed(`Enter JSON of type ${field.types.join(' or ')}`)
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

function requiredError(field: FormField): string {
  switch (field.kind) {
    case 'choice':
      return 'Choose one'
    case 'choices':
      return 'Choose at least one'
    default:
      return 'Required'
  }
}

function characters(count: number): string {
  return count === 1 ? '1 character' : `${count} characters`
}

function tooLong(limit: number): string {
  return `This is longer than ${limit} characters`
}

function sent(value: JsonValue): ValueCheck {
  return { ok: true, value }
}

function failed(error: string): ValueCheck {
  return { ok: false, error }
}
