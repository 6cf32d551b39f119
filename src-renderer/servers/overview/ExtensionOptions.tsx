import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { useSavedChoice } from '../../forms/use-saved-choice.ts'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { Switch } from '../../ui/fields/Checkbox.tsx'

/** Extensions that a person can do without, each for one server (EXT-5). */
export function ExtensionOptions({ server }: { readonly server: ServerRecord }) {
  return (
    <>
      <ExtensionSwitch
        server={server}
        extension="apps"
        label="Apps"
        hint="Shows its tools’ results in views of its own. A change reconnects the server."
      />
      <ExtensionSwitch
        server={server}
        extension="tasks"
        label="Tasks"
        hint="Runs its long calls in the background. A change reconnects the server."
      />
    </>
  )
}

interface ExtensionSwitchProps {
  readonly server: ServerRecord
  readonly extension: 'apps' | 'tasks'
  readonly label: string
  readonly hint: string
}

function ExtensionSwitch({ server, extension, ...texts }: ExtensionSwitchProps) {
  const [on, turn] = useSavedChoice(server.options[extension], (wanted) =>
    attempt(ask('server.setOptions', { serverId: server.id, options: { [extension]: wanted } })),
  )
  return <Switch {...texts} checked={on} onChange={turn} />
}
