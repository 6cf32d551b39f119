import type { ResourceTemplate } from '../../src-shared/mcp/primitives.ts'
import { TemplateForm } from '../forms/TemplateForm.tsx'
import { chosenOf } from '../offers/resource-entries.ts'
import type { ServerOffer } from '../offers/use-offers.ts'
import type { ChosenResource } from '../state/view-store.ts'
import { VisibleText } from '../ui/VisibleText.tsx'
import { OfferSummary } from './OfferSummary.tsx'

interface TemplateStepProps {
  readonly offer: ServerOffer<ResourceTemplate>
  readonly onExpanded: (chosen: ChosenResource) => void
}

/** Fills in a template; the expanded address then takes the same step as any other resource. */
export function TemplateStep({ offer, onExpanded }: TemplateStepProps) {
  const { server, item } = offer
  return (
    <div className="picker column-3">
      <OfferSummary
        title={item.title || item.name}
        serverName={server.name}
        description={item.description}
        uri={<VisibleText text={item.uriTemplate} />}
      />
      <TemplateForm
        server={server}
        uriTemplate={item.uriTemplate}
        action="Use these values"
        onExpanded={(uri) => onExpanded(chosenOf(server, { ...item, uri }))}
      />
    </div>
  )
}
