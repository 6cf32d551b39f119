import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../../../src-shared/base/json.ts'
import type { ToolCall } from '../../../src-shared/contract/conversations.ts'
import type { ToolCallId } from '../../../src-shared/contract/ids.ts'
import type { CallToolResult } from '../../../src-shared/mcp/primitives.ts'
import type { AppOrigin } from '../consent/round-permission.ts'
import { boundJson, cut, InlineBudget } from '../core/content-views.ts'
import type { Conversation } from './conversation.ts'
import { RECORD_ARGUMENTS } from './round-calls.ts'

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
  conversation: Conversation,
  { of, tool, arguments: args, origin, signal }: CallOfApp,
): Promise<{ readonly result: CallToolResult } | { readonly refused: string }> {
  const { calls, clock, storage } = conversation.parts
  const { turnId, messageId, serverId, serverName } = of
  const toolCall: ToolCall = {
    ...{ id: randomUUID() as ToolCallId, turnId, messageId, tool: cut(tool, 200), byApp: of.id },
    ...(serverId !== undefined && { serverId }),
    ...(serverName !== undefined && { serverName }),
    arguments: await boundJson(args, storage.blobs, new InlineBudget(RECORD_ARGUMENTS)),
    status: 'proposed',
    proposedAt: clock.now(),
  }
  let result: CallToolResult | undefined
  let last = toolCall
  const rounds = calls.rounds({
    conversationId: conversation.id,
    turnId,
    title: conversation.head.title,
    signal,
    app: origin,
    journal: conversation.journal,
    onResult: (given) => {
      result = given
    },
    onChange: () => {},
    onCall: (now) => {
      last = now
    },
  })
  await rounds.run([{ toolCall, args }])
  return result ? { result } : { refused: last.problem?.what ?? 'The call was not made.' }
}
