import { randomUUID } from 'node:crypto'
import { type Message, TITLE_LENGTH, type Turn, VERSION_LIMIT } from '../../../src-shared/contract/conversations.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ConversationId, MessageId, TurnId } from '../../../src-shared/contract/ids.ts'
import type { ModelRef } from '../../../src-shared/contract/settings.ts'
import type { ConversationEvent } from '../../../src-shared/contract/topics.ts'
import type { ForkEnd, UnplacedHead } from '../../storage/base/storage.ts'
import { cut } from '../core/content-views.ts'
import type { Conversation } from './conversation.ts'
import { attachmentsOf, checkLength, shownTextOf, textOf, titleOf } from './person-message.ts'

/** Copies a conversation up to a message of the model, or up to before one of the person, whose text is returned. */
export async function forkAt(conversation: Conversation, messageId: MessageId): Promise<{ id: ConversationId; text?: string }> {
  const { head } = conversation
  await conversation.journal.flush()
  const messages = await messagesOf(conversation)
  const at = messages.find((message) => message.id === messageId)
  if (!at) throw gone()
  if (at.status === 'streaming')
    throw new HostError('conflict', 'This reply is still being written. Stop it, or wait until it ends.')
  const forked = await copyOf(conversation, `${head.title || 'Conversation'} (fork)`, {
    at: messageId,
    including: at.role === 'assistant',
  })
  if (at.role === 'assistant') return { id: forked }
  // The message's attachments wait in the fork, together with its text.
  const attachments = attachmentsOf(at)
  if (attachments.length > 0)
    await conversation.parts.storage.conversations.change({ id: forked, events: [{ type: 'attachments.changed', attachments }] })
  return { id: forked, text: await textOf(at, conversation.parts.storage.blobs) }
}

/** Sends another version of a message of the person. */
export async function editAndResend(
  conversation: Conversation,
  messageId: MessageId,
  text: string,
): Promise<{ messageId: MessageId }> {
  checkLength(text)
  return conversation.begin(async (write) => {
    await write({})
    const { head } = conversation
    const messages = await messagesOf(conversation)
    const from = messages.findIndex((message) => message.id === messageId)
    const edited = messages[from]
    if (!edited) throw gone()
    if (edited.role !== 'user') throw new HostError('invalid-params', 'Only your own messages can be edited.')
    if (!text.trim() && attachmentsOf(edited).length === 0) throw new HostError('invalid-params', 'The message is empty.')
    await checkRoom(conversation, messageId)
    return conversation.say(write, text, {
      instead: messageId,
      kept: attachmentsOf(edited),
      // A title that came from the old text is replaced too.
      retitled: from === 0 && head.title === titleOf(shownTextOf(edited)),
    })
  })
}

/** Asks for another version of the last reply. `model` is the conversation's unless given. */
export async function retryWith(conversation: Conversation, model?: ModelRef): Promise<void> {
  return conversation.begin(async (write) => {
    await write({})
    const { head } = conversation
    const messages = await messagesOf(conversation)
    const last = messages.findLastIndex((message) => message.role === 'user')
    const question = messages[last]
    if (!question) throw new HostError('conflict', 'There is nothing to answer here.')
    const answers = messages.slice(last + 1).filter((message) => !message.origin)
    const [answer] = answers
    if (answer) await checkRoom(conversation, answer.id)
    const now = conversation.parts.clock.now()
    const after = messages.at(-1 - answers.length)?.id ?? question.id
    const turn: Turn = { id: randomUUID() as TurnId, status: 'running', startedAt: now, after, round: 0 }
    // Nothing was said in a reply without parts.
    const isVersion = answers.some(({ parts }) => parts.length > 0)
    const events: ConversationEvent[] = [
      ...(isVersion ? [] : answers.map(({ id }) => ({ type: 'message.removed' as const, id }))),
      ...(await recounted(conversation, question, model ?? head.model)),
      { type: 'turn.changed', turn },
    ]
    const hideFrom = isVersion && answer && { hideFrom: answer.id }
    await write({ head: { ...head, ...(model && { model }), updatedAt: now }, ...hideFrom, events })
    conversation.start(turn)
  })
}

/** The attachments of a message at their cost for the model that is about to answer it. */
async function recounted(conversation: Conversation, message: Message, model: ModelRef): Promise<readonly ConversationEvent[]> {
  const attached = attachmentsOf(message)
  if (attached.length === 0) return []
  const counted = new Map((await conversation.counted(attached, model)).map(({ id, tokens }) => [id, tokens]))
  const parts = message.parts.map((part) => {
    const tokens = part.type === 'file' || part.type === 'resource' ? counted.get(part.id) : undefined
    return tokens === undefined ? part : { ...part, tokens }
  })
  return [{ type: 'message.changed', message: { ...message, parts } }]
}

async function copyOf({ head, parts }: Conversation, title: string, end: ForkEnd): Promise<ConversationId> {
  const { storage, state, clock, consent } = parts
  const now = clock.now()
  const { pinned: _pinned, archived: _archived, schedule: _schedule, sequence: _sequence, ...rest } = head
  const unplaced: UnplacedHead = {
    ...rest,
    id: randomUUID() as ConversationId,
    title: cut(title, TITLE_LENGTH),
    createdAt: now,
    updatedAt: now,
    turn: 'idle',
    forkOf: head.id,
  }
  // The rules come first, because a copy without them must never be used. Rules whose copy failed are dropped at the next start.
  await consent.bindCopy(head.id, unplaced.id)
  const copy = await storage.conversations.fork(head.id, unplaced, end)
  state.emit({ type: 'conversation.added', head: copy })
  return copy.id
}

const messagesOf = async (conversation: Conversation) => (await conversation.transcript()).messages.map(({ message }) => message)

/** Throws HostError `refused` when a message has as many versions as it may have. */
async function checkRoom({ id, parts }: Conversation, messageId: MessageId): Promise<void> {
  if ((await parts.storage.messages.versionsOf(id, messageId)) >= VERSION_LIMIT)
    throw new HostError('refused', `A message has at most ${VERSION_LIMIT} versions. Fork the conversation instead.`)
}

const gone = (): HostError => new HostError('not-found', 'This message no longer exists.')
