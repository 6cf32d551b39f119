import type { ConversationId } from '../../src-shared/contract/ids.ts'
import { conversationFor } from '../state/conversation-actions.ts'
import { type Picker, setDraft, setPicker, useView } from '../state/view-store.ts'

/** The conversation that something was chosen for, made when there is none yet. What was written moves along. */
export async function conversationOf(picker: Picker): Promise<ConversationId> {
  const rest = takeOut(picker)
  const conversation = await conversationFor(rest.conversation, rest.model)
  // The next choice goes to the same conversation; a picker that was closed in the meantime stays closed.
  if (useView.getState().picker === picker) setPicker({ ...rest, conversation })
  return conversation
}

/** Takes what was typed for the picker out of the draft again; gives the picker without it. */
export function takeOut({ typed, ...rest }: Picker): Picker {
  const key = rest.conversation ?? 'new'
  const draft = useView.getState().drafts[key] ?? ''
  if (typed && draft.startsWith(typed.text, typed.at)) {
    setDraft(key, draft.slice(0, typed.at) + draft.slice(typed.at + typed.text.length))
  }
  return rest
}
