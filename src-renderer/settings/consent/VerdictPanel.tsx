import type { Touch, VerdictView } from '../../../src-shared/contract/consent.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { GuardNotes } from '../../content/GuardNotes.tsx'
import { PowerBadges } from '../../content/PowerBadges.tsx'
import { Fact } from '../../ui/Fact.tsx'
import { StatusDot } from '../../ui/StatusDot.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'

const TONES = { allow: 'ok', ask: 'wait', deny: 'fail' } as const

interface VerdictPanelProps {
  readonly verdict: VerdictView
  /** The sentence of the deciding rule. */
  readonly rule: string | undefined
  readonly conversationId: ConversationId | undefined
}

/** The verdict on a call and its reasons. */
export function VerdictPanel({ verdict, rule, conversationId }: VerdictPanelProps) {
  const { why, powers, known, touches, guards, offers } = verdict
  return (
    <div className="column-3">
      <p>
        <strong>
          <StatusDot tone={TONES[verdict.is]} word={VERDICT_LABELS[verdict.is]} />
        </strong>{' '}
        <VisibleText text={why} />
      </p>
      <GuardNotes guards={guards} conversationId={conversationId} />
      <dl className="column">
        {rule === undefined ? null : (
          <Fact name="Rule">
            <VisibleText text={rule} />
          </Fact>
        )}
        <Fact name="Powers">
          <PowerBadges powers={powers} known={known} />
        </Fact>
        <Fact name="Reaches">
          {touches.length === 0 ? (
            'None'
          ) : (
            <ul className="column-1">
              {touches.map((touch) => {
                const { kind, value } = touchLabel(touch)
                return (
                  <li key={`${touch.is} ${touch.argument} ${touch.value}`}>
                    {kind} <VisibleText as="code" text={value} /> <VisibleText as="span" className="meta" text={touch.argument} />
                  </li>
                )
              })}
            </ul>
          )}
        </Fact>
        {offers.length === 0 ? null : (
          <Fact name="Offers">
            <ul className="column-1">
              {offers.map(({ id, label }) => (
                <li key={id}>
                  <VisibleText text={label} />
                </li>
              ))}
            </ul>
          </Fact>
        )}
      </dl>
    </div>
  )
}

const VERDICT_LABELS: Readonly<Record<VerdictView['is'], string>> = { allow: 'Allowed', ask: 'Asked', deny: 'Denied' }

/** The kind and value of what an argument reaches. */
function touchLabel(touch: Touch): { readonly kind: string; readonly value: string } {
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
