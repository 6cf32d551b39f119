import type { ReactNode } from 'react'
import type { ServerRecord } from '../../src-shared/contract/servers.ts'
import type { Icon } from '../../src-shared/mcp/content.ts'
import { ForeignIcon } from '../content/ForeignIcon.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'

export interface OfferRowProps {
  readonly server: ServerRecord
  readonly title: string
  readonly icons: readonly Icon[] | undefined
  /** Before the title. */
  readonly mark?: ReactNode
  /** Its second name. */
  readonly name?: ReactNode
  /** After the server. */
  readonly children: ReactNode
  /** The line below. */
  readonly below: ReactNode
  readonly disabled?: boolean
  readonly onChoose: () => void
}

/** Something that a server offers, to be chosen by a click. */
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
