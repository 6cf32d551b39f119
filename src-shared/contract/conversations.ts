import { z } from 'zod'
import type { Progress } from '../mcp/primitives.ts'
import { fileAttachment, promptOrigin, resourceAttachment } from './attachments.ts'
import { boundedJson, boundedText, contentView } from './blobs.ts'
import { POWERS } from './consent.ts'
import { type Problem, problem } from './errors.ts'
import type { ConversationId, MessageId, ProjectId, ServerId, ToolCallId, TurnId } from './ids.ts'
import { type Given, id, line, text, time } from './schema-parts.ts'
import { type ModelRef, modelRef, tokenUsage } from './settings.ts'

/** A conversation as lists show it. */
export interface ConversationHead {
  readonly id: ConversationId
  /** The first line of its first message until renamed; empty while there is none. */
  readonly title: string
  readonly createdAt: number
  /** When something was last said in it, by the clock of then. */
  readonly updatedAt: number
  /** Rises with everything that is said in this data folder: lists are in its order, for a clock may have been wrong. */
  readonly sequence: number
  readonly model: ModelRef
  readonly turn: 'idle' | 'running'
  /** A tool call of the running turn is past its deadline and ends unless a person wants to wait. */
  readonly overdue?: boolean
  /** Listed first; pinned heads stay in the snapshot however old they are. At most PIN_LIMIT. */
  readonly pinned?: boolean
  /** In the order they were given. */
  readonly tags?: readonly string[]
  /** It began as a copy of that conversation's beginning, which may be gone by now. */
  readonly forkOf?: ConversationId
  /** The project that it belongs to. */
  readonly project?: ProjectId
  /** Listed apart, until something is said in it again. */
  readonly archived?: boolean
}

export const PIN_LIMIT = 50
/** Tags of one conversation, and characters of each. */
export const TAG_LIMIT = 12
export const TAG_LENGTH = 40
export const tag = () => text(TAG_LENGTH)
export const tags = () => z.array(tag()).max(TAG_LIMIT)

/** The most conversations of one file. */
export const MAX_EXPORTED = 500

/** The most that one search gives. */
export const SEARCH_HITS = 50

export interface SearchHit {
  readonly head: ConversationHead
  readonly messageId?: MessageId
  /** The words around the hit. */
  readonly excerpt: string
  /** Where the words that were looked for stand in it: from, to. */
  readonly marks: readonly (readonly [number, number])[]
}

export { TITLE_LENGTH } from './plain-values.ts'

/** Characters of an exported file that travel at a time when it is imported. */
export const IMPORT_PIECE = 256 * 1024

/** One user message and all it caused. */
export interface Turn {
  readonly id: TurnId
  readonly status: 'running' | 'finished' | 'stopped' | 'failed' | 'interrupted'
  readonly startedAt: number
  readonly finishedAt?: number
  readonly round: number
  /** Why it failed, or why it stopped by itself (round limit). */
  readonly problem?: Problem
  /** The reason that the turn waits right now. */
  readonly waiting?: { readonly on: 'model' | 'person' | 'tools'; readonly since: number; readonly retry?: ModelRetry }
}

/** A provider put a request off; it is repeated at that time. */
export interface ModelRetry {
  readonly at: number
  readonly reason: 'rate-limited' | 'overloaded'
}

export type MessagePart = Given<typeof messagePart>
const messagePart = () =>
  z.discriminatedUnion('type', [
    boundedText().extend({ type: z.literal('text') }),
    /** The model's own account of its thinking, folded by default. */
    boundedText().extend({ type: z.literal('thinking') }),
    z.object({ type: z.literal('tool-call'), toolCallId: id<ToolCallId>() }),
    /** A resource that the person attached, as it was then. `changedSince` is set later, when the server says so. */
    resourceAttachment().extend({ type: z.literal('resource') }),
    /** A file that the person attached. */
    fileAttachment().extend({ type: z.literal('file') }),
    /** Content of a prompt's message other than text: media, an embedded resource, a link. */
    z.object({ type: z.literal('content'), content: contentView() }),
  ])

/** It came in a file, so it is not the word of the person or this host, and stays so in every copy. */
const imported = () => z.literal(true).exactOptional()

export type Message = Given<typeof message>
export const message = () =>
  z.object({
    id: id<MessageId>(),
    turnId: id<TurnId>(),
    role: z.enum(['user', 'assistant']),
    at: time(),
    parts: z.array(messagePart()).max(1000),
    status: z.enum(['streaming', 'done', 'failed', 'stopped', 'interrupted']),
    /** Nobody typed it: it came from here. */
    origin: promptOrigin().exactOptional(),
    imported: imported(),
    model: modelRef().exactOptional(),
    usage: tokenUsage().exactOptional(),
    problem: problem().exactOptional(),
  })

type ToolCallStatus = ToolCall['status']

/** The word on the card, alone in its element. */
export const STATUS_LABELS: Readonly<Record<ToolCallStatus, string>> = {
  proposed: 'Waiting',
  asking: 'Waiting',
  running: 'Running',
  finished: 'Finished',
  failed: 'Failed',
  declined: 'Declined',
  cancelled: 'Cancelled',
  interrupted: 'Interrupted',
}

export type ToolCallResult = Given<typeof toolCallResult>
const toolCallResult = () =>
  z.object({
    /** The tool itself said that it failed; still a result (TOOL-21). */
    isError: z.boolean(),
    content: z.array(contentView()).max(100),
    structured: boundedJson().exactOptional(),
    /** Oddities: schema mismatch, dropped blocks. */
    warnings: z.array(line()).max(64),
  })

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
export interface ToolCall extends Given<typeof toolCall> {
  readonly progress?: Progress
  readonly overdue?: Overdue
  /** A server was told to stop and has not answered yet (CANC-12). */
  readonly cancelling?: boolean
}

/** A call without what only matters while it is under way. */
export const toolCall = () =>
  z.object({
    id: id<ToolCallId>(),
    turnId: id<TurnId>(),
    messageId: id<MessageId>(),
    /** Absent when the model named a tool that nobody offers, and with `builtIn`. */
    serverId: id<ServerId>().exactOptional(),
    /** One of Parley's own (`read_result`, `find_tools`): it only reads what the model may know anyway, so nobody is asked. */
    builtIn: z.boolean().exactOptional(),
    serverName: line().exactOptional(),
    /** The server's own name for it; the wire name when unknown. */
    tool: line(),
    title: line().exactOptional(),
    arguments: boundedJson(),
    /** As the model wrote them, where the person changed them before allowing the call. */
    proposed: boundedJson().exactOptional(),
    /** Why the tool's schema could not judge the arguments. */
    unchecked: line().exactOptional(),
    status: z.enum(['proposed', 'asking', 'running', 'finished', 'failed', 'declined', 'cancelled', 'interrupted']),
    proposedAt: time(),
    startedAt: time().exactOptional(),
    /** Its server has ended the request and wants to know more: nothing runs until it is made again. */
    paused: z.literal(true).exactOptional(),
    finishedAt: time().exactOptional(),
    result: toolCallResult().exactOptional(),
    /** Why it failed, was declined, cancelled or interrupted. */
    problem: problem().exactOptional(),
    /** A question of its server that the person did not answer, in a sentence for them. */
    unanswered: line().exactOptional(),
    /** How it came to be allowed. */
    allowedBy: z.enum(['person', 'task-rule', 'conversation-rule', 'project-rule', 'always-rule', 'free']).exactOptional(),
    /** Why it was asked about, or why it was not. */
    why: text(2000).exactOptional(),
    /** Its powers when it was allowed: its server may have changed the tool since. */
    powers: z.array(z.enum(POWERS)).max(POWERS.length).exactOptional(),
    imported: imported(),
  })
