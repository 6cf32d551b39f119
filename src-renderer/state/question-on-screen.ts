import type { ToolCall } from '../../src-shared/contract/conversations.ts'
import type { Interaction } from '../../src-shared/contract/interactions.ts'
import type { Topic } from '../../src-shared/contract/topics.ts'
import type { HostMirror } from './mirror.ts'
import type { Route } from './route.ts'

const NO_CALLS: readonly ToolCall[] = []

export function runningOnScreen(mirror: HostMirror, route: Route): readonly ToolCall[] {
  if (route.section !== 'conversations' || route.id === undefined) return NO_CALLS
  const topic = mirror.topics[`conversation/${route.id}` as Topic]
  if (topic?.is !== 'open' || topic.value.kind !== 'conversation') return NO_CALLS
  return Object.values(topic.value.toolCalls).filter((call) => call.status === 'running')
}

export interface ShownQuestion {
  readonly interaction: Interaction
  /** `inline` in its own conversation, so that Stop stays reachable. */
  readonly place: 'inline' | 'modal'
}

export interface Screen {
  readonly route: Route
  readonly setAside: ReadonlySet<string>
  readonly openQuestion: string | undefined
  readonly running: readonly Pick<ToolCall, 'serverId' | 'startedAt'>[]
}

/**
 * The question that this window shows as a dialog: the one opened from the Inbox or its follow-up, else the oldest that concerns
 * the screen. The Inbox itself opens nothing by itself.
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

/** The review of a sampling reply follows the review of its request. */
function isOpened(interaction: Interaction, { openQuestion, setAside }: Screen): boolean {
  if (openQuestion === undefined) return false
  if (interaction.id === openQuestion) return true
  return interaction.kind === 'sampling-result' && interaction.question.follows === openQuestion && !setAside.has(interaction.id)
}

/** A question without a conversation belongs to the one that was running a call of that server when it was asked. */
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
