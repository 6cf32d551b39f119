import type { ServerRecord } from '../../src-shared/contract/servers.ts'
import { changeSettings } from '../state/ask.ts'
import { useAction } from '../state/use-action.ts'
import { useRequest } from '../state/use-request.ts'
import { counted } from '../ui/amounts.ts'
import { Button } from '../ui/Button.tsx'
import { FailureLine } from '../ui/FailureLine.tsx'
import { ProblemCard } from '../ui/ProblemCard.tsx'
import { fenceAll, offeredFences } from './fence-all.ts'

interface FenceOfferProps {
  /** Local servers without a fence. */
  readonly open: readonly ServerRecord[]
  readonly onLook: () => void
}

/** Offers one click that fences the local servers which could be fenced; nothing where there are none. */
export function FenceOffer({ open, onLook }: FenceOfferProps) {
  const { value } = useRequest('fence.offers', {}, { refetchOn: [open.map(({ id }) => id).join('\n')] })
  const { run, busy, problem } = useAction()
  const fences = offeredFences(value).filter(({ serverId }) => open.some(({ id }) => id === serverId))
  if (fences.length === 0) return null
  return (
    <div>
      <ProblemCard
        level="info"
        problem={`${counted(fences.length, 'local server')} can read all your files.`}
        actions={
          <>
            <Button size="small" disabled={busy} onClick={() => void run(() => fenceAll(fences))}>
              {fences.length === 1 ? 'Fence it' : 'Fence all'}
            </Button>
            <Button size="small" onClick={onLook}>
              Look first …
            </Button>
            <Button size="small" variant="quiet" onClick={() => void run(() => changeSettings({ fencesOffered: false }))}>
              Do not offer again
            </Button>
          </>
        }
      />
      <FailureLine problem={problem} />
    </div>
  )
}
