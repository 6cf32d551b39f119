import { useState } from 'react'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { PowerBadges } from '../../content/PowerBadges.tsx'
import { isVerified, KNOWN_LABELS } from '../../content/power-labels.ts'
import { ToolSheet } from '../../powers/sheet-on-demand.ts'
import { useRequest } from '../../state/use-request.ts'
import { Button } from '../../ui/Button.tsx'
import { Awaited } from '../../ui/ProblemCard.tsx'

/** The powers of a tool, their source, and the way to change them. */
export function ToolPowers({ server, tool }: { readonly server: ServerRecord; readonly tool: string }) {
  const { id: serverId, catalog, launchIdentity } = server
  const { value, problem, reload } = useRequest('consent.tools', { serverId }, { refetchOn: [catalog.version, launchIdentity] })
  const [open, setOpen] = useState(false)
  const judged = value?.tools.find((one) => one.tool === tool)
  if (!value || problem !== undefined) return <Awaited label="Loading the powers" problem={problem} />
  if (!judged) return <p className="soft">The server no longer lists this tool.</p>
  const { known, powers, guess } = judged
  const added = isVerified(known) && powers.length > guess.powers.length
  const close = () => {
    setOpen(false)
    reload()
  }
  return (
    <div className="line">
      <span>
        <PowerBadges powers={powers} known={known} />{' '}
        <span className="meta">
          {KNOWN_LABELS[known]}
          {added ? ' You added to it.' : ''}
        </span>
      </span>
      <Button size="small" onClick={() => setOpen(true)}>
        Say what it does
      </Button>
      {open ? <ToolSheet server={server} only={tool} onClose={close} /> : null}
    </div>
  )
}
