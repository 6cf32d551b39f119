import { useState } from 'react'
import type { ResultOf } from '../../../src-shared/contract/requests.ts'
import type { ServerRecord, ToolEntry } from '../../../src-shared/contract/servers.ts'
import { ForeignIcon } from '../../content/ForeignIcon.tsx'
import { hintBadges } from '../../content/power-labels.ts'
import { useSavedChoice } from '../../forms/use-saved-choice.ts'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { routeHash } from '../../state/route.ts'
import { counted, grouped } from '../../ui/amounts.ts'
import { Switch } from '../../ui/fields/Checkbox.tsx'
import { SearchField } from '../../ui/fields/SearchField.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { CatalogList } from './CatalogList.tsx'
import { NotConnected } from './NotConnected.tsx'
import { ToolView } from './ToolView.tsx'
import { useCatalog } from './use-catalog.ts'

interface ToolsTabProps {
  readonly server: ServerRecord
  /** The tool that the address names. */
  readonly chosen: string | undefined
}

/** The tools of a server: whether models get them, what they claim and cost. */
export function ToolsTab({ server, chosen }: ToolsTabProps) {
  const [search, setSearch] = useState('')
  const pages = useCatalog('catalog.tools', server, search)
  if (chosen !== undefined) {
    return (
      <div className="tool-page">
        <nav className="tool-others column" aria-label="Tools of this server">
          <SearchField label="Search tools" value={search} onChange={setSearch} />
          <CatalogList
            label="Tools"
            pages={pages}
            keyOf={(tool) => tool.name}
            rowHeight={34}
            empty="No tool matches."
            render={(tool) => <OtherTool server={server} tool={tool.name} now={tool.name === chosen} />}
          />
        </nav>
        <ToolView key={chosen} server={server} tool={chosen} />
      </div>
    )
  }
  if (server.catalog.tools === 0 && search === '') return <NotConnected server={server} what="tools" />
  const hidden = new Set(server.options.hiddenTools)
  return (
    <div className="tab column-3">
      <SearchField label="Search tools" value={search} onChange={setSearch} />
      <CostLine pages={pages.pages} hidden={hidden} />
      <CatalogList
        label="Tools"
        pages={pages}
        keyOf={(tool) => tool.name}
        rowHeight={92}
        empty={`No tool matches “${search.trim()}”.`}
        render={(tool) => (
          <ToolRow
            tool={tool}
            offered={!hidden.has(tool.name)}
            onOffer={(offered) => attempt(ask('server.offerTool', { serverId: server.id, tool: tool.name, offered }))}
            href={toolHash(server, tool.name)}
          />
        )}
      />
    </div>
  )
}

const toolHash = (server: ServerRecord, item: string) => routeHash({ section: 'servers', id: server.id, tab: 'tools', item })

function OtherTool({ server, tool, now }: { readonly server: ServerRecord; readonly tool: string; readonly now: boolean }) {
  return (
    <a className="tool-other hovers small one-line" href={toolHash(server, tool)} aria-current={now ? 'page' : undefined}>
      <VisibleText text={tool} />
    </a>
  )
}

interface CostLineProps {
  readonly pages: readonly ResultOf<'catalog.tools'>[]
  readonly hidden: ReadonlySet<string>
}

function CostLine({ pages, hidden }: CostLineProps) {
  const total = pages.at(-1)?.total
  if (total === undefined) return null
  const tools = pages.flatMap(({ items }) => items)
  const offered = tools.filter((tool) => !hidden.has(tool.name) && isOfferable(tool))
  const tokens = offered.reduce((sum, tool) => sum + tool.tokens, 0)
  return (
    <p className="meta">
      {counted(total, 'tool')}
      {tools.length === total ? `, ${grouped(offered.length)} enabled · about ${grouped(tokens)} tokens per message` : ''}
    </p>
  )
}

const isOfferable = ({ unusable, appOnly }: ToolEntry) => unusable === undefined && !appOnly

interface ToolRowProps {
  readonly tool: ToolEntry
  readonly offered: boolean
  readonly onOffer: (offered: boolean) => Promise<unknown>
  readonly href: string
}

function ToolRow({ tool, offered, onOffer, href }: ToolRowProps) {
  const [shown, offer] = useSavedChoice(offered, onOffer)
  return (
    <div className="catalog-row">
      <div className="column-tight grow">
        <div className="catalog-row-head actions">
          <ForeignIcon icons={tool.icons} />
          <a className="catalog-name" href={href}>
            <VisibleText text={tool.name} />
          </a>
          {tool.title !== tool.name ? <VisibleText as="span" className="meta" text={tool.title} /> : null}
          {tool.changed ? <span className="chip chip-wait">{tool.changed === 'new' ? 'New' : 'Changed'}</span> : null}
          {tool.unusable !== undefined ? <span className="chip chip-fail">Unusable</span> : null}
          {tool.appOnly ? <span className="chip">App only</span> : null}
        </div>
        <VisibleText as="div" className="catalog-about small" text={tool.unusable ?? tool.description} />
        <div className="meta">
          {hintBadges(tool.hints)
            .map(({ word }) => word)
            .join(' · ')}
          {` (not verified) · about ${grouped(tool.tokens)} tokens`}
        </div>
      </div>
      <Switch
        label={
          <>
            Enabled<span className="unseen">: {visibleText(tool.name)}</span>
          </>
        }
        checked={shown && isOfferable(tool)}
        disabled={!isOfferable(tool)}
        onChange={offer}
      />
    </div>
  )
}
