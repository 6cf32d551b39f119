import { type RefObject, useMemo, useState } from 'react'
import type { ServerRecord } from '../../src-shared/contract/servers.ts'
import type { ResourceTemplate } from '../../src-shared/mcp/primitives.ts'
import { draftFields } from '../forms/draft-fields.ts'
import {
  byPriority,
  EVERYTHING,
  passesResourceFilter,
  type ResourceEntry,
  type ResourceFilter,
} from '../offers/resource-entries.ts'
import { uriTree } from '../offers/uri-tree.ts'
import type { ServerOffer } from '../offers/use-offers.ts'
import { counted } from '../ui/amounts.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { SearchField } from '../ui/fields/SearchField.tsx'
import { Select } from '../ui/fields/Select.tsx'
import { VirtualList } from '../ui/lists/VirtualList.tsx'
import { ProblemCard } from '../ui/ProblemCard.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { ResourceRow, TemplateRow } from './ResourceRow.tsx'
import { ResourceTree } from './ResourceTree.tsx'

const TYPES = [
  { value: '', label: 'Every type' },
  { value: 'text/', label: 'Text' },
  { value: 'application/', label: 'Documents and files' },
  { value: 'image/', label: 'Images' },
  { value: 'audio/', label: 'Sounds' },
  { value: 'inode/', label: 'Folders' },
] as const
const AUDIENCES = [
  { value: '', label: 'For anyone' },
  { value: 'assistant', label: 'For the model' },
  { value: 'user', label: 'For you' },
] as const

interface ResourceChoicesProps {
  readonly search: RefObject<HTMLInputElement | null>
  /** The initial search. */
  readonly typed: string
  readonly servers: readonly ServerRecord[]
  readonly entries: readonly ResourceEntry[]
  readonly templates: readonly ServerOffer<ResourceTemplate>[]
  readonly loading: boolean
  readonly problems: readonly string[]
  readonly onResource: (entry: ResourceEntry) => void
  readonly onTemplate: (offer: ServerOffer<ResourceTemplate>) => void
}

/** Everything that can be attached, filtered by words, server, type and audience, as a list or a tree. */
export function ResourceChoices(props: ResourceChoicesProps) {
  const { servers, entries, templates, loading, problems, onResource, onTemplate } = props
  const [filter, setFilter] = useState({ ...EVERYTHING, search: props.typed })
  const [tree, setTree] = useState(false)
  const field = draftFields(filter, (part) => setFilter({ ...filter, ...part }))
  const shown = useMemo(() => byPriority(entries.filter((entry) => passesResourceFilter(entry, filter))), [entries, filter])
  const branches = useMemo(() => (tree ? uriTree(shown) : []), [tree, shown])
  const shownTemplates = templates.filter(({ server, item }) => templatePasses(server, item, filter))
  const rows: readonly Row[] = [
    ...shownTemplates.map((offer): Row => ({ is: 'template', offer })),
    ...(tree ? [] : shown.map((entry): Row => ({ is: 'resource', entry }))),
  ]
  const nothing = entries.length + templates.length === 0
  return (
    <div className="picker column-3">
      <div className="picker-tools line">
        <SearchField
          ref={props.search}
          label="Search what to attach"
          placeholder="Search by name or address"
          {...field('search')}
        />
        <Select
          label="Offered by"
          hideLabel
          options={[
            { value: '', label: 'All servers' },
            ...servers.map((server) => ({ value: server.id as string, label: server.name })),
          ]}
          {...field('server')}
        />
        <Select label="Type" hideLabel options={TYPES} {...field('type')} />
        <Select label="Audience" hideLabel options={AUDIENCES} {...field('audience')} />
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
        <EmptyState title="No resources available">
          Resources are what servers let you read: files, notes, pages. They appear here when such a server is ready.
        </EmptyState>
      ) : null}
      {!nothing && rows.length === 0 && branches.length === 0 ? <p className="soft">Nothing matches the filter.</p> : null}
      {rows.length > 0 ? (
        <div className={tree ? 'picker-few column-0 framed' : 'picker-list column-0 framed'}>
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
        <ProblemCard key={problem} level="warning" problem={problem} />
      ))}
    </div>
  )
}

type Row =
  | { readonly is: 'template'; readonly offer: ServerOffer<ResourceTemplate> }
  | { readonly is: 'resource'; readonly entry: ResourceEntry }

const keyOf = (row: Row) =>
  row.is === 'template' ? `template ${row.offer.server.id} ${row.offer.item.uriTemplate}` : row.entry.key

/** Templates pass the same filter as resources. */
function templatePasses(server: ServerRecord, item: ResourceTemplate, filter: ResourceFilter): boolean {
  const { uriTemplate: uri, ...rest } = item
  return passesResourceFilter({ key: '', server, resource: { ...rest, uri }, invalid: false, duplicate: false }, filter)
}
