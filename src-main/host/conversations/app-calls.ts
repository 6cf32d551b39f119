import { randomUUID } from 'node:crypto'
import { defined } from '../../../src-shared/base/defined.ts'
import type { JsonObject } from '../../../src-shared/base/json.ts'
import type { ConversationHead, ToolCall } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId, ToolCallId } from '../../../src-shared/contract/ids.ts'
import type { CallToolResult } from '../../../src-shared/mcp/content.ts'
import type { AppOrigin } from '../consent/round-permission.ts'
import { boundJson, cut, InlineBudget } from '../core/content-views.ts'
import type { HostCore } from '../core/host-core.ts'
import type { ConversationJournal } from './conversation-journal.ts'
import { RECORD_ARGUMENTS, type RoundsTurn } from './round-calls.ts'
import type { ToolCalls } from './tool-calls.ts'

/** Part of a conversation that calls outside of its replies need. */
export interface CallingConversation {
  readonly id: ConversationId
  readonly head: ConversationHead
  readonly journal: ConversationJournal
  readonly parts: Pick<HostCore, 'clock' | 'storage'> & { readonly calls: ToolCalls }
}

interface CallOfApp {
  /** The call whose result the view shows. */
  readonly of: ToolCall
  readonly tool: string
  readonly arguments: JsonObject
  readonly origin: AppOrigin
  readonly signal: AbortSignal
}

/**
 * Makes the call of a view to its own server, with a question, a record and a ledger entry like every call (APP-15, APP-18). Returns the
 * result as the server sent it, or the reason why there is none.
 */
export async function callForApp(
  conversation: CallingConversation,
  { of, tool, arguments: args, origin, signal }: CallOfApp,
): Promise<{ readonly result: CallToolResult } | { readonly refused: string }> {
  let result: CallToolResult | undefined
  const onResult = (given: CallToolResult) => {
    result = given
  }
  const ended = await callBesideReply(conversation, of, { tool, byApp: of.id }, args, { signal, app: origin, onResult })
  return result ? { result } : { refused: ended.problem?.what ?? 'The call was not made.' }
}

/** Makes a call that is not in the reply, next to one that is, at the same server. Resolves with its last record; rejects when stopped. */
export async function callBesideReply(
  conversation: CallingConversation,
  { turnId, messageId, serverId, serverName }: ToolCall,
  own: Pick<ToolCall, 'tool' | 'byApp' | 'undoes'>,
  args: JsonObject,
  turn: Pick<RoundsTurn, 'signal' | 'app' | 'onResult' | 'onCall'>,
): Promise<ToolCall> {
  const { calls, clock, storage } = conversation.parts
  const toolCall: ToolCall = {
    id: randomUUID() as ToolCallId,
    turnId,
    messageId,
    ...own,
    tool: cut(own.tool, 200),
    ...defined({ serverId, serverName }),
    arguments: await boundJson(args, storage.blobs, new InlineBudget(RECORD_ARGUMENTS)),
    status: 'proposed',
    proposedAt: clock.now(),
  }
  let last = toolCall
  const rounds = calls.rounds({
    conversationId: conversation.id,
    turnId,
    title: conversation.head.title,
    journal: conversation.journal,
    onChange: () => {},
    ...turn,
    onCall: (now) => {
      last = now
      turn.onCall?.(now)
    },
  })
  await rounds.run([{ toolCall, args }])
  return last
}
