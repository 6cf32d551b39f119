import type { ConversationId } from '../../src-shared/contract/ids.ts'
import { createConversation } from '../state/actions.ts'
import { type Picker, setDraft, useView } from '../state/view-store.ts'

/** The conversation that something was chosen for, made when there is none yet. What was written moves along. */
export async function conversationOf(picker: Picker): Promise<ConversationId> {
  if (picker.conversation !== undefined) {
    withoutTyped(picker, picker.conversation)
    return picker.conversation
  }
  withoutTyped(picker, 'new')
  const id = await createConversation(picker.model)
  setDraft(id, useView.getState().drafts.new ?? '')
  setDraft('new', '')
  return id
}

/** Takes the character that opened the picker out of the draft again. */
function withoutTyped({ typed }: Picker, key: ConversationId | 'new'): void {
  if (!typed) return
  const draft = useView.getState().drafts[key] ?? ''
  if (draft[typed.at] === typed.char) setDraft(key, draft.slice(0, typed.at) + draft.slice(typed.at + 1))
}
