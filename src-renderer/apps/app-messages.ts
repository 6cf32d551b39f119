import { isObject, type JsonObject } from '../../src-shared/base/json.ts'
import { APP_MESSAGE_LIMIT } from '../../src-shared/contract/apps.ts'

/** Levels of one message, and its values: walking more would take the page's time. */
const DEPTH = 64
const VALUES = 100_000

/** A message of a view: JSON-RPC over postMessage (MCP Apps 2026-01-26, communication protocol). */
export type AppMessage =
  | { readonly is: 'request'; readonly id: string | number; readonly method: string; readonly params: JsonObject }
  | { readonly is: 'notification'; readonly method: string; readonly params: JsonObject }
  | { readonly is: 'response'; readonly id: string | number }
  | { readonly is: 'malformed'; readonly id?: string | number }

/** Reads what a view posted, with the length of its texts. Nothing but plain, bounded JSON gets past here (APP-14). */
export function readAppMessage(data: unknown): { readonly message: AppMessage; readonly size: number } {
  const { isPlain, size } = walkJson(data)
  return { message: isPlain ? messageIn(data) : { is: 'malformed' }, size }
}

function messageIn(data: unknown): AppMessage {
  if (!isObject(data) || data.jsonrpc !== '2.0') return { is: 'malformed' }
  const { id, method } = data
  const isId = (typeof id === 'string' && id.length <= 200) || Number.isSafeInteger(id)
  if (method === undefined)
    return isId && ('result' in data || 'error' in data) ? { is: 'response', id: id as string | number } : { is: 'malformed' }
  const named = isId ? { id: id as string | number } : {}
  const { params = {} } = data
  if (typeof method !== 'string' || method.length > 200 || !isObject(params)) return { is: 'malformed', ...named }
  if (id === undefined) return { is: 'notification', method, params: params as JsonObject }
  return isId ? { is: 'request', id: id as string | number, method, params: params as JsonObject } : { is: 'malformed' }
}

/** Plain are bounded values that JSON has: no cycles, no maps, dates, buffers or ports, no `__proto__`. */
function walkJson(value: unknown): { readonly isPlain: boolean; readonly size: number } {
  let values = 0
  let size = 0
  const seen = (one: unknown, depth: number): boolean => {
    values += 1
    if (values > VALUES || depth > DEPTH) return false
    if (one === null || typeof one === 'boolean') return true
    if (typeof one === 'number') return Number.isFinite(one)
    if (typeof one === 'string') {
      size += one.length
      return size <= APP_MESSAGE_LIMIT
    }
    if (typeof one !== 'object') return false
    if (Array.isArray(one)) {
      // By index, so that a hole counts: an array of holes is long, costs its sender nothing, and takes minutes to walk.
      for (let n = 0; n < one.length; n += 1) if (!seen(one[n], depth + 1)) return false
      return true
    }
    if (Object.getPrototypeOf(one) !== Object.prototype) return false
    for (const [name, member] of Object.entries(one)) {
      size += name.length
      if (name === '__proto__' || size > APP_MESSAGE_LIMIT) return false
      // A member that is not set counts as absent.
      if (member !== undefined && !seen(member, depth + 1)) return false
    }
    return true
  }
  return { isPlain: seen(value, 0), size }
}
