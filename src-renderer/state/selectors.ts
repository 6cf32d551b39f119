import type { ConversationHead, ToolCall } from '../../src-shared/contract/conversations.ts'
import type { HostSnapshot } from '../../src-shared/contract/events.ts'
import type { ConversationId, ToolCallId } from '../../src-shared/contract/ids.ts'
import type { Interaction } from '../../src-shared/contract/interactions.ts'
import type { ServerRecord, ServerState } from '../../src-shared/contract/servers.ts'
import type { HostMirror, TopicMirror } from './mirror.ts'

/** Sorted by name, the built-in server last. */
export function sortedServers(servers: HostSnapshot['servers']): readonly ServerRecord[] {
  return Object.values(servers).sort(
    (a, b) => Number(a.builtIn) - Number(b.builtIn) || a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1),
  )
}

/** True for a server that answers a call, be it that it starts for it. */
export const isUsable = ({ state }: Pick<ServerRecord, 'state'>): boolean => state.is === 'ready' || state.is === 'idle'

/** Changes whenever the tools that servers offer to models may have changed. */
export const catalogVersions = ({ host }: HostMirror): string =>
  Object.values(host.servers)
    .map((server) => `${server.id} ${server.state.is} ${server.catalog.version} ${server.options.hiddenTools.length}`)
    .join('\n')

/** "3 of 5 servers ready"; undefined when all that are enabled are ready, or there are none. */
export function partlyReady(servers: HostSnapshot['servers']): string | undefined {
  const enabled = Object.values(servers).filter((server) => server.options.enabled)
  const ready = enabled.filter(isUsable).length
  return ready === enabled.length ? undefined : `${ready} of ${enabled.length} servers ready`
}

interface ServerProblems {
  readonly failed: number
  readonly waitingForPerson: number
  /** Some are still starting. */
  readonly starting: boolean
}

/** Counts enabled servers that are not ready. */
export function serverProblems(servers: HostSnapshot['servers']): ServerProblems {
  const enabled = Object.values(servers).filter((server) => server.options.enabled)
  const failed = enabled.filter(({ state, problem }) => state.is === 'failed' || (state.is === 'stopped' && problem)).length
  const awaited = enabled.map(({ state }) => AWAITED[state.is])
  return { failed, waitingForPerson: awaited.filter((one) => one === 'person').length, starting: awaited.includes('server') }
}

/** Starting servers are awaited; the others wait for the person, or for nobody. */
const AWAITED: Readonly<Record<ServerState['is'], 'server' | 'person' | undefined>> = {
  starting: 'server',
  restarting: 'server',
  asking: 'person',
  'needs-sign-in': 'person',
  ready: undefined,
  idle: undefined,
  stopping: undefined,
  stopped: undefined,
  failed: undefined,
}

export const UNTITLED = 'New conversation'

export function conversationTitle(head: Pick<ConversationHead, 'title'>): string {
  return head.title.trim() || UNTITLED
}

export function findHead(mirror: HostMirror, id: string | undefined): ConversationHead | undefined {
  const hasId = (head: ConversationHead) => head.id === id
  return mirror.host.conversations.find(hasId) ?? mirror.older.find(hasId) ?? mirror.unlisted.find(hasId)
}

/** Used in lists, the Inbox, cards and titles alike. */
export const NEEDS_YOU = 'Needs you'
/** The same for calls that their servers run as tasks. */
export const IN_BACKGROUND = 'In the background'
/** The same for conversations whose last turn can be continued. */
export const INTERRUPTED = 'Interrupted'

/** The state of a conversation in which something runs, or has ended unseen or too early; undefined for all others. */
export function workingLabel(
  { id, turn, overdue, interrupted }: ConversationHead,
  { interactions, background }: Pick<HostSnapshot, 'interactions' | 'background'>,
) {
  const calls = background.filter(({ conversationId }) => conversationId === id)
  if (calls.some(({ ended }) => ended)) return 'New result'
  // Views, tasks and undoing ask between turns, too.
  if (interactions.some(({ about }) => about.conversationId === id)) return NEEDS_YOU
  if (turn !== 'running') return calls.length > 0 ? IN_BACKGROUND : interrupted ? INTERRUPTED : undefined
  return overdue ? 'Still waiting' : 'Working'
}

/** The open question that blocks a tool call: its permission, or one of its server. */
export function questionOfCall(interactions: HostSnapshot['interactions'], id: ToolCallId): Interaction | undefined {
  return interactions.find(
    ({ about, ...asked }) =>
      about.toolCallId === id ||
      (asked.kind === 'tool-consent' && asked.question.calls.some(({ toolCallId }) => toolCallId === id)),
  )
}

/** The calls that the view of a call made, oldest first. */
export function callsOfApp(topic: TopicMirror | undefined, of: ToolCallId): readonly ToolCall[] {
  if (topic?.is !== 'open' || topic.value.kind !== 'conversation') return []
  return Object.values(topic.value.toolCalls)
    .filter(({ byApp }) => byApp === of)
    .sort((a, b) => a.proposedAt - b.proposedAt)
}

/** True while a question about a call of this view is open. */
export function isAppAsked({ host, topics }: HostMirror, conversationId: ConversationId, of: ToolCallId): boolean {
  const asked = host.interactions.flatMap(({ about }) => (about.origin === 'app' ? about.toolCallId : []))
  if (asked.length === 0) return false
  return callsOfApp(topics[`conversation/${conversationId}`], of).some(({ id }) => asked.includes(id))
}

/** True if the result of a call came after the last words of the model, and no turn waits to be continued. */
export function isUntold(topic: TopicMirror | undefined, { finishedAt = 0 }: ToolCall): boolean {
  if (topic?.is !== 'open' || topic.value.kind !== 'conversation') return false
  const { messages, turn } = topic.value
  return turn?.status === 'finished' && !messages.some(({ role, at }) => role === 'assistant' && at > finishedAt)
}
