import type { Problem } from '../../../src-shared/contract/errors.ts'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import type { Redact } from '../core/redact.ts'

/** A server that is looked at. */
export interface Patient {
  readonly record: ServerRecord
  /** Why it failed, needs a sign-in or cannot be used at all; absent while nothing has gone wrong. */
  readonly problem?: Problem
  /** The person allowed it to run as it is now: programs may be asked and its address contacted. */
  readonly allowed: boolean
  /** `process.platform`. */
  readonly os: string
  readonly version: string
  readonly now: number
  readonly redact: Redact
  /** Ends the look. */
  readonly signal: AbortSignal
}

/** What a check found. */
export type Look =
  | { readonly state: 'passed' | 'not-reached'; readonly what: string }
  | { readonly state: 'warning'; readonly problem: Problem }
  | { readonly state: 'failed'; readonly problem: Problem }

/** Looks at one thing; undefined where it does not apply. */
export type CheckOne = (patient: Patient) => Promise<Look | undefined> | Look | undefined

export const passed = (what: string): Look => ({ state: 'passed', what })
export const failed = (problem: Problem): Look => ({ state: 'failed', problem })
export const warning = (problem: Problem): Look => ({ state: 'warning', problem })
export const notReached = (what: string): Look => ({ state: 'not-reached', what })
