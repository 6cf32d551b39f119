import { isPlainFileName } from '../../src-shared/base/plain-file-name.ts'
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

/** Puts a chosen file's name in place of the text that opened the picker; returns the picker without that text. */
export function removeTyped({ typed, ...rest }: Picker, name = ''): Picker {
  const key = rest.conversation ?? 'new'
  const draft = useView.getState().drafts[key] ?? ''
  if (typed && draft.startsWith(typed.text, typed.at)) {
    const [before, after] = [draft.slice(0, typed.at), draft.slice(typed.at + typed.text.length)]
    if (isPlainFileName(name)) setDraft(key, before + name + (after || ' '))
    else setDraft(key, before + (/(^|\s)$/.test(before) ? after.replace(/^ /, '') : after))
  }
  return rest
}
