import type { JsonValue } from '../base/json.ts'

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
export interface Problem {
  /** Stable, for tests and links: `command-not-found`, `exited`, `no-answer`, … */
  readonly code: string
  /** What failed. */
  readonly what: string
  /** What it said, when it said something. Server or model text: rendered inert. */
  readonly said?: string
  /** What the person can do. */
  readonly todo?: string
  /** When trying again makes sense, milliseconds since the epoch. */
  readonly retryAt?: number
}
