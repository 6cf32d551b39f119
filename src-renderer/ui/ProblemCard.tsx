import type { ReactNode } from 'react'
import type { Problem } from '../../src-shared/contract/errors.ts'
import { NoticeIcon, WarningIcon } from './icons.tsx'
import { RelativeTime } from './RelativeTime.tsx'
import { VisibleText } from './VisibleText.tsx'

export interface ProblemCardProps {
  readonly problem: Problem
  readonly level?: 'info' | 'warning' | 'error'
  /** Buttons: what can be done here. */
  readonly actions?: ReactNode
}

/** A problem: its title, the program's own words, and what to do. Foreign text is framed, monospaced and inert. */
export function ProblemCard({ problem, level = 'error', actions }: ProblemCardProps) {
  return (
    <div className={`ui-problem ui-problem-${level}`}>
      <div className="ui-problem-what">
        {level === 'info' ? <NoticeIcon /> : <WarningIcon />}
        <span>{problem.what}</span>
      </div>
      {problem.said ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling text must be reachable by keyboard
        <pre className="ui-problem-said" tabIndex={0}>
          <VisibleText text={problem.said} />
        </pre>
      ) : null}
      {problem.todo ? <div>{problem.todo}</div> : null}
      {problem.retryAt !== undefined ? (
        <div className="meta">
          Trying again makes sense <RelativeTime at={problem.retryAt} />.
        </div>
      ) : null}
      {actions ? <div className="actions">{actions}</div> : null}
    </div>
  )
}
