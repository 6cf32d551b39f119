import { isObject } from '../../src-shared/base/json.ts'
import { type Border, bounded, type Fields, ShapeError } from './shapes/border.ts'
import type { Params } from './shapes/json-rpc.ts'
import { LimitError } from './shapes/limits.ts'

/** Input that a server needs before it can answer: a request without an id. */
export interface InputRequest {
  readonly method: string
  readonly params: Params
}

/** `input_required` (2026-07-28 basic/patterns/mrtr): has requests, a state or both. */
export interface InputRequired {
  readonly requests: ReadonlyMap<string, InputRequest>
  /** Opaque: returned unchanged and never parsed (V26-MRTR-4, V26-MRTR-6). */
  readonly requestState?: string
}

/** The requests that may end this way (V26-MRTR-1). */
export const MAY_NEED_INPUT: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get'])

const MAX_STATE_LENGTH = 1024 * 1024

export function inputRequired(result: Fields, border: Border): InputRequired {
  const { inputRequests, requestState } = result
  if (requestState !== undefined && typeof requestState !== 'string') throw new ShapeError('requestState', 'must be a string')
  if (requestState !== undefined && Buffer.byteLength(requestState) > MAX_STATE_LENGTH) {
    throw new LimitError('maxMessageBytes', MAX_STATE_LENGTH, `requestState is longer than ${MAX_STATE_LENGTH} bytes.`)
  }
  const requests = inputRequestsOf(inputRequests, border)
  if (requests.size === 0 && requestState === undefined) {
    throw new ShapeError('inputRequests', 'must name something, as there is no requestState')
  }
  return { requests, ...(requestState !== undefined && { requestState }) }
}

/** The requests by key. Throws ShapeError or LimitError; absent ones are none. */
export function inputRequestsOf(inputRequests: unknown, border: Border): ReadonlyMap<string, InputRequest> {
  if (inputRequests !== undefined && !isObject(inputRequests)) throw new ShapeError('inputRequests', 'must be an object')
  const entries = Object.entries(inputRequests ?? {})
  const most = border.limits.maxServerRequests
  if (entries.length > most) {
    throw new LimitError('maxServerRequests', most, `The server asks ${entries.length} things at once; at most ${most}.`)
  }
  const requests = new Map<string, InputRequest>()
  for (const [key, entry] of entries) {
    const path = `inputRequests.${key.slice(0, 100)}`
    if (!isObject(entry) || typeof entry.method !== 'string') throw new ShapeError(path, 'must have a method')
    if (entry.params !== undefined && !isObject(entry.params)) throw new ShapeError(`${path}.params`, 'must be an object')
    bounded(entry, path, border.limits)
    requests.set(key, { method: entry.method, params: entry.params ?? {} })
  }
  return requests
}
