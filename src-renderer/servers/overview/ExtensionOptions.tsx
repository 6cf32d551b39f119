import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { OptionSwitch } from './OptionSwitch.tsx'

/** Extensions that a person can do without, each for one server (EXT-5). */
export function ExtensionOptions({ server }: { readonly server: ServerRecord }) {
  return (
    <>
      <OptionSwitch
        server={server}
        option="apps"
        label="Apps"
        hint="Shows its tools’ results in views of its own. A change reconnects the server."
      />
      <OptionSwitch
        server={server}
        option="tasks"
        label="Tasks"
        hint="Runs its long calls in the background. A change reconnects the server."
      />
    </>
  )
}
