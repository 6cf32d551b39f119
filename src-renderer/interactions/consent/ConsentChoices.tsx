import { useId, useState } from 'react'
import type { Offer } from '../../../src-shared/contract/consent.ts'
import { routeHash } from '../../state/route.ts'
import { Button } from '../../ui/Button.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { useArmed } from '../frame/use-armed.ts'

export interface ConsentChoicesProps {
  readonly offers: readonly Offer[]
  /** Nothing can be allowed now. */
  readonly held: boolean
  /** What is ticked may destroy something. */
  readonly grave: boolean
  /** "3 of 4 calls", where there are several. */
  readonly count: string | undefined
  /** Allows, and makes the rule of this offer. */
  readonly onAllow: (offer?: string) => void
}

/** Allowing once, the narrowest rule in sight, and the wider ones a click away. */
export function ConsentChoices({ offers, held, grave, count, onAllow }: ConsentChoicesProps) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const [narrowest] = offers.filter(({ wide }) => !wide)
  const others = offers.filter((offer) => offer !== narrowest)
  const look = grave ? 'allow-grave' : 'allow'
  return (
    <>
      {count === undefined ? null : (
        <span className="consent-count meta" id={`${id}-count`}>
          {count}
        </span>
      )}
      <Button
        variant={look}
        disabled={held}
        aria-describedby={count === undefined ? undefined : `${id}-count`}
        onClick={() => onAllow()}
      >
        Allow once
      </Button>
      {offers.length === 0 ? null : (
        <div className="consent-offers">
          {narrowest ? (
            <Button variant={look} disabled={held} onClick={() => onAllow(narrowest.id)}>
              <VisibleText text={narrowest.label} />
            </Button>
          ) : null}
          {others.length === 0 ? null : (
            <Button aria-expanded={open} aria-controls={open ? `${id}-more` : undefined} onClick={() => setOpen(!open)}>
              {open ? 'Fewer choices' : 'More choices'}
            </Button>
          )}
          {open ? <WiderOffers id={`${id}-more`} offers={others} held={held} look={look} onAllow={onAllow} /> : null}
          <span className="meta">
            Applies until the tool or its server changes ·{' '}
            <a href={routeHash({ section: 'settings', id: 'consent' })}>Consent rules</a>
          </span>
        </div>
      )}
    </>
  )
}

interface WiderOffersProps extends Pick<ConsentChoicesProps, 'offers' | 'held' | 'onAllow'> {
  readonly id: string
  readonly look: 'allow' | 'allow-grave'
}

/** They appear under the finger, so they wait a moment as the question itself does. */
function WiderOffers({ id, offers, held, look, onAllow }: WiderOffersProps) {
  const armed = useArmed()
  return (
    <div className="consent-wider" id={id}>
      {offers.map((offer) => (
        <Button key={offer.id} variant={look} disabled={held || !armed} onClick={() => onAllow(offer.id)}>
          <VisibleText text={offer.label} />
        </Button>
      ))}
    </div>
  )
}
