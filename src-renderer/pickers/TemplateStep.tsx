import type { ResourceTemplate } from '../../src-shared/mcp/primitives.ts'
import { TemplateForm } from '../forms/TemplateForm.tsx'
import type { ServerOffer } from '../offers/use-offers.ts'
import type { ChosenResource } from '../state/view-store.ts'
import { VisibleText } from '../ui/VisibleText.tsx'
import { OfferSummary } from './OfferSummary.tsx'

export interface TemplateStepProps {
  readonly offer: ServerOffer<ResourceTemplate>
  readonly onExpanded: (chosen: ChosenResource) => void
}

/** Fills in a template; what comes of it is looked at like any other resource. */
export function TemplateStep({ offer, onExpanded }: TemplateStepProps) {
  const { server, item } = offer
  const { uriTemplate } = item
  return (
    <div className="picker column-3">
      <OfferSummary
        title={item.title || item.name}
        serverName={server.name}
        description={item.description}
        uri={<VisibleText text={uriTemplate} />}
      />
      <TemplateForm
        server={server}
        uriTemplate={uriTemplate}
        action="Use these values"
        onExpanded={(uri) =>
          onExpanded({
            serverId: server.id,
            serverName: server.name,
            uri,
            title: item.title ?? item.name,
            description: item.description,
            mimeType: item.mimeType,
            annotations: item.annotations,
          })
        }
      />
    </div>
  )
}
