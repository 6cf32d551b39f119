import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import type { Overdue } from '../../src-shared/contract/conversations.ts'
import type { ToolCallId } from '../../src-shared/contract/ids.ts'
import type { Progress } from '../../src-shared/mcp/primitives.ts'
import { ask } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { announce } from '../state/view-store.ts'
import { Button } from '../ui/Button.tsx'
import { WarningIcon } from '../ui/icons.tsx'
import { duration, inWords, useNow } from '../ui/time.ts'
import { VisibleText } from '../ui/VisibleText.tsx'
import './text/content.css'
import './call-progress.css'

export interface CallProgressProps {
  readonly id: ToolCallId
  readonly tool: string
  readonly startedAt: number
  readonly progress?: Progress | undefined
  readonly overdue?: Overdue | undefined
  /** The way to end it. */
  readonly stop?: ReactNode
}

/** A call under way: how far it is, for how long, and what to do when it is past its deadline. */
export function CallProgress({ id, tool, startedAt, progress, overdue, stop }: CallProgressProps) {
  const whole = useRef<HTMLDivElement>(null)
  useAnnounced(tool, overdue)
  return (
    <div ref={whole} className={overdue ? 'call-progress column call-progress-overdue' : 'call-progress column'} tabIndex={-1}>
      <div className="call-progress-head row">
        <ProgressLine tool={tool} startedAt={startedAt} progress={progress} />
        {overdue ? null : stop}
      </div>
      {overdue ? (
        <>
          <OverdueText overdue={overdue} />
          <div className="line">
            <KeepGoing id={id} onGone={() => whole.current?.focus()} />
            {stop}
          </div>
        </>
      ) : null}
    </div>
  )
}

/** It goes away when it is pressed, and by itself when there is a sign of life; who had the focus on it is not to lose their place. */
function KeepGoing({ id, onGone }: { readonly id: ToolCallId; readonly onGone: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  const gone = useRef(onGone)
  useLayoutEffect(() => {
    const element = button.current
    return () => {
      if (document.activeElement === element) gone.current()
    }
  }, [])
  return (
    <Button
      ref={button}
      size="small"
      variant="primary"
      onClick={() => void attempt(ask('toolCall.keepWaiting', { toolCallId: id }))}
    >
      Keep going
    </Button>
  )
}

function ProgressLine({ tool, startedAt, progress }: Pick<CallProgressProps, 'tool' | 'startedAt' | 'progress'>) {
  const now = useNow(1000)
  const total = progress?.total
  const share = progress && total !== undefined && total > 0 ? { value: Math.min(progress.progress, total), max: total } : {}
  return (
    <div className="call-progress-line line">
      <progress aria-label={`Progress of ${tool}`} {...share} />
      <span className="meta">
        {progress ? `${reached(progress)} · ` : ''}
        {progress?.message ? (
          <>
            <VisibleText text={progress.message} />
            {' · '}
          </>
        ) : null}
        {duration(now - startedAt)}
      </span>
    </div>
  )
}

/** "30 %, 3 of 10"; without a total only how far it is. */
function reached({ progress, total }: Progress): string {
  if (total === undefined || total <= 0) return String(progress)
  const percent = `${Math.floor(Math.min(1, Math.max(0, progress / total)) * 100)} %`
  return total === 1 || total === 100 ? percent : `${percent}, ${progress} of ${total}`
}

function OverdueText({ overdue }: { readonly overdue: Overdue }) {
  const now = useNow(1000)
  const { endsAt } = overdue
  return (
    <div className="call-progress-what">
      <WarningIcon />
      <div>
        <div>{sentence(overdue)}</div>
        <div className="meta">
          {endsAt === undefined
            ? 'Paused until you answer the server.'
            : `Stops in ${duration(endsAt - now)} unless you keep going.`}
        </div>
      </div>
    </div>
  )
}

function sentence({ why, after }: Overdue): string {
  return why === 'silent'
    ? `Still waiting: nothing heard for ${inWords(after)}.`
    : `Still waiting after ${inWords(after)}, the maximum.`
}

/** Told once, when it happens before one's eyes. */
function useAnnounced(tool: string, overdue: Overdue | undefined): void {
  const before = useRef(overdue?.since)
  useEffect(() => {
    if (overdue && overdue.since !== before.current) announce(`${tool}. ${sentence(overdue)} Keep going, or stop?`)
    before.current = overdue?.since
  }, [tool, overdue])
}
