import { z } from 'zod'
import type { JsonValue } from '../base/json.ts'
import { type Given, line, text, time } from './schema-parts.ts'

/** Why the host refused a renderer's request. */
export type HostErrorCode =
  | 'invalid-params'
  | 'invalid-answer'
  | 'unknown-request'
  | 'not-found'
  | 'conflict'
  | 'refused'
  | 'unavailable'
  | 'host-restarted'
  | 'cancelled'
  | 'storage'
  | 'internal'

/** A HostError as it travels. */
export interface SerializedError {
  readonly code: HostErrorCode
  /** One or two plain sentences for the person: what failed, what it said, what to do. */
  readonly message: string
  readonly data?: JsonValue
}

export class HostError extends Error {
  readonly code: HostErrorCode
  readonly data: JsonValue | undefined

  constructor(code: HostErrorCode, message: string, data?: JsonValue) {
    super(message)
    this.name = 'HostError'
    this.code = code
    this.data = data
  }
}

/** Something that went wrong, as a person should read it. */
export type Problem = Given<typeof problem>
export const problem = () =>
  z.object({
    /** Stable, for tests and links: `command-not-found`, `exited`, `no-answer`, … */
    code: text(100),
    /** What failed. */
    what: line(),
    /** What it said, when it said something. Server or model text: rendered inert. */
    said: line().exactOptional(),
    /** What the person can do. */
    todo: line().exactOptional(),
    /** A variable that it wants set. */
    variable: text(100).exactOptional(),
    /** When trying again makes sense, milliseconds since the epoch. */
    retryAt: time().exactOptional(),
  })
