import { timeLimit } from '../../../src-shared/base/clock.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import type { AddressLook } from '../../transports/http/address-look.ts'
import type { HostCore } from '../core/host-core.ts'
import type { Redact } from '../core/redact.ts'
import type { FoundProgram } from '../launch/launch-identity.ts'

/** A server to diagnose, with the means to examine it. */
export interface DiagnosisTarget extends Pick<HostCore, 'clock' | 'environment' | 'platform' | 'connector'> {
  readonly record: ServerRecord
  /** The reason why it failed, needs a sign-in or cannot be used at all. */
  readonly problem?: Problem
  /** True if the person allowed its present launch: programs may be run and its address contacted. */
  readonly allowed: boolean
  /** The program that its command resolves to now. */
  readonly program?: FoundProgram
  /** The host's remarks about it, oldest first. */
  readonly oddities: readonly string[]
  /** The network path to its address, examined once. Undefined if it must not or need not be contacted. */
  readonly address: () => Promise<AddressLook | undefined>
  readonly redact: Redact
  readonly signal: AbortSignal
}

export const isConnected = ({ record: { state } }: DiagnosisTarget) => state.is === 'ready'

type CheckResult =
  | { readonly state: 'passed' | 'not-reached'; readonly what: string }
  | { readonly state: 'warning'; readonly problem: Problem }
  | { readonly state: 'failed'; readonly problem: Problem }

/** Runs one check; `reached` means that the server came further than this. Undefined if the check does not apply. */
export type Checker = (target: DiagnosisTarget, reached: boolean) => Promise<CheckResult | undefined> | CheckResult | undefined

export const passed = (what: string): CheckResult => ({ state: 'passed', what })
export const failed = (problem: Problem): CheckResult => ({ state: 'failed', problem })
export const warning = (problem: Problem): CheckResult => ({ state: 'warning', problem })
export const notReached = (what = 'It did not get this far.'): CheckResult => ({ state: 'not-reached', what })

/** Milliseconds for which another program or host may take to answer. */
const LIMIT_MS = 8_000

/** Ends `ask` at the time limit, or with the diagnosis. */
export async function inTime<T>(
  { clock, signal }: Pick<DiagnosisTarget, 'clock' | 'signal'>,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  using limit = timeLimit(clock, LIMIT_MS, undefined, signal)
  return await ask(limit.signal)
}
