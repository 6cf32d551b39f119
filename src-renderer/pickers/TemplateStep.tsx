import { useMemo } from 'react'
import type { ResourceTemplate } from '../../src-shared/mcp/primitives.ts'
import { TemplateForm } from '../forms/TemplateForm.tsx'
import { templatePowers } from '../state/form-powers.ts'
import { VisibleText } from '../ui/VisibleText.tsx'
import type { Chosen } from './chosen.ts'
import { OfferAbout } from './OfferAbout.tsx'
import type { Offer } from './use-offers.ts'

export interface TemplateStepProps {
  readonly offer: Offer<ResourceTemplate>
  readonly onExpanded: (chosen: Chosen) => void
}

/** Fills in a template; what comes of it is looked at like any other resource. */
export function TemplateStep({ offer, onExpanded }: TemplateStepProps) {
  const { server, item } = offer
  const { uriTemplate } = item
  const powers = useMemo(() => templatePowers(server.id, uriTemplate), [server.id, uriTemplate])
  return (
    <div className="picker">
      <OfferAbout
        title={item.title || item.name}
        serverName={server.name}
        description={item.description}
        uri={<VisibleText text={uriTemplate} />}
      />
      <TemplateForm
        label="Variables of the template"
        powers={powers}
        server={server.name}
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
