import type { Id } from '../base/json.ts'
import type { Progress } from '../mcp/primitives.ts'
import type { BoundedJson, BoundedText, ContentView } from './blobs.ts'
import type { Problem } from './errors.ts'
import type { ServerId } from './servers.ts'
import type { ModelRef } from './settings.ts'

export type ConversationId = Id<'conversation'>
export type MessageId = Id<'message'>
export type TurnId = Id<'turn'>
export type ToolCallId = Id<'tool-call'>

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
}

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

export interface Message {
  readonly id: MessageId
  readonly turnId: TurnId
  readonly role: 'user' | 'assistant'
  readonly at: number
  readonly parts: readonly MessagePart[]
  readonly status: 'streaming' | 'done' | 'failed' | 'stopped' | 'interrupted'
  readonly model?: ModelRef
  readonly usage?: { readonly input: number; readonly output: number }
  readonly problem?: Problem
}

export type ToolCallStatus = 'proposed' | 'asking' | 'running' | 'finished' | 'failed' | 'declined' | 'cancelled' | 'interrupted'

/** The word on the card (ruling 14). */
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

/** From proposal to result; the card exists from the first and only changes state. */
export interface ToolCall {
  readonly id: ToolCallId
  readonly turnId: TurnId
  readonly messageId: MessageId
  /** Absent when the model named a tool that nobody offers. */
  readonly serverId?: ServerId
  readonly serverName?: string
  /** The server's own name for it; the wire name when unknown. */
  readonly tool: string
  readonly title?: string
  readonly arguments: BoundedJson
  readonly status: ToolCallStatus
  readonly proposedAt: number
  readonly startedAt?: number
  readonly finishedAt?: number
  readonly progress?: Progress
  readonly result?: ToolCallResult
  /** Why it failed, was declined, cancelled or interrupted. */
  readonly problem?: Problem
  /** How it came to be allowed. */
  readonly allowedBy?: 'person' | 'conversation-rule' | 'always-rule'
  /** A server was told to stop and has not answered yet (CANC-12). */
  readonly cancelling?: boolean
}
