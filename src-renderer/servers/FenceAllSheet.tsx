import type { ServerRecord } from '../../src-shared/contract/servers.ts'
import { ask } from '../state/ask.ts'
import { useAction } from '../state/use-action.ts'
import { useRequest } from '../state/use-request.ts'
import { counted } from '../ui/amounts.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { FailureLine } from '../ui/FailureLine.tsx'
import { policyLine } from '../ui/policy-line.ts'
import { Skeleton } from '../ui/Skeleton.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { fenceAll, offeredFences } from './fence-all.ts'
import '../forms/forms.css'

interface FenceAllSheetProps {
  readonly servers: readonly ServerRecord[]
  readonly onClose: () => void
}

/** The fence that each local server without one would get, one button for all, and one that takes it back. */
export function FenceAllSheet({ servers, onClose }: FenceAllSheetProps) {
  // Servers may change behind the sheet; it fences those of its opening.
  const { value: offers, problem: unread } = useRequest('fence.offers', {})
  const { run, busy, problem } = useAction()
  const fences = offeredFences(offers)
  const leave = fences.length > 0 ? 'Cancel' : 'Close'
  const nameOf = (serverId: ServerRecord['id']) => servers.find(({ id }) => id === serverId)?.name ?? serverId
  const act = async (work: () => Promise<unknown>) => {
    if (await run(work)) onClose()
  }
  const together = offers?.together ?? []
  return (
    <Dialog
      title="Fence all local servers"
      closeLabel={leave}
      onEscape={onClose}
      footer={
        <>
          <Button onClick={onClose}>{leave}</Button>
          {fences.length > 0 ? (
            <Button variant="primary" disabled={busy} onClick={() => void act(() => fenceAll(fences))}>
              Fence {counted(fences.length, 'server')}
            </Button>
          ) : null}
        </>
      }
    >
      {offers || unread ? null : <Skeleton label="Reading the servers" />}
      {offers?.servers.length === 0 ? <p className="soft">No local server runs without a fence.</p> : null}
      {fences.length > 0 ? <p>Running servers restart. Change a fence on its server’s page.</p> : null}
      {offers && offers.servers.length > 0 ? (
        <ul className="folder-rows framed divided" aria-label="Local servers">
          {offers.servers.map(({ serverId, problem, open, proposal }) => (
            <li key={serverId} className="folder-row row">
              <div className="breaks grow">
                <VisibleText as="strong" text={nameOf(serverId)} />
                <VisibleText as="p" className="meta" text={problem?.what ?? open ?? policyLine(proposal)} />
              </div>
            </li>
          ))}
        </ul>
      ) : null}
      {together.length > 0 ? (
        <div className="row">
          <VisibleText className="breaks grow" text={`You fenced these together: ${together.map(nameOf).join(', ')}.`} />
          <Button size="small" disabled={busy} onClick={() => void act(() => ask('fence.openAgain', {}))}>
            Undo
          </Button>
        </div>
      ) : null}
      <FailureLine problem={problem ?? unread} />
    </Dialog>
  )
}
