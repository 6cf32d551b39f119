import { assertNever } from '../../src-shared/base/json.ts'
import type { ConversationHead, ToolCall, Turn } from '../../src-shared/contract/conversations.ts'
import type { HostSnapshot } from '../../src-shared/contract/events.ts'
import type { Interaction } from '../../src-shared/contract/interactions.ts'
import type { ServerRecord, ServerState } from '../../src-shared/contract/servers.ts'
import type { ModelEntry, ModelRef, ProviderRecord } from '../../src-shared/contract/settings.ts'
import type { ConversationTopic, Topic } from '../../src-shared/contract/topics.ts'
import type { HostMirror } from './mirror.ts'
import type { Route } from './route.ts'

export type Tone = 'ok' | 'wait' | 'fail' | 'idle'

/** The dot and the word for a server's state. */
export function serverStatus(state: ServerState): { readonly tone: Tone; readonly word: string } {
  switch (state.is) {
    case 'ready':
      return { tone: 'ok', word: 'Ready' }
    case 'starting':
      return { tone: 'wait', word: 'Starting' }
    case 'restarting':
      return { tone: 'wait', word: 'Restarting' }
    case 'stopping':
      return { tone: 'wait', word: 'Stopping' }
    case 'asking':
      return { tone: 'wait', word: 'Waiting for you' }
    case 'failed':
      return { tone: 'fail', word: 'Failed' }
    case 'needs-sign-in':
      return { tone: 'wait', word: 'Sign-in needed' }
    case 'stopped':
      return {
        tone: 'idle',
        word: { 'not-enabled': 'Off', stopped: 'Stopped', denied: 'Not allowed', 'not-started': 'Not started' }[state.why],
      }
    default:
      return assertNever(state)
  }
}

/** By name; the built-in one last. */
export function sortedServers(servers: HostSnapshot['servers']): readonly ServerRecord[] {
  return Object.values(servers).sort(
    (a, b) => Number(a.builtIn) - Number(b.builtIn) || a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1),
  )
}

/** "3 of 5 servers ready"; undefined when all that are enabled are ready, or there are none. */
export function partlyReady(servers: HostSnapshot['servers']): string | undefined {
  const enabled = Object.values(servers).filter((server) => server.options.enabled)
  const ready = enabled.filter((server) => server.state.is === 'ready').length
  return ready === enabled.length ? undefined : `${ready} of ${enabled.length} servers ready`
}

export const UNTITLED = 'New conversation'

export function conversationTitle(head: Pick<ConversationHead, 'title'>): string {
  return head.title.trim() || UNTITLED
}

export function findHead(mirror: HostMirror, id: string | undefined): ConversationHead | undefined {
  return mirror.host.conversations.find((head) => head.id === id) ?? mirror.older.find((head) => head.id === id)
}

/** A model as one string for a native select; the provider's id holds no tab. */
export function modelKey(model: ModelRef): string {
  return `${model.provider}\t${model.model}`
}

export function modelName(providers: readonly ProviderRecord[], model: ModelRef): string {
  return modelEntry(providers, model)?.name ?? model.model
}

/** The model as its provider's record lists it. */
export function modelEntry(providers: readonly ProviderRecord[], model: ModelRef | undefined): ModelEntry | undefined {
  const provider = providers.find(({ id }) => id === model?.provider)
  return provider?.models.find(({ id }) => id === model?.model)
}

/** Its models need a key that is not here. */
export function lacksKey(provider: ProviderRecord | undefined): boolean {
  return provider?.key === 'missing' || provider?.key === 'saved-elsewhere'
}

/** Every model under its provider's name; the chosen one is kept even when its provider no longer lists it. */
export function modelGroups(providers: readonly ProviderRecord[], chosen: ModelRef) {
  const groups = providers.map((provider) => ({
    label: provider.name,
    options: provider.models.map((model) => ({
      value: modelKey({ provider: provider.id, model: model.id }),
      label: model.name,
      model: { provider: provider.id, model: model.id },
    })),
  }))
  const known = groups.some((group) => group.options.some((option) => option.value === modelKey(chosen)))
  const missing = { label: 'Not available now', options: [{ value: modelKey(chosen), label: chosen.model, model: chosen }] }
  return (known ? groups : [...groups, missing]).filter((group) => group.options.length > 0)
}

/** What a running turn waits for, without the time: "Waiting for filesystem". */
export function waitingFor(turn: Turn, toolCalls: ConversationTopic['toolCalls'], model: string): string {
  const calls = Object.values(toolCalls).filter((call) => call.turnId === turn.id)
  switch (turn.waiting?.on) {
    case 'person':
      return 'Waiting for you'
    case 'tools': {
      const running = calls.filter((call) => call.status === 'running')
      const names = new Set(running.map((call) => call.serverName ?? call.tool))
      const waiting = running.some((call) => call.overdue) ? 'Still waiting for' : 'Waiting for'
      return `${waiting} ${names.size > 0 ? [...names].join(' and ') : 'tools'}`
    }
    case 'model':
      return `Waiting for ${model}`
    default:
      return 'Working'
  }
}

const NO_CALLS: readonly ToolCall[] = []

/** The calls in flight in the conversation of this route, if one is on screen. */
export function runningOnScreen(mirror: HostMirror, route: Route): readonly ToolCall[] {
  if (route.section !== 'conversations' || route.id === undefined) return NO_CALLS
  const topic = mirror.topics[`conversation/${route.id}` as Topic]
  if (topic?.is !== 'open' || topic.value.kind !== 'conversation') return NO_CALLS
  return Object.values(topic.value.toolCalls).filter((call) => call.status === 'running')
}

export interface ShownQuestion {
  readonly interaction: Interaction
  /** `inline` at its own conversation, so that Stop stays reachable. */
  readonly place: 'inline' | 'modal'
}

export interface Screen {
  readonly route: Route
  readonly setAside: ReadonlySet<string>
  readonly openQuestion: string | undefined
  /** Calls in flight in the conversation on screen. */
  readonly running: readonly Pick<ToolCall, 'serverId' | 'startedAt'>[]
}

/**
 * The one question that this window shows with role dialog: the one opened from the Inbox or what follows from it, else the oldest
 * that concerns what is on screen. In the Inbox itself nothing opens unasked.
 */
export function questionToShow(interactions: readonly Interaction[], screen: Screen): ShownQuestion | undefined {
  const opened = interactions.find((interaction) => isOpened(interaction, screen))
  if (opened) return { interaction: opened, place: isOwnConversation(opened, screen) ? 'inline' : 'modal' }
  if (screen.route.section === 'inbox') return undefined
  for (const interaction of interactions) {
    if (screen.setAside.has(interaction.id)) continue
    const place = placeOf(interaction, screen)
    if (place) return { interaction, place }
  }
  return undefined
}

/** A reply to review goes on where its request was reviewed. */
function isOpened(interaction: Interaction, { openQuestion, setAside }: Screen): boolean {
  if (openQuestion === undefined) return false
  if (interaction.id === openQuestion) return true
  return interaction.kind === 'sampling-result' && interaction.question.follows === openQuestion && !setAside.has(interaction.id)
}

/** Without a named cause: asked by a server while it runs a call of the conversation. */
function isOwnConversation({ about, askedAt }: Interaction, { route, running }: Screen): boolean {
  if (route.section !== 'conversations' || route.id === undefined) return false
  if (about.conversationId !== undefined) return about.conversationId === route.id
  if (about.origin !== 'server') return false
  return running.some(({ serverId, startedAt = 0 }) => serverId === about.serverId && startedAt <= askedAt)
}

function placeOf(interaction: Interaction, screen: Screen): ShownQuestion['place'] | undefined {
  const { about } = interaction
  if (isOwnConversation(interaction, screen)) return 'inline'
  if (about.conversationId !== undefined) return undefined
  if (about.origin === 'user') return 'modal'
  return screen.route.section === 'servers' && screen.route.id === about.serverId ? 'modal' : undefined
}
