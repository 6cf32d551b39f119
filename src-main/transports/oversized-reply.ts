import type { Clock } from '../../src-shared/base/clock.ts'
import { jsonIn } from '../../src-shared/base/parse-json.ts'
import { TransportError } from '../protocol/peer/transport.ts'
import type { RequestId } from '../protocol/shapes/json-rpc.ts'

/**
 * The id of the request that an oversized message answers, from the top-level `id` in its first or last bytes.
 * Undefined when it is unknown, or when the message is a request or notification of the server.
 */
export function requestIdOf(head: string, tail: string): RequestId | undefined {
  const keys = leadingKeys(head)
  if (keys.has('method')) return undefined
  const leading = keys.get('id')
  if (leading !== undefined) return asId(leading)
  // The last brace closes the message itself, so an `id` right before it is the message's own.
  const trailing =
    /([,{]\s*"method"\s*:\s*"[^"]*"\s*)?[,{]\s*"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(
      tail,
    )
  return trailing?.[2] === undefined || trailing[1] !== undefined ? undefined : asId(trailing[2])
}

function asId(json: string): RequestId | undefined {
  const value = jsonIn(json)
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}

/** The top-level members of an object whose text is cut off, up to the last value that has begun. */
function leadingKeys(text: string): Map<string, string> {
  const found = new Map<string, string>()
  const string = /"(?:[^"\\]|\\.)*"/y
  const scalar = /[^\s,{}[\]"]+/y
  const space = /[\s,]*/y
  let at = 0
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const matched = pattern.exec(text)?.[0]
    if (matched !== undefined) at += matched.length
    return matched
  }
  match(/\s*(?:data: ?)?\{/y) // on an event stream, the field's name comes first
  while (at > 0 && at < text.length) {
    match(space)
    const name = match(string)
    if (name === undefined || match(/\s*:\s*/y) === undefined) break
    const value = match(string) ?? match(scalar) ?? ''
    found.set(name.slice(1, -1), value)
    if (value === '') break // an object or array, which makes the message large
  }
  return found
}

const PER_MINUTE = 3

/** Allows two messages beyond the limit within a minute; the third ends the connection (TRAN-11). */
export class OversizeWatch {
  readonly #clock: Clock
  #times: readonly number[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Counts one more; true when the connection must end. */
  exceeds(): boolean {
    const now = this.#clock.now()
    this.#times = [...this.#times.filter((at) => now - at < 60_000), now]
    return this.#times.length >= PER_MINUTE
  }
}

export function skippedError(limit: number): TransportError {
  return new TransportError('too-large', `A message is larger than ${limit} bytes and was skipped.`)
}

export function oversizedRepeatedly(limit: number, stderr: readonly string[] = []): TransportError {
  const message = `The server sent ${PER_MINUTE} messages larger than ${limit} bytes within a minute; it was disconnected.`
  return new TransportError('too-large', message, { stderr })
}
