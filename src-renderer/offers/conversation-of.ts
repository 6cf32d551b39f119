import type { ConversationId } from '../../src-shared/contract/ids.ts'
import { conversationFor } from '../state/conversation-actions.ts'
import { type Picker, setDraft, setPicker, useView } from '../state/view-store.ts'

/** The picker's conversation, created when there is none yet; its draft moves along. */
export async function conversationOf(picker: Picker): Promise<ConversationId> {
  const rest = removeTyped(picker)
  const conversation = await conversationFor(rest.conversation, rest.model)
  // The next choice goes to the same conversation; a picker closed during the request stays closed.
  if (useView.getState().picker === picker) setPicker({ ...rest, conversation })
  return conversation
}

/** Removes the text that opened the picker from the draft; returns the picker without it. */
export function removeTyped({ typed, ...rest }: Picker): Picker {
  const key = rest.conversation ?? 'new'
  const draft = useView.getState().drafts[key] ?? ''
  if (typed && draft.startsWith(typed.text, typed.at)) {
    setDraft(key, draft.slice(0, typed.at) + draft.slice(typed.at + typed.text.length))
  }
  return rest
}
