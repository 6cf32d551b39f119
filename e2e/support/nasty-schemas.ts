import type { JsonObject, JsonValue } from '../../src-shared/base/json.ts'

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more })
const list = (depth: number): JsonObject => (depth === 0 ? { type: 'array' } : { type: 'array', items: list(depth - 1) })
const twice = (name: string): JsonObject => object({ left: { $ref: `#/$defs/${name}` }, right: { $ref: `#/$defs/${name}` } })

/** Schemas of real servers for which an API refused the whole request with HTTP 400, and some made to hurt. */
export const NASTY: Readonly<Record<string, JsonObject>> = {
  'no arguments, and no word on them': { type: 'object' },
  'a list without items': object({ outputFormats: { type: 'array', default: ['markdown'] } }),
  'lists of lists without items': object({ rows: list(3), either: { type: ['array', 'null'] } }),
  'alternatives at the top': object(
    { route: { type: 'string' }, file: { type: 'string' } },
    { anyOf: [{ required: ['route'] }, { required: ['file'] }] },
  ),
  'alternatives that are the whole schema': {
    type: 'object',
    oneOf: [
      object({ kind: { const: 'url' }, source_url: { type: 'string' } }, { required: ['kind', 'source_url'] }),
      object({ kind: { const: 'text' }, content: { type: 'string' } }, { required: ['kind', 'content'] }),
    ],
  },
  'all of several at the top, by reference': {
    type: 'object',
    allOf: [{ $ref: '#/definitions/Paged' }, object({ query: { type: 'string' } }, { required: ['query'] })],
    definitions: { Paged: object({ page: { type: 'integer' } }, { additionalProperties: false }) },
  },
  'conditions at the top': object(
    { mode: { type: 'string' }, target: { type: 'string' } },
    // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
    { if: { properties: { mode: { const: 'one' } } }, then: { required: ['target'] }, not: { required: ['never'] }, enum: [{}] },
  ),
  'brackets in names': object(
    {
      'filter[name]': { type: 'string' },
      'filter[id]': { type: 'array' },
      filter_name: { type: 'string' },
      'budgets[]': list(0),
    },
    { required: ['filter[name]', 'filter[id]'] },
  ),
  'names in other scripts, with spaces, too long, none': object({
    größe: { type: 'number' },
    'Account Number': { type: 'string' },
    日付: { type: 'string' },
    ['x'.repeat(80)]: { type: 'string' },
    ['x'.repeat(81)]: { type: 'string' },
    '': { type: 'string' },
  }),
  'a tuple of draft-07': object({
    value: { type: 'array', items: [{ type: 'number' }, { type: 'number' }], additionalItems: false, minItems: 2, maxItems: 2 },
  }),
  'bounds of draft-04': object({ ttl: { type: 'integer', minimum: 0, exclusiveMinimum: true, maximum: 9007199254740991 } }),
  'required as in draft-03': object({ tags: { type: 'array', items: { type: 'string' }, required: true } as JsonObject }),
  'types of other languages': object({
    a: { type: 'any' },
    b: { type: 'str' },
    c: { type: 'List' },
    d: { type: ['INTEGER', 'int', 'none'] },
    e: { type: [] },
  }),
  'nullable as in OpenAPI': object({ since: { type: 'string', nullable: true, example: 'x', format: 'date-time' } }),
  'choices that are none': object({
    a: { type: 'string', enum: [] },
    b: { enum: ['x', 'x'] },
    c: { anyOf: [] },
    d: { enum: 'no' },
  }),
  'words in the place of schemas': object({
    ...({ id: 'the id', on: true, off: false, nothing: null, several: ['string'] } as JsonObject),
  }),
  'keywords of the wrong kind': object({
    a: { type: 'string', minLength: -1, maxLength: '9', pattern: '(', title: 5, description: null, multipleOf: 0 },
    b: { type: 'object', properties: [], required: 'a', additionalProperties: 'no', patternProperties: { '(': {} } },
  } as JsonObject),
  'references to siblings': {
    ...object({ from: { $ref: '#/$defs/Date', description: 'Begin' }, to: { $ref: '#/properties/from' } }),
    $defs: { Date: { type: 'string', format: 'date' } },
    $schema: 'http://json-schema.org/draft-07/schema#',
  },
  'references that lead nowhere': object({
    a: { $ref: '#/$defs/missing' },
    b: { $ref: 'https://example.com/schema.json' },
    c: { $ref: '#/$defs/%E0%A4%A' },
    d: { $dynamicRef: '#node' },
    e: { $ref: 5 } as JsonObject,
  }),
  'a tree that holds itself': {
    ...object({ root: { $ref: '#/$defs/Node' }, all: { $ref: '#' } }),
    $defs: { Node: object({ name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/Node' } } }) },
  },
  'definitions in a circle at the top': {
    type: 'object',
    allOf: [{ $ref: '#/$defs/a' }],
    $defs: { a: { allOf: [{ $ref: '#/$defs/b' }] }, b: { anyOf: [{ $ref: '#/$defs/a' }, object({ x: {} })] } },
  },
  'names of objects themselves': JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"array"},"constructor":{"type":"array"},"toString":{}},"required":["__proto__"]}',
  ),
  'half a character': object({ text: { type: 'string', description: 'cut \ud83d', enum: ['\udc00'], default: '\ud83d' } }),
  'sixty levels': object({
    deep: Array.from({ length: 60 }).reduce<JsonValue>((inner) => object({ inner }), list(0)) as JsonObject,
  }),
}

/** Schemas that become too large to send when their references are expanded. */
export const TOO_LARGE: Readonly<Record<string, JsonObject>> = {
  'references that double': {
    ...object({ start: { $ref: '#/$defs/n0' } }),
    $defs: Object.fromEntries([
      ...Array.from({ length: 30 }, (_, n) => [`n${n}`, twice(`n${n + 1}`)]),
      ['n30', { type: 'string' }],
    ]),
  },
  'references that double at the top': {
    type: 'object',
    $ref: '#/$defs/n0',
    $defs: Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [`n${n}`, { allOf: [{ $ref: `#/$defs/n${n + 1}` }, { $ref: `#/$defs/n${n + 1}` }] }]),
    ),
  },
  'ten thousand arguments': object(Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`a${n}`, { type: 'string' }]))),
  'a long word, many times over': {
    ...object(Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`a${n}`, { $ref: '#/$defs/long' }]))),
    $defs: { long: { type: 'string', description: 'x'.repeat(60_000) } },
  },
  'long ways to nowhere': object(
    Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`a${n}`, { $ref: `#${'/a'.repeat(30_000)}` }])),
  ),
  'choices without end': object({ a: { enum: Array.from({ length: 100_000 }, (_, n) => n) } }),
}
