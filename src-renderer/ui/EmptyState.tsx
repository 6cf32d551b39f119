import type { ReactNode } from 'react'

interface EmptyStateProps {
  readonly title: string
  /** The purpose of this place. */
  readonly children?: ReactNode
  readonly actions?: ReactNode
}

export function EmptyState({ title, children, actions }: EmptyStateProps) {
  return (
    <div className="ui-empty column-3">
      <h2>{title}</h2>
      {children ? <div className="soft">{children}</div> : null}
      {actions ? <div className="ui-empty-actions actions">{actions}</div> : null}
    </div>
  )
}
