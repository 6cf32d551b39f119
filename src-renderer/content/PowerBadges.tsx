import type { Power, PowersKnown } from '../../src-shared/contract/consent.ts'
import { inOrder, isVerified, POWER_LABELS } from './power-labels.ts'

const TONES: Partial<Readonly<Record<Power, string>>> = {
  destroys: 'chip chip-fail',
  sends: 'chip chip-wait',
  spends: 'chip chip-wait',
}

/** The powers of a tool or a call as badges, marked when they are guesses. */
export function PowerBadges({ powers, known }: { readonly powers: readonly Power[]; readonly known: PowersKnown }) {
  return (
    <span className="chips">
      {powers.length === 0 ? <span className="chip">No known effect</span> : null}
      {inOrder(powers).map((power) => (
        <span className={TONES[power] ?? 'chip'} key={power}>
          {POWER_LABELS[power]}
        </span>
      ))}
      {isVerified(known) ? null : <span className="meta">(not verified)</span>}
    </span>
  )
}
