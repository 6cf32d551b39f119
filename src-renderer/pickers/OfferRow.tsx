import type { ReactNode } from 'react'
import type { ServerRecord } from '../../src-shared/contract/servers.ts'
import type { Icon } from '../../src-shared/mcp/content.ts'
import { ForeignIcon } from '../content/ForeignIcon.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'

interface OfferRowProps {
  readonly server: ServerRecord
  readonly title: string
  readonly icons: readonly Icon[] | undefined
  readonly mark?: ReactNode
  /** Its programmatic name, when the title differs. */
  readonly name?: ReactNode
  /** Shown after the server. */
  readonly children: ReactNode
  readonly below: ReactNode
  readonly disabled?: boolean
  readonly onChoose: () => void
}

/** A prompt, resource or template of a server in a list to choose from. */
export function OfferRow({ server, title, icons, mark, name, children, below, disabled, onChoose }: OfferRowProps) {
  return (
    <button type="button" className="picker-row column-0 small" disabled={disabled} onClick={onChoose}>
      <span className="picker-row-head line">
        <ForeignIcon icons={icons} />
        {mark}
        <VisibleText as="strong" text={title} />
        {name}
        <VisibleText as="span" className="content-server" text={server.name} />
        {children}
      </span>
      {below}
    </button>
  )
}
