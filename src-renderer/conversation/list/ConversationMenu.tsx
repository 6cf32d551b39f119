import { useState } from 'react'
import type { ConversationHead } from '../../../src-shared/contract/conversations.ts'
import { useHost } from '../../state/host-store.ts'
import { Menu } from '../../ui/Menu.tsx'
import { conversationMenuItems } from './conversation-menu-items.ts'
import { PlaceDialog, ProjectDialog, TagsDialog } from './dialogs.ts'

interface ConversationMenuProps {
  readonly head: ConversationHead
  readonly label: string
  /** Edits the title in place. */
  readonly onRename: () => void
  readonly onSelect?: () => void
}

export function ConversationMenu({ head, label, onRename, onSelect }: ConversationMenuProps) {
  const [open, setOpen] = useState<'tags' | 'place' | 'project'>()
  const movable = useHost((mirror) => mirror.host.projects.length > 0)
  const close = () => setOpen(undefined)
  const items = conversationMenuItems(head, {
    rename: onRename,
    select: onSelect,
    tag: () => setOpen('tags'),
    place: () => setOpen('place'),
    move: movable ? () => setOpen('project') : undefined,
  })
  return (
    <>
      <Menu label={label} items={items} />
      {open === 'tags' ? <TagsDialog heads={[head]} onClose={close} /> : null}
      {open === 'project' ? <ProjectDialog heads={[head]} onClose={close} /> : null}
      {open === 'place' ? <PlaceDialog head={head} onClose={close} /> : null}
    </>
  )
}
