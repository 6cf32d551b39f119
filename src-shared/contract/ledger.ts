import type { ConsentRuleId, ConversationId } from './ids.ts'

/** Who decided about a call, and how. */
export type LedgerDecision =
  | 'allowed-by-person'
  | 'allowed-by-rule'
  /** Nobody need be asked about such a reading. */
  | 'free'
  | 'denied'
  | 'denied-by-rule'
  | 'unanswered'
  | 'by-hand'

/** Bytes of a call's arguments that an entry holds. */
export const LEDGER_ARGUMENTS = 8 * 1024

/** One decision about one call, as it was written and stays. */
export interface LedgerEntry {
  /** From 1 on, without a gap. */
  readonly number: number
  readonly at: number
  readonly conversationId?: ConversationId
  readonly serverId: string
  readonly serverName?: string
  readonly tool: string
  /** As canonical JSON, without what is known or looks like a secret; its head when it is longer than LEDGER_ARGUMENTS. */
  readonly arguments?: string
  /** How many bytes all arguments have; there when only their head is. */
  readonly argumentsBytes?: number
  /** SHA-256 of all arguments' canonical JSON, as they were sent. */
  readonly argumentsHash: string
  readonly decision: LedgerDecision
  readonly why?: string
  readonly ruleId?: ConsentRuleId
  /** What came of it: the call's status, and the code of what went wrong. */
  readonly outcome: string
  /** Written before there was a chain, and put into it afterwards: it is vouched for from then on only. */
  readonly chainedLater?: true
}

export interface LedgerPage {
  /** Newest first, each with its link of the chain. */
  readonly items: readonly (LedgerEntry & { readonly hash: string })[]
  /** Pass it back as `before`; absent on the last page. */
  readonly next?: number
  readonly total: number
}

/** A part of the file: one entry a line, oldest first. */
export interface LedgerLines {
  readonly text: string
  /** Pass it back as `after`; absent with the last part. */
  readonly next?: number
}

/** What a look at a part of the chain found. */
export interface LedgerCheck {
  /** How many follow from the one before, as far as it was looked. */
  readonly entries: number
  readonly bytes: number
  /** The first that does not follow: it is another than was written, or not there at all. */
  readonly broken?: { readonly number: number; readonly is: 'changed' | 'missing' }
  /** Pass it back as `after`; absent with the last part. */
  readonly next?: number
}
