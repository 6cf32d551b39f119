import { assertNever } from '../base/json.ts'
import type { Attachment } from './attachments.ts'
import type { CallByHand, Message, ToolCall, Turn } from './conversations.ts'
import type { ConversationId, MessageId, ServerId, ToolCallId } from './ids.ts'
import type { ServerLogLine } from './servers.ts'
import type { ToolSwitches } from './settings.ts'

/** How many messages a conversation topic opens with; older ones come by `message.page`. */
export const TOPIC_MESSAGES = 200
/** How many log lines a server topic holds. */
export const TOPIC_LOG_LINES = 500

/** Details that a window follows only while it shows them, each with a sequence of its own (decision 0001). */
export type Topic = `conversation/${ConversationId}` | `server/${ServerId}` | `resource/${string}`

/** Longest address of a resource that can be read, attached or watched, in characters. */
export const URI_LIMIT = 2048

/** The topic of one resource: while a window follows it, the host is subscribed where the server can be (RES-09). */
export function resourceTopic(serverId: ServerId, uri: string): Topic {
  return `resource/${encodeURIComponent(serverId)}/${uri}`
}

export interface ConversationTopic {
  readonly kind: 'conversation'
  /** Oldest first. */
  readonly messages: readonly Message[]
  readonly toolCalls: Readonly<Record<ToolCallId, ToolCall>>
  /** The latest turn. */
  readonly turn?: Turn
  /** Older messages exist. */
  readonly hasEarlier: boolean
  /** Attached to the message that is being written, oldest first; absent when there are none. */
  readonly attachments?: readonly Attachment[]
  /** Servers and tools that the model is not offered here; absent when there are none. */
  readonly switches?: ToolSwitches
}

export interface ServerTopic {
  readonly kind: 'server'
  readonly log: readonly ServerLogLine[]
  /** Made by hand and under way, oldest first; absent when there are none. */
  readonly calls?: readonly CallByHand[]
}

/** A resource that is on screen. Its content comes by `resource.read`, again when `updatedAt` changes and the person wants it. */
export interface ResourceTopic {
  readonly kind: 'resource'
  /** False when the server cannot tell of changes, or is not connected. */
  readonly subscribed: boolean
  /** When the server last said that it changed. */
  readonly updatedAt?: number
}

export type TopicValue = ConversationTopic | ServerTopic | ResourceTopic

export type ConversationEvent =
  | { readonly type: 'message.added'; readonly message: Message }
  /** Text appended to the last part of a streaming message; a new part is opened when the last has another type. */
  | { readonly type: 'message.grew'; readonly id: MessageId; readonly part: 'text' | 'thinking'; readonly text: string }
  | { readonly type: 'message.changed'; readonly message: Message }
  | { readonly type: 'message.removed'; readonly id: MessageId }
  | { readonly type: 'toolCall.changed'; readonly toolCall: ToolCall }
  | { readonly type: 'turn.changed'; readonly turn: Turn }
  | { readonly type: 'attachments.changed'; readonly attachments: readonly Attachment[] }
  | { readonly type: 'switches.changed'; readonly switches: ToolSwitches }

export interface LogAdded {
  readonly type: 'log.added'
  readonly lines: readonly ServerLogLine[]
}

type ServerTopicEvent =
  | LogAdded
  /** The new list, whole. */
  | { readonly type: 'calls.changed'; readonly calls: readonly CallByHand[] }

/** The new value, whole. */
interface ResourceTopicEvent {
  readonly type: 'resource.changed'
  readonly subscribed: boolean
  readonly updatedAt?: number
}

export type TopicEvent = ConversationEvent | ServerTopicEvent | ResourceTopicEvent

/** The only way a topic changes, in the host and in every window. */
export function applyTopicEvent<T extends TopicValue>(value: T, event: TopicEvent): T
export function applyTopicEvent(value: TopicValue, event: TopicEvent): TopicValue {
  if (event.type === 'log.added') {
    if (value.kind !== 'server') return value
    return { ...value, log: [...value.log, ...event.lines].slice(-TOPIC_LOG_LINES) }
  }
  if (event.type === 'calls.changed') {
    if (value.kind !== 'server') return value
    const { calls: _before, ...rest } = value
    return event.calls.length > 0 ? { ...rest, calls: event.calls } : rest
  }
  if (event.type === 'resource.changed') {
    const { type: _type, ...now } = event
    return value.kind === 'resource' ? { kind: 'resource', ...now } : value
  }
  if (value.kind !== 'conversation') return value
  switch (event.type) {
    case 'message.added':
      return { ...value, messages: [...value.messages, event.message] }
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
      return { ...value, messages: value.messages.filter((message) => message.id !== event.id) }
    case 'toolCall.changed':
      return { ...value, toolCalls: { ...value.toolCalls, [event.toolCall.id]: event.toolCall } }
    case 'turn.changed':
      return { ...value, turn: event.turn }
    case 'attachments.changed': {
      const { attachments: _before, ...rest } = value
      return event.attachments.length > 0 ? { ...rest, attachments: event.attachments } : rest
    }
    case 'switches.changed': {
      const { switches: _before, ...rest } = value
      const { servers, tools } = event.switches
      return servers.length + tools.length > 0 ? { ...rest, switches: event.switches } : rest
    }
    default:
      return assertNever(event)
  }
}

/** Appends streamed text to a message. */
export function growMessage(message: Message, type: 'text' | 'thinking', text: string): Message {
  const last = message.parts.at(-1)
  if (last?.type === type) {
    return { ...message, parts: [...message.parts.slice(0, -1), { ...last, text: last.text + text }] }
  }
  return { ...message, parts: [...message.parts, { type, text }] }
}
