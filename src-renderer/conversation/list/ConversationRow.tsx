import { type MouseEvent, useState } from 'react'
import type { ConversationHead } from '../../../src-shared/contract/conversations.ts'
import { useHost } from '../../state/host-store.ts'
import { routeHash } from '../../state/route.ts'
import { conversationTitle, INTERRUPTED, NEEDS_YOU, workingLabel } from '../../state/selectors.ts'
import { ClockIcon } from '../../ui/icons.tsx'
import { StatusDot } from '../../ui/StatusDot.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { ConversationMenu } from './ConversationMenu.tsx'
import { TitleField } from './TitleField.tsx'

interface ConversationRowProps {
  readonly head: ConversationHead
  readonly current: boolean
  readonly inset?: boolean | undefined
  /** Absent while nothing is selected. */
  readonly selected?: boolean | undefined
  readonly onSelect: (id: ConversationHead['id'], range: boolean) => void
}

/** One conversation in the list, with its menu. Ctrl and Shift select it instead of opening it. */
export function ConversationRow({ head, current, inset, selected, onSelect }: ConversationRowProps) {
  const [renaming, setRenaming] = useState(false)
  const working = useHost(({ host }) => workingLabel(head, host))
  const waits = working === NEEDS_YOU || working === INTERRUPTED
  const title = conversationTitle(head)
  const onClick = (event: MouseEvent) => {
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return
    event.preventDefault()
    onSelect(head.id, event.shiftKey)
  }
  const looks = ['conversation-row hovers row small', current && 'conversation-row-current', inset && 'conversation-row-inset']
  return (
    <div className={looks.filter(Boolean).join(' ')} data-selected={selected}>
      {selected === undefined ? null : (
        <input
          type="checkbox"
          aria-label={`Select ${visibleText(title)}`}
          checked={selected}
          // Only a click event carries the Shift key; the space bar causes one as well.
          onChange={() => {}}
          onClick={(event) => onSelect(head.id, event.shiftKey)}
        />
      )}
      {renaming ? (
        <TitleField head={head} onDone={() => setRenaming(false)} />
      ) : (
        <a
          href={routeHash({ section: 'conversations', id: head.id })}
          aria-current={current ? 'page' : undefined}
          aria-description={aboutOf(head)}
          title={title}
          dir="auto"
          onClick={onClick}
        >
          <VisibleText text={title} />
        </a>
      )}
      {head.schedule === undefined ? null : (
        <span className="row soft">
          <ClockIcon />
        </span>
      )}
      {working === undefined || (current && waits) ? null : <StatusDot tone={waits ? 'wait' : 'idle'} word={working} />}
      <ConversationMenu
        head={head}
        label={`More about ${title}`}
        onRename={() => setRenaming(true)}
        onSelect={() => onSelect(head.id, false)}
      />
    </div>
  )
}

function aboutOf({ tags = [], schedule }: ConversationHead): string | undefined {
  const about = [
    ...(schedule === undefined ? [] : ['Run of a schedule']),
    ...(tags.length > 0 ? [`Tags: ${tags.join(', ')}`] : []),
  ]
  return about.length > 0 ? about.join('. ') : undefined
}
