import { dropOldest } from '../../src-shared/base/drop-oldest.ts'
import type { JsonObject } from '../../src-shared/base/json.ts'
import { parseJson } from '../../src-shared/base/parse-json.ts'
import type { CheckValue, SchemaVerdict } from '../../src-shared/mcp/schema-verdict.ts'
import { BoundedThread, type ThreadFailure, type ThreadParts, threadSource } from '../threads/bounded-thread.ts'
import { jsonInTurns } from '../threads/json-pieces.ts'
import { type CompiledSchema, compileSchema, judge } from './judge-schema.ts'
import type { SchemaJob } from './schema-job.ts'

/** Milliseconds to compile a schema and validate a value, which usually takes a few. */
export const SCHEMA_JOB_TIME = 5_000
/** UTF-16 units; longer schemas and values are not checked. */
const MAX_SCHEMA = 512 * 1024
const MAX_VALUE = 8 * 1024 * 1024
/** Keywords that may make a check cost more than its schema's size times the value's. */
const COSTLY = /"(?:\$(?:ref|dynamicRef|recursiveRef)|uniqueItems|pattern|patternProperties)":/
/** UTF-16 units up to which schemas without them, and values, are checked without the thread. */
const PLAIN_SCHEMA = 16 * 1024
const PLAIN_VALUE = 32 * 1024
/** Compiled schemas of the thread, and schemas that are not tried again. */
const MAX_KEPT = 100

interface Named {
  readonly key: string
  readonly text: string
}

const REASONS: Readonly<Record<ThreadFailure, string>> = {
  'too-slow': 'it takes too long.',
  broken: 'it takes too much memory.',
  lost: 'a part of Parley could not be loaded.',
  busy: 'too many schemas wait to be checked.',
  ended: 'Parley is closing.',
}

/**
 * Validates values by JSON Schemas of servers. Checks that may cost more than their size run in a thread with a deadline and a memory
 * limit (decision 25). One that exceeded them is not tried again.
 */
export class Schemas {
  readonly #thread: BoundedThread<SchemaJob, SchemaVerdict>
  /** Text and hash of known schema objects. */
  readonly #named = new WeakMap<object, Promise<Named | undefined>>()
  /** Schemas that the current thread has compiled. */
  readonly #compiled = new Set<string>()
  readonly #tooMuch = new Map<string, ThreadFailure>()
  readonly #plain = new Map<string, Promise<CompiledSchema>>()

  constructor(parts: ThreadParts) {
    this.#thread = new BoundedThread({
      ...parts,
      name: 'schemas',
      source: threadSource(import.meta.url, 'schema-worker'),
      heap: 256,
      jobTime: SCHEMA_JOB_TIME,
      idleTime: 60_000,
      queueLimit: 1_000,
    })
  }

  readonly check: CheckValue = async (schema, value) => {
    const named = await this.#nameOf(schema)
    if (!named) return { is: 'unchecked', reason: 'the schema is too large.' }
    let text = ''
    for await (const piece of jsonInTurns(value)) {
      text += piece
      if (text.length > MAX_VALUE) return { is: 'unchecked', reason: 'the value is too large to check.' }
    }
    if (isPlain(named.text, text)) return judge(await this.#plainly(named), parseJson(text))
    const before = this.#tooMuch.get(named.key)
    if (before) return { is: 'unchecked', reason: REASONS[before] }
    const outcome = await this.#thread.run((fresh) => this.#job(named, text, fresh))
    if (outcome.is === 'done') return outcome.answer
    if (outcome.why === 'too-slow' || outcome.why === 'broken') {
      this.#tooMuch.set(named.key, outcome.why)
      dropOldest(this.#tooMuch, MAX_KEPT)
    }
    return { is: 'unchecked', reason: REASONS[outcome.why] }
  }

  #job({ key, text }: Named, value: string, fresh: boolean): SchemaJob {
    if (fresh) this.#compiled.clear()
    if (this.#compiled.has(key)) return { key, value }
    const forget = this.#compiled.size >= MAX_KEPT
    if (forget) this.#compiled.clear()
    this.#compiled.add(key)
    return { key, value, schema: text, ...(forget && { forget }) }
  }

  #plainly({ key, text }: Named): Promise<CompiledSchema> {
    const known = this.#plain.get(key)
    if (known) return known
    const compiling = compileSchema(parseJson(text) as JsonObject)
    this.#plain.set(key, compiling)
    dropOldest(this.#plain, MAX_KEPT)
    return compiling
  }

  /** Undefined when it is too large. */
  #nameOf(schema: object): Promise<Named | undefined> {
    let named = this.#named.get(schema)
    if (!named) {
      named = nameOf(schema)
      this.#named.set(schema, named)
    }
    return named
  }
}

/** True if each part of the schema meets each part of the value at most once. */
function isPlain(schema: string, value: string): boolean {
  return schema.length <= PLAIN_SCHEMA && value.length <= PLAIN_VALUE && !COSTLY.test(schema)
}

async function nameOf(schema: object): Promise<Named | undefined> {
  const text = JSON.stringify(schema)
  if (text.length > MAX_SCHEMA) return undefined
  const digest = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return { text, key: Buffer.from(digest).toString('base64') }
}
