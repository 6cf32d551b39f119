import { POWERS, type Power, type PowersKnown } from '../../src-shared/contract/consent.ts'
import { inOrder, isVerified, POSSIBLE_LABELS, POWER_LABELS } from './power-labels.ts'

const TONES: Partial<Readonly<Record<Power, string>>> = {
  destroys: 'chip chip-fail',
  sends: 'chip chip-wait',
  spends: 'chip chip-wait',
}

interface PowerBadgesProps {
  readonly powers: readonly Power[]
  readonly known: PowersKnown
  /** Those of them that are only the worst guess. */
  readonly possible?: readonly Power[] | undefined
}

/** The powers of a tool or a call as badges; guesses are marked, and only what is sure is coloured. */
export function PowerBadges({ powers, known, possible = known === 'unknown' ? powers : [] }: PowerBadgesProps) {
  const anything = known === 'unknown' && powers.length >= POWERS.length - 1
  return (
    <span className="chips">
      {powers.length === 0 ? <span className="chip">No known effect</span> : null}
      {anything ? <span className="chip">May do anything</span> : null}
      {(anything ? [] : inOrder(powers)).map((power) =>
        possible.includes(power) ? (
          <span className="chip" key={power}>
            {POSSIBLE_LABELS[power]}
          </span>
        ) : (
          <span className={TONES[power] ?? 'chip'} key={power}>
            {POWER_LABELS[power]}
          </span>
        ),
      )}
      {anything || isVerified(known) ? null : <span className="meta">(guessed)</span>}
    </span>
  )
}
