import { RE2JS } from 're2js'
import { describe, expect, it } from 'vitest'
import { checkContent, checkForm, checkValue, type PatternEngine, type RawValue, type RawValues } from './check-form.ts'
import { type FormField, fieldsOfElicitation, fieldsOfInputSchema } from './form-fields.ts'

const engine: PatternEngine = (pattern) => {
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern))
    return (text) => compiled.matcher(text).find()
  } catch {
    return undefined
  }
}

function fieldsOf(properties: object, required: readonly string[] = []): readonly FormField[] {
  const form = fieldsOfElicitation({ type: 'object', properties, required })
  if (!form.ok) throw new Error(form.problem)
  return form.fields
}

function check(property: object, raw: RawValue | undefined, required = false) {
  return checkValue(fieldsOf({ it: property }, required ? ['it'] : [])[0]!, raw, engine)
}

function send(properties: object, required: readonly string[], values: RawValues) {
  const form = checkForm(fieldsOf(properties, required), values, engine)
  return form.ok ? form.content : Object.fromEntries(form.errors)
}

describe('a typed value', () => {
  it.each<[object, RawValue, unknown]>([
    [{ type: 'string' }, ' a ', ' a '],
    [{ type: 'string', minLength: 2, maxLength: 2 }, '👍👍', '👍👍'],
    [{ type: 'string', format: 'email' }, 'a.b@example.org', 'a.b@example.org'],
    [{ type: 'string', format: 'uri' }, 'https://example.org/a?b=c#d', 'https://example.org/a?b=c#d'],
    [{ type: 'string', format: 'uri' }, 'urn:isbn:0451450523', 'urn:isbn:0451450523'],
    [{ type: 'string', format: 'date' }, '2024-02-29', '2024-02-29'],
    [{ type: 'string', format: 'date-time' }, '2026-01-31T14:30:00.5+02:00', '2026-01-31T14:30:00.5+02:00'],
    [{ type: 'number' }, ' -1.5e2 ', -150],
    [{ type: 'integer', minimum: 1, maximum: 3 }, '3', 3],
    [{ type: 'boolean' }, false, false],
    [{ type: 'string', enum: ['a', 'b'] }, 'b', 'b'],
    [{ type: 'array', items: { type: 'string', enum: ['a', 'b'] } }, ['b', 'a'], ['b', 'a']],
    [{ type: 'array', items: { type: 'string', enum: ['a', 'b'] } }, [], []],
  ])('that fits %j is sent: %j (ELIC-19, ELIC-20, ELIC-22)', (property, raw, value) => {
    expect(check(property, raw)).toEqual({ ok: true, value })
  })

  it.each<[object, RawValue, RegExp]>([
    [{ type: 'string', minLength: 3 }, 'ab', /at least 3 characters/],
    [{ type: 'string', maxLength: 1 }, 'ab', /at most 1 character;/],
    [{ type: 'string', format: 'email' }, 'a@b', /email/],
    [{ type: 'string', format: 'email' }, 'a b@example.org', /email/],
    [{ type: 'string', format: 'uri' }, 'example.org', /full address/],
    [{ type: 'string', format: 'uri' }, 'https://exa mple.org', /full address/],
    [{ type: 'string', format: 'date' }, '2026-02-30', /date/],
    [{ type: 'string', format: 'date' }, '31.1.2026', /date/],
    [{ type: 'string', format: 'date-time' }, '2026-01-31T25:00:00Z', /zone/],
    [{ type: 'string', format: 'date-time' }, '2026-01-31T14:30:00', /zone/],
    [{ type: 'number' }, 'twelve', /Enter a number/],
    [{ type: 'number' }, '0x10', /Enter a number/],
    [{ type: 'number' }, 'Infinity', /Enter a number/],
    [{ type: 'number' }, '1e999', /Enter a number/],
    [{ type: 'integer' }, '1.5', /whole number/],
    [{ type: 'integer' }, '9007199254740993', /too large/],
    [{ type: 'number', minimum: 0 }, '-1', /0 or more/],
    [{ type: 'number', maximum: 0 }, '1', /0 or less/],
    [{ type: 'string', enum: ['a'] }, 'b', /one of the options/],
    [{ type: 'array', items: { type: 'string', enum: ['a'] } }, ['b'], /from the options/],
    [{ type: 'array', items: { type: 'string', enum: ['a'] }, minItems: 1 }, [], /at least 1/],
    [{ type: 'array', items: { type: 'string', enum: ['a', 'b'] }, maxItems: 1 }, ['a', 'b'], /at most 1/],
  ])('that does not fit %j is refused: %j (ELIC-19, ELIC-22, ELIC-25)', (property, raw, error) => {
    const result = check(property, raw)
    expect(result.ok).toBe(false)
    expect(!result.ok && result.error).toMatch(error)
  })

  it('must match its pattern, anywhere in the text (ELIC-21)', () => {
    expect(check({ type: 'string', pattern: '[0-9]{2}' }, 'a12b')).toEqual({ ok: true, value: 'a12b' })
    expect(check({ type: 'string', pattern: '^[0-9]{2}$' }, 'a12b')).toMatchObject({ ok: false })
  })

  it('is checked in linear time by a pattern made to explode (ELIC-21, TRAP-67)', () => {
    const text = `${'a'.repeat(50_000)}!`
    expect(check({ type: 'string', pattern: '^(a+)+$' }, text)).toMatchObject({ ok: false })
  })

  it('ignores a pattern that the engine cannot read', () => {
    expect(check({ type: 'string', pattern: '(?<=a)b' }, 'x')).toEqual({ ok: true, value: 'x' })
  })

  it('is bounded in length', () => {
    expect(check({ type: 'string' }, 'a'.repeat(100_001))).toMatchObject({ ok: false })
  })

  it('written as JSON must parse and be of the declared type', () => {
    const [field] = fieldsOfInputSchema({ type: 'object', properties: { it: { type: 'array', items: { type: 'string' } } } })
    expect(checkValue(field!, '["a"]', engine)).toEqual({ ok: true, value: ['a'] })
    expect(checkValue(field!, '["a"', engine)).toMatchObject({ ok: false, error: 'This is not valid JSON' })
    expect(checkValue(field!, '{}', engine)).toMatchObject({ ok: false, error: 'Enter JSON of type array' })
  })
})

describe('a form', () => {
  it('leaves untouched and emptied optional fields out (ELIC-27, TRAP-68)', () => {
    const properties = {
      a: { type: 'string' },
      b: { type: 'number' },
      c: { type: 'boolean' },
      d: { type: 'string', enum: ['x'] },
    }
    expect(send(properties, [], {})).toEqual({})
    expect(send(properties, [], { a: '', b: ' ' })).toEqual({})
  })

  it('sends the default of an untouched field, whatever its type (V11-13)', () => {
    const properties = {
      text: { type: 'string', default: 'a' },
      number: { type: 'integer', default: 2 },
      flag: { type: 'boolean', default: false },
      choice: { type: 'string', enum: ['x', 'y'], default: 'y' },
      choices: { type: 'array', items: { type: 'string', enum: ['x', 'y'] }, default: ['x'] },
    }
    expect(send(properties, [], {})).toEqual({ text: 'a', number: 2, flag: false, choice: 'y', choices: ['x'] })
    expect(send(properties, [], { text: '', flag: true, choices: [] })).toEqual({
      number: 2,
      flag: true,
      choice: 'y',
      choices: [],
    })
  })

  it('waits until every required field is filled (ELIC-26)', () => {
    const properties = { a: { type: 'string' }, b: { type: 'string', enum: ['x'] }, c: { type: 'number' } }
    expect(send(properties, ['a', 'b'], { a: '' })).toEqual({ a: 'Required', b: 'Choose one' })
    expect(send(properties, ['a', 'b'], { a: 'q', b: 'x' })).toEqual({ a: 'q', b: 'x' })
  })

  it('without fields sends an empty object (ELIC-33)', () => {
    expect(send({}, [], {})).toEqual({})
  })

  it('reads an unticked required box as false', () => {
    expect(send({ a: { type: 'boolean' } }, ['a'], {})).toEqual({ a: false })
  })

  it('sends no key beyond the schema, and only its own (ELIC-27)', () => {
    expect(send({ a: { type: 'string' } }, [], { a: 'x', b: 'y' })).toEqual({ a: 'x' })
    const odd = JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"string"}}') as object
    const sent = send(odd, [], JSON.parse('{"__proto__":"x"}') as RawValues)
    expect(Object.entries(sent)).toEqual([['__proto__', 'x']])
  })
})

describe('content received by the host', () => {
  const fields = fieldsOf({ age: { type: 'integer', minimum: 0, default: 1 }, mail: { type: 'string', format: 'email' } }, [
    'age',
  ])
  const errors = (content: Record<string, unknown>) => {
    const form = checkContent(fields, content, engine)
    return form.ok ? undefined : [...form.errors.keys()]
  }

  it('gets the same check as in the dialog (ELIC-25)', () => {
    expect(errors({ age: 3, mail: 'a@example.org' })).toBeUndefined()
    expect(errors({ age: 3 })).toBeUndefined()
    expect(errors({ age: 1.5 })).toEqual(['age'])
    expect(errors({ age: '3' })).toEqual(['age'])
    expect(errors({ age: 3, mail: 'nobody' })).toEqual(['mail'])
  })

  it('must be complete and have nothing else (ELIC-26, ELIC-27)', () => {
    expect(errors({ mail: 'a@example.org' })).toEqual(['age'])
    expect(errors({ age: 1, more: 'x' })).toEqual(['more'])
    expect(errors({ age: 1, mail: null })).toEqual(['mail'])
  })
})
