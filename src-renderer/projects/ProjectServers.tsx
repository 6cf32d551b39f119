import type { ServerId } from '../../src-shared/contract/ids.ts'
import type { Project } from '../../src-shared/contract/projects.ts'
import { useSavedChoice } from '../forms/use-saved-choice.ts'
import { attempt } from '../state/attempt.ts'
import { useHost } from '../state/host-store.ts'
import { sortedServers } from '../state/selectors.ts'
import { Checkbox } from '../ui/fields/Checkbox.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'

interface ProjectServersProps {
  readonly project: Project
  readonly onChange: (toldTo: readonly ServerId[]) => Promise<unknown>
}

/** Shares the project's folders with the servers that the person ticks. */
export function ProjectServers({ project: { toldTo: saved, place }, onChange }: ProjectServersProps) {
  const servers = useHost((mirror) => mirror.host.servers)
  const [toldTo, choose] = useSavedChoice(saved, (wanted) => attempt(onChange(wanted)))
  const all = sortedServers(servers)
  if (place.folders.length === 0) return <p className="soft">This project has no folders yet.</p>
  if (all.length === 0) return <p className="soft">There are no servers.</p>
  return (
    <fieldset className="ui-choices" aria-label="Share the folders with">
      {all.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={<VisibleText text={name} />}
          checked={toldTo.includes(id)}
          onChange={(told) => choose(told ? [...toldTo, id] : toldTo.filter((one) => one !== id))}
        />
      ))}
    </fieldset>
  )
}
