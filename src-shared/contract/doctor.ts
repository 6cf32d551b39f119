import type { Problem } from './errors.ts'

/** Checks in order: for local servers, for remote ones, then those for both. */
export const LOCAL_CHECKS = ['allowed', 'command', 'runtime', 'download', 'process'] as const
export const REMOTE_CHECKS = ['allowed', 'address', 'name', 'proxy', 'clock', 'certificate', 'answer', 'sign-in'] as const
export const COMMON_CHECKS = ['handshake', 'version', 'lists', 'offered'] as const

export type CheckId = (typeof LOCAL_CHECKS | typeof REMOTE_CHECKS | typeof COMMON_CHECKS)[number]

/** `what` is a sentence; `said` is text of a server or program: redacted, bounded, rendered inert. */
export interface Check extends Pick<Problem, 'what' | 'said' | 'todo' | 'remedies'> {
  readonly id: CheckId
  /** `not-reached` after a failed check. A check that does not apply is left out. */
  readonly state: 'passed' | 'failed' | 'warning' | 'not-reached'
}

export interface Diagnosis {
  readonly at: number
  readonly checks: readonly Check[]
  /** The main problem; absent when all is well. Also in the state of a failed server. */
  readonly finding?: Problem
  /** Text to copy, without values of variables and headers, and with secrets redacted. */
  readonly report: string
}
