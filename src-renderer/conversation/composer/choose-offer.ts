import type { ConversationId, NoteId } from '../../../src-shared/contract/ids.ts'
import type { Prompt } from '../../../src-shared/mcp/primitives.ts'
import { conversationOf, removeTyped } from '../../offers/conversation-of.ts'
import type { ServerOffer } from '../../offers/use-offers.ts'
import { ask } from '../../state/ask.ts'
import { conversationFor } from '../../state/conversation-actions.ts'
import { announce, type ChosenResource, type Picker, setPicker, setPlacing } from '../../state/view-store.ts'

/** Sends a prompt without arguments at once; the dialog opens for arguments, and for an empty or suspicious answer. */
export async function choosePrompt(picker: Picker, offer: ServerOffer<Prompt>): Promise<void> {
  const { server, item } = offer
  if (item.arguments?.length) return setPicker({ ...picker, prompt: offer })
  const there = removeTyped(picker)
  const preview = await ask('prompt.get', { serverId: server.id, prompt: item.name, arguments: {} })
  if (preview.messages.length === 0 || preview.warnings.length > 0) return setPicker({ ...there, prompt: offer })
  const id = await conversationOf(there)
  await ask('conversation.attachPrompt', { id, preview: preview.preview, run: true })
}

/** Attaches a resource at once; the dialog opens when its size needs a confirmation. */
export async function attachResource(picker: Picker, chosen: ChosenResource): Promise<void> {
  const there = removeTyped(picker)
  const id = await conversationOf(there)
  const answer = await ask('conversation.attachResource', { id, serverId: chosen.serverId, uri: chosen.uri })
  if (answer.is === 'confirm') setPicker({ ...there, conversation: id, resource: { chosen, confirm: answer } })
  else announce(`Attached ${answer.attachment.title}`)
}

export async function attachNamedFile(picker: Picker, path: string): Promise<void> {
  // Attached first: only the name of an attached file is no word of the person to consent.
  const id = await conversationFor(picker.conversation, picker.model)
  const { attachment } = await ask('conversation.attachNamedFile', { id, path })
  removeTyped({ ...picker, conversation: id }, attachment.title)
  announce(`Attached ${attachment.title}`)
}

/** Attaches what was said in another conversation. */
export async function attachConversation(picker: Picker, other: ConversationId): Promise<void> {
  const id = await conversationOf(picker)
  const { attachment } = await ask('conversation.attachConversation', { id, other })
  announce(`Attached ${attachment.title}`)
}

export async function attachNote(picker: Picker, note: NoteId): Promise<void> {
  const id = await conversationOf(picker)
  const { attachment } = await ask('conversation.attachNote', { id, note })
  announce(`Attached ${attachment.title}`)
}

/** Lets the person add a folder to the conversation, so that its files are offered. */
export async function addFolder(picker: Picker): Promise<void> {
  setPlacing(await conversationOf(picker))
}
