import type { ConversationId } from '../../src-shared/contract/ids.ts'
import { conversationFor } from '../state/conversation-actions.ts'
import { type Picker, setDraft, setPicker, useView } from '../state/view-store.ts'

/** The conversation that something was chosen for, made when there is none yet. What was written moves along. */
export async function conversationOf(picker: Picker): Promise<ConversationId> {
  const { typed, ...rest } = picker
  if (typed) withoutTyped(typed, picker.conversation ?? 'new')
  const conversation = await conversationFor(picker.conversation, picker.model)
  // What is chosen next goes to the same one; a picker that was closed meanwhile stays closed.
  if (useView.getState().picker === picker) setPicker({ ...rest, conversation })
  return conversation
}

/** Takes the character that opened the picker out of the draft again. */
function withoutTyped({ char, at }: NonNullable<Picker['typed']>, key: ConversationId | 'new'): void {
  const draft = useView.getState().drafts[key] ?? ''
  if (draft[at] === char) setDraft(key, draft.slice(0, at) + draft.slice(at + 1))
}
