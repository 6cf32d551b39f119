import { changed } from '../base/changed.ts'
import { assertNever } from '../base/json.ts'
import type { Attachment } from './attachments.ts'
import { type Blocked, countBlocked } from './blocked.ts'
import type { CallByHand, Message, ToolCall, Turn } from './conversations.ts'
import type { ConversationId, MessageId, ServerId, ToolCallId } from './ids.ts'
import { isSwitched } from './plain-values.ts'
import type { ServerLogLine } from './servers.ts'
import type { ToolSwitches } from './settings.ts'

/** Messages that a conversation topic opens with; older ones come by `message.page`. */
export const TOPIC_MESSAGES = 200
/** Log lines of a server topic. */
export const TOPIC_LOG_LINES = 500

/** Details that a window follows while it shows them, each with its own sequence (decision 0001). */
export type Topic = `conversation/${ConversationId}` | `server/${ServerId}` | `resource/${string}` | `app/${string}`

/** Characters of the URI of a resource. */
export const URI_LIMIT = 2048

/** While a window follows a resource, the host subscribes to it if the server supports that (RES-09). */
export function resourceTopic(serverId: ServerId, uri: string): Topic {
  return `resource/${encodeURIComponent(serverId)}/${uri}`
}

export interface ConversationTopic {
  readonly kind: 'conversation'
  /** Oldest first. */
  readonly messages: readonly Message[]
  readonly toolCalls: Readonly<Record<ToolCallId, ToolCall>>
  readonly turn?: Turn
  readonly hasEarlier: boolean
  /** Of messages that have more than one, and those that could follow the last message; absent without any. */
  readonly versions?: readonly MessageVersions[]
  /** Attachments of the next message, oldest first; absent without any. */
  readonly attachments?: readonly Attachment[]
  /** Absent while everything is offered. */
  readonly switches?: ToolSwitches
  /** Messages that wait for the end of the turn, next first; absent without any. */
  readonly queue?: readonly Message[]
}

export interface MessageVersions {
  /** The message before them; absent for the first of the conversation. */
  readonly after?: MessageId
  /** Oldest first, at most VERSION_LIMIT. */
  readonly ids: readonly MessageId[]
}

export interface ServerTopic {
  readonly kind: 'server'
  readonly log: readonly ServerLogLine[]
  /** Oldest first; absent without any. */
  readonly calls?: readonly CallByHand[]
}

/** A resource on screen. Its content comes by `resource.read`, again when `updatedAt` changes and the person clicks. */
export interface ResourceTopic {
  readonly kind: 'resource'
  /** False if the server does not support it or is not connected. */
  readonly subscribed: boolean
  /** The time of the last change that the server reported. */
  readonly updatedAt?: number
}

export interface AppTopic {
  readonly kind: 'app'
  /** By its policy and by the host, so far. */
  readonly blocked: readonly Blocked[]
}

export type TopicValue = ConversationTopic | ServerTopic | ResourceTopic | AppTopic

export type ConversationEvent =
  | { readonly type: 'message.added'; readonly message: Message }
  /** Appends text to the last part of a streaming message, or to a new part if the last one has another type. */
  | { readonly type: 'message.grew'; readonly id: MessageId; readonly part: 'text' | 'thinking'; readonly text: string }
  | { readonly type: 'message.changed'; readonly message: Message }
  | { readonly type: 'message.removed'; readonly id: MessageId }
  | { readonly type: 'toolCall.changed'; readonly toolCall: ToolCall }
  | { readonly type: 'turn.changed'; readonly turn: Turn }
  | { readonly type: 'attachments.changed'; readonly attachments: readonly Attachment[] }
  | { readonly type: 'switches.changed'; readonly switches: ToolSwitches }
  /** Other versions of messages are shown now. */
  | { readonly type: 'topic.replaced'; readonly topic: ConversationTopic }
  | { readonly type: 'queue.changed'; readonly queue: readonly Message[] }

export interface LogAdded {
  readonly type: 'log.added'
  readonly lines: readonly ServerLogLine[]
}

type ServerTopicEvent =
  | LogAdded
  /** The whole new list. */
  | { readonly type: 'calls.changed'; readonly calls: readonly CallByHand[] }

/** The whole new value. */
interface ResourceTopicEvent {
  readonly type: 'resource.changed'
  readonly subscribed: boolean
  readonly updatedAt?: number
}

interface AppTopicEvent {
  readonly type: 'view.blocked'
  readonly blocked: Omit<Blocked, 'times'>
}

export type TopicEvent = ConversationEvent | ServerTopicEvent | ResourceTopicEvent | AppTopicEvent

/** The only way a topic changes, in the host and in every window. */
export function applyTopicEvent<T extends TopicValue>(value: T, event: TopicEvent): T
export function applyTopicEvent(value: TopicValue, event: TopicEvent): TopicValue {
  if (event.type === 'log.added') {
    if (value.kind !== 'server') return value
    return { ...value, log: [...value.log, ...event.lines].slice(-TOPIC_LOG_LINES) }
  }
  if (event.type === 'calls.changed') {
    if (value.kind !== 'server') return value
    return changed(value, { calls: event.calls.length > 0 ? event.calls : undefined })
  }
  if (event.type === 'resource.changed') {
    const { type: _type, ...now } = event
    return value.kind === 'resource' ? { kind: 'resource', ...now } : value
  }
  if (event.type === 'view.blocked')
    return value.kind === 'app' ? { ...value, blocked: countBlocked(value.blocked, event.blocked) } : value
  if (value.kind !== 'conversation') return value
  switch (event.type) {
    case 'message.added':
      return { ...withVersion(value, event.message.id), messages: [...value.messages, event.message] }
    case 'message.grew':
      return {
        ...value,
        messages: value.messages.map((message) =>
          message.id === event.id ? growMessage(message, event.part, event.text) : message,
        ),
      }
    case 'message.changed':
      return { ...value, messages: value.messages.map((message) => (message.id === event.message.id ? event.message : message)) }
    case 'message.removed':
      return { ...withoutVersion(value, event.id), messages: value.messages.filter((message) => message.id !== event.id) }
    case 'toolCall.changed':
      return { ...value, toolCalls: { ...value.toolCalls, [event.toolCall.id]: event.toolCall } }
    case 'turn.changed':
      return { ...value, turn: event.turn }
    case 'attachments.changed':
      return changed(value, { attachments: event.attachments.length > 0 ? event.attachments : undefined })
    case 'switches.changed':
      return changed(value, { switches: isSwitched(event.switches) ? event.switches : undefined })
    case 'topic.replaced':
      return event.topic
    case 'queue.changed':
      return changed(value, { queue: event.queue.length > 0 ? event.queue : undefined })
    default:
      return assertNever(event)
  }
}

/** A new message joins the versions of those that followed the same message before. */
function withVersion(value: ConversationTopic, id: MessageId): ConversationTopic {
  if (!value.versions) return value
  const after = value.messages.at(-1)?.id
  return { ...value, versions: value.versions.map((one) => (one.after === after ? { ...one, ids: [...one.ids, id] } : one)) }
}

function withoutVersion(value: ConversationTopic, id: MessageId): ConversationTopic {
  if (!value.versions?.some(({ ids }) => ids.includes(id))) return value
  const versions = value.versions.map((one) => ({ ...one, ids: one.ids.filter((other) => other !== id) }))
  return { ...value, versions: versions.filter(({ ids }) => ids.length > 0) }
}

export function growMessage(message: Message, type: 'text' | 'thinking', text: string): Message {
  const last = message.parts.at(-1)
  if (last?.type === type) {
    return { ...message, parts: [...message.parts.slice(0, -1), { ...last, text: last.text + text }] }
  }
  return { ...message, parts: [...message.parts, { type, text }] }
}
