import { useEffect, useState } from 'react'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import type { ResultOf } from '../../src-shared/contract/requests.ts'
import type { ServerRecord } from '../../src-shared/contract/servers.ts'
import { ask } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { useAction } from '../state/use-action.ts'
import { offerUndo } from '../state/view-store.ts'
import { counted } from '../ui/amounts.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { FailureLine } from '../ui/FailureLine.tsx'
import { policyLine } from '../ui/policy-line.ts'
import { Skeleton } from '../ui/Skeleton.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import '../forms/forms.css'

interface FenceAllSheetProps {
  readonly servers: readonly ServerRecord[]
  readonly onClose: () => void
}

/** The fence that each local server without one would get, and one button for all. */
export function FenceAllSheet({ servers, onClose }: FenceAllSheetProps) {
  // Servers may change behind the sheet; it fences those of its opening.
  const [open] = useState(() => servers.filter(({ launch, options }) => launch.type === 'local' && !options.fence))
  const [plans, setPlans] = useState<ReadonlyMap<ServerId, ResultOf<'fence.read'>>>()
  const { run, busy, problem } = useAction()
  useEffect(() => {
    // A server that was removed meanwhile must not hide the others.
    const read = open.map(async ({ id }) => [id, await ask('fence.read', { serverId: id })] as const)
    Promise.allSettled(read).then((all) =>
      setPlans(new Map(all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])))),
    )
  }, [open])
  const fences = [...(plans ?? [])].flatMap(([serverId, { proposal, problem, open: why }]) =>
    problem || why ? [] : [{ serverId, fence: proposal }],
  )
  const leave = fences.length > 0 ? 'Cancel' : 'Close'
  const confirm = async () => {
    if (!(await run(() => ask('fence.all', { fences })))) return
    offerUndo({ text: `Fenced ${counted(fences.length, 'server')}`, undo: () => void attempt(ask('fence.openAgain', {})) })
    onClose()
  }
  return (
    <Dialog
      title="Fence all local servers"
      closeLabel={leave}
      onEscape={onClose}
      footer={
        <>
          <Button onClick={onClose}>{leave}</Button>
          {fences.length > 0 ? (
            <Button variant="primary" disabled={busy} onClick={() => void confirm()}>
              Fence {counted(fences.length, 'server')}
            </Button>
          ) : null}
        </>
      }
    >
      {open.length === 0 ? <p className="soft">No local server runs without a fence.</p> : null}
      {open.length > 0 && !plans ? <Skeleton label="Reading the servers" /> : null}
      {fences.length > 0 ? <p>Running servers restart. A fence is changed on the page of its server.</p> : null}
      {open.length > 0 && plans ? (
        <ul className="folder-rows framed divided" aria-label="Local servers">
          {open.map(({ id, name }) => {
            const plan = plans.get(id)
            return (
              <li key={id} className="folder-row row">
                <div className="breaks grow">
                  <VisibleText as="strong" text={name} />
                  <VisibleText
                    as="p"
                    className="meta"
                    text={plan ? (plan.problem?.what ?? plan.open ?? policyLine(plan.proposal)) : 'It could not be read.'}
                  />
                </div>
              </li>
            )
          })}
        </ul>
      ) : null}
      <FailureLine problem={problem} />
    </Dialog>
  )
}
