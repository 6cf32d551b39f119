import { useState } from 'react'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import type { ServerRecord } from '../../src-shared/contract/servers.ts'
import { FoldersWanted } from '../forms/folders/FoldersWanted.tsx'
import { ask } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { useHost } from '../state/host-store.ts'
import { removeServer } from '../state/server-actions.ts'
import { navigate } from '../state/view-store.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { BackIcon } from '../ui/icons.tsx'
import { Menu } from '../ui/Menu.tsx'
import { ScreenTitle } from '../ui/ScreenTitle.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { StatusDot } from '../ui/StatusDot.tsx'
import { type Tab, Tabs } from '../ui/Tabs.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { PromptsTab } from './catalogs/PromptsTab.tsx'
import { ResourcesTab } from './catalogs/ResourcesTab.tsx'
import { ToolsTab } from './catalogs/ToolsTab.tsx'
import { ServerEditor } from './editor/editor-on-demand.ts'
import { ExportDialog } from './imports/ExportDialog.tsx'
import { isUp, problemOf, stateLabel, stateSentence } from './labels/server-labels.ts'
import { LogTab } from './log/LogTab.tsx'
import { TrafficTab } from './log/TrafficTab.tsx'
import { RootsTab } from './overview/RootsTab.tsx'
import { ServerOverview } from './overview/ServerOverview.tsx'
import './labels/servers.css'

const TABS = ['overview', 'tools', 'resources', 'prompts', 'roots', 'log', 'traffic'] as const
type TabId = (typeof TABS)[number]

interface ServerViewProps {
  readonly serverId: ServerId
  /** From the address. Unknown tabs show the overview; `check` checks the connection there, and `powers` shows what its tools do. */
  readonly tab: string | undefined
  /** The open tool of the tab Tools. */
  readonly item: string | undefined
}

export function ServerView({ serverId, tab, item }: ServerViewProps) {
  const server = useHost((mirror) => mirror.host.servers[serverId])
  const connecting = useHost((mirror) => mirror.epoch === '')
  const active = TABS.find((one) => one === tab) ?? 'overview'
  if (connecting) return <Skeleton label="Loading the server" />
  if (!server) {
    return (
      <>
        <h1 className="unseen">Servers</h1>
        <EmptyState
          title="Server not found"
          actions={<Button onClick={() => navigate({ section: 'servers' })}>Back to the list</Button>}
        >
          It was removed or renamed.
        </EmptyState>
      </>
    )
  }
  const { tools, resources, templates, prompts } = server.catalog
  const tabs: readonly Tab<TabId>[] = [
    { id: 'overview', label: 'Overview' },
    { id: 'tools', label: 'Tools', count: tools },
    { id: 'resources', label: 'Resources', count: resources + templates },
    { id: 'prompts', label: 'Prompts', count: prompts },
    { id: 'roots', label: 'Roots', ...(server.folders && { count: server.folders.length }) },
    { id: 'log', label: 'Log' },
    { id: 'traffic', label: 'Traffic' },
  ]
  return (
    <div className="screen column-4 screen-tabs">
      <ServerHead server={server} />
      <FoldersWanted serverId={serverId} />
      <Tabs
        label="About this server"
        tabs={tabs}
        active={active}
        onChange={(id) => navigate({ section: 'servers', id: serverId, tab: id })}
      >
        <TabContent
          server={server}
          tab={active}
          item={item}
          opened={tab === 'check' || tab === 'powers' || tab === 'fence' ? tab : undefined}
        />
      </Tabs>
    </div>
  )
}

function ServerHead({ server }: { readonly server: ServerRecord }) {
  const [editing, setEditing] = useState(false)
  const [adding, setAdding] = useState(false)
  const [exporting, setExporting] = useState(false)
  const sentence = stateSentence(server)
  const serverId = server.id
  return (
    <header className="screen-head actions">
      <IconButton label="Back to the list" icon={<BackIcon />} onClick={() => navigate({ section: 'servers' })} />
      <div className="screen-head-text">
        <ScreenTitle of={serverId}>
          <VisibleText text={server.name} />
        </ScreenTitle>
        <div className="line" role="status">
          <StatusDot {...stateLabel(server)} />
          {sentence ? <span className="meta">{sentence}</span> : null}
        </div>
      </div>
      <div className="actions">
        {isUp(server) ? (
          <Button onClick={() => void attempt(ask('server.stop', { serverId }))}>Stop server</Button>
        ) : (
          <Button
            variant={problemOf(server) ? 'plain' : 'primary'}
            disabled={server.state.is === 'stopping'}
            onClick={() => void attempt(ask('server.start', { serverId }))}
          >
            Start server
          </Button>
        )}
        {server.state.is === 'ready' ? (
          <Button onClick={() => void attempt(ask('server.restart', { serverId }))}>Restart server</Button>
        ) : null}
        {server.builtIn ? null : (
          <>
            <Button onClick={() => setEditing(true)}>Edit server</Button>
            <Menu
              label="More actions"
              items={[
                ...(server.launch.type === 'remote' ? [{ label: 'Add another account', onSelect: () => setAdding(true) }] : []),
                { label: 'Export', onSelect: () => setExporting(true) },
                { label: 'Remove', danger: true, onSelect: () => void attempt(removeServer(server)) },
              ]}
            />
          </>
        )}
      </div>
      {exporting ? <ExportDialog servers={[server]} onClose={() => setExporting(false)} /> : null}
      {adding ? <ServerEditor accountOf={server} onClose={() => setAdding(false)} /> : null}
      {editing ? <ServerEditor server={server} onClose={() => setEditing(false)} /> : null}
    </header>
  )
}

interface TabContentProps {
  readonly server: ServerRecord
  readonly tab: TabId
  readonly item: string | undefined
  readonly opened: 'check' | 'powers' | 'fence' | undefined
}

function TabContent({ server, tab, item, opened }: TabContentProps) {
  switch (tab) {
    case 'overview':
      return <ServerOverview server={server} opened={opened} />
    case 'tools':
      return <ToolsTab server={server} chosen={item} />
    case 'resources':
      return <ResourcesTab server={server} />
    case 'prompts':
      return <PromptsTab server={server} />
    case 'roots':
      return <RootsTab server={server} />
    case 'log':
      return <LogTab server={server} />
    case 'traffic':
      return <TrafficTab server={server} />
  }
}
