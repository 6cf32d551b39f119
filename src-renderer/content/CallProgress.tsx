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
  /** The button that stops the call. */
  readonly stop?: ReactNode
}

/** The progress and age of a running call, and its choices after its deadline. */
export function CallProgress({ id, tool, startedAt, progress, overdue, stop }: CallProgressProps) {
  const box = useRef<HTMLDivElement>(null)
  useAnnounced(tool, overdue)
  return (
    <div ref={box} className={overdue ? 'call-progress column call-progress-overdue' : 'call-progress column'} tabIndex={-1}>
      <div className="call-progress-head row">
        <ProgressLine tool={tool} startedAt={startedAt} progress={progress} />
        {overdue ? null : stop}
      </div>
      {overdue ? (
        <>
          <OverdueText overdue={overdue} />
          <div className="line">
            <KeepGoing id={id} onGone={() => box.current?.focus()} />
            {stop}
          </div>
        </>
      ) : null}
    </div>
  )
}

/** Returns the focus to the call when the button disappears, which a sign of life from the server causes, too. */
function KeepGoing({ id, onGone }: { readonly id: ToolCallId; readonly onGone: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  const latest = useRef(onGone)
  useLayoutEffect(() => {
    const element = button.current
    return () => {
      if (document.activeElement === element) latest.current()
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
        {progress ? `${progressText(progress)} · ` : ''}
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

/** "30 %, 3 of 10"; only the count when there is no total. */
export function progressText({ progress, total }: Progress): string {
  if (total === undefined || total <= 0) return String(progress)
  const percent = `${Math.floor(Math.min(1, Math.max(0, progress / total)) * 100)} %`
  return total === 1 || total === 100 ? percent : `${percent}, ${progress} of ${total}`
}

function OverdueText({ overdue }: { readonly overdue: Overdue }) {
  const now = useNow(1000)
  return (
    <div className="call-progress-what">
      <WarningIcon />
      <div>
        <div>{sentence(overdue)}</div>
        <div className="meta">
          {overdue.why === 'asks'
            ? 'Paused until you choose.'
            : overdue.endsAt === undefined
              ? 'Paused until you answer the server.'
              : `Stops in ${duration(overdue.endsAt - now)} unless you keep going.`}
        </div>
      </div>
    </div>
  )
}

function sentence(overdue: Overdue): string {
  if (overdue.why === 'asks') return `The server has asked ${overdue.times} times.`
  const after = inWords(overdue.after)
  return overdue.why === 'silent' ? `Still waiting: nothing heard for ${after}.` : `Still waiting after ${after}, the maximum.`
}

/** Announces once that a call became overdue while it is on screen. */
function useAnnounced(tool: string, overdue: Overdue | undefined): void {
  const before = useRef(overdue?.since)
  useEffect(() => {
    if (overdue && overdue.since !== before.current) announce(`${tool}. ${sentence(overdue)} Keep going, or stop?`)
    before.current = overdue?.since
  }, [tool, overdue])
}
