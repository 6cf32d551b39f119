import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { isUsable } from '../../state/selectors.ts'
import { useRequest } from '../../state/use-request.ts'
import { GrantButton } from '../../ui/GrantButton.tsx'
import { Section } from '../../ui/Section.tsx'
import { visibleText } from '../../ui/visible-text.ts'

/** Rules that pause because the server was updated, what became of their tools, and the button that lets them go on. */
export function PausedRulesSection({ server }: { readonly server: ServerRecord }) {
  const { id: serverId, launchIdentity, catalog, state } = server
  const { value, reload } = useRequest('consent.paused', { serverId }, { refetchOn: [launchIdentity, catalog.version, state.is] })
  if (!value || value.rules === 0 || !isUsable(server)) return null
  const { rules, same, changed, gone } = value
  const resume = async () => {
    await attempt(ask('consent.resume', { serverId, launchIdentity }))
    reload()
  }
  return (
    <Section title="Updated">
      <p>
        Its version changed, so {rules === 1 ? 'one rule pauses' : `${rules} rules pause`}. Parley cannot tell what else changed.
      </p>
      <ul>
        <Tools label="The same" names={same} />
        <Tools label="Changed, still asked about" names={changed} />
        <Tools label="Gone" names={gone} />
      </ul>
      {same.length > 0 ? (
        <div>
          <GrantButton onGrant={() => void resume()}>{rules === 1 ? 'Resume rule' : 'Resume rules'}</GrantButton>
        </div>
      ) : null}
    </Section>
  )
}

function Tools({ label, names }: { readonly label: string; readonly names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <li>
      {label}: {names.map((name) => visibleText(name)).join(', ')}
    </li>
  )
}
