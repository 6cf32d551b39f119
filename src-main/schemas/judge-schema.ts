import type { ValidateFunction } from 'ajv'
import type { RE2JS } from 're2js'
import { isObject, type JsonObject } from '../../src-shared/base/json.ts'
import type { SchemaVerdict } from '../../src-shared/mcp/schema-verdict.ts'

/**
 * Validates by JSON Schemas of servers. Nothing is fetched, and an invalid schema fails nothing (TOOL-18). Runs in a thread that may be
 * ended, since a few hundred bytes of `$ref` can take forever.
 */

export type CompiledSchema = { readonly validate: ValidateFunction } | { readonly reason: string }

const MAX_PROBLEMS = 10

/** Never throws. */
export function judge(compiled: CompiledSchema, value: unknown): SchemaVerdict {
  if ('reason' in compiled) return { is: 'unchecked', reason: compiled.reason }
  try {
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

type Dialect = '2020-12' | '2019-09' | 'draft-07'

/** Undefined for an unsupported dialect. The default is 2020-12 (2025-11-25 basic#json-schema-usage). */
function dialectOf(schema: JsonObject): Dialect | 'unnamed' | undefined {
  const named = schema.$schema
  if (named === undefined) return 'unnamed'
  if (typeof named !== 'string') return undefined
  if (/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/.test(named)) return '2020-12'
  if (/^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/.test(named)) return '2019-09'
  return /^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/.test(named) ? 'draft-07' : undefined
}

/** Never rejects. */
export async function compileSchema(schema: JsonObject): Promise<CompiledSchema> {
  const dialect = dialectOf(schema)
  if (dialect === undefined) return { reason: `its dialect ${JSON.stringify(schema.$schema).slice(0, 100)} is not known.` }
  if (dialect !== 'unnamed') return compileAs(dialect, schema)
  const compiled = await compileAs('2020-12', schema)
  // Many servers use draft-07 without saying so.
  return 'validate' in compiled ? compiled : compileAs('draft-07', schema)
}

async function compileAs(dialect: Dialect, schema: JsonObject): Promise<CompiledSchema> {
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

/** A new validator for each schema, so that an `$id` of one server never meets another's. */
async function validatorFor(dialect: Dialect) {
  const { RE2JS } = await import('re2js')
  const options = {
    strict: false,
    validateFormats: false,
    validateSchema: true,
    logger: false as const,
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

/**
 * Runs patterns of servers in an engine with linear time (TOOL-18). An unsupported pattern (look-ahead, back-reference) matches
 * everything, so that no valid value is refused. ajv prints `code` in standalone code, and identifies patterns by `toString`.
 */
function patternEngine(compile: (pattern: string) => RE2JS) {
  const engine = (pattern: string) => {
    let compiled: RE2JS | undefined
    try {
      compiled = compile(pattern)
    } catch {
      compiled = undefined
    }
    return { test: (text: string) => compiled?.test(text) ?? true, toString: () => `/${pattern}/` }
  }
  return Object.assign(engine, { code: 'patternEngine' })
}
