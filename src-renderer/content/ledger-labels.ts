import type { LedgerCheck, LedgerDecision } from '../../src-shared/contract/consent.ts'
import { bytes, counted, grouped } from '../ui/amounts.ts'

export const DECISION_LABELS: Readonly<Record<LedgerDecision, string>> = {
  'allowed-by-person': 'Allowed by you',
  'allowed-by-rule': 'Allowed by a rule',
  free: 'Allowed without asking',
  denied: 'Denied by you',
  'denied-by-rule': 'Denied by a rule',
  unanswered: 'Not answered',
  'by-hand': 'Run by you',
}

const OUTCOME_LABELS: Readonly<Record<string, string>> = {
  finished: 'done',
  error: 'error',
  failed: 'failed',
  declined: 'not sent',
  cancelled: 'stopped',
  interrupted: 'interrupted',
}

/** Results that the person saw before the model did. */
const REVIEWED_LABELS: Readonly<Record<string, string>> = {
  'finished: changed': 'done, result changed by you',
  'finished: withheld': 'done, result withheld by you',
  'error: changed': 'error, result changed by you',
}

export function outcomeLabel(outcome: string): string {
  const [status = ''] = outcome.split(':')
  if (Object.hasOwn(REVIEWED_LABELS, outcome)) return REVIEWED_LABELS[outcome] ?? outcome
  return Object.hasOwn(OUTCOME_LABELS, status) ? (OUTCOME_LABELS[status] ?? outcome) : outcome
}

export function checkLabel({ entries, bytes: size, broken }: Omit<LedgerCheck, 'next'>): string {
  if (!broken) return `${counted(entries, 'entry', 'entries')} (${bytes(size)}), unbroken.`
  const number = grouped(broken.number)
  return broken.is === 'missing'
    ? `Entry ${number} was removed after it was written.`
    : `Entry ${number} was changed after it was written.`
}
