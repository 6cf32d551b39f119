import { useMemo } from 'react'
import type { ResourceTemplate } from '../../src-shared/mcp/primitives.ts'
import { TemplateForm, type TemplatePowers } from '../forms/TemplateForm.tsx'
import { failureText } from '../state/actions.ts'
import { complete, expandTemplate, templateVariables } from '../state/context-actions.ts'
import { VisibleText } from '../ui/VisibleText.tsx'
import type { Chosen } from './ResourcePicker.tsx'
import type { Offer } from './use-offers.ts'

export interface TemplateStepProps {
  readonly offer: Offer<ResourceTemplate>
  readonly onExpanded: (chosen: Chosen) => void
}

/** Fills in a template; what comes of it is looked at like any other resource. */
export function TemplateStep({ offer, onExpanded }: TemplateStepProps) {
  const { server, item } = offer
  const { uriTemplate } = item
  const powers = useMemo(
    (): TemplatePowers => ({
      variables: (signal) => templateVariables(server.id, uriTemplate, signal),
      expand: (values) => expandTemplate(server.id, uriTemplate, values),
      complete: (name, value, context, signal) =>
        complete(server.id, { type: 'template', uriTemplate }, { name, value }, context, signal),
      failed: failureText,
    }),
    [server.id, uriTemplate],
  )
  return (
    <div className="picker">
      <div className="picker-about">
        <strong>
          <VisibleText text={item.title || item.name} />
        </strong>{' '}
        <span className="content-server">
          <VisibleText text={server.name} />
        </span>
        <code className="picker-row-uri">
          <VisibleText text={uriTemplate} />
        </code>
        {item.description ? (
          <p className="soft">
            <VisibleText text={item.description} />
          </p>
        ) : null}
      </div>
      <TemplateForm
        label="Variables of the template"
        powers={powers}
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
