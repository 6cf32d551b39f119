import { z } from 'zod'
import type { Progress } from '../mcp/primitives.ts'
import { callApp } from './apps.ts'
import { fileAttachment, promptOrigin, resourceAttachment } from './attachments.ts'
import { boundedJson, boundedText, contentView } from './blobs.ts'
import { POWERS } from './consent.ts'
import { type Problem, problem } from './errors.ts'
import type { ConversationId, MessageId, ProjectId, ScheduleId, ServerId, ToolCallId, TurnId } from './ids.ts'
import { type Given, id, line, text, time } from './schema-parts.ts'
import { BLOCKED_SHOWN, blockedReach } from './servers.ts'
import { type ModelRef, modelRef, tokenUsage } from './settings.ts'

export interface ConversationHead {
  readonly id: ConversationId
  /** The first line of its first message until renamed; empty without messages. */
  readonly title: string
  readonly createdAt: number
  /** The time of its last message. */
  readonly updatedAt: number
  /** Rises with every message in the data folder. Lists use this order, since a clock can be wrong. */
  readonly sequence: number
  readonly model: ModelRef
  readonly turn: 'idle' | 'running'
  /** Its last turn was interrupted, and no other has begun. */
  readonly interrupted?: boolean
  /** A tool call is past its deadline and ends unless the person keeps waiting. */
  readonly overdue?: boolean
  /** Listed first, and in the snapshot however old. At most PIN_LIMIT. */
  readonly pinned?: boolean
  /** In the order of the person. */
  readonly tags?: readonly string[]
  /** The conversation that it was copied from, which may no longer exist. */
  readonly forkOf?: ConversationId
  readonly project?: ProjectId
  /** It is a run of this schedule, which may no longer exist. */
  readonly schedule?: ScheduleId
  /** Listed separately until it gets another message. */
  readonly archived?: boolean
}

export const PIN_LIMIT = 50
/** Tags of one conversation, and characters of a tag. */
export const TAG_LIMIT = 12
export const TAG_LENGTH = 40
export const tag = () => text(TAG_LENGTH)
export const tags = () => z.array(tag()).max(TAG_LIMIT)

export const VERSION_LIMIT = 50

/** Conversations in one exported file. */
export const MAX_EXPORTED = 500

export const SEARCH_HITS = 50

export interface SearchHit {
  readonly head: ConversationHead
  readonly messageId?: MessageId
  /** The message is in a version that is not shown. */
  readonly inOtherVersion?: true
  /** The text around the hit. */
  readonly excerpt: string
  /** The words of the query in `excerpt`: from, to. */
  readonly marks: readonly (readonly [number, number])[]
}

export { TITLE_LENGTH } from './plain-values.ts'

/** Characters of an imported file per frame. */
export const IMPORT_PIECE = 256 * 1024

/** One message of the person and everything that it caused. */
export interface Turn {
  readonly id: TurnId
  readonly status: 'running' | 'finished' | 'stopped' | 'failed' | 'interrupted'
  readonly startedAt: number
  readonly finishedAt?: number
  /** The message that it answers again. */
  readonly after?: MessageId
  readonly round: number
  /** Why it failed, or stopped at the round limit. */
  readonly problem?: Problem
  readonly waiting?: {
    readonly on: 'model' | 'person' | 'servers' | 'tools'
    readonly since: number
    readonly retry?: ModelRetry
    /** They had not started when it began to wait. */
    readonly servers?: readonly ServerId[]
  }
}

/** A provider refused a request for now; it is repeated at `at`. */
export interface ModelRetry {
  readonly at: number
  readonly reason: 'rate-limited' | 'overloaded'
}

export type MessagePart = Given<typeof messagePart>
const messagePart = () =>
  z.discriminatedUnion('type', [
    boundedText().extend({ type: z.literal('text') }),
    /** The model's reasoning. */
    boundedText().extend({ type: z.literal('thinking') }),
    z.object({ type: z.literal('tool-call'), toolCallId: id<ToolCallId>() }),
    resourceAttachment().extend({ type: z.literal('resource') }),
    fileAttachment().extend({ type: z.literal('file') }),
    /** Content of a prompt's message: media, an embedded resource, a link. */
    z.object({ type: z.literal('content'), content: contentView() }),
  ])

/** It comes from an imported file and is therefore untrusted, in every copy, too. */
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
    /** Set if nobody typed it. */
    origin: promptOrigin().exactOptional(),
    imported: imported(),
    model: modelRef().exactOptional(),
    usage: tokenUsage().exactOptional(),
    problem: problem().exactOptional(),
  })

type ToolCallStatus = ToolCall['status']

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
    /** The tool reported an error, which is still a result (TOOL-21). */
    isError: z.boolean(),
    content: z.array(contentView()).max(100),
    structured: boundedJson().exactOptional(),
    /** For example a schema mismatch or dropped blocks. */
    warnings: z.array(line()).max(64),
  })

/** A call that goes on only if the person says so, by `toolCall.keepWaiting`. */
export type Overdue =
  /** It is past its deadline, and ends at `endsAt`. A sign of life from the server clears it, except past the maximum. */
  | {
      readonly since: number
      /** No sign of life for too long, or too long in all. */
      readonly why: 'silent' | 'maximum'
      /** Milliseconds since the last sign of life, or since it was sent. */
      readonly after: number
      /** Absent while the clock is held because the server asks the person something. */
      readonly endsAt?: number
    }
  /** Its server has asked so often that the person is asked whether it may go on. */
  | { readonly since: number; readonly why: 'asks'; readonly times: number }

/** A running call that the person made on the server's page. */
export interface CallByHand {
  /** Chosen by the window that makes it. */
  readonly id: ToolCallId
  readonly tool: string
  readonly startedAt: number
  readonly progress?: Progress
  readonly overdue?: Overdue
}

/** A call that its server runs as a task, in a turn or after it. */
export interface BackgroundCall {
  readonly id: ToolCallId
  readonly conversationId: ConversationId
  /** Of the conversation. */
  readonly title: string
  readonly serverId?: ServerId
  readonly serverName: string
  readonly tool: string
  readonly since: number
  /** The server's words, one line. */
  readonly message?: string
  readonly progress?: Progress
  /** A reply waits for it. */
  readonly awaited?: true
  /** It has ended, and no window has shown its conversation since. */
  readonly ended?: 'finished' | 'failed'
}

/** A tool call from proposal to result. */
export interface ToolCall extends Given<typeof toolCall> {
  readonly progress?: Progress
  readonly overdue?: Overdue
  /** The server was told to cancel and has not answered yet (CANC-12). */
  readonly cancelling?: boolean
}

/** Servers that are off, named after one search. */
export const MAX_FOUND_OFF = 3

/** The stored part of a call. */
export const toolCall = () =>
  z.object({
    id: id<ToolCallId>(),
    turnId: id<TurnId>(),
    messageId: id<MessageId>(),
    /** Absent for an unknown tool; with `builtIn`, the server whose skill was read. */
    serverId: id<ServerId>().exactOptional(),
    /** `read_result`, `find_tools` or `read_skill` of Parley: they only read what the model may know, so they need no consent. */
    builtIn: z.boolean().exactOptional(),
    serverName: line().exactOptional(),
    /** The server's name for it; the model's name for an unknown tool. */
    tool: line(),
    title: line().exactOptional(),
    arguments: boundedJson(),
    /** The model's arguments, when the person changed them before allowing the call. */
    proposed: boundedJson().exactOptional(),
    /** Why the arguments could not be validated. */
    unchecked: line().exactOptional(),
    status: z.enum(['proposed', 'asking', 'running', 'finished', 'failed', 'declined', 'cancelled', 'interrupted']),
    proposedAt: time(),
    startedAt: time().exactOptional(),
    /** The server ended the request and asks for input; nothing runs until it is sent again. */
    paused: z.literal(true).exactOptional(),
    /** The server runs it in the background, as a task. */
    task: z
      .object({
        message: line().exactOptional(),
        unconfirmed: z.literal(true).exactOptional(),
        /** The last progress that the server reported. */
        reached: z.object({ progress: z.number(), total: z.number().exactOptional(), at: time() }).exactOptional(),
      })
      .exactOptional(),
    finishedAt: time().exactOptional(),
    result: toolCallResult().exactOptional(),
    /**
     * The server's result while the person has not let the model have it. It stays after they changed it (`result` has the rest) or
     * withheld it (there is no `result`).
     */
    received: toolCallResult().exactOptional(),
    /** Why it did not finish. */
    problem: problem().exactOptional(),
    /** A question of the server that the person did not answer, as a sentence. */
    unanswered: line().exactOptional(),
    /** Blocked by the fence of its server while it ran. */
    blocked: z.array(blockedReach()).max(BLOCKED_SHOWN).exactOptional(),
    allowedBy: z
      .enum(['person', 'task-rule', 'conversation-rule', 'project-rule', 'always-rule', 'free', 'view-open'])
      .exactOptional(),
    /** Why it needed a question, or none. */
    why: text(2000).exactOptional(),
    /** As of the permission: the server may have changed the tool since. */
    powers: z.array(z.enum(POWERS)).max(POWERS.length).exactOptional(),
    /** Servers that were off, with tools like those that a search of the model was for. */
    foundOff: z.array(id<ServerId>()).max(MAX_FOUND_OFF).exactOptional(),
    /** The view of its result, of a tool that has one (MCP Apps). */
    app: callApp().exactOptional(),
    /** The call whose view made this one. It is not in the reply, and no model is told of it. */
    byApp: id<ToolCallId>().exactOptional(),
    /** The call that this one undoes for the person. It is not in the reply either. */
    undoes: id<ToolCallId>().exactOptional(),
    /** The person undid it, of which the model is told. */
    undone: z.literal(true).exactOptional(),
    imported: imported(),
  })

/** True for a call that the model made, which is in its reply. */
export const isOfModel = ({ byApp, undoes }: Pick<ToolCall, 'byApp' | 'undoes'>) => byApp === undefined && undoes === undefined
