import type { ReactNode } from 'react'
import { VisibleText } from '../ui/VisibleText.tsx'

export interface OfferSummaryProps {
  readonly title: string
  readonly serverName: string
  readonly description?: string | undefined
  /** Where it is, or how its address is made. */
  readonly uri?: ReactNode
  readonly children?: ReactNode
}

/** What was picked and whose it is, above what is done with it. */
export function OfferSummary({ title, serverName, description, uri, children }: OfferSummaryProps) {
  return (
    <div className="picker-about">
      <strong>
        <VisibleText text={title} />
      </strong>{' '}
      <span className="content-server">
        <VisibleText text={serverName} />
      </span>
      {uri ? <code className="picker-row-uri">{uri}</code> : null}
      {description ? (
        <p className="soft">
          <VisibleText text={description} />
        </p>
      ) : null}
      {children}
    </div>
  )
}
