import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { useSavedChoice } from '../../forms/use-saved-choice.ts'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { Switch } from '../../ui/fields/Checkbox.tsx'
import { visibleText } from '../../ui/visible-text.ts'

interface OnSwitchProps {
  readonly server: ServerRecord
  /** Shows its text on hover only, beside the name of the server. */
  readonly bare?: boolean
}

const HINT = 'Turn off to stop this server.'

/** Turns a server on or off, also for later starts of Parley. */
export function OnSwitch({ server, bare = false }: OnSwitchProps) {
  const [on, turn] = useSavedChoice(server.options.enabled, (enabled) =>
    attempt(ask('server.setOptions', { serverId: server.id, options: { enabled } })),
  )
  if (!bare) return <Switch label="On" hint={HINT} checked={on} onChange={turn} />
  const unseen = (text: string) => <span className="unseen">{text}</span>
  return (
    <div className="server-row-switch" title={HINT}>
      <Switch label={unseen(`${visibleText(server.name)} on`)} hint={unseen(HINT)} checked={on} onChange={turn} />
    </div>
  )
}
