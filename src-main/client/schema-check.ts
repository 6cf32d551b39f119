import type { ValidateFunction } from 'ajv'
import { dropOldest } from '../../src-shared/base/drop-oldest.ts'
import { isObject, type JsonObject } from '../../src-shared/base/json.ts'

/** JSON Schema of servers: data, never instructions. Nothing is fetched, everything is bounded, a bad schema fails nothing (TOOL-18). */

export type Verdict =
  | { readonly is: 'valid' }
  | { readonly is: 'invalid'; readonly problems: readonly string[] }
  /** The schema cannot judge, and why. */
  | { readonly is: 'unchecked'; readonly reason: string }

type Compiled = { readonly validate: ValidateFunction } | { readonly reason: string }

/** UTF-16 units of a schema's text, and of a value's; more is not judged. */
const MAX_SCHEMA = 512 * 1024
const MAX_VALUE = 8 * 1024 * 1024
/** Compiled schemas that are kept, the last used ones. */
const MAX_KEPT = 300
const MAX_PROBLEMS = 10

const byHash = new Map<string, Promise<Compiled>>()
/** The way past text and hash for a schema object that was seen before. */
const byIdentity = new WeakMap<object, Promise<Compiled>>()
/** One compilation at a time: the end of the last one. */
let lastCompilation: Promise<unknown> = Promise.resolve()

/** Judges a value. Loads the validator at the first call; never rejects. */
export async function checkValue(schema: object, value: unknown): Promise<Verdict> {
  const compiled = await compiledFor(schema)
  if ('reason' in compiled) return { is: 'unchecked', reason: compiled.reason }
  try {
    if (JSON.stringify(value).length > MAX_VALUE) return { is: 'unchecked', reason: 'the value is too large to check.' }
    const { validate } = compiled
    const fits: unknown = validate(value)
    if (fits === true) return { is: 'valid' }
    if (fits !== false) return { is: 'unchecked', reason: 'the schema is asynchronous.' }
    const problems = (validate.errors ?? []).slice(0, MAX_PROBLEMS).map(({ instancePath, message, params }) => {
      const where = instancePath === '' ? 'the value' : instancePath.slice(1).replaceAll('/', '.')
      const what = typeof params.additionalProperty === 'string' ? ` (“${params.additionalProperty}”)` : ''
      return `${where} ${message ?? 'does not fit'}${what}`.slice(0, 500)
    })
    return { is: 'invalid', problems: problems.length > 0 ? problems : ['the value does not fit'] }
  } catch {
    return { is: 'unchecked', reason: 'the schema is too deep to follow.' }
  }
}

function compiledFor(schema: object): Promise<Compiled> {
  let compiled = byIdentity.get(schema)
  if (!compiled) {
    compiled = compiledByHash(schema)
    byIdentity.set(schema, compiled)
  }
  return compiled
}

async function compiledByHash(schema: object): Promise<Compiled> {
  const text = JSON.stringify(schema)
  if (text.length > MAX_SCHEMA) return { reason: 'the schema is too large.' }
  const hash = await sha256(text)
  const known = byHash.get(hash)
  if (known) {
    // Moves it to the end: the map is ordered by last use.
    byHash.delete(hash)
    byHash.set(hash, known)
    return known
  }
  const compiling = lastCompilation.then(() => compile(JSON.parse(text) as JsonObject))
  lastCompilation = compiling
  byHash.set(hash, compiling)
  dropOldest(byHash, MAX_KEPT)
  return compiling
}

async function sha256(text: string): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Buffer.from(digest).toString('base64')
}

type Dialect = '2020-12' | '2019-09' | 'draft-07'

/** The dialects that can be judged; without one named, 2020-12 (2025-11-25 basic#json-schema-usage). */
function dialectOf(schema: JsonObject): Dialect | 'unnamed' | undefined {
  const named = schema.$schema
  if (named === undefined) return 'unnamed'
  if (typeof named !== 'string') return undefined
  if (/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/.test(named)) return '2020-12'
  if (/^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/.test(named)) return '2019-09'
  return /^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/.test(named) ? 'draft-07' : undefined
}

async function compile(schema: JsonObject): Promise<Compiled> {
  const dialect = dialectOf(schema)
  if (dialect === undefined) return { reason: `its dialect ${JSON.stringify(schema.$schema).slice(0, 100)} is not known.` }
  if (dialect !== 'unnamed') return compileAs(dialect, schema)
  const compiled = await compileAs('2020-12', schema)
  // Many servers write draft-07 and do not say so.
  return 'validate' in compiled ? compiled : compileAs('draft-07', schema)
}

async function compileAs(dialect: Dialect, schema: JsonObject): Promise<Compiled> {
  try {
    const { $async: _, ...plain } = schema
    const ajv = await validatorFor(dialect)
    return { validate: ajv.compile(plain) }
  } catch (error) {
    const reference = isObject(error) && typeof error.missingRef === 'string' ? error.missingRef : undefined
    if (reference !== undefined) return { reason: `it refers to ${reference.slice(0, 200)}, which is not fetched.` }
    return { reason: 'the schema is not valid.' }
  }
}

/** A fresh validator for each schema, so that no `$id` of one server ever meets another's. */
async function validatorFor(dialect: Dialect) {
  const [{ RE2JS }, { patternEngine }] = await Promise.all([import('re2js'), import('./linear-pattern.ts')])
  const options = {
    strict: false,
    validateFormats: false,
    validateSchema: true,
    logger: false as const,
    addUsedSchema: false,
    allErrors: false,
    inlineRefs: false,
    ownProperties: true,
    code: { regExp: patternEngine((pattern) => RE2JS.compile(RE2JS.translateRegExp(pattern))) },
  }
  switch (dialect) {
    case '2020-12':
      return new (await import('ajv/dist/2020.js')).Ajv2020(options)
    case '2019-09':
      return new (await import('ajv/dist/2019.js')).Ajv2019(options)
    case 'draft-07':
      return new (await import('ajv')).Ajv(options)
  }
}
