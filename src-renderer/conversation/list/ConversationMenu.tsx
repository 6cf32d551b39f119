import { useState } from 'react'
import type { ConversationHead } from '../../../src-shared/contract/conversations.ts'
import { Menu } from '../../ui/Menu.tsx'
import { conversationMenuItems } from './conversation-menu-items.ts'
import { FoldersDialog } from './FoldersDialog.tsx'
import { TagsDialog } from './TagsDialog.tsx'

export interface ConversationMenuProps {
  readonly head: ConversationHead
  /** Names the button. */
  readonly label: string
  /** The title becomes a field where it stands. */
  readonly onRename: () => void
}

/** What can be done to a conversation, with the dialogs that it opens. */
export function ConversationMenu({ head, label, onRename }: ConversationMenuProps) {
  const [open, setOpen] = useState<'tags' | 'folders'>()
  const close = () => setOpen(undefined)
  const items = conversationMenuItems(head, {
    rename: onRename,
    tag: () => setOpen('tags'),
    choose: () => setOpen('folders'),
  })
  return (
    <>
      <Menu label={label} items={items} />
      {open === 'tags' ? <TagsDialog head={head} onClose={close} /> : null}
      {open === 'folders' ? <FoldersDialog id={head.id} onClose={close} /> : null}
    </>
  )
}
