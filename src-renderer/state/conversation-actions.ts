import { defined } from '../../src-shared/base/defined.ts'
import { assertNever } from '../../src-shared/base/json.ts'
import type { ContextRemedy } from '../../src-shared/contract/context.ts'
import { type ConversationHead, IMPORT_PIECE, type Message } from '../../src-shared/contract/conversations.ts'
import type { AttachmentId, ConversationId, MessageId, ProjectId, ToolCallId } from '../../src-shared/contract/ids.ts'
import type { ModelRef, ToolSwitches } from '../../src-shared/contract/settings.ts'
import { ask, changeSettings } from './ask.ts'
import { attempt } from './attempt.ts'
import { keepOlderHeads, useHost } from './host-store.ts'
import type { Route } from './route.ts'
import { conversationTitle } from './selectors.ts'
import {
  announce,
  editMessage,
  navigate,
  offerUndo,
  type SearchTarget,
  seek,
  setDraft,
  showFailure,
  useView,
} from './view-store.ts'

/** The project that a new conversation is begun in, as the address names it. */
export function projectOfNew({ section, id, tab }: Route): ProjectId | undefined {
  // The host decides whether it exists.
  return section === 'conversations' && id === 'new' ? (tab as ProjectId | undefined) : undefined
}

/** Creates a conversation in the project on screen, and opens it. */
export async function createConversation(model?: ModelRef): Promise<ConversationId> {
  const id = await makeConversation(model)
  navigate({ section: 'conversations', id })
  return id
}

export const leaveWelcome = () => changeSettings({ welcomed: true })

async function makeConversation(model: ModelRef | undefined): Promise<ConversationId> {
  const project = projectOfNew(useView.getState().route)
  const { id } = await ask('conversation.create', defined({ model, project }))
  // The welcome page was passed. A failure is harmless: the page would be shown once more.
  if (!useHost.getState().host.settings.welcomed) leaveWelcome().catch(() => {})
  return id
}

/** Gives the conversation that something is added to; creates one with the typed draft when there is none. */
export async function conversationFor(id: ConversationId | undefined, model: ModelRef): Promise<ConversationId> {
  if (id !== undefined) return id
  const made = await makeConversation(model)
  setDraft(made, useView.getState().drafts.new ?? '')
  setDraft('new', '')
  navigate({ section: 'conversations', id: made })
  return made
}

/** Removes conversations, leaves the one on screen, and offers undo. */
export async function removeConversations(heads: readonly ConversationHead[]): Promise<void> {
  const removed: ConversationId[] = []
  try {
    for (const { id } of heads) {
      await ask('conversation.remove', { id })
      removed.push(id)
    }
  } finally {
    const { route } = useView.getState()
    if (route.section === 'conversations' && removed.some((id) => id === route.id)) navigate({ section: 'conversations' })
    if (removed.length > 0)
      offerUndo({ text: `Deleted ${nameOf(heads.slice(0, removed.length))}`, undo: () => void attempt(restoreAll(removed)) })
  }
}

async function restoreAll(ids: readonly ConversationId[]): Promise<void> {
  for (const id of ids) await ask('conversation.restore', { id })
}

const nameOf = ([first, ...rest]: readonly ConversationHead[]) =>
  first && rest.length === 0 ? `“${conversationTitle(first)}”` : `${rest.length + 1} conversations`

/** Archives or unarchives conversations, and offers undo. */
export async function archiveConversations(heads: readonly ConversationHead[], archived: boolean): Promise<void> {
  const changed: ConversationHead[] = []
  try {
    for (const head of heads.filter((one) => (one.archived ?? false) !== archived)) {
      await ask('conversation.archive', { id: head.id, archived })
      changed.push(head)
    }
  } finally {
    const text = `${archived ? 'Archived' : 'Unarchived'} ${nameOf(changed)}`
    if (changed.length > 0) offerUndo({ text, undo: () => void attempt(archiveAll(changed, !archived)) })
  }
}

async function archiveAll(heads: readonly ConversationHead[], archived: boolean): Promise<void> {
  for (const { id, pinned } of heads) {
    await ask('conversation.archive', { id, archived })
    if (!archived && pinned) await ask('conversation.pin', { id, pinned })
  }
}

/** Reads the next page of older heads, and further pages while they hold only known ones. */
export async function readOlderConversations(): Promise<void> {
  for (let { unread } = useHost.getState(); unread; { unread } = useHost.getState()) {
    const page = await ask('conversation.page', { archived: false, project: null, ...unread })
    if (keepOlderHeads(unread, page)) return
  }
}

/** Sends a message, which waits while a reply runs, or ends it with `now`. A failure puts the text back into the draft. */
export async function send(id: ConversationId, text: string, now = false): Promise<void> {
  setDraft(id, '')
  try {
    await ask('conversation.send', { id, text, ...(now && { now }) })
  } catch (error) {
    if ((useView.getState().drafts[id] ?? '') === '') setDraft(id, text)
    throw error
  }
}

/** Takes a waiting message back into the draft, before what is there. */
export async function takeQueued(id: ConversationId, messageId: MessageId): Promise<void> {
  const { text } = await ask('queue.take', { id, messageId })
  const draft = useView.getState().drafts[id] ?? ''
  setDraft(id, draft.trim() === '' ? text : `${text}\n\n${draft}`)
}

/** Removes a waiting message, and offers undo. */
export async function removeQueued(id: ConversationId, messageId: MessageId): Promise<void> {
  await ask('queue.remove', { id, messageId })
  offerUndo({ text: 'Removed the message', undo: () => void attempt(ask('queue.restore', { id, messageId })) })
}

/** Opens the last message that the person typed for editing. False when there is none. */
export function editLastMessage(messages: readonly Message[]): boolean {
  const last = messages.findLast(({ role, origin }) => role === 'user' && !origin)
  if (last) editMessage(last.id)
  return last !== undefined
}

/** Shows the version of a conversation that has a message, and goes to that message. */
export async function seekVersion(target: SearchTarget): Promise<void> {
  await ask('message.showVersion', { id: target.conversation, messageId: target.message })
  seek(target)
  navigate({ section: 'conversations', id: target.conversation })
}

/** Goes to the message of a call, in its version. */
export async function seekCall(conversation: ConversationId, toolCallId: ToolCallId): Promise<void> {
  const { messageId: message } = await ask('toolCall.show', { id: conversation, toolCallId })
  seek({ conversation, message })
  navigate({ section: 'conversations', id: conversation })
}

/** Copies a conversation up to a message and opens the copy; the text of that message becomes its draft. */
export async function forkConversation(id: ConversationId, messageId: MessageId): Promise<void> {
  const fork = await ask('conversation.fork', { id, messageId })
  if (fork.text !== undefined) setDraft(fork.id, fork.text)
  navigate({ section: 'conversations', id: fork.id })
}

/** Applies a remedy for a full context window. All but a fork, which leaves its conversation as it is, can be undone. */
export async function makeRoom(id: ConversationId, { done, does }: ContextRemedy, switches: ToolSwitches): Promise<void> {
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
      return detach(id, does.attachmentId, done)
    case 'fork':
      return forkConversation(id, does.messageId)
    default:
      assertNever(does)
  }
}

/** Detaches an attachment that was not sent yet, and offers undo. */
export async function detach(id: ConversationId, attachmentId: AttachmentId, text: string): Promise<void> {
  await ask('conversation.detach', { id, attachmentId })
  offerUndo({ text, undo: () => void attempt(ask('conversation.reattach', { id, attachmentId })) })
}

/** Uploads an exported file in pieces and opens what was imported. `onSent` gets the share that was sent, 0 to 1. */
export async function importConversation(file: Blob, onSent: (share: number) => void): Promise<void> {
  const text = await file.text()
  let upload: string | undefined
  for (let from = 0; ; from += IMPORT_PIECE) {
    const last = from + IMPORT_PIECE >= text.length
    const piece = text.slice(from, from + IMPORT_PIECE)
    const answer = await ask('conversation.import', { piece, last, ...(upload === undefined ? {} : { upload }) })
    if (answer.is === 'imported') {
      const { ids, messages, warnings } = answer
      navigate({ section: 'conversations', id: ids[0] ?? 'new' })
      announce(ids.length === 1 ? `Imported ${messages} messages` : `Imported ${ids.length} conversations`)
      if (warnings.length > 0) showFailure(warnings.slice(0, 3).join(' '))
      return
    }
    upload = answer.upload
    onSent(Math.min(1, (from + IMPORT_PIECE) / text.length))
  }
}
