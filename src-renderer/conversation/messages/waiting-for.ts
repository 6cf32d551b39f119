import type { ToolCall, Turn } from '../../../src-shared/contract/conversations.ts'
import type { HostSnapshot } from '../../../src-shared/contract/events.ts'
import type { TurnId } from '../../../src-shared/contract/ids.ts'
import type { ConversationTopic } from '../../../src-shared/contract/topics.ts'
import { NEEDS_YOU, questionOfCall } from '../../state/selectors.ts'

/** The reason that a running turn waits, without the time: "Waiting for filesystem"; the person, while a running server asks them. */
export function waitingFor(
  turn: Turn,
  toolCalls: ConversationTopic['toolCalls'],
  model: string,
  interactions: HostSnapshot['interactions'],
): string {
  const calls = callsOfTurn(turn.id, toolCalls)
  switch (turn.waiting?.on) {
    case 'person':
      return NEEDS_YOU
    case 'tools': {
      const running = calls.filter((call) => call.status === 'running')
      if (running.some((call) => questionOfCall(interactions, call.id))) return NEEDS_YOU
      // A call that has not begun waits for its server to start.
      const awaited = running.length > 0 ? running : calls.filter((call) => call.status === 'proposed')
      const names = new Set(awaited.map((call) => call.serverName ?? call.tool))
      const waiting = running.some((call) => call.overdue) ? 'Still waiting for' : 'Waiting for'
      return `${waiting} ${names.size > 0 ? [...names].join(' and ') : 'tools'}`
    }
    case 'model':
      return `Waiting for ${model}`
    default:
      return 'Working'
  }
}

export function callsOfTurn(id: TurnId, toolCalls: ConversationTopic['toolCalls']): readonly ToolCall[] {
  return Object.values(toolCalls).filter(({ turnId }) => turnId === id)
}
