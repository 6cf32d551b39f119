import type { Touch, VerdictView } from '../../../src-shared/contract/consent.ts'

export const VERDICT_LABELS: Readonly<Record<VerdictView['is'], string>> = { allow: 'Allowed', ask: 'Asked', deny: 'Denied' }

/** The kind and value of what an argument reaches. */
export function touchLabel(touch: Touch): { readonly kind: string; readonly value: string } {
  switch (touch.is) {
    case 'path':
      return { kind: 'Path', value: touch.path ?? `${touch.value} (unknown)` }
    case 'host':
      return { kind: 'Host', value: touch.host }
    case 'recipient':
      return { kind: 'Recipient', value: touch.written ?? touch.value }
    case 'statement':
      return { kind: 'SQL', value: [touch.verb, touch.tables.join(', ')].filter(Boolean).join(' ') }
    case 'command':
      return { kind: 'Command', value: touch.words }
    case 'amount':
      return { kind: 'Amount', value: String(touch.amount) }
    case 'item':
      return { kind: 'Known item', value: touch.value }
    case 'option':
      return { kind: 'Option', value: touch.value }
    case 'text':
      return { kind: 'Text', value: 'any' }
    case 'value':
      return { kind: 'Value', value: touch.value }
  }
}
