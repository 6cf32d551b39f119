import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { useSavedChoice } from '../../forms/use-saved-choice.ts'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { Switch } from '../../ui/fields/Checkbox.tsx'

interface OptionSwitchProps {
  readonly server: ServerRecord
  readonly option: 'apps' | 'hintsAtCost' | 'keepRunning' | 'restartOnChange' | 'reviewResults' | 'tasks'
  readonly label: string
  readonly hint: string
}

/** An option of a server that is on or off, and shows the choice before it is saved. */
export function OptionSwitch({ server, option, ...texts }: OptionSwitchProps) {
  const [on, turn] = useSavedChoice(server.options[option], (wanted) =>
    attempt(ask('server.setOptions', { serverId: server.id, options: { [option]: wanted } })),
  )
  return <Switch {...texts} checked={on} onChange={turn} />
}
