import type { Progress } from '../mcp/primitives.ts'
import type { Attachment, PromptOrigin } from './attachments.ts'
import type { BoundedJson, BoundedText, ContentView } from './blobs.ts'
import type { Problem } from './errors.ts'
import type { ConversationId, MessageId, ServerId, ToolCallId, TurnId } from './ids.ts'
import type { ModelRef, TokenUsage } from './settings.ts'

/** What a list of conversations shows. */
export interface ConversationHead {
  readonly id: ConversationId
  /** The first line of its first message until renamed; empty while there is none. */
  readonly title: string
  readonly createdAt: number
  /** When something was last said in it. */
  readonly updatedAt: number
  readonly model: ModelRef
  readonly turn: 'idle' | 'running'
  /** A tool call of the running turn is past its deadline and ends unless a person wants to wait. */
  readonly overdue?: boolean
  /** Listed first; pinned heads stay in the snapshot however old they are. At most PIN_LIMIT. */
  readonly pinned?: boolean
  /** In the order they were given; at most TAG_LIMIT of at most 40 characters. */
  readonly tags?: readonly string[]
  /** It began as a copy of that conversation's beginning, which may be gone by now. */
  readonly forkOf?: ConversationId
}

export const PIN_LIMIT = 50
export const TAG_LIMIT = 12

/** One user message and all it caused. */
export interface Turn {
  readonly id: TurnId
  readonly status: 'running' | 'finished' | 'stopped' | 'failed' | 'interrupted'
  readonly startedAt: number
  readonly finishedAt?: number
  readonly round: number
  /** Why it failed, or why it stopped by itself (round limit). */
  readonly problem?: Problem
  /** What the turn waits for right now. */
  readonly waiting?: { readonly on: 'model' | 'person' | 'tools'; readonly since: number }
}

export type MessagePart =
  | ({ readonly type: 'text' } & BoundedText)
  /** The model's own account of its thinking, folded by default. */
  | ({ readonly type: 'thinking' } & BoundedText)
  | { readonly type: 'tool-call'; readonly toolCallId: ToolCallId }
  /** A resource that the person attached, as it was then. `changedSince` is set later, when the server says so. */
  | ({ readonly type: 'resource' } & Attachment)
  /** What a prompt's message holds beside text: media, an embedded resource, a link. */
  | { readonly type: 'content'; readonly content: ContentView }

export interface Message {
  readonly id: MessageId
  readonly turnId: TurnId
  readonly role: 'user' | 'assistant'
  readonly at: number
  readonly parts: readonly MessagePart[]
  readonly status: 'streaming' | 'done' | 'failed' | 'stopped' | 'interrupted'
  /** Nobody typed it: it came from here. */
  readonly origin?: PromptOrigin
  readonly model?: ModelRef
  readonly usage?: TokenUsage
  readonly problem?: Problem
}

export type ToolCallStatus = 'proposed' | 'asking' | 'running' | 'finished' | 'failed' | 'declined' | 'cancelled' | 'interrupted'

/** The word on the card, alone in its element. */
export const STATUS_WORDS: Readonly<Record<ToolCallStatus, string>> = {
  proposed: 'Waiting',
  asking: 'Waiting',
  running: 'Running',
  finished: 'Finished',
  failed: 'Failed',
  declined: 'Declined',
  cancelled: 'Cancelled',
  interrupted: 'Interrupted',
}

export interface ToolCallResult {
  /** The tool itself said that it failed; still a result (TOOL-21). */
  readonly isError: boolean
  readonly content: readonly ContentView[]
  readonly structured?: BoundedJson
  /** What was odd about it: schema mismatch, dropped blocks. */
  readonly warnings: readonly string[]
}

/**
 * A call that is past its deadline. It goes on until `endsAt`; `toolCall.keepWaiting` grants the deadline that passed once more. Gone
 * again as soon as the server is heard, save past the maximum.
 */
export interface Overdue {
  readonly since: number
  /** Nothing was heard for as long as is allowed, or it takes longer than is allowed in all. */
  readonly why: 'silent' | 'maximum'
  /** Milliseconds without a sign of life, or since it was sent. */
  readonly after: number
  /** When it is given up; absent while time stands still because its server asks the person something. */
  readonly endsAt?: number
}

/** A call that a person makes on the server's page, while it is under way. */
export interface CallByHand {
  /** Chosen by the window that makes it. */
  readonly id: ToolCallId
  readonly tool: string
  readonly startedAt: number
  readonly progress?: Progress
  readonly overdue?: Overdue
}

/** From proposal to result; the card exists from the first and only changes state. */
export interface ToolCall {
  readonly id: ToolCallId
  readonly turnId: TurnId
  readonly messageId: MessageId
  /** Absent when the model named a tool that nobody offers, and with `builtIn`. */
  readonly serverId?: ServerId
  /** One of Parley's own (`read_result`, `find_tools`): it only reads what the model may know anyway, so nobody is asked. */
  readonly builtIn?: boolean
  readonly serverName?: string
  /** The server's own name for it; the wire name when unknown. */
  readonly tool: string
  readonly title?: string
  readonly arguments: BoundedJson
  /** Why the tool's schema could not judge the arguments. */
  readonly unchecked?: string
  readonly status: ToolCallStatus
  readonly proposedAt: number
  readonly startedAt?: number
  readonly finishedAt?: number
  readonly progress?: Progress
  readonly overdue?: Overdue
  readonly result?: ToolCallResult
  /** Why it failed, was declined, cancelled or interrupted. */
  readonly problem?: Problem
  /** How it came to be allowed. */
  readonly allowedBy?: 'person' | 'conversation-rule' | 'always-rule'
  /** A server was told to stop and has not answered yet (CANC-12). */
  readonly cancelling?: boolean
}
