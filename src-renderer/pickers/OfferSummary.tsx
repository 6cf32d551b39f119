import type { ReactNode } from 'react'
import { VisibleText } from '../ui/VisibleText.tsx'

interface OfferSummaryProps {
  readonly title: string
  readonly serverName: string
  readonly description?: string | undefined
  /** Its address, or the template of one. */
  readonly uri?: ReactNode
  readonly children?: ReactNode
}

/** The picked resource or prompt and its server, above the form that uses it. */
export function OfferSummary({ title, serverName, description, uri, children }: OfferSummaryProps) {
  return (
    <div className="picker-about">
      <VisibleText as="strong" text={title} /> <VisibleText as="span" className="content-server" text={serverName} />
      {uri ? <code className="picker-row-uri">{uri}</code> : null}
      {description ? <VisibleText as="p" className="soft" text={description} /> : null}
      {children}
    </div>
  )
}
