import type { ResourceTemplate } from '../../src-shared/mcp/primitives.ts'
import { audienceWords } from '../content/AnnotationHints.tsx'
import { ForeignIcon } from '../content/ForeignIcon.tsx'
import { isFolder } from '../content/viewers/resource-kind.ts'
import { bytes, grouped } from '../ui/sizes.ts'
import { VisibleText } from '../ui/VisibleText.tsx'
import { type ResourceEntry, roughTokens } from './resource-entries.ts'
import type { Offer } from './use-offers.ts'

export interface ResourceRowProps {
  readonly entry: ResourceEntry
  readonly onChoose: (entry: ResourceEntry) => void
}

export function ResourceRow({ entry, onChoose }: ResourceRowProps) {
  const { server, resource, invalid, duplicate } = entry
  const tokens = roughTokens(resource)
  const facts = [
    isFolder(resource.mimeType) ? 'folder' : resource.mimeType,
    resource.size === undefined ? undefined : bytes(resource.size),
    tokens === undefined ? undefined : `about ${grouped(tokens)} tokens`,
    audienceWords(resource.annotations?.audience),
  ].filter((fact) => fact !== undefined)
  return (
    <button type="button" className="picker-row" disabled={invalid} onClick={() => onChoose(entry)}>
      <span className="picker-row-head">
        <ForeignIcon icons={resource.icons} />
        {isFolder(resource.mimeType) ? <span aria-hidden="true">▸</span> : null}
        <strong>
          <VisibleText text={resource.title || resource.name} />
        </strong>
        <span className="content-server">
          <VisibleText text={server.name} />
        </span>
        {invalid ? <span className="picker-flag">invalid address</span> : null}
        {duplicate ? <span className="picker-flag">listed more than once</span> : null}
        <span className="meta">
          <VisibleText text={facts.join(' · ')} />
        </span>
      </span>
      <code className="picker-row-uri">
        <VisibleText text={resource.uri} />
      </code>
    </button>
  )
}

export interface TemplateRowProps {
  readonly offer: Offer<ResourceTemplate>
  readonly onChoose: (offer: Offer<ResourceTemplate>) => void
}

export function TemplateRow({ offer, onChoose }: TemplateRowProps) {
  const { server, item } = offer
  return (
    <button type="button" className="picker-row" onClick={() => onChoose(offer)}>
      <span className="picker-row-head">
        <ForeignIcon icons={item.icons} />
        <strong>
          <VisibleText text={item.title || item.name} />
        </strong>
        <span className="content-server">
          <VisibleText text={server.name} />
        </span>
        <span className="meta">
          template{item.mimeType ? ' · ' : ''}
          <VisibleText text={item.mimeType ?? ''} />
        </span>
      </span>
      <code className="picker-row-uri">
        <VisibleText text={item.uriTemplate} />
      </code>
    </button>
  )
}
