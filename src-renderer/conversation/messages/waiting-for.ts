import type { ModelRetry, ToolCall, Turn } from '../../../src-shared/contract/conversations.ts'
import type { HostSnapshot } from '../../../src-shared/contract/events.ts'
import type { TurnId } from '../../../src-shared/contract/ids.ts'
import type { ConversationTopic } from '../../../src-shared/contract/topics.ts'
import { questionOfCall } from '../../state/selectors.ts'

const RETRY_REASONS: Readonly<Record<ModelRetry['reason'], string>> = {
  'rate-limited': 'Rate limited.',
  overloaded: 'The model is overloaded.',
}

/** The reason that a running turn waits: "Waiting for filesystem"; undefined while it waits for the person, since its call says so. */
export function waitingFor(
  turn: Turn,
  toolCalls: ConversationTopic['toolCalls'],
  model: string,
  { interactions, servers }: Pick<HostSnapshot, 'interactions' | 'servers'>,
  now: number,
): string | undefined {
  const calls = callsOfTurn(turn.id, toolCalls)
  switch (turn.waiting?.on) {
    case 'person':
      return undefined
    case 'tools': {
      const running = calls.filter((call) => call.status === 'running')
      if (running.some((call) => questionOfCall(interactions, call.id))) return undefined
      // A call that has not begun waits for its server to start.
      const awaited = running.length > 0 ? running : calls.filter((call) => call.status === 'proposed')
      const names = new Set(awaited.map((call) => call.serverName ?? call.tool))
      const waiting = running.some((call) => call.overdue) ? 'Still waiting for' : 'Waiting for'
      return `${waiting} ${names.size > 0 ? [...names].join(' and ') : 'tools'}`
    }
    case 'servers': {
      const awaited = turn.waiting.servers?.flatMap((id) => servers[id] ?? []) ?? []
      const starting = awaited.filter(({ state }) => state.is === 'starting')
      return `Waiting for ${(starting.length > 0 ? starting : awaited).map(({ name }) => name).join(' and ')} to start`
    }
    case 'model': {
      const { retry } = turn.waiting
      if (!retry) return `Waiting for ${model}`
      return `${RETRY_REASONS[retry.reason]} Trying again in ${Math.max(1, Math.ceil((retry.at - now) / 1000))} s`
    }
    default:
      return 'Working'
  }
}

export function callsOfTurn(id: TurnId, toolCalls: ConversationTopic['toolCalls']): readonly ToolCall[] {
  return Object.values(toolCalls).filter(({ turnId }) => turnId === id)
}

/** The fate of the calls of a turn that ended with Parley, and the effect of Continue. */
export function afterClosing(turn: Turn, toolCalls: ConversationTopic['toolCalls']): string {
  const calls = callsOfTurn(turn.id, toolCalls)
  if (calls.some(({ status }) => status === 'running'))
    return 'A call still runs in the background. Continue waits for its result.'
  const interrupted = calls.filter(({ status }) => status === 'interrupted')
  if (interrupted.some(({ startedAt }) => startedAt !== undefined))
    return 'Continue resumes pending calls. Some calls may already have run.'
  return interrupted.length > 0
    ? 'Continue asks you again about the calls that were not made.'
    : 'Continue asks the model to go on.'
}
