import { useId, useRef, useState } from 'react'
import type { ContextRemedy, ContextReport, UnusedServer } from '../../src-shared/contract/context.ts'
import { NO_SWITCHES } from '../../src-shared/contract/settings.ts'
import { ask } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { makeRoom } from '../state/conversation-actions.ts'
import { useHost } from '../state/host-store.ts'
import { grouped } from '../ui/amounts.ts'
import { Button } from '../ui/Button.tsx'
import { WarningIcon } from '../ui/icons.tsx'
import { onDemand } from '../ui/on-demand.tsx'
import { usePopover } from '../ui/use-popover.ts'
import { VisibleText } from '../ui/VisibleText.tsx'
import type { ContextBreakdownProps } from './ContextBreakdown.tsx'

const ContextBreakdown = onDemand(() => import('./ContextBreakdown.tsx').then((module) => module.ContextBreakdown))

/** Bounds that make the browser colour the meter as the host judged. The optimum, 0, has to lie below `low`. */
const COLOURS: Readonly<Record<ContextReport['state'], { readonly low: number; readonly high: number }>> = {
  fine: { low: 1, high: 1 },
  near: { low: 0.01, high: 1 },
  over: { low: 0.01, high: 0.01 },
}

type ContextMeterProps = Omit<ContextBreakdownProps, 'words' | 'onLeave'>

/** Shows how full the model's window is; opens the breakdown. */
export function ContextMeter({ id, topic, report, onSetWindow }: ContextMeterProps) {
  const { switches = NO_SWITCHES } = topic
  const popover = useRef<HTMLElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [place, setPlace] = useState({ left: 0, bottom: 0 })
  const { open, buttonProps, popoverProps } = usePopover(popover, () => {
    const from = button.current?.getBoundingClientRect()
    if (from) setPlace({ left: Math.max(8, Math.min(from.left, innerWidth - 376)), bottom: innerHeight - from.top + 4 })
  })
  const panel = useId()
  const words =
    report.window === undefined
      ? `about ${grouped(report.total)} tokens`
      : `${grouped(report.total)} of ${grouped(report.window)} tokens`
  return (
    <>
      <button
        type="button"
        ref={button}
        className={`context-meter hovers context-meter-${report.state}`}
        aria-description={words}
        aria-controls={panel}
        title={words}
        {...buttonProps}
      >
        <span className="unseen">Context</span>
        {report.window === undefined ? null : (
          <meter
            max={report.window}
            low={COLOURS[report.state].low * report.window}
            high={COLOURS[report.state].high * report.window}
            optimum={0}
            value={Math.min(report.total, report.window)}
            aria-hidden="true"
          />
        )}
        <span aria-hidden="true">{share(report)}</span>
      </button>
      <section
        ref={popover}
        id={panel}
        {...popoverProps}
        className="ui-popover context-panel"
        style={place}
        aria-label="What the model is given"
      >
        {open ? (
          <ContextBreakdown
            id={id}
            report={report}
            words={words}
            topic={topic}
            onSetWindow={onSetWindow}
            onLeave={() => popover.current?.hidePopover()}
          />
        ) : null}
      </section>
      {report.state === 'fine' && report.unused ? (
        <UnusedTools unused={report.unused} onTurnOff={(remedy) => void attempt(makeRoom(id, remedy, switches))} />
      ) : null}
      {report.state === 'fine' ? null : (
        <div className={`context-warning line context-warning-${report.state}`} role="status">
          <WarningIcon />
          <span>{warning(report)}</span>
          {report.remedies.map((remedy) => (
            <Button key={remedy.label} size="small" onClick={() => void attempt(makeRoom(id, remedy, switches))}>
              <VisibleText text={remedy.label} /> <span className="meta">frees {grouped(remedy.frees)}</span>
            </Button>
          ))}
        </div>
      )}
    </>
  )
}

interface UnusedToolsProps {
  readonly unused: UnusedServer
  readonly onTurnOff: (remedy: ContextRemedy) => void
}

function UnusedTools({ unused: { serverId, serverName, turns, remedy }, onTurnOff }: UnusedToolsProps) {
  const wanted = useHost((mirror) => mirror.host.servers[serverId]?.options.hintsAtCost)
  if (!wanted) return null
  const dismiss = () => void attempt(ask('server.setOptions', { serverId, options: { hintsAtCost: false } }))
  return (
    <div className="context-hint line" role="status">
      <span>
        <VisibleText text={serverName} />: {grouped(remedy.frees)} tokens a round, not used in {turns} turns.
      </span>
      <Button size="small" onClick={() => onTurnOff(remedy)}>
        Turn off here
      </Button>
      <Button size="small" variant="quiet" onClick={dismiss}>
        Don’t show again
      </Button>
    </div>
  )
}

function share({ total, window }: ContextReport): string {
  return window === undefined ? `${grouped(total)} tokens` : `${Math.round((total / window) * 100)} %`
}

function warning({ state, assumedWindow }: ContextReport): string {
  if (assumedWindow !== undefined) {
    const held = state === 'over' ? 'This is more than' : 'This is nearly'
    return `${held} the ${grouped(assumedWindow)} tokens assumed for this model.`
  }
  return state === 'over' ? 'This is too long for the model.' : 'The model’s window is nearly full.'
}
