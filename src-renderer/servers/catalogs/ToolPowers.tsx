import { useState } from 'react'
import type { Power } from '../../../src-shared/contract/consent.ts'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { PowerBadges } from '../../content/PowerBadges.tsx'
import { PowerTicks } from '../../content/PowerTicks.tsx'
import { KNOWN_LABELS } from '../../content/power-labels.ts'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { useRequest } from '../../state/use-request.ts'
import { Button } from '../../ui/Button.tsx'
import { GrantTicks } from '../../ui/GrantTicks.tsx'
import { Awaited } from '../../ui/ProblemCard.tsx'

interface ToolPowersProps {
  readonly server: ServerRecord
  readonly tool: string
}

/** The powers of a tool, their source, and the person's correction. */
export function ToolPowers({ server: { id: serverId, catalog, launchIdentity }, tool }: ToolPowersProps) {
  const { value, problem, reload } = useRequest('consent.tools', { serverId }, { refetchOn: [catalog.version, launchIdentity] })
  const judged = value?.tools.find((one) => one.tool === tool)
  const [chosen, setChosen] = useState<readonly Power[]>()
  const correct = async (powers: readonly Power[] | undefined) => {
    setChosen(powers)
    if (!(await attempt(ask('consent.correct', { serverId, tool, powers: powers ? [...powers] : null })))) setChosen(undefined)
    reload()
  }
  if (!value || problem !== undefined) return <Awaited label="Loading the powers" problem={problem} />
  if (!judged) return <p className="soft">The server no longer lists this tool.</p>
  const { known } = judged
  const powers = chosen ?? judged.powers
  return (
    <>
      <p>
        <PowerBadges powers={powers} known={known} /> <span className="meta">{KNOWN_LABELS[known]}</span>
      </p>
      <details>
        <summary>Correct</summary>
        <GrantTicks>
          <PowerTicks
            label="This tool"
            hint="From the next call until the server changes."
            powers={powers}
            onChange={(powers) => void correct(powers)}
          />
        </GrantTicks>
        {known === 'person' ? (
          <Button size="small" onClick={() => void correct(undefined)}>
            Reset
          </Button>
        ) : null}
      </details>
    </>
  )
}
