import { useEffect, useRef } from 'react'
import { blockedSentence } from '../../../src-shared/contract/blocked-sentence.ts'
import type { CountedReach, FencePolicy } from '../../../src-shared/contract/servers.ts'
import { widened } from '../../../src-shared/contract/wider-fence.ts'
import { counted } from '../../ui/amounts.ts'
import { Button } from '../../ui/Button.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { visibleText } from '../../ui/visible-text.ts'

interface FenceBlockedProps {
  readonly fence: FencePolicy
  readonly blocked: readonly CountedReach[]
  readonly keptOut: readonly string[]
  /** The address leads here. */
  readonly opened: boolean
  readonly busy: boolean
  readonly onAllow: (fence: FencePolicy, said: string) => void
  readonly onKeepOut: (name: string) => void
}

/** Hosts and folders that a fence kept from its server, each with a choice. */
export function FenceBlocked({ fence, blocked, keptOut, opened, busy, onAllow, onKeepOut }: FenceBlockedProps) {
  const list = useRef<HTMLUListElement>(null)
  const isThere = blocked.length > 0
  useEffect(() => {
    if (opened && isThere) list.current?.focus()
  }, [opened, isThere])
  if (!isThere) return null
  return (
    <ul className="folder-rows framed divided" aria-label="Blocked by its fence" ref={list} tabIndex={-1}>
      {blocked.map((reach) => {
        const name = reach.kind === 'network' ? 'the network' : visibleText(reach.name)
        const out = keptOut.includes(reach.name)
        const wider = widened(fence, reach)
        return (
          <li key={`${reach.kind} ${reach.name}`} className="folder-row row">
            <div className="breaks grow">
              <VisibleText text={blockedSentence(reach)} />
              <p className="meta">
                {counted(reach.times, 'time')}, last <RelativeTime at={reach.at} />
                {reach.closed ? ' · programs keep keys there, so it stays out' : out ? ' · you keep it out' : ''}
              </p>
            </div>
            {wider ? (
              <Button size="small" aria-label={`Allow ${name}`} disabled={busy} onClick={() => onAllow(wider, `Allowed ${name}`)}>
                Allow
              </Button>
            ) : null}
            {reach.closed || out ? null : (
              <Button size="small" aria-label={`Keep out ${name}`} disabled={busy} onClick={() => onKeepOut(reach.name)}>
                Keep out
              </Button>
            )}
          </li>
        )
      })}
    </ul>
  )
}
