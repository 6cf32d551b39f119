import type { Problem } from './errors.ts'

/** The checks in order: of a local server, of a remote one, and those that both share. */
export const LOCAL_CHECKS = ['allowed', 'command', 'runtime', 'download', 'process'] as const
export const REMOTE_CHECKS = ['allowed', 'address', 'name', 'proxy', 'clock', 'certificate', 'answer', 'sign-in'] as const
export const COMMON_CHECKS = ['handshake', 'version', 'lists', 'offered'] as const

export type CheckId = (typeof LOCAL_CHECKS | typeof REMOTE_CHECKS | typeof COMMON_CHECKS)[number]

/** One thing that was looked at. `what` is a sentence; `said` is a server's or program's own text: redacted, bounded, rendered inert. */
export interface Check extends Pick<Problem, 'what' | 'said' | 'todo' | 'remedies'> {
  readonly id: CheckId
  /** A check is left out where it does not apply; it is not reached where an earlier one failed. */
  readonly state: 'passed' | 'failed' | 'warning' | 'not-reached'
}

/** The diagnosis of one server. */
export interface Diagnosis {
  readonly at: number
  readonly checks: readonly Check[]
  /** The one that tells; absent when nothing is wrong. The same stands in the server's state when it failed. */
  readonly finding?: Problem
  /** To copy: without values of variables and headers, and without what looks like a secret. */
  readonly report: string
}
