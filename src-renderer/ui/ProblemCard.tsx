import type { ReactNode } from 'react'
import type { Problem } from '../../src-shared/contract/errors.ts'
import { Button } from './Button.tsx'
import { NoticeIcon, WarningIcon } from './icons.tsx'
import { RelativeTime } from './RelativeTime.tsx'
import { Skeleton, type SkeletonProps } from './Skeleton.tsx'
import { VisibleText } from './VisibleText.tsx'

export interface ProblemCardProps {
  /** One sentence, or all that is known; nothing is shown without one. */
  readonly problem: string | Omit<Problem, 'code'> | undefined
  readonly level?: 'info' | 'warning' | 'error'
  /** Buttons: what can be done here. */
  readonly actions?: ReactNode
  /** Adds the button "Try again". */
  readonly again?: (() => void) | undefined
}

/** A problem: its title, the program's own words, and what to do. Foreign text is framed, monospaced and inert. */
export function ProblemCard({ problem, level = 'error', actions, again }: ProblemCardProps) {
  if (problem === undefined) return null
  const { what, said, todo, retryAt }: Omit<Problem, 'code'> = typeof problem === 'string' ? { what: problem } : problem
  return (
    <div className={`ui-problem ui-problem-${level}`}>
      <div className="ui-problem-what">
        {level === 'info' ? <NoticeIcon /> : <WarningIcon />}
        <span>{what}</span>
      </div>
      {said ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling text must be reachable by keyboard
        <pre className="ui-problem-said" tabIndex={0}>
          <VisibleText text={said} />
        </pre>
      ) : null}
      {todo ? <div>{todo}</div> : null}
      {retryAt !== undefined ? (
        <div className="meta">
          Trying again makes sense <RelativeTime at={retryAt} />.
        </div>
      ) : null}
      {actions || again ? (
        <div className="actions">
          {actions}
          {again ? (
            <Button size="small" onClick={again}>
              Try again
            </Button>
          ) : null}
        </div>
      ) : null}
    </div>
  )
}

/** In place of what is asked for: that it loads, or why it did not come. */
export function Awaited({ problem, again, ...skeleton }: SkeletonProps & Pick<ProblemCardProps, 'problem' | 'again'>) {
  if (problem === undefined) return <Skeleton {...skeleton} />
  return (
    <div role="alert">
      <ProblemCard problem={problem} again={again} />
    </div>
  )
}
