import { useLayoutEffect, useRef, useState } from 'react'
import { matchesWords } from '../../../src-shared/base/matches-words.ts'
import type { ServerCost, ToolCost } from '../../../src-shared/contract/context.ts'
import type { ProjectId } from '../../../src-shared/contract/ids.ts'
import { NO_SWITCHES, type ToolSwitches } from '../../../src-shared/contract/settings.ts'
import { skillKey } from '../../../src-shared/contract/skills.ts'
import { useHost } from '../../state/host-store.ts'
import { routeHash } from '../../state/route.ts'
import { useProject } from '../../state/use-project.ts'
import { setSkills } from '../../state/view-store.ts'
import { counted, grouped } from '../../ui/amounts.ts'
import { Button } from '../../ui/Button.tsx'
import { Switch } from '../../ui/fields/Checkbox.tsx'
import { SearchField } from '../../ui/fields/SearchField.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { isOn, offeredOf, type SwitchesOf, withAll, withServer, withTool } from './switches.ts'
import './composer.css'

/** The most tools listed of one server; the search finds the rest. */
const MAX_LISTED = 100
const NAME = 120

/** Labels of tools that are off in another place. */
const OFF_ELSEWHERE: Partial<Record<ToolCost['state'], string>> = {
  'off-everywhere': 'off on the server’s page',
  'off-in-project': 'off in the project',
}

const FOR: Readonly<Record<SwitchesOf, string>> = {
  'this conversation': 'For this conversation.',
  'this project': 'For all conversations of this project.',
  'new conversations': 'For this and later new conversations.',
}

export interface ToolsPanelProps {
  readonly servers: readonly ServerCost[]
  /** Its switches count as well. */
  readonly project: ProjectId | undefined
  readonly switches: ToolSwitches
  readonly ofWhat: SwitchesOf
  readonly onChange: (switches: ToolSwitches) => void
}

/** Switches by server and by tool, with the cost of each in tokens. */
export function ToolsPanel({ servers, project, switches, ofWhat, onChange }: ToolsPanelProps) {
  const [search, setSearch] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => field.current?.focus(), [])
  const inProject = useProject(project).project?.switches
  const skills = [switches, inProject ?? NO_SWITCHES].flatMap((one) => (one.skills ?? []).map(skillKey))
  const { count, tokens } = offeredOf(servers, switches)
  const all = servers.map(({ serverId }) => serverId)
  const none = all.every((serverId) => switches.servers.includes(serverId))
  const sorted = [...servers].sort((one, other) => one.serverName.localeCompare(other.serverName))
  const shown = sorted.flatMap((server) => {
    const tools = server.tools.filter(({ tool }) => matchesWords(`${tool}\n${server.serverName}`, search))
    return tools.length > 0 ? [{ server, tools }] : []
  })
  return (
    <>
      <div className="tools-head row">
        <span role="status">
          {counted(count, 'tool')}, {grouped(tokens)} tokens
        </span>
        <Button size="small" onClick={() => onChange(withAll(switches, all))}>
          {none ? 'Turn all on' : 'Turn all off'}
        </Button>
      </div>
      <SearchField ref={field} label="Search tools" value={search} onChange={setSearch} />
      <div className="scrolls">
        {shown.map(({ server, tools }) => (
          <ServerSwitches
            key={server.serverId}
            server={server}
            tools={tools}
            searching={search.trim() !== ''}
            switches={switches}
            onChange={onChange}
          />
        ))}
        {shown.length === 0 ? <p className="meta">No tool matches.</p> : null}
      </div>
      <p className="meta">{FOR[ofWhat]} Tools that are off cannot be called.</p>
      <Button size="small" onClick={() => setSkills({})}>
        Skills ({new Set(skills).size}) …
      </Button>
    </>
  )
}

interface ServerSwitchesProps extends Pick<ToolsPanelProps, 'switches' | 'onChange'> {
  readonly server: ServerCost
  readonly tools: ServerCost['tools']
  readonly searching: boolean
}

function ServerSwitches({ server, tools, searching, switches, onChange }: ServerSwitchesProps) {
  const { serverId, serverName } = server
  const [opened, setOpened] = useState(false)
  const open = opened || searching
  const off = switches.servers.includes(serverId)
  const { count, tokens } = offeredOf([server], switches)
  const listed = open ? tools.slice(0, MAX_LISTED) : []
  const withheld = useHost(({ host }) => (host.servers[serverId]?.catalog.tools ?? 0) - server.toolCount)
  const name = serverName.slice(0, NAME)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of switches is no form of its own
    <div className="tools-server column-1" role="group" aria-label={name}>
      <div className="tools-row row">
        <Switch
          label={<VisibleText as="strong" text={name} />}
          checked={!off}
          onChange={() => onChange(withServer(switches, serverId))}
        />
        <span className="meta">{grouped(tokens)} tokens</span>
        <Button size="small" variant="quiet" aria-expanded={open} disabled={searching} onClick={() => setOpened(!opened)}>
          {count} of {counted(server.toolCount, 'tool')}
        </Button>
      </div>
      {listed.map((tool) => (
        <div key={tool.tool} className="tools-row row tools-tool">
          <Switch
            label={<VisibleText text={tool.tool.slice(0, NAME)} />}
            checked={isOn(switches, serverId, tool)}
            disabled={off || tool.state !== 'offered'}
            onChange={() => onChange(withTool(switches, serverId, tool.tool))}
          />
          <span className="meta">{OFF_ELSEWHERE[tool.state] ?? `${grouped(tool.tokens)} tokens`}</span>
        </div>
      ))}
      {open && (tools.length > MAX_LISTED || (!searching && server.toolCount > tools.length)) ? (
        <p className="meta tools-tool">The largest of {grouped(server.toolCount)}: search for others.</p>
      ) : null}
      {open && !searching && withheld > 0 ? (
        <p className="meta tools-tool">
          {counted(withheld, 'tool')} cannot be offered to models.{' '}
          <a href={routeHash({ section: 'servers', id: serverId, tab: 'tools' })}>See why</a>
        </p>
      ) : null}
    </div>
  )
}
