import { isObject } from '../../../src-shared/base/json.ts'
import { namesOf } from '../../../src-shared/base/member-names.ts'
import { LimitError, type Limits } from './limits.ts'
import type { Traits } from './version-traits.ts'

/**
 * The context of the checks of everything inbound. The checks are strict on what a revision requires and lenient on what it does not
 * know. They return the same object when nothing had to change.
 */
export interface Border {
  readonly traits: Traits
  readonly limits: Limits
  /** Collects oddities that are not errors, for the person. */
  readonly warnings: string[]
}

/** Inbound data that lacks what its type requires, at `path`. */
export class ShapeError extends Error {
  readonly path: string

  constructor(path: string, expected: string) {
    super(`${path} ${expected}`)
    this.name = 'ShapeError'
    this.path = path
  }
}

const MAX_WARNINGS = 20

export function warn(border: Border, text: string): void {
  if (border.warnings.length < MAX_WARNINGS) border.warnings.push(text)
}

export type Fields = Record<string, unknown>

export function object(value: unknown, path: string): Fields {
  if (!isObject(value)) throw new ShapeError(path, 'must be an object')
  return value
}

export function list(value: unknown, path: string, border: Border): readonly unknown[] {
  if (!Array.isArray(value)) throw new ShapeError(path, 'must be an array')
  const allowed = border.limits.maxItems
  if (value.length > allowed) {
    throw new LimitError('maxItems', allowed, `${path} has ${value.length} entries; at most ${allowed} are allowed.`)
  }
  return value
}

export function longText(value: unknown, path: string, border: Border): string {
  if (typeof value !== 'string') throw new ShapeError(path, 'must be a string')
  const allowed = border.limits.maxStringLength
  if (value.length > allowed) throw new LimitError('maxStringLength', allowed, `${path} is longer than ${allowed} characters.`)
  return value
}

/** A name, title, description or address. */
export function label(value: unknown, path: string, border: Border): string {
  if (typeof value !== 'string') throw new ShapeError(path, 'must be a string')
  const allowed = border.limits.maxLabelLength
  if (value.length > allowed) throw new LimitError('maxLabelLength', allowed, `${path} is longer than ${allowed} characters.`)
  return value
}

/** True for an absent or valid label. Callers leave out an invalid one instead of refusing the whole. */
export function isOptionalLabel(value: unknown, border: Border): boolean {
  return value === undefined || (typeof value === 'string' && value.length <= border.limits.maxLabelLength)
}

/** The same for a title, which must not be empty (TOOL-01). */
export function isOptionalTitle(value: unknown, border: Border): boolean {
  return isOptionalLabel(value, border) && (typeof value !== 'string' || value.trim() !== '')
}

/** The object without the named keys; the same object when it has none of them. */
export function without(fields: Fields, keys: readonly string[]): Fields {
  for (const key of keys) {
    if (key in fields) return Object.fromEntries(Object.entries(fields).filter(([name]) => !keys.includes(name)))
  }
  return fields
}

/** The object with one key replaced, or left out when `value` is undefined. Safe for a key named `__proto__`. */
export function replaced(fields: Fields, key: string, value: unknown): Fields {
  const entries = Object.entries(fields).filter(([name]) => name !== key)
  if (value !== undefined) entries.push([key, value])
  return Object.fromEntries(entries)
}

/**
 * Throws LimitError for values nested too deeply, or more than `maxValues` of them. Called for all kept free-form values, so that
 * later code can recurse over them.
 */
export function bounded(value: unknown, path: string, limits: Limits, maxValues = Number.POSITIVE_INFINITY): void {
  const walk = walkBounded(value, path, limits.maxDepth, maxValues)
  while (!walk.next().done);
}

/** The same for values as large as a message, with other work in between. */
export async function boundedInTurns(value: unknown, path: string, limits: Limits): Promise<void> {
  for (const _ of walkBounded(value, path, limits.maxDepth, Number.POSITIVE_INFINITY)) {
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
}

/** Values to visit in one turn: about half a millisecond. */
const PER_TURN = 10_000

interface Opened {
  readonly container: Readonly<Record<string | number, unknown>>
  /** Of an object. */
  readonly names?: readonly string[]
  readonly size: number
  next: number
}

function* walkBounded(value: unknown, path: string, maxDepth: number, maxValues: number): Generator<void> {
  const open: Opened[] = []
  const enter = (inner: unknown) => {
    if (typeof inner !== 'object' || inner === null) return
    if (open.length >= maxDepth) throw new LimitError('maxDepth', maxDepth, `${path} is nested deeper than ${maxDepth} levels.`)
    const container = inner as Opened['container']
    if (Array.isArray(inner)) return open.push({ container, size: inner.length, next: 0 })
    const names = namesOf(inner)
    open.push({ container, names, size: names.length, next: 0 })
  }
  enter(value)
  let seen = 1
  for (let last = open.at(-1); last; last = open.at(-1)) {
    if (last.next === last.size) {
      open.pop()
      continue
    }
    seen += 1
    if (seen > maxValues) throw new LimitError('maxLogValues', maxValues, `${path} has more than ${maxValues} values.`)
    if (seen % PER_TURN === 0) yield
    const { container, names, next } = last
    last.next += 1
    enter(container[names?.[next] ?? next])
  }
}
