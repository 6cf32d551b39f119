import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codePoint } from '../../e2e/support/code-point.ts'
import type { JsonValue } from '../base/json.ts'
import { checkContent, checkForm, type PatternEngine, type RawValue } from './check-form.ts'
import { type FormField, fieldsOfElicitation, TEXT_FORMATS } from './form-fields.ts'

/** The same engine on both sides: what is compared is the judgement around it. */
const patterns: PatternEngine = (pattern) => {
  const compiled = new RegExp(pattern, 'u')
  return (text) => compiled.test(text)
}

/** Single characters to a person: of one code point, of two, and of many. */
const GRAPHEMES = ['a', '1', ' ', 'ß', 'é', 'e\u0301', '漢', '각', '🎉', '🇩🇪', '👩‍🚀', 'נּ']
const PATTERNS = ['^[a-c]+$', 'b', '^\\d{2,4}$', '^(x|yy)*$', '^.$', '^\\p{L}+$']
const FORMATTED = [
  ...['a@b.c', 'a.b@example.org', 'a@b', '.a@b.c', 'a..b@c.d', 'ä@b.c', 'a@b-.c', 'a@b@c.d', ' a@b.c', "o'x+y@e-x.org"],
  ...[
    'https://example.org/a?b#c',
    'mailto:a@b.c',
    'urn:x:y',
    'example.org',
    'a:',
    'http://[::1]:80/',
    'http://[:::1]/',
    'a:/[::1]',
  ],
  ...[
    'https://exa mple.org',
    'http://a/%zz',
    'http://a/%20',
    'x:?q',
    'http://ä.example',
    'file:///etc',
    '//host/a',
    'a:b:c',
    'http://1.2.3.4',
  ],
  ...['2024-02-29', '2023-02-29', '1900-02-29', '2000-02-29', '2026-13-01', '2026-1-1', '0000-01-01', '2026-01-32'],
  ...['2026-01-31T14:30:00Z', '2026-01-31t14:30:00z', '2026-01-31 14:30:00+02:00', '2026-01-31T14:30:00', '2026-01-31T24:00:00Z'],
  ...['2016-12-31T23:59:60Z', '2016-12-31T12:59:60Z', '2016-12-31T18:59:60-05:00', '2026-01-31T14:30:00.123456789012Z'],
  ...['2026-01-31T14:30:00+0200', '2026-01-31T14:30:00+02', '2026-01-31T14:30:00+24:00', '2026-01-31TT14:30:00Z', ''],
]

const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(...GRAPHEMES), maxLength: 8 }),
  fc.string({ unit: codePoint, maxLength: 6 }),
  fc.constantFrom(...FORMATTED),
  fc.constantFrom('a', 'abc', 'bb', '12', '1234', 'xyyx', 'é'),
  fc.emailAddress(),
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc.date({ noInvalidDate: true, min: new Date('0001-01-01'), max: new Date('9999-12-31') }).map((date) => date.toISOString()),
)
const small = fc.nat({ max: 8 })
const words = fc.uniqueArray(fc.string({ maxLength: 4 }), { minLength: 1, maxLength: 5 })
const optional = <T>(member: fc.Arbitrary<T>) => fc.option(member, { nil: undefined })
const titled = words.map((values) => values.map((value) => ({ const: value, title: `The ${value}` })))

/** Leaves out what is undefined, as JSON does. */
const plain = <T extends object>(record: fc.Arbitrary<T>) => record.map((value) => JSON.parse(JSON.stringify(value)) as T)

const stringField = plain(
  fc.record({
    type: fc.constant('string'),
    title: optional(fc.string()),
    minLength: optional(small),
    maxLength: optional(small),
    format: optional(fc.constantFrom(...TEXT_FORMATS)),
    pattern: optional(fc.constantFrom(...PATTERNS)),
  }),
)
const numberField = plain(
  fc.record({
    type: fc.constantFrom('number', 'integer'),
    minimum: optional(fc.integer({ min: -20, max: 20 })),
    maximum: optional(fc.double({ min: -20, max: 20, noNaN: true })),
  }),
)
const choiceField = fc.oneof(
  words.map((values) => ({ type: 'string', enum: values, enumNames: values.map((value) => `The ${value}`) })),
  titled.map((oneOf) => ({ type: 'string', oneOf })),
)
const choicesField = plain(
  fc.record({
    type: fc.constant('array'),
    minItems: optional(small),
    maxItems: optional(small),
    items: fc.oneof(
      words.map((values) => ({ type: 'string', enum: values })),
      titled.map((anyOf) => ({ anyOf })),
    ),
  }),
)
const property = fc.oneof(stringField, numberField, fc.constant({ type: 'boolean' }), choiceField, choicesField)
const name = fc.oneof(fc.string({ minLength: 1, maxLength: 5 }), fc.constantFrom('constructor', 'toString', 'a.b', 'ä', ' '))
const schema = fc
  .dictionary(
    name.filter((one) => one !== '__proto__'),
    property,
    { maxKeys: 4, noNullPrototype: true },
  )
  .chain((properties) =>
    fc
      .subarray(Object.keys(properties))
      .map((required) => ({ type: 'object', properties, required, additionalProperties: false })),
  )

type Schema = typeof schema extends fc.Arbitrary<infer T> ? T : never

/** Values near the border: some that fit, some of the wrong kind. */
function valueFor(field: Readonly<Record<string, unknown>>): fc.Arbitrary<JsonValue> {
  const wrong = fc.constantFrom<JsonValue>(null, 'x', 1, true, [], {}, ['a'], '')
  const known = JSON.stringify(field)
    .match(/"((?:[^"\\]|\\.)*)"/g)
    ?.map((quoted) => JSON.parse(quoted) as string) ?? ['x']
  const right: Readonly<Record<string, fc.Arbitrary<JsonValue>>> = {
    string: fc.oneof(text, fc.constantFrom(...known)),
    number: fc.oneof(fc.integer({ min: -25, max: 25 }), fc.double({ min: -25, max: 25, noNaN: true })),
    integer: fc.oneof(fc.integer({ min: -25, max: 25 }), fc.constantFrom(1.5, 3.0, 1e10)),
    boolean: fc.boolean(),
    array: fc.array(fc.constantFrom(...known), { maxLength: 9 }),
  }
  return fc.oneof({ weight: 9, arbitrary: right[String(field.type)] ?? wrong }, { weight: 1, arbitrary: wrong })
}

const contentFor = (from: Schema) =>
  fc.record(
    Object.fromEntries(Object.entries(from.properties).map(([key, field]) => [key, valueFor(field as Record<string, unknown>)])),
    { requiredKeys: Object.keys(from.properties).filter((_key, at) => at % 2 === 0), noNullPrototype: true },
  )

const cases = schema.chain((from) => contentFor(from).map((content) => ({ schema: from, content })))

const ajv = addFormats.default(
  new Ajv2020({ strict: false, ownProperties: true, addUsedSchema: false, validateSchema: false, code: { optimize: false } }),
)

function validator(from: Schema) {
  const validate = ajv.compile(from)
  ajv.removeSchema(from)
  return validate
}

function fieldsOf(from: Schema): readonly FormField[] {
  const form = fieldsOfElicitation(from)
  if (!form.ok) throw new Error(form.problem)
  return form.fields
}

/** The text that a person would have typed to send a value. */
function typed(value: JsonValue): RawValue {
  if (typeof value === 'number') return String(value)
  return value as RawValue
}

describe('a generated form', () => {
  it('accepts exactly the content that a JSON Schema validator accepts (ELIC-19, ELIC-22, ELIC-25)', { timeout: 60_000 }, () => {
    let accepted = 0
    fc.assert(
      fc.property(cases, ({ schema: from, content }) => {
        const fits = validator(from)(content)
        if (fits) accepted += 1
        const check = checkContent(fieldsOf(from), content, patterns)
        if (check.ok !== fits) expect({ content, ours: check.ok }).toEqual({ content, ours: fits })
        if (check.ok) expect(check.content).toEqual(content)
      }),
      { numRuns: 1_000, seed: 7 },
    )
    expect(accepted).toBeGreaterThan(100)
  })

  it('sends fitting typed values, and nothing else (ELIC-25, ELIC-26)', () => {
    fc.assert(
      fc.property(cases, ({ schema: from, content }) => {
        const kinds = Object.values(content).every((value) => value !== null && !isRecord(value))
        if (!kinds) return
        const check = checkForm(
          fieldsOf(from),
          Object.fromEntries(Object.entries(content).map(([key, value]) => [key, typed(value)])),
          patterns,
        )
        if (check.ok && !validator(from)(check.content)) expect(check.content).toBe('content that fits')
      }),
      { numRuns: 500, seed: 11 },
    )
  })
})

const isRecord = (value: JsonValue) => typeof value === 'object' && value !== null && !Array.isArray(value)
