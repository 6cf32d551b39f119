import { z } from 'zod'
import type { Id, JsonObject, JsonValue } from '../base/json.ts'
import type { Range } from '../base/range.ts'

// Schemas are functions, here and in all files of this room. A page that needs only types, limits and defaults is built without zod.

/** The read-only output type of a schema. */
export type Given<Schema extends () => unknown> = Frozen<z.output<ReturnType<Schema>>>

/** Deeply read-only. Arbitrary JSON stays as it is: it would recurse forever. */
export type Frozen<T> = [JsonValue] extends [T]
  ? T
  : [JsonObject, string] extends [T, keyof T]
    ? T
    : T extends string | number | boolean | null | undefined
      ? T
      : T extends readonly (infer Item)[]
        ? readonly Frozen<Item>[]
        : { readonly [Name in keyof T]: Frozen<T[Name]> }

export interface Page<T> {
  readonly items: readonly T[]
  /** The cursor of the next page; absent on the last. */
  readonly next?: string
  readonly total: number
}

/** Characters of a text in one request. */
export const MAX_TEXT_LENGTH = 4 * 1024 * 1024
const MAX_DEPTH = 64
const MAX_VALUES = 100_000

export const text = (longest: number) => z.string().max(longest)
export const line = () => text(4096)
/** Ids are opaque; a wrong one is not found. */
export const id = <Brand extends Id<string>>() =>
  text(200)
    .min(1)
    .transform((value) => value as Brand)
export const whole = ({ least, most }: Range) => z.number().int().min(least).max(most)
/** Milliseconds since the epoch, capped at the largest valid Date. */
export const time = () => count().transform((at) => Math.min(at, 8.64e15))
export const count = () => whole({ least: 0, most: Number.MAX_SAFE_INTEGER })

export const texts = (longestName: number, longest: number, most: number) => few(z.record(text(longestName), text(longest)), most)

export function few<Schema extends z.ZodType<Readonly<Record<string, unknown>>>>(schema: Schema, most: number) {
  return schema.refine((all) => Object.keys(all).length <= most, 'too many entries')
}

/** A text, or a reference to the secret store. */
export const configValue = () =>
  z.union([
    z.strictObject({ text: text(64 * 1024), lift: z.literal(true).exactOptional() }),
    z.strictObject({ secret: text(500) }),
  ])
export const namedValues = () => few(z.record(text(500), configValue()), 500)

export const json = () => z.custom<JsonValue>((value) => isBoundedJson(value), 'must be JSON of bounded size')
export const jsonObject = () =>
  z.custom<JsonObject>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value) && isBoundedJson(value),
    'must be a JSON object of bounded size',
  )

/** Without recursion, so that a deep value cannot overflow the stack. */
function isBoundedJson(root: unknown): boolean {
  let left = MAX_VALUES
  let characters = MAX_TEXT_LENGTH
  let level: unknown[] = [root]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return false
    const below: unknown[] = []
    for (const value of level) {
      left -= 1
      if (typeof value === 'string') characters -= value.length
      else if (typeof value === 'object' && value !== null) {
        if (!Array.isArray(value)) for (const name of Object.keys(value)) characters -= name.length
        for (const inner of Object.values(value)) below.push(inner)
        if (below.length > left) return false
      } else if (value !== null && typeof value !== 'boolean' && !(typeof value === 'number' && Number.isFinite(value)))
        return false
      if (left < 0 || characters < 0) return false
    }
    level = below
  }
  return true
}

export const decline = () => z.strictObject({ decision: z.literal('decline') })
