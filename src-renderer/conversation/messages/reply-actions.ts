import type { BoundedText } from '../../../src-shared/contract/blobs.ts'
import type { ConversationId, MessageId } from '../../../src-shared/contract/ids.ts'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { readWhole } from '../../state/read-text.ts'
import { offerUndo } from '../../state/view-store.ts'
import { markdownAsPlainText } from './plain-text.ts'

export async function plainWords(words: readonly BoundedText[]): Promise<string> {
  return markdownAsPlainText(await readWhole(words))
}

/** Saves the text of a message, and offers undo. */
export async function saveNote(id: ConversationId, messageId: MessageId): Promise<void> {
  const note = await ask('note.save', { id, messageId })
  offerUndo({ text: 'Saved as note', undo: () => void attempt(ask('note.remove', { id: note.id })) })
}
