import { assertNever } from '../base/json.ts'
import type { ConversationId, Message, MessageId, ToolCall, ToolCallId, Turn } from './conversations.ts'
import type { ServerId, ServerLogLine } from './servers.ts'

/** How many messages a conversation topic opens with; older ones come by `message.page`. */
export const TOPIC_MESSAGES = 200
/** How many log lines a server topic holds. */
export const TOPIC_LOG_LINES = 500

/** What a window follows only while it shows it, each with a sequence of its own (ruling 22). */
export type Topic = `conversation/${ConversationId}` | `server/${ServerId}`

export interface ConversationTopic {
  readonly kind: 'conversation'
  /** Oldest first. */
  readonly messages: readonly Message[]
  readonly toolCalls: Readonly<Record<ToolCallId, ToolCall>>
  /** The latest turn. */
  readonly turn?: Turn
  /** Older messages exist. */
  readonly hasEarlier: boolean
}

export interface ServerTopic {
  readonly kind: 'server'
  readonly log: readonly ServerLogLine[]
}

export type TopicValue = ConversationTopic | ServerTopic

export type ConversationEvent =
  | { readonly type: 'message.added'; readonly message: Message }
  /** Text appended to the last part of a streaming message, opening a part of that type when the last is another. */
  | { readonly type: 'message.grew'; readonly id: MessageId; readonly part: 'text' | 'thinking'; readonly text: string }
  | { readonly type: 'message.changed'; readonly message: Message }
  | { readonly type: 'message.removed'; readonly id: MessageId }
  | { readonly type: 'toolCall.changed'; readonly toolCall: ToolCall }
  | { readonly type: 'turn.changed'; readonly turn: Turn }

export type ServerTopicEvent = { readonly type: 'log.added'; readonly lines: readonly ServerLogLine[] }

export type TopicEvent = ConversationEvent | ServerTopicEvent

/** The only way a topic changes, in the host and in every window. */
export function applyTopicEvent<T extends TopicValue>(value: T, event: TopicEvent): T
export function applyTopicEvent(value: TopicValue, event: TopicEvent): TopicValue {
  if (event.type === 'log.added') {
    if (value.kind !== 'server') return value
    return { ...value, log: [...value.log, ...event.lines].slice(-TOPIC_LOG_LINES) }
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
