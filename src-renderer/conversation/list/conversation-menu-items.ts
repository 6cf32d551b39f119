import type { ConversationHead } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { archiveConversations, removeConversations } from '../../state/conversation-actions.ts'
import { saveFrom } from '../../state/save-file.ts'
import { announce, showFailure } from '../../state/view-store.ts'
import type { MenuItem } from '../../ui/Menu.tsx'

interface ConversationDialogs {
  readonly rename: () => void
  readonly tag: () => void
  readonly place: () => void
  /** Undefined where there is no list. */
  readonly select: (() => void) | undefined
  /** Undefined while there are no projects. */
  readonly move: (() => void) | undefined
}

/** The actions on a conversation, in its row and in its head. */
export function conversationMenuItems(
  head: ConversationHead,
  { rename, select, tag, place, move }: ConversationDialogs,
): readonly MenuItem[] {
  const { id, pinned, archived } = head
  return [
    { label: 'Rename', onSelect: rename },
    ...(select ? [{ label: 'Select', onSelect: select }] : []),
    {
      label: pinned ? 'Unpin' : 'Pin',
      disabled: archived === true,
      onSelect: () => void attempt(ask('conversation.pin', { id, pinned: !pinned })),
    },
    { label: 'Tags …', onSelect: tag },
    ...(move ? [{ label: 'Move to project …', onSelect: move }] : []),
    { label: 'Folders, sites and people …', onSelect: place },
    { label: 'Export as Markdown', onSelect: () => void saveAs([id], 'markdown') },
    { label: 'Export for Parley', onSelect: () => void saveAs([id], 'json') },
    {
      label: archived ? 'Unarchive' : 'Archive',
      onSelect: () => void attempt(archiveConversations([head], !archived)),
    },
    { label: 'Delete', danger: true, onSelect: () => void attempt(removeConversations([head])) },
  ]
}

export async function saveAs(ids: readonly ConversationId[], format: 'markdown' | 'json'): Promise<void> {
  const [file] = (await attempt(ask('conversation.export', { ids, format }))) ?? []
  if (!file) return
  saveFrom(file.url, file.name)
  announce('Exported')
  if (file.leftOut > 0)
    showFailure(`The file names ${file.leftOut} large contents that it does not include. The rest is complete.`)
}
