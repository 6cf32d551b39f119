import { assertNever, type JsonValue } from '../base/json.ts'
import type { BackgroundCall, ConversationHead } from './conversations.ts'
import type { Problem } from './errors.ts'
import type { ConversationId, InteractionId, ServerId, ToolCallId } from './ids.ts'
import type { Interaction, InteractionOutcome } from './interactions.ts'
import type { NoteHead } from './notes.ts'
import type { ProjectHead } from './projects.ts'
import { growReply } from './sampling.ts'
import type { ScheduleHead } from './schedules.ts'
import type { ServerRecord, ServerState } from './servers.ts'
import type { DesktopPower } from './setting-fields.ts'
import { DEFAULT_SETTINGS, type ProviderRecord, type Settings } from './settings.ts'

/** Conversation heads in the snapshot; the rest come by `conversation.page`. */
export const SNAPSHOT_HEADS = 200

/** Ended calls in the background that the snapshot keeps. */
const ENDED_CALLS = 50

export interface Notice {
  readonly id: string
  readonly at: number
  readonly level: 'info' | 'warning' | 'error'
  readonly problem: Problem
}

interface Desktop {
  readonly powers: readonly DesktopPower[]
  /** Absent without a configured feed. */
  readonly update?: UpdateState
}

export type UpdateState =
  /** Not checked since the start. */
  | { readonly is: 'unknown' }
  | { readonly is: 'checking' }
  | { readonly is: 'newest' }
  | { readonly is: 'available'; readonly version: string }
  | { readonly is: 'downloading'; readonly version: string; readonly share: number }
  /** Downloaded and verified; the person starts the installation. */
  | { readonly is: 'ready'; readonly version: string }
  | { readonly is: 'failed'; readonly problem: Problem }

/** A change of the snapshot; carries the new value of the smallest record. */
export type HostEvent =
  | { readonly type: 'server.added'; readonly server: ServerRecord }
  | { readonly type: 'server.changed'; readonly server: ServerRecord }
  | { readonly type: 'server.state'; readonly serverId: ServerId; readonly state: ServerState }
  | { readonly type: 'server.removed'; readonly serverId: ServerId }
  | { readonly type: 'conversation.added'; readonly head: ConversationHead }
  | { readonly type: 'conversation.changed'; readonly head: ConversationHead }
  | { readonly type: 'conversation.removed'; readonly id: ConversationId }
  /** A call runs in the background, or has ended while no window showed its conversation. */
  | { readonly type: 'background.changed'; readonly call: BackgroundCall }
  | { readonly type: 'background.removed'; readonly id: ToolCallId }
  | { readonly type: 'interaction.opened'; readonly interaction: Interaction }
  /** The question changed, not its kind; the draft stays. */
  | { readonly type: 'interaction.changed'; readonly id: InteractionId; readonly question: Interaction['question'] }
  /** Text was appended to the reply of an open `sampling-result`; at most one event per 100 ms. */
  | { readonly type: 'interaction.grew'; readonly id: InteractionId; readonly text: string }
  | { readonly type: 'interaction.drafted'; readonly id: InteractionId; readonly draft: JsonValue }
  | {
      readonly type: 'interaction.closed'
      readonly id: InteractionId
      readonly outcome: InteractionOutcome
      /** Why it ended without an answer. */
      readonly why?: string
    }
  | { readonly type: 'settings.changed'; readonly settings: Settings }
  | { readonly type: 'providers.changed'; readonly providers: readonly ProviderRecord[] }
  | { readonly type: 'projects.changed'; readonly projects: readonly ProjectHead[] }
  | { readonly type: 'schedules.changed'; readonly schedules: readonly ScheduleHead[] }
  | { readonly type: 'notes.changed'; readonly notes: readonly NoteHead[] }
  | { readonly type: 'skills.changed' }
  | { readonly type: 'desktop.changed'; readonly desktop: Desktop }
  | { readonly type: 'notice.added'; readonly notice: Notice }
  | { readonly type: 'notice.removed'; readonly id: string }

/** The state that every window mirrors. Bounded (decision 0001): catalogs, messages and logs come as topics or pages. */
export interface HostSnapshot {
  readonly shell: 'electron' | 'web'
  readonly version: string
  readonly platform: string
  readonly dataFolder: string
  /** The store for secrets: the system's key store, or an unencrypted file that only the owner can read. */
  readonly secretsIn: 'key-store' | 'file'
  /** Absent in the web shell. */
  readonly desktop?: Desktop
  readonly servers: Readonly<Record<ServerId, ServerRecord>>
  /** Newest first: SNAPSHOT_HEADS, and all pinned ones. */
  readonly conversations: readonly ConversationHead[]
  readonly conversationCount: number
  /** Oldest first. */
  readonly background: readonly BackgroundCall[]
  /** Oldest first. */
  readonly interactions: readonly Interaction[]
  readonly settings: Settings
  readonly providers: readonly ProviderRecord[]
  /** By name. */
  readonly projects: readonly ProjectHead[]
  /** By name. */
  readonly schedules: readonly ScheduleHead[]
  /** Newest first. */
  readonly notes: readonly NoteHead[]
  /** Rises with each change in the person's folder of skills. */
  readonly skillChanges: number
  readonly notices: readonly Notice[]
}

export const emptySnapshot: HostSnapshot = {
  shell: 'web',
  version: '',
  platform: '',
  dataFolder: '',
  secretsIn: 'file',
  servers: {},
  conversations: [],
  conversationCount: 0,
  background: [],
  interactions: [],
  settings: DEFAULT_SETTINGS,
  providers: [],
  projects: [],
  schedules: [],
  notes: [],
  skillChanges: 0,
  notices: [],
}

const newestFirst = (a: ConversationHead, b: ConversationHead) => b.sequence - a.sequence

function bounded(heads: readonly ConversationHead[]): readonly ConversationHead[] {
  return [...heads].sort(newestFirst).filter((head, at) => at < SNAPSHOT_HEADS || head.pinned === true)
}

function withCall(calls: readonly BackgroundCall[], call: BackgroundCall): readonly BackgroundCall[] {
  const known = calls.some(({ id }) => id === call.id)
  const all = known ? calls.map((other) => (other.id === call.id ? call : other)) : [...calls, call]
  const surplus = all.filter(({ ended }) => ended).length - ENDED_CALLS
  const dropped = new Set(surplus > 0 ? all.filter(({ ended }) => ended).slice(0, surplus) : [])
  return all.filter((other) => !dropped.has(other))
}

function changeInteraction(
  state: HostSnapshot,
  id: InteractionId,
  change: (interaction: Interaction) => Interaction,
): HostSnapshot {
  return { ...state, interactions: state.interactions.map((open) => (open.id === id ? change(open) : open)) }
}

/** The only way state changes, in the host and in every window. */
export function applyEvent(state: HostSnapshot, event: HostEvent): HostSnapshot {
  switch (event.type) {
    case 'server.added':
    case 'server.changed':
      return { ...state, servers: { ...state.servers, [event.server.id]: event.server } }
    case 'server.state': {
      const server = state.servers[event.serverId]
      if (!server) return state
      return { ...state, servers: { ...state.servers, [event.serverId]: { ...server, state: event.state } } }
    }
    case 'server.removed': {
      const { [event.serverId]: _removed, ...servers } = state.servers
      return { ...state, servers }
    }
    case 'conversation.added':
      return {
        ...state,
        conversations: bounded([event.head, ...state.conversations]),
        conversationCount: state.conversationCount + 1,
      }
    case 'conversation.changed': {
      const others = state.conversations.filter((head) => head.id !== event.head.id)
      return { ...state, conversations: bounded([event.head, ...others]) }
    }
    case 'conversation.removed':
      return {
        ...state,
        conversations: state.conversations.filter((head) => head.id !== event.id),
        conversationCount: state.conversationCount - 1,
      }
    case 'background.changed':
      return { ...state, background: withCall(state.background, event.call) }
    case 'background.removed':
      return { ...state, background: state.background.filter(({ id }) => id !== event.id) }
    case 'interaction.opened':
      return { ...state, interactions: [...state.interactions, event.interaction] }
    case 'interaction.changed':
      return changeInteraction(state, event.id, (open) => ({ ...open, question: event.question }) as Interaction)
    case 'interaction.grew':
      return changeInteraction(state, event.id, (open) =>
        open.kind === 'sampling-result' ? { ...open, question: growReply(open.question, event.text) } : open,
      )
    case 'interaction.drafted':
      return {
        ...state,
        interactions: state.interactions.map((open) => (open.id === event.id ? { ...open, draft: event.draft } : open)),
      }
    case 'interaction.closed':
      return { ...state, interactions: state.interactions.filter((open) => open.id !== event.id) }
    case 'settings.changed':
      return { ...state, settings: event.settings }
    case 'providers.changed':
      return { ...state, providers: event.providers }
    case 'projects.changed':
      return { ...state, projects: event.projects }
    case 'schedules.changed':
      return { ...state, schedules: event.schedules }
    case 'notes.changed':
      return { ...state, notes: event.notes }
    case 'skills.changed':
      return { ...state, skillChanges: state.skillChanges + 1 }
    case 'desktop.changed':
      return { ...state, desktop: event.desktop }
    case 'notice.added':
      return { ...state, notices: [...state.notices.filter((notice) => notice.id !== event.notice.id), event.notice] }
    case 'notice.removed':
      return { ...state, notices: state.notices.filter((notice) => notice.id !== event.id) }
    default:
      return assertNever(event)
  }
}
