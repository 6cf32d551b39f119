import { useCallback, useState } from 'react'
import type { ServerRecord } from '../../src-shared/contract/servers.ts'
import type { Resource, ResourceTemplate } from '../../src-shared/mcp/primitives.ts'
import { readResources, readTemplates } from '../state/actions.ts'
import { TextField } from '../ui/fields.tsx'
import { bytes } from '../ui/sizes.ts'
import { VisibleText } from '../ui/VisibleText.tsx'
import { CatalogList } from './CatalogList.tsx'
import { NotConnected } from './NotConnected.tsx'
import { usePages } from './use-pages.ts'

/** What can be read from the server: single resources, and templates for whole families of them. */
export function ResourcesTab({ server }: { readonly server: ServerRecord }) {
  const [search, setSearch] = useState('')
  const { version, resources, templates } = server.catalog
  const load = useCallback(
    (cursor: string | undefined, signal: AbortSignal) =>
      readResources(
        { serverId: server.id, ...(cursor !== undefined && { cursor }), ...(search.trim() && { search: search.trim() }) },
        signal,
      ),
    [server.id, search],
  )
  const pages = usePages<Resource>(load, version)
  if (resources + templates === 0 && search === '') return <NotConnected server={server} what="resources" />
  return (
    <div className="tab">
      {resources > 0 ? (
        <>
          <TextField
            type="search"
            label="Search resources"
            hideLabel
            placeholder="Search resources"
            value={search}
            onChange={setSearch}
          />
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
              />
            )}
          />
        </>
      ) : null}
      {templates > 0 ? <Templates server={server} /> : null}
    </div>
  )
}

function Templates({ server }: { readonly server: ServerRecord }) {
  const { version } = server.catalog
  const load = useCallback(
    (cursor: string | undefined, signal: AbortSignal) =>
      readTemplates({ serverId: server.id, ...(cursor !== undefined && { cursor }) }, signal),
    [server.id],
  )
  const pages = usePages<ResourceTemplate>(load, version)
  return (
    <section className="section">
      <h2>Templates</h2>
      <CatalogList
        label="Templates"
        pages={pages}
        keyOf={(template) => template.uriTemplate}
        rowHeight={76}
        empty="It has no templates."
        render={(template) => (
          <Entry
            name={template.title ?? template.name}
            uri={template.uriTemplate}
            about={template.description}
            facts={[template.mimeType]}
          />
        )}
      />
    </section>
  )
}

interface EntryProps {
  readonly name: string
  readonly uri: string
  readonly about: string | undefined
  readonly facts: readonly (string | undefined)[]
}

function Entry({ name, uri, about, facts }: EntryProps) {
  const known = facts.filter((fact) => fact !== undefined)
  return (
    <div className="catalog-row">
      <div className="catalog-row-text">
        <div className="catalog-row-head">
          <strong>
            <VisibleText text={name} />
          </strong>
          {known.length > 0 ? (
            <span className="meta">
              <VisibleText text={known.join(' · ')} />
            </span>
          ) : null}
        </div>
        <code className="catalog-uri">
          <VisibleText text={uri} />
        </code>
        {about ? (
          <div className="catalog-about">
            <VisibleText text={about} />
          </div>
        ) : null}
      </div>
    </div>
  )
}
