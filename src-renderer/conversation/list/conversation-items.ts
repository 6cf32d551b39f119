import type { ConversationHead } from '../../../src-shared/contract/conversations.ts'
import { attempt, removeConversation } from '../../state/actions.ts'
import { exportConversation, pinConversation } from '../../state/context-actions.ts'
import { announce, showFailure } from '../../state/view-store.ts'
import type { MenuItem } from '../../ui/Menu.tsx'

/** What can be done to a conversation, in its row and in its head. */
export function conversationItems(
  head: ConversationHead,
  { rename, tag, choose }: { readonly rename: () => void; readonly tag: () => void; readonly choose: () => void },
): readonly MenuItem[] {
  return [
    { label: 'Rename', onSelect: rename },
    { label: head.pinned ? 'Unpin' : 'Pin', onSelect: () => void attempt(pinConversation(head.id, !head.pinned)) },
    { label: 'Tags …', onSelect: tag },
    { label: 'Folders …', onSelect: choose },
    { label: 'Export as Markdown', onSelect: () => void saveAs(head, 'markdown') },
    { label: 'Export as JSON', onSelect: () => void saveAs(head, 'json') },
    { label: 'Delete', danger: true, onSelect: () => void attempt(removeConversation(head)) },
  ]
}

async function saveAs(head: ConversationHead, format: 'markdown' | 'json'): Promise<void> {
  let leftOut = 0
  const worked = await attempt(
    exportConversation(head, format).then((file) => {
      leftOut = file.leftOut
    }),
  )
  if (!worked) return
  announce('Exported')
  if (leftOut > 0) showFailure(`The file is complete but for ${leftOut} large contents, which it names instead.`)
}
