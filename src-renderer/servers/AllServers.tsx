import { useCallback, useMemo, useState } from 'react'
import { runsOpen } from '../../src-shared/contract/plain-values.ts'
import { useHost } from '../state/host-store.ts'
import { importFile } from '../state/import-file.ts'
import { ADD_SERVER, FIND_IN_REGISTRY } from '../state/route.ts'
import { sortedServers } from '../state/selectors.ts'
import { useRequest } from '../state/use-request.ts'
import { navigate, openImport, useView } from '../state/view-store.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { SearchField } from '../ui/fields/SearchField.tsx'
import { useFileInput } from '../ui/fields/use-file-input.tsx'
import { PlusIcon } from '../ui/icons.tsx'
import { importLabel } from '../ui/import-label.ts'
import { Rows } from '../ui/lists/Rows.tsx'
import { Menu } from '../ui/Menu.tsx'
import { onDemand } from '../ui/on-demand.tsx'
import { ScreenTitle } from '../ui/ScreenTitle.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { ServerEditor } from './editor/editor-on-demand.ts'
import { recognised } from './editor/pasted-config.ts'
import type { ServerEditorProps } from './editor/ServerEditor.tsx'
import { DropConfig } from './imports/DropConfig.tsx'
import { readyLine } from './labels/server-labels.ts'
import { ServerRow } from './ServerRow.tsx'
import './labels/servers.css'

const ExportDialog = onDemand(() => import('./imports/ExportDialog.tsx').then((module) => module.ExportDialog))

const FenceOffer = onDemand(() => import('./FenceOffer.tsx').then((module) => module.FenceOffer))

const FenceAllSheet = onDemand(() => import('./FenceAllSheet.tsx').then((module) => module.FenceAllSheet))

const SEARCH_FROM = 8
/** Longer lists render only visible rows. The length before the search decides, so that typing does not replace the list. */
const VIRTUAL_FROM = 40
const ROW_HEIGHT = 48

/** All configured servers in any state. */
export function AllServers() {
  const known = useHost((mirror) => mirror.host.servers)
  const connecting = useHost((mirror) => mirror.epoch === '')
  const [search, setSearch] = useState('')
  const adding = useView(({ route }) => route.id === ADD_SERVER.id)
  /** Recognised in a paste or a drop. */
  const [given, setGiven] = useState<ServerEditorProps['given']>()
  const file = useFileInput({ label: 'Bundle or server.json', onFiles: ([chosen]) => void importFile(chosen, openImport) })
  const [exporting, setExporting] = useState(false)
  const [fencing, setFencing] = useState(false)
  const servers = useMemo(() => sortedServers(known), [known])
  const offered = useHost((mirror) => mirror.host.settings.fencesOffered)
  const open = offered ? servers.filter(runsOpen) : []
  // Once there are some, those found may be the same.
  const none = !connecting && servers.every(({ builtIn }) => builtIn)
  const looked = useRequest('import.look', none ? {} : undefined).value?.found ?? []
  // A command or an address is one server; any other text may be a configuration.
  const take = useCallback((text: string) => {
    const given = recognised(text, 'name')
    if (!given || given.is === 'servers' || text.trim().includes('\n')) return false
    setGiven(given)
    navigate(ADD_SERVER)
    return true
  }, [])
  const leave = () => {
    setGiven(undefined)
    navigate({ section: 'servers' })
  }
  const query = search.trim().toLowerCase()
  const shown = useMemo(() => servers.filter((server) => server.name.toLowerCase().includes(query)), [servers, query])
  return (
    <div className="screen column-4">
      <header className="screen-head actions">
        <div>
          <ScreenTitle>Servers</ScreenTitle>
          {servers.length > 0 ? (
            <p className="soft" role="status">
              {readyLine(servers)}
            </p>
          ) : null}
        </div>
        <div className="actions">
          <Menu
            label="More actions"
            items={[
              { label: 'Install from file …', onSelect: file.choose },
              { label: 'Find in a registry', onSelect: () => navigate(FIND_IN_REGISTRY) },
              { label: 'Export servers', disabled: !servers.some(({ builtIn }) => !builtIn), onSelect: () => setExporting(true) },
              { label: 'Fence all local servers …', onSelect: () => setFencing(true) },
            ]}
          />
          {file.input}
          <Button onClick={() => openImport()}>{importLabel(none ? looked : [])}</Button>
          <Button variant="primary" onClick={() => navigate(ADD_SERVER)}>
            <PlusIcon /> Add server
          </Button>
        </div>
      </header>
      {servers.length >= SEARCH_FROM ? <SearchField label="Search servers" value={search} onChange={setSearch} /> : null}
      {connecting ? <Skeleton label="Loading servers" /> : null}
      {!connecting && servers.length === 0 ? (
        <EmptyState title="No servers yet">
          Servers give models tools, resources and prompts. Nothing starts until you allow it.
        </EmptyState>
      ) : null}
      {servers.length > 0 && shown.length === 0 ? <p className="soft">No server matches “{search.trim()}”.</p> : null}
      <Rows
        many={shown.length > 0 && servers.length > VIRTUAL_FROM}
        label="Servers"
        items={shown}
        keyOf={(server) => server.id}
        rowHeight={ROW_HEIGHT}
        render={(server) => <ServerRow server={server} />}
      />
      {/* Below what it would move, since it comes late. */}
      {open.length > 0 ? <FenceOffer open={open} onLook={() => setFencing(true)} /> : null}
      <DropConfig onText={take} />
      {exporting ? (
        <ExportDialog servers={servers.filter(({ builtIn }) => !builtIn)} onClose={() => setExporting(false)} />
      ) : null}
      {fencing ? <FenceAllSheet servers={servers} onClose={() => setFencing(false)} /> : null}
      {adding ? <ServerEditor given={given} onClose={leave} /> : null}
    </div>
  )
}
