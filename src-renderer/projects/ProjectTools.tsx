import { useState } from 'react'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import type { Project } from '../../src-shared/contract/projects.ts'
import type { ServerRecord } from '../../src-shared/contract/servers.ts'
import type { ToolSwitches } from '../../src-shared/contract/settings.ts'
import { isToolOff, withServer, withTool } from '../conversation/composer/switches.ts'
import { useSavedChoice } from '../forms/use-saved-choice.ts'
import { attempt } from '../state/attempt.ts'
import { useHost } from '../state/host-store.ts'
import { sortedServers } from '../state/selectors.ts'
import { useRequest } from '../state/use-request.ts'
import { counted } from '../ui/amounts.ts'
import { Disclosure } from '../ui/Disclosure.tsx'
import { Checkbox } from '../ui/fields/Checkbox.tsx'
import { SearchField } from '../ui/fields/SearchField.tsx'
import { Awaited } from '../ui/ProblemCard.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { visibleText } from '../ui/visible-text.ts'

/** The most tools listed of one server; a search finds the others. */
const MAX_LISTED = 50

interface ProjectToolsProps {
  readonly project: Project
  readonly onChange: (switches: ToolSwitches) => Promise<unknown>
}

/** Turns servers and tools on and off for the model in a project. */
export function ProjectTools({ project: { switches: saved }, onChange }: ProjectToolsProps) {
  const servers = useHost((mirror) => mirror.host.servers)
  const [switches, change] = useSavedChoice(saved, (wanted) => attempt(onChange(wanted)))
  const all = sortedServers(servers)
  if (all.length === 0) return <p className="soft">There are no servers.</p>
  return (
    <div className="column-3">
      {all.map((server) => (
        <ServerSwitches key={server.id} server={server} switches={switches} onChange={change} />
      ))}
    </div>
  )
}

interface ServerSwitchesProps {
  readonly server: ServerRecord
  readonly switches: ToolSwitches
  readonly onChange: (switches: ToolSwitches) => void
}

function ServerSwitches({ server: { id, name, catalog }, switches, onChange }: ServerSwitchesProps) {
  const off = switches.servers.includes(id)
  const without = switches.tools.filter((one) => one.serverId === id).length
  return (
    <div>
      <Checkbox label={<VisibleText text={name} />} checked={!off} onChange={() => onChange(withServer(switches, id))} />
      {off || catalog.tools === 0 ? null : (
        <Disclosure
          summary={
            <>
              {counted(catalog.tools, 'tool')} <span className="unseen">of {visibleText(name)}</span>
              {without > 0 ? `, ${without} turned off` : ''}
            </>
          }
          className="projects-tools"
        >
          {() => <ToolSwitchList serverId={id} catalogVersion={catalog.version} switches={switches} onChange={onChange} />}
        </Disclosure>
      )}
    </div>
  )
}

interface ToolSwitchListProps extends Omit<ServerSwitchesProps, 'server'> {
  readonly serverId: ServerId
  readonly catalogVersion: number
}

function ToolSwitchList({ serverId, catalogVersion, switches, onChange }: ToolSwitchListProps) {
  const [search, setSearch] = useState('')
  const { value, problem } = useRequest(
    'catalog.tools',
    { serverId, search },
    { refetchOn: [catalogVersion], pause: search === '' ? 0 : 150 },
  )
  if (!value || problem !== undefined) return <Awaited label="Loading the tools" problem={problem} />
  return (
    <div className="column">
      {value.total > MAX_LISTED || search !== '' ? (
        <SearchField label="Search tools" value={search} onChange={setSearch} />
      ) : null}
      {value.items.slice(0, MAX_LISTED).map(({ name }) => (
        <Checkbox
          key={name}
          label={<VisibleText text={name} />}
          checked={!isToolOff(switches, serverId, name)}
          onChange={() => onChange(withTool(switches, serverId, name))}
        />
      ))}
      {value.total > MAX_LISTED ? (
        <p className="meta">
          {MAX_LISTED} of {value.total}. Search for the others.
        </p>
      ) : null}
    </div>
  )
}
