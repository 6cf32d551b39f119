import { type RefObject, useMemo, useState } from 'react'
import type { ServerRecord } from '../../src-shared/contract/servers.ts'
import type { ResourceTemplate } from '../../src-shared/mcp/primitives.ts'
import { Button } from '../ui/Button.tsx'
import { Select, TextField } from '../ui/fields.tsx'
import { ProblemCard } from '../ui/ProblemCard.tsx'
import { counted } from '../ui/sizes.ts'
import { EmptyState, Skeleton } from '../ui/states.tsx'
import { VirtualList } from '../ui/VirtualList.tsx'
import { ResourceRow, TemplateRow } from './ResourceRow.tsx'
import { ResourceTree } from './ResourceTree.tsx'
import { EVERYTHING, passes, type ResourceEntry, ranked } from './resource-entries.ts'
import { uriTree } from './uri-tree.ts'
import type { Offer } from './use-offers.ts'

const TYPES = [
  { value: 'text/', label: 'Text' },
  { value: 'application/', label: 'Documents and files' },
  { value: 'image/', label: 'Images' },
  { value: 'audio/', label: 'Sounds' },
  { value: 'inode/', label: 'Folders' },
] as const
const AUDIENCES = [
  { value: 'assistant', label: 'For the model' },
  { value: 'user', label: 'For you' },
] as const
const ANY = { value: 'any', label: 'All' } as const
const or = <T extends string>(value: T | 'any'): T | '' => (value === 'any' ? '' : value)

export interface ResourceChoicesProps {
  readonly search: RefObject<HTMLInputElement | null>
  readonly servers: readonly ServerRecord[]
  readonly entries: readonly ResourceEntry[]
  readonly templates: readonly Offer<ResourceTemplate>[]
  readonly loading: boolean
  readonly problems: readonly string[]
  readonly onResource: (entry: ResourceEntry) => void
  readonly onTemplate: (offer: Offer<ResourceTemplate>) => void
}

/** Everything that can be attached, narrowed by words, server, type and audience; as a list or as a tree of addresses. */
export function ResourceChoices(props: ResourceChoicesProps) {
  const { servers, entries, templates, loading, problems, onResource, onTemplate } = props
  const [filter, setFilter] = useState(EVERYTHING)
  const [tree, setTree] = useState(false)
  const shown = useMemo(() => ranked(entries.filter((entry) => passes(entry, filter))), [entries, filter])
  const branches = useMemo(() => (tree ? uriTree(shown) : []), [tree, shown])
  const shownTemplates = templates.filter(({ server, item }) => templatePasses(server, item, filter))
  const rows: readonly Row[] = [
    ...shownTemplates.map((offer): Row => ({ is: 'template', offer })),
    ...(tree ? [] : shown.map((entry): Row => ({ is: 'resource', entry }))),
  ]
  const nothing = entries.length + templates.length === 0
  return (
    <div className="picker">
      <div className="picker-tools">
        <TextField
          ref={props.search}
          type="search"
          label="Search what to attach"
          hideLabel
          placeholder="Search by name or address"
          value={filter.search}
          onChange={(search) => setFilter({ ...filter, search })}
        />
        <Select
          label="Offered by"
          hideLabel
          options={[
            { ...ANY, label: 'All servers' },
            ...servers.map((server) => ({ value: server.id as string, label: server.name })),
          ]}
          value={filter.server || 'any'}
          onChange={(server) => setFilter({ ...filter, server: or(server) })}
        />
        <Select
          label="Type"
          hideLabel
          options={[{ ...ANY, label: 'Every type' }, ...TYPES]}
          value={filter.type || 'any'}
          onChange={(type) => setFilter({ ...filter, type: or(type) })}
        />
        <Select
          label="Audience"
          hideLabel
          options={[{ ...ANY, label: 'For anyone' }, ...AUDIENCES]}
          value={filter.audience || 'any'}
          onChange={(audience) => setFilter({ ...filter, audience: or(audience) })}
        />
        <Button size="small" aria-pressed={tree} onClick={() => setTree(!tree)}>
          As a tree
        </Button>
      </div>
      <div className="meta" role="status">
        {loading
          ? 'Loading what servers offer …'
          : `${counted(shown.length, 'resource')}, ${counted(shownTemplates.length, 'template')}`}
      </div>
      {nothing && loading ? <Skeleton label="Loading resources" /> : null}
      {nothing && !loading ? (
        <EmptyState title="No server offers resources now">
          Resources are what servers let you read: files, notes, pages. They show here when such a server is ready.
        </EmptyState>
      ) : null}
      {!nothing && rows.length === 0 && branches.length === 0 ? <p className="soft">Nothing passes the filter.</p> : null}
      {rows.length > 0 ? (
        <div className={tree ? 'picker-few' : 'picker-list'}>
          <VirtualList
            label={tree ? 'Templates' : 'Resources and templates'}
            items={rows}
            keyOf={keyOf}
            rowHeight={62}
            render={(row) =>
              row.is === 'template' ? (
                <TemplateRow offer={row.offer} onChoose={onTemplate} />
              ) : (
                <ResourceRow entry={row.entry} onChoose={onResource} />
              )
            }
          />
        </div>
      ) : null}
      {branches.length > 0 ? <ResourceTree branches={branches} onChoose={onResource} /> : null}
      {problems.map((problem) => (
        <ProblemCard key={problem} level="warning" problem={{ code: 'list', what: problem }} />
      ))}
    </div>
  )
}

type Row =
  | { readonly is: 'template'; readonly offer: Offer<ResourceTemplate> }
  | { readonly is: 'resource'; readonly entry: ResourceEntry }

const keyOf = (row: Row) =>
  row.is === 'template' ? `template ${row.offer.server.id} ${row.offer.item.uriTemplate}` : row.entry.key

/** A template is a resource to be: it is found the same way. */
function templatePasses(server: ServerRecord, item: ResourceTemplate, filter: typeof EVERYTHING): boolean {
  const { uriTemplate: uri, ...rest } = item
  return passes({ key: '', server, resource: { ...rest, uri }, invalid: false, duplicate: false }, filter)
}
