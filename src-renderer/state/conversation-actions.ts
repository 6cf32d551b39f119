import { assertNever } from '../../src-shared/base/json.ts'
import type { Remedy } from '../../src-shared/contract/context.ts'
import { type ConversationHead, IMPORT_PIECE, type Message } from '../../src-shared/contract/conversations.ts'
import type { AttachmentId, ConversationId, MessageId } from '../../src-shared/contract/ids.ts'
import type { ModelRef, ToolSwitches } from '../../src-shared/contract/settings.ts'
import { ask } from './ask.ts'
import { attempt } from './attempt.ts'
import { keepOlderHeads } from './host-store.ts'
import { conversationTitle } from './selectors.ts'
import { editMessage, navigate, offerUndo, setDraft, useView } from './view-store.ts'

/** Makes one and goes there. */
export async function createConversation(model?: ModelRef): Promise<ConversationId> {
  const { id } = await ask('conversation.create', model ? { model } : {})
  navigate({ section: 'conversations', id })
  return id
}

/** Removes it, leaves it when it is on screen, and offers to put it back. */
export async function removeConversation(head: Pick<ConversationHead, 'id' | 'title'>): Promise<void> {
  const { id } = head
  await ask('conversation.remove', { id })
  const { route } = useView.getState()
  if (route.section === 'conversations' && route.id === id) navigate({ section: 'conversations' })
  offerUndo({ text: `Deleted “${conversationTitle(head)}”`, undo: () => void attempt(ask('conversation.restore', { id })) })
}

/** Reads the next page of older heads into the mirror; gives the cursor after it, absent at the end. */
export async function readOlderConversations(before: string | undefined): Promise<string | undefined> {
  const page = await ask('conversation.page', before === undefined ? {} : { before })
  keepOlderHeads(page.items)
  return page.next
}

/** Sends what was typed. The draft is kept when it fails. */
export async function send(id: ConversationId, text: string): Promise<void> {
  setDraft(id, '')
  try {
    await ask('conversation.send', { id, text })
  } catch (error) {
    if ((useView.getState().drafts[id] ?? '') === '') setDraft(id, text)
    throw error
  }
}

/** Opens the last message that the person typed for editing; whether there is one. */
export function editLastMessage(messages: readonly Message[]): boolean {
  const last = messages.findLast(({ role, origin }) => role === 'user' && !origin)
  if (last) editMessage(last.id)
  return last !== undefined
}

/** A copy up to a message; what the person had said there waits in its composer. Goes there. */
export async function forkConversation(id: ConversationId, messageId: MessageId): Promise<void> {
  const fork = await ask('conversation.fork', { id, messageId })
  if (fork.text !== undefined) setDraft(fork.id, fork.text)
  navigate({ section: 'conversations', id: fork.id })
}

/** Does at once what makes room, and offers to take that back; a fork leaves its conversation as it is. */
export async function makeRoom(id: ConversationId, { done, does }: Remedy, switches: ToolSwitches): Promise<void> {
  switch (does.is) {
    case 'turn-off': {
      const { serverId, tool } = does
      const wanted =
        tool === undefined
          ? { ...switches, servers: [...switches.servers, serverId] }
          : { ...switches, tools: [...switches.tools, { serverId, tool }] }
      await ask('conversation.setSwitches', { id, switches: wanted })
      return offerUndo({ text: done, undo: () => void attempt(ask('conversation.setSwitches', { id, switches })) })
    }
    case 'detach':
      return takeBack(id, does.attachmentId, done)
    case 'fork':
      return forkConversation(id, does.messageId)
    default:
      assertNever(does)
  }
}

/** Takes back an attachment that waits, and offers to put it back as it was. */
export async function takeBack(id: ConversationId, attachmentId: AttachmentId, text: string): Promise<void> {
  await ask('conversation.detach', { id, attachmentId })
  offerUndo({ text, undo: () => void attempt(ask('conversation.reattach', { id, attachmentId })) })
}

/** Hands an exported file to the host piece by piece; `onSent` hears how much of it is there, 0 to 1. Goes to what came of it. */
export async function importConversation(file: Blob, onSent: (share: number) => void) {
  const text = await file.text()
  let upload: string | undefined
  for (let from = 0; ; from += IMPORT_PIECE) {
    const last = from + IMPORT_PIECE >= text.length
    const piece = text.slice(from, from + IMPORT_PIECE)
    const answer = await ask('conversation.import', { piece, last, ...(upload === undefined ? {} : { upload }) })
    if (answer.is === 'imported') {
      navigate({ section: 'conversations', id: answer.id })
      return answer
    }
    upload = answer.upload
    onSent(Math.min(1, (from + IMPORT_PIECE) / text.length))
  }
}
