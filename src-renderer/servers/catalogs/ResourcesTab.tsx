import { type ReactNode, useState } from 'react'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import type { Annotations, Icon } from '../../../src-shared/mcp/content.ts'
import type { ResourceTemplate } from '../../../src-shared/mcp/primitives.ts'
import { AnnotationHints } from '../../content/AnnotationHints.tsx'
import { ForeignIcon } from '../../content/ForeignIcon.tsx'
import { TemplateForm } from '../../forms/TemplateForm.tsx'
import { isUsable } from '../../state/selectors.ts'
import { setViewing } from '../../state/view-store.ts'
import { bytes } from '../../ui/amounts.ts'
import { Button } from '../../ui/Button.tsx'
import { SearchField } from '../../ui/fields/SearchField.tsx'
import { Section } from '../../ui/Section.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { CatalogList } from './CatalogList.tsx'
import { NotConnected } from './NotConnected.tsx'
import { useCatalog } from './use-catalog.ts'

export function ResourcesTab({ server }: { readonly server: ServerRecord }) {
  const [search, setSearch] = useState('')
  const { resources, templates } = server.catalog
  const pages = useCatalog('catalog.resources', server, search)
  if (resources + templates === 0 && search === '') return <NotConnected server={server} what="resources" />
  return (
    <div className="tab column-3">
      {resources > 0 ? (
        <>
          <SearchField label="Search resources" value={search} onChange={setSearch} />
          <CatalogList
            label="Resources"
            pages={pages}
            keyOf={(resource) => resource.uri}
            rowHeight={76}
            empty={`No resource matches “${search.trim()}”.`}
            render={(resource) => (
              <Entry
                name={resource.title ?? resource.name}
                uri={resource.uri}
                about={resource.description}
                facts={[resource.mimeType, resource.size === undefined ? undefined : bytes(resource.size)]}
                annotations={resource.annotations}
                icons={resource.icons}
              >
                <ReadButton server={server} uri={resource.uri} title={resource.title ?? resource.name} />
              </Entry>
            )}
          />
        </>
      ) : null}
      {templates > 0 ? <Templates server={server} /> : null}
    </div>
  )
}

function Templates({ server }: { readonly server: ServerRecord }) {
  const pages = useCatalog('catalog.templates', server)
  return (
    <Section title="Templates">
      <CatalogList
        label="Templates"
        pages={pages}
        keyOf={(template) => template.uriTemplate}
        rowHeight={76}
        empty="No templates."
        render={(template) => (
          <Entry
            name={template.title ?? template.name}
            uri={template.uriTemplate}
            about={template.description}
            facts={[template.mimeType]}
            annotations={template.annotations}
            icons={template.icons}
          >
            <FillIn server={server} template={template} />
          </Entry>
        )}
      />
    </Section>
  )
}

interface EntryProps {
  readonly name: string
  readonly uri: string
  readonly about: string | undefined
  readonly facts: readonly (string | undefined)[]
  readonly annotations: Annotations | undefined
  readonly icons: readonly Icon[] | undefined
  readonly children: ReactNode
}

function Entry({ name, uri, about, facts, annotations, icons, children }: EntryProps) {
  const known = facts.filter((fact) => fact !== undefined)
  return (
    <div className="catalog-row">
      <div className="column-tight grow">
        <div className="catalog-row-head actions">
          <ForeignIcon icons={icons} />
          <VisibleText as="strong" text={name} />
          {known.length > 0 ? <VisibleText as="span" className="meta" text={known.join(' · ')} /> : null}
          <AnnotationHints annotations={annotations} />
        </div>
        <VisibleText as="code" className="catalog-uri" text={uri} />
        {about ? <VisibleText as="div" className="catalog-about small" text={about} /> : null}
        {children}
      </div>
    </div>
  )
}

function ReadButton({ server, uri, title }: { readonly server: ServerRecord; readonly uri: string; readonly title: string }) {
  return (
    <div className="catalog-row-actions actions">
      <Button
        size="small"
        disabled={!isUsable(server)}
        onClick={() => setViewing({ is: 'resource', serverId: server.id, uri, title })}
      >
        Read
      </Button>
    </div>
  )
}

function FillIn({ server, template }: { readonly server: ServerRecord; readonly template: ResourceTemplate }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <div className="catalog-row-actions actions">
        <Button size="small" aria-expanded={open} disabled={!isUsable(server)} onClick={() => setOpen(!open)}>
          Open
        </Button>
      </div>
      {open ? (
        <TemplateForm
          server={server}
          uriTemplate={template.uriTemplate}
          action="Read"
          onExpanded={(uri) => setViewing({ is: 'resource', serverId: server.id, uri, title: template.title ?? template.name })}
        />
      ) : null}
    </>
  )
}
