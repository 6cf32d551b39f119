import { useState } from 'react'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { useRequest } from '../../state/use-request.ts'
import { Switch } from '../../ui/fields/Checkbox.tsx'
import { GrantTicks } from '../../ui/GrantTicks.tsx'

/** The choice to trust the server's hints about its tools, bound to its present launch. */
export function TrustHints({ server: { id: serverId, catalog } }: { readonly server: ServerRecord }) {
  const { value } = useRequest('consent.tools', { serverId }, { refetchOn: [catalog.version] })
  const [chosen, setChosen] = useState<boolean>()
  const choose = async (trust: boolean) => {
    setChosen(trust)
    if (!(await attempt(ask('consent.trustHints', { serverId, trust })))) setChosen(!trust)
  }
  return (
    <GrantTicks>
      <Switch
        label="Trust this server’s hints"
        hint="Its read-only tools may read in your named folders without asking. Anything beyond is still asked about. Ends when the server changes."
        checked={chosen ?? value?.hintsTrusted ?? false}
        disabled={value === undefined}
        onChange={(trust) => void choose(trust)}
      />
    </GrantTicks>
  )
}
