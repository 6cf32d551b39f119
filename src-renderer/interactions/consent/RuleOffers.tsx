import { useState } from 'react'
import type { Offer } from '../../../src-shared/contract/consent.ts'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import type { Granting } from '../../ui/grants/use-grant.ts'
import { Menu } from '../../ui/Menu.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { AllowButton } from './AllowButton.tsx'

interface RuleOffersProps {
  readonly offers: readonly Offer[]
  /** Nothing can be allowed now. */
  readonly held: boolean
  readonly grave: boolean
  /** Not all calls are ticked, so a rule may be narrower than its words. */
  readonly some: boolean
  readonly onAllow: (by: Granting, offer: string) => void
}

/** Rules that an answer may make: the narrowest in sight, the others in a menu, the narrowest nearest. */
export function RuleOffers({ offers, held, grave, some, onAllow }: RuleOffersProps) {
  const [unbounded, setUnbounded] = useState<Offer>()
  if (offers.length === 0) return null
  const narrowest = offers.find(({ wide }) => !wide)
  const others = offers.filter((offer) => offer !== narrowest)
  return (
    <div className="consent-offers">
      {narrowest ? (
        <AllowButton size="small" grave={grave} held={held} onGrant={(by) => onAllow(by, narrowest.id)}>
          <VisibleText text={narrowest.label} />
        </AllowButton>
      ) : null}
      {some ? <span className="meta">for what is ticked</span> : null}
      {others.length === 0 ? null : (
        <Menu
          label="More choices"
          items={others.map((offer) => {
            const label = visibleText(offer.label)
            return isUnbounded(offer)
              ? { label: `${label} …`, disabled: held, onSelect: () => setUnbounded(offer) }
              : { label, disabled: held, onGrant: (by) => onAllow(by, offer.id) }
          })}
        >
          More
        </Menu>
      )}
      {unbounded ? (
        <ConfirmDialog
          title="Always, with any arguments?"
          confirm="Always allow"
          danger={grave}
          onConfirm={(by) => onAllow(by, unbounded.id)}
          onCancel={() => setUnbounded(undefined)}
        >
          <p>
            <VisibleText text={unbounded.label} />.
          </p>
          <p>
            In every conversation, whatever the model passes to it, without asking, until the tool or its server changes or you
            remove the rule under Settings, Consent rules.
          </p>
        </ConfirmDialog>
      ) : null}
    </div>
  )
}

/** Nothing bounds what it lets pass, and nothing ends it: one click is not enough. */
function isUnbounded({ anyArguments, scope }: Offer): boolean {
  return anyArguments === true && (scope === 'always' || scope === 'project')
}
