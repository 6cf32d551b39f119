import { isOfModel, type ToolCall, type Turn } from '../../../src-shared/contract/conversations.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ConversationEvent } from '../../../src-shared/contract/topics.ts'
import type { BlobStore, Transcript } from '../../storage/base/storage.ts'
import { readArguments } from './model-history.ts'
import { callTask, type ProposedCall } from './running-call.ts'

interface ResumedTurn {
  readonly turn: Turn
  readonly events: readonly ConversationEvent[]
  readonly calls: readonly ProposedCall[]
}

/** Resumes an interrupted turn with the calls that had not started, and those that their servers run as tasks. Throws HostError `conflict` for a turn that has finished. */
export async function resumeTurn(last: Turn | undefined, transcript: Transcript, blobs: BlobStore): Promise<ResumedTurn> {
  if (!last || last.status === 'finished' || last.status === 'running') {
    throw new HostError('conflict', 'There is nothing to continue here.')
  }
  const { problem: _problem, finishedAt: _finishedAt, waiting: _waiting, ...kept } = last
  const turn: Turn = { ...kept, status: 'running' }
  const latest = transcript.messages.at(-1)?.message
  const events: ConversationEvent[] = [{ type: 'turn.changed', turn }]
  if (latest?.role !== 'assistant') return { turn, events, calls: [] }
  if (latest.status === 'failed' && latest.parts.length === 0) events.push({ type: 'message.removed', id: latest.id })
  const calls: ProposedCall[] = []
  if (latest.status === 'done') {
    for (const { toolCall, extras } of transcript.toolCalls.values()) {
      if (!isOfModel(toolCall) || toolCall.messageId !== latest.id || toolCall.status !== 'interrupted') continue
      const task = toolCall.task && callTask(extras)
      if (!task && !canGoOn(toolCall)) continue
      const proposed = task ? runningAgain(toolCall) : proposedAgain(toolCall)
      events.push({ type: 'toolCall.changed', toolCall: proposed })
      calls.push({ toolCall: proposed, args: await readArguments(toolCall.arguments, { blobs }), extras, task })
    }
  }
  return { turn, events, calls }
}

/**
 * True if the call did not run or its result waits for the person. True, too, if its server waited for an answer: the call is sent again
 * with it.
 * Parley's own tools only read, so they can run twice.
 */
const canGoOn = ({ startedAt, paused, received, builtIn }: ToolCall) =>
  startedAt === undefined || paused === true || received !== undefined || builtIn === true

function proposedAgain(toolCall: ToolCall): ToolCall {
  const { problem: _problem, finishedAt: _finishedAt, startedAt, paused: _paused, ...kept } = toolCall
  return kept.received && startedAt !== undefined ? { ...kept, startedAt, status: 'running' } : { ...kept, status: 'proposed' }
}

/** The server still runs it, or has its result. */
function runningAgain(toolCall: ToolCall): ToolCall {
  const { problem: _problem, finishedAt: _finishedAt, ...kept } = toolCall
  return { ...kept, status: 'running' }
}
