import { canonicalJson, isObject, type JsonValue } from '../../../src-shared/base/json.ts'
import type { ConsentCall } from '../../../src-shared/contract/consent.ts'
import { parseShownJson } from '../../content/viewers/shown-json.ts'

/** Limits that keep each row readable at a glance. */
const MAX_COLUMNS = 5
const MAX_CHARS = 120

/** The arguments of several calls of one tool: those that are equal in all, and the others by call. */
export interface CallTable {
  readonly same: Readonly<Record<string, JsonValue>>
  readonly columns: readonly string[]
  readonly rows: readonly Readonly<Record<string, JsonValue>>[]
}

/** Undefined if a row could not show everything about a call. Each call is shown by itself then. */
export function callTable(calls: readonly ConsentCall[]): CallTable | undefined {
  if (calls.length < 2 || calls.some(({ guards, mirrored, unchecked }) => guards.length > 0 || mirrored || unchecked))
    return undefined
  const rows = calls.flatMap(({ arguments: { json, whole } }) => {
    const args = whole === undefined ? parseShownJson(json) : undefined
    return isObject(args) ? [args as Record<string, JsonValue>] : []
  })
  const [first, ...others] = rows
  if (!first || rows.length < calls.length) return undefined
  const order = calls[0]?.order ?? []
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
  const names = Object.keys(first).sort((a, b) => place(a) - place(b))
  const fits = (args: Readonly<Record<string, JsonValue>>) =>
    Object.keys(args).length === names.length && names.every((name) => Object.hasOwn(args, name) && isShort(args[name] ?? null))
  if (!rows.every(fits)) return undefined
  const isSame = (name: string) =>
    others.every((other) => canonicalJson(other[name] ?? null) === canonicalJson(first[name] ?? null))
  const columns = names.filter((name) => !isSame(name))
  if (columns.length === 0 || columns.length > MAX_COLUMNS) return undefined
  return { same: Object.fromEntries(names.filter(isSame).map((name) => [name, first[name] ?? null])), columns, rows }
}

/** One line, or a list of such. */
function isShort(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.every((one) => typeof one !== 'object') && JSON.stringify(value).length <= MAX_CHARS
  if (typeof value === 'object') return value === null
  const text = String(value)
  return text.length <= MAX_CHARS && !text.includes('\n')
}
