import { describe, expect, it } from 'vitest'
import { type FormField, fieldsOfElicitation, fieldsOfInputSchema } from './form-fields.ts'
import { asksForSecret, namesSecret } from './secret-words.ts'

function fieldOf(property: unknown, name = 'it'): FormField | undefined {
  const form = fieldsOfElicitation({ type: 'object', properties: { [name]: property } })
  return form.ok ? form.fields[0] : undefined
}

describe('the schema of an elicitation', () => {
  it('becomes one field per property, in order, required where it says so (ELIC-17)', () => {
    const form = fieldsOfElicitation({
      type: 'object',
      properties: { name: { type: 'string', title: 'Your name' }, age: { type: 'integer' }, ok: { type: 'boolean' } },
      required: ['age'],
    })
    expect(form.ok && form.fields.map((field) => [field.name, field.label, field.kind, field.required])).toEqual([
      ['name', 'Your name', 'text', false],
      ['age', 'age', 'number', true],
      ['ok', 'ok', 'boolean', false],
    ])
  })

  it('without properties has no fields', () => {
    expect(fieldsOfElicitation({ type: 'object', properties: {} })).toEqual({ ok: true, fields: [] })
  })

  it.each([
    ['no schema', undefined],
    ['a list', []],
    ['no type', { properties: {} }],
    ['another type', { type: 'array', properties: {} }],
    ['no properties', { type: 'object' }],
    ['a nested object', { type: 'object', properties: { a: { type: 'object', properties: {} } } }],
    ['an array of anything', { type: 'object', properties: { a: { type: 'array' } } }],
    ['an array of objects', { type: 'object', properties: { a: { type: 'array', items: { type: 'object' } } } }],
    ['an unknown type', { type: 'object', properties: { a: { type: 'file' } } }],
    ['a property that is no schema', { type: 'object', properties: { a: true } }],
    ['an enum of numbers', { type: 'object', properties: { a: { type: 'string', enum: [1] } } }],
    ['a required name that is not defined', { type: 'object', properties: {}, required: ['a'] }],
    [
      'too many fields',
      { type: 'object', properties: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`f${n}`, { type: 'string' }])) },
    ],
  ])('with %s is refused (ELIC-18)', (_what, schema) => {
    const form = fieldsOfElicitation(schema)
    expect(form.ok).toBe(false)
    expect(!form.ok && form.problem).toMatch(/^The .+\.$/)
  })

  it('refuses a multiple choice where the revision has none (ELIC-18)', () => {
    const schema = { type: 'object', properties: { a: { type: 'array', items: { type: 'string', enum: ['x'] } } } }
    expect(fieldsOfElicitation(schema).ok).toBe(true)
    expect(fieldsOfElicitation(schema, { multiSelect: false }).ok).toBe(false)
  })

  it('keeps title, description, lengths and format of a string (ELIC-19, ELIC-20)', () => {
    const property = { type: 'string', title: 'Mail', description: 'Where to write', minLength: 3, maxLength: 9, format: 'email' }
    expect(fieldOf(property)).toEqual({
      kind: 'text',
      name: 'it',
      label: 'Mail',
      description: 'Where to write',
      required: false,
      minLength: 3,
      maxLength: 9,
      format: 'email',
      secret: false,
    })
  })

  it('reads a string of an unknown format as plain text (ELIC-20)', () => {
    expect(fieldOf({ type: 'string', format: 'hostname' })).not.toHaveProperty('format')
  })

  it('keeps a pattern unless it is too long to be read (ELIC-21)', () => {
    expect(fieldOf({ type: 'string', pattern: '^a+$' })).toMatchObject({ pattern: '^a+$' })
    expect(fieldOf({ type: 'string', pattern: 'a'.repeat(1_001) })).not.toHaveProperty('pattern')
  })

  it('keeps the range of a number and knows whole ones (ELIC-22)', () => {
    expect(fieldOf({ type: 'integer', minimum: 1, maximum: 5 })).toMatchObject({
      kind: 'number',
      integer: true,
      minimum: 1,
      maximum: 5,
    })
    expect(fieldOf({ type: 'number' })).toMatchObject({ kind: 'number', integer: false })
  })

  it.each([true, false])('keeps title, description and default of a boolean: %s (ELIC-23)', (given) => {
    const property = { type: 'boolean', title: 'News', description: 'A letter a month', default: given }
    expect(fieldOf(property)).toEqual({
      kind: 'boolean',
      name: 'it',
      label: 'News',
      description: 'A letter a month',
      required: false,
      default: given,
    })
  })

  it('keeps valid defaults of every type and drops the others (V11-13, V26-ELIC-4)', () => {
    expect(fieldOf({ type: 'boolean', default: true })).toMatchObject({ default: true })
    expect(fieldOf({ type: 'string', default: 'a' })).toMatchObject({ default: 'a' })
    expect(fieldOf({ type: 'integer', default: 3 })).toMatchObject({ default: 3 })
    expect(fieldOf({ type: 'string', enum: ['a', 'b'], default: 'b' })).toMatchObject({ default: 'b' })
    expect(fieldOf({ type: 'array', items: { type: 'string', enum: ['a', 'b'] }, default: ['b'] })).toMatchObject({
      default: ['b'],
    })
    expect(fieldOf({ type: 'boolean', default: 'true' })).not.toHaveProperty('default')
    expect(fieldOf({ type: 'integer', default: 1.5 })).not.toHaveProperty('default')
    expect(fieldOf({ type: 'string', enum: ['a'], default: 'z' })).not.toHaveProperty('default')
  })

  it.each<[string, unknown, { value: string; label: string }[]]>([
    [
      'plain values',
      { type: 'string', enum: ['r', 'g'] },
      [
        { value: 'r', label: 'r' },
        { value: 'g', label: 'g' },
      ],
    ],
    [
      'names beside them',
      { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] },
      [
        { value: 'r', label: 'Red' },
        { value: 'g', label: 'Green' },
      ],
    ],
    [
      'names of another number, which are ignored',
      { type: 'string', enum: ['r', 'g'], enumNames: ['Red'] },
      [
        { value: 'r', label: 'r' },
        { value: 'g', label: 'g' },
      ],
    ],
    [
      'titled constants',
      { type: 'string', oneOf: [{ const: 'r', title: 'Red' }, { const: 'g' }] },
      [
        { value: 'r', label: 'Red' },
        { value: 'g', label: 'g' },
      ],
    ],
  ])('offers a choice by %s (ELIC-24, V11-11)', (_what, property, options) => {
    expect(fieldOf(property)).toMatchObject({ kind: 'choice', options })
  })

  it('offers several choices at once, plain or titled', () => {
    const options = [{ value: 'r', label: 'Red' }]
    expect(fieldOf({ type: 'array', minItems: 1, maxItems: 2, items: { anyOf: [{ const: 'r', title: 'Red' }] } })).toMatchObject({
      kind: 'choices',
      options,
      minItems: 1,
      maxItems: 2,
    })
    expect(fieldOf({ type: 'array', items: { type: 'string', enum: ['r'] } })).toMatchObject({ kind: 'choices' })
  })

  it('marks fields that ask for a password, key or card', () => {
    expect(fieldOf({ type: 'string' }, 'apiKey')).toMatchObject({ secret: true })
    expect(fieldOf({ type: 'string', title: 'Password' })).toMatchObject({ secret: true })
    expect(fieldOf({ type: 'string', description: 'Your credit card, please' })).toMatchObject({ secret: true })
    expect(fieldOf({ type: 'string' }, 'monkey')).toMatchObject({ secret: false })
    expect(fieldOf({ type: 'string', description: 'At most 100 tokens' })).toMatchObject({ secret: false })
  })
})

describe('the input schema of a tool', () => {
  it('gives simple properties an input and writes everything else as JSON', () => {
    const fields = fieldsOfInputSchema({
      type: 'object',
      properties: {
        path: { type: 'string' },
        limit: { type: ['integer', 'null'] },
        paths: { type: 'array', items: { type: 'string' } },
        edit: { type: 'object', description: 'What to change', default: {} },
        any: true,
      },
      required: ['path', 'edit'],
    })
    expect(fields.map((field) => [field.name, field.kind, field.required])).toEqual([
      ['path', 'text', true],
      ['limit', 'number', false],
      ['paths', 'json', false],
      ['edit', 'json', true],
      ['any', 'json', false],
    ])
    expect(fields[3]).toMatchObject({ types: ['object'], default: {}, description: 'What to change' })
  })

  it('without properties has no fields', () => {
    expect(fieldsOfInputSchema({ type: 'object' })).toEqual([])
    expect(fieldsOfInputSchema(null)).toEqual([])
  })
})

describe('words for secrets', () => {
  it.each(['GITHUB_TOKEN', 'OPENAI_API_KEY', 'Authorization', 'DB_PASSWORD', 'client_secret', 'X-Api-Key'])(
    'are found in %s',
    (name) => {
      expect(namesSecret(name)).toBe(true)
    },
  )
  it.each(['HOME', 'keyboard', 'MAX_TOKENS', 'monkey', 'author'])('are not found in %s', (name) => {
    expect(namesSecret(name)).toBe(false)
  })
  it('are found in a sentence only when it names one', () => {
    expect(asksForSecret('Paste your API key here')).toBe(true)
    expect(asksForSecret('The key of the row')).toBe(false)
  })
})
