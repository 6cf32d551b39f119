import type { ResourceTemplate } from '../../src-shared/mcp/primitives.ts'
import { audienceLabel } from '../content/AnnotationHints.tsx'
import { isFolder } from '../content/viewers/resource-kind.ts'
import { type ResourceEntry, resourceTokens } from '../offers/resource-entries.ts'
import type { ServerOffer } from '../offers/use-offers.ts'
import { bytes, grouped } from '../ui/amounts.ts'
import { VisibleText } from '../ui/VisibleText.tsx'
import { OfferRow } from './OfferRow.tsx'

interface ResourceRowProps {
  readonly entry: ResourceEntry
  readonly onChoose: (entry: ResourceEntry) => void
}

export function ResourceRow({ entry, onChoose }: ResourceRowProps) {
  const { server, resource, invalid, duplicate } = entry
  const tokens = resourceTokens(resource.size)
  const folder = isFolder(resource.mimeType)
  const facts = [
    folder ? 'folder' : resource.mimeType,
    resource.size === undefined ? undefined : bytes(resource.size),
    tokens === undefined ? undefined : `about ${grouped(tokens)} tokens`,
    audienceLabel(resource.annotations?.audience),
  ].filter((fact) => fact !== undefined)
  return (
    <OfferRow
      server={server}
      title={resource.title || resource.name}
      icons={resource.icons}
      mark={folder ? <span aria-hidden="true">▸</span> : null}
      below={<Address text={resource.uri} />}
      disabled={invalid}
      onChoose={() => onChoose(entry)}
    >
      {invalid ? <span className="chip chip-wait">invalid address</span> : null}
      {duplicate ? <span className="chip chip-wait">listed more than once</span> : null}
      <VisibleText as="span" className="meta" text={facts.join(' · ')} />
    </OfferRow>
  )
}

interface TemplateRowProps {
  readonly offer: ServerOffer<ResourceTemplate>
  readonly onChoose: (offer: ServerOffer<ResourceTemplate>) => void
}

export function TemplateRow({ offer, onChoose }: TemplateRowProps) {
  const { server, item } = offer
  return (
    <OfferRow
      server={server}
      title={item.title || item.name}
      icons={item.icons}
      below={<Address text={item.uriTemplate} />}
      onChoose={() => onChoose(offer)}
    >
      <span className="meta">
        template{item.mimeType ? ' · ' : ''}
        <VisibleText text={item.mimeType ?? ''} />
      </span>
    </OfferRow>
  )
}

function Address({ text }: { readonly text: string }) {
  return <VisibleText as="code" className="picker-row-uri" text={text} />
}
