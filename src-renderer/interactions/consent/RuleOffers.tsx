import { useId, useState } from 'react'
import type { Offer } from '../../../src-shared/contract/consent.ts'
import { routeHash } from '../../state/route.ts'
import { useArmed } from '../../state/use-armed.ts'
import { Button } from '../../ui/Button.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { AllowButton } from './AllowButton.tsx'

export interface RuleOffersProps {
  readonly offers: readonly Offer[]
  /** Nothing can be allowed now. */
  readonly held: boolean
  readonly grave: boolean
  /** Not all calls are ticked, so a rule may be narrower than its words. */
  readonly some: boolean
  readonly onAllow: (offer: string) => void
}

/** Rules that an answer may make: the narrowest in sight, the others a click away. */
export function RuleOffers({ offers, held, grave, some, onAllow }: RuleOffersProps) {
  const id = useId()
  const [open, setOpen] = useState(false)
  if (offers.length === 0) return null
  const narrowest = offers.find(({ wide }) => !wide)
  const others = offers.filter((offer) => offer !== narrowest)
  return (
    <div className="consent-offers">
      {narrowest ? (
        <AllowButton grave={grave} disabled={held} onClick={() => onAllow(narrowest.id)}>
          <VisibleText text={narrowest.label} />
        </AllowButton>
      ) : null}
      <div className="consent-offers-foot">
        <span className="meta">
          Applies until the tool or its server changes{some ? ', for what is ticked' : ''} ·{' '}
          <a href={routeHash({ section: 'settings', id: 'consent' })}>Consent rules</a>
        </span>
        {others.length === 0 ? null : (
          <Button size="small" aria-expanded={open} aria-controls={open ? id : undefined} onClick={() => setOpen(!open)}>
            More choices
          </Button>
        )}
      </div>
      {open ? <WiderOffers id={id} offers={others} held={held} grave={grave} onAllow={onAllow} /> : null}
    </div>
  )
}

/** They appear under the finger, so they wait a moment as the question itself does. */
function WiderOffers({ id, offers, held, grave, onAllow }: Omit<RuleOffersProps, 'some'> & { readonly id: string }) {
  const armed = useArmed()
  return (
    <div className="consent-wider" id={id}>
      {offers.map((offer) => (
        <AllowButton key={offer.id} grave={grave} disabled={held || !armed} onClick={() => onAllow(offer.id)}>
          <VisibleText text={offer.label} />
        </AllowButton>
      ))}
    </div>
  )
}
