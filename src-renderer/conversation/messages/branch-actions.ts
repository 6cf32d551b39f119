import type { ConversationId, MessageId } from '../../../src-shared/contract/ids.ts'
import type { ModelRef } from '../../../src-shared/contract/settings.ts'
import { ask } from '../../state/ask.ts'
import { navigate, offerUndo } from '../../state/view-store.ts'

/** Retries the last reply with the given model, or with that of the conversation. */
export async function retryWith(id: ConversationId, model?: ModelRef): Promise<void> {
  offerKept((await ask('turn.retryWith', { id, ...(model && { model }) })).kept)
}

/** Replaces a message of the person; everything after it leaves the conversation. */
export async function editAndResend(id: ConversationId, messageId: MessageId, text: string): Promise<void> {
  offerKept((await ask('conversation.editAndResend', { id, messageId, text })).kept)
}

/** Announces that the previous version was kept as a conversation, with a link to it. */
function offerKept(kept: ConversationId | undefined): void {
  if (kept === undefined) return
  offerUndo({
    text: 'Previous version saved',
    label: 'Go there',
    undo: () => navigate({ section: 'conversations', id: kept }),
  })
}
