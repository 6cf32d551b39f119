import type { ReactNode } from 'react'
import type { Problem } from '../../src-shared/contract/errors.ts'
import { Button } from './Button.tsx'
import { NoticeIcon, WarningIcon } from './icons.tsx'
import { RelativeTime } from './RelativeTime.tsx'
import { Skeleton, type SkeletonProps } from './Skeleton.tsx'
import { VisibleText } from './VisibleText.tsx'

interface ProblemCardProps {
  /** Nothing is shown without one. */
  readonly problem: string | Omit<Problem, 'code'> | undefined
  readonly level?: 'info' | 'warning' | 'error'
  readonly actions?: ReactNode
  /** Adds the button "Try again". */
  readonly onRetry?: (() => void) | undefined
}

/** A problem: its title, the words of the program, and what to do. Foreign text is framed, monospaced and inert. */
export function ProblemCard({ problem, level = 'error', actions, onRetry }: ProblemCardProps) {
  if (problem === undefined) return null
  const { what, said, todo, retryAt }: Omit<Problem, 'code'> = typeof problem === 'string' ? { what: problem } : problem
  return (
    <div className={`ui-problem ui-problem-${level} column`}>
      <div className="ui-problem-what row">
        {level === 'info' ? <NoticeIcon /> : <WarningIcon />}
        <span>{what}</span>
      </div>
      {said ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling text must be reachable by keyboard
        <pre className="ui-problem-said framed" tabIndex={0}>
          <VisibleText text={said} />
        </pre>
      ) : null}
      {todo ? <div>{todo}</div> : null}
      {retryAt !== undefined ? (
        <div className="meta">
          Try again <RelativeTime at={retryAt} />.
        </div>
      ) : null}
      {actions || onRetry ? (
        <div className="actions">
          {actions}
          {onRetry ? (
            <Button size="small" onClick={onRetry}>
              Try again
            </Button>
          ) : null}
        </div>
      ) : null}
    </div>
  )
}

/** Stands for content that is loading or failed to load. */
export function Awaited({ problem, onRetry, ...skeleton }: SkeletonProps & Pick<ProblemCardProps, 'problem' | 'onRetry'>) {
  if (problem === undefined) return <Skeleton {...skeleton} />
  return (
    <div role="alert">
      <ProblemCard problem={problem} onRetry={onRetry} />
    </div>
  )
}
