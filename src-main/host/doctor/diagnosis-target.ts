import { timeLimit } from '../../../src-shared/base/clock.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import type { AddressLook } from '../../transports/http/address-look.ts'
import type { HostCore } from '../core/host-core.ts'
import type { Redact } from '../core/redact.ts'
import type { MeantProgram } from '../launch/find-program.ts'

/** A server that is looked at, and what it is looked at with. */
export interface DiagnosisTarget extends Pick<HostCore, 'clock' | 'environment' | 'platform' | 'connector'> {
  readonly record: ServerRecord
  /** Why it failed, needs a sign-in or cannot be used at all; absent while nothing has gone wrong. */
  readonly problem?: Problem
  /** The person allowed it to run as it is now: programs may be asked and its address contacted. */
  readonly allowed: boolean
  /** The program that its command resolves to now. */
  readonly program?: MeantProgram
  /** The host's remarks about it, oldest first. */
  readonly oddities: readonly string[]
  /** The path to its address; looked at once. Undefined where it must not be or need not be contacted. */
  readonly address: () => Promise<AddressLook | undefined>
  readonly redact: Redact
  /** Ends the look. */
  readonly signal: AbortSignal
}

export const isConnected = ({ record: { state } }: DiagnosisTarget) => state.is === 'ready'

/** The result of a check. */
export type Look =
  | { readonly state: 'passed' | 'not-reached'; readonly what: string }
  | { readonly state: 'warning'; readonly problem: Problem }
  | { readonly state: 'failed'; readonly problem: Problem }

/** Looks at one thing; `reached` tells that the server came further than this. Undefined where the check does not apply. */
export type CheckOne = (patient: DiagnosisTarget, reached: boolean) => Promise<Look | undefined> | Look | undefined

export const passed = (what: string): Look => ({ state: 'passed', what })
export const failed = (problem: Problem): Look => ({ state: 'failed', problem })
export const warning = (problem: Problem): Look => ({ state: 'warning', problem })
export const notReached = (what = 'It has not come so far.'): Look => ({ state: 'not-reached', what })

/** Milliseconds that asking another program or host may take. */
const LIMIT_MS = 8_000

/** Asks within its time, and no longer than anybody wants to know. */
export async function inTime<T>(
  { clock, signal }: Pick<DiagnosisTarget, 'clock' | 'signal'>,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  using limit = timeLimit(clock, LIMIT_MS, undefined, signal)
  return await ask(limit.signal)
}
