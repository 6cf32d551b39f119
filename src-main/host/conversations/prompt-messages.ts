import { randomUUID } from 'node:crypto'
import type { Attachment, PromptOrigin } from '../../../src-shared/contract/attachments.ts'
import type { Message, MessagePart, Turn } from '../../../src-shared/contract/conversations.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { MessageId, PromptPreviewId, TurnId } from '../../../src-shared/contract/ids.ts'
import type { ResultOf } from '../../../src-shared/contract/requests.ts'
import type { ConversationEvent } from '../../../src-shared/contract/topics.ts'
import { cut } from '../core/content-views.ts'
import type { PromptPart } from '../offerings/prompts.ts'
import type { Conversation } from './conversation.ts'
import { attachedPart } from './person-message.ts'

/**
 * Adds a previewed prompt to a conversation, in its order and with its origin (PROMPT-08, PROMPT-14). With `run` the model answers,
 * unless the last message is the model's own.
 */
export async function enterPrompt(
  conversation: Conversation,
  preview: PromptPreviewId,
  run: boolean,
): Promise<ResultOf<'conversation.attachPrompt'>> {
  const { offerings, storage, clock } = conversation.parts
  return conversation.begin((write) =>
    offerings.prompts.use(preview, async (origin, read) => {
      const parts = await read(storage.blobs)
      if (parts.length === 0) throw new HostError('refused', 'This prompt returned no messages.')
      const now = clock.now()
      const running = run && parts.at(-1)?.role === 'user'
      const turn: Turn = {
        id: randomUUID() as TurnId,
        status: running ? 'running' : 'finished',
        startedAt: now,
        ...(!running && { finishedAt: now }),
        round: 0,
      }
      const last = parts.findLastIndex(({ role }) => role === 'user')
      // Without a message of the person, attachments keep waiting.
      const taken = last >= 0 ? await conversation.counted(conversation.waiting) : []
      const messages = parts.map((part, at) => messageOf(part, origin, turn, now, at === last ? taken : []))
      const events: ConversationEvent[] = [
        ...messages.map((message) => ({ type: 'message.added' as const, message })),
        { type: 'turn.changed', turn },
        ...(taken.length > 0 ? [{ type: 'attachments.changed' as const, attachments: [] }] : []),
      ]
      const { archived: _archived, ...head } = conversation.head
      await write({ head: { ...head, title: head.title || cut(origin.title, 80), updatedAt: now }, events })
      if (running) conversation.start(turn)
      return { messageIds: messages.map((message) => message.id), running }
    }),
  )
}

function messageOf(
  { role, content }: PromptPart,
  origin: PromptOrigin,
  turn: Turn,
  at: number,
  attached: readonly Attachment[],
): Message {
  const forAll = !('annotations' in content) || !content.annotations?.audience?.length
  const { type } = content
  const part: MessagePart =
    type === 'text' && forAll
      ? { type, text: content.text, ...(content.whole && { whole: content.whole }) }
      : { type: 'content', content }
  return {
    id: randomUUID() as MessageId,
    turnId: turn.id,
    role,
    at,
    parts: [part, ...attached.map(attachedPart)],
    status: 'done',
    origin,
  }
}
