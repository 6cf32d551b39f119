import type { ConversationId, MessageId } from '../../../src-shared/contract/ids.ts'
import type { ModelRef } from '../../../src-shared/contract/settings.ts'
import { ask } from '../../state/ask.ts'
import { navigate, offerUndo } from '../../state/view-store.ts'

/** Lets a model answer the last message once more: the conversation's own, unless another is given. */
export async function retryWith(id: ConversationId, model?: ModelRef): Promise<void> {
  offerKept((await ask('turn.retryWith', { id, ...(model && { model }) })).kept)
}

/** Says one of one's own messages differently; all that followed goes. */
export async function editAndResend(id: ConversationId, messageId: MessageId, text: string): Promise<void> {
  offerKept((await ask('conversation.editAndResend', { id, messageId, text })).kept)
}

/** Says that the previous version is a conversation of its own now; a click goes there. */
function offerKept(kept: ConversationId | undefined): void {
  if (kept === undefined) return
  offerUndo({
    text: 'Previous version saved',
    label: 'Go there',
    undo: () => navigate({ section: 'conversations', id: kept }),
  })
}
