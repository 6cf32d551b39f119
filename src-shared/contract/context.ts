import type { AttachmentId, MessageId, ServerId } from './ids.ts'
import type { ModelRef } from './settings.ts'

export interface ToolCost {
  readonly tool: string
  readonly tokens: number
  /** `offered`, or the switch that turns it off. */
  readonly state: 'offered' | 'off-here' | 'off-everywhere' | 'server-off-here' | 'off-in-project'
}

export interface ServerCost {
  readonly serverId: ServerId
  readonly serverName: string
  /** Of the offered tools. */
  readonly tokens: number
  /** Dearest first, at most 200. */
  readonly tools: readonly ToolCost[]
  readonly toolCount: number
}

/** One click that frees context and can be undone; a fork changes nothing here. */
export interface ContextRemedy {
  /** “Turn off “github” here”. */
  readonly label: string
  /** Shown afterwards: “Turned off “github” here”. */
  readonly done: string
  /** Tokens. */
  readonly frees: number
  readonly does:
    | { readonly is: 'turn-off'; readonly serverId: ServerId; readonly tool?: string }
    | { readonly is: 'detach'; readonly attachmentId: AttachmentId }
    /** Continues in a copy that ends before this message. */
    | { readonly is: 'fork'; readonly messageId: MessageId }
}

/** A server whose tools cost much in each round and were not called in the last turns of this conversation. */
export interface UnusedServer {
  readonly serverId: ServerId
  readonly serverName: string
  readonly turns: number
  readonly remedy: ContextRemedy
}

/** An attachment that waits for the next message. */
export interface WaitingCost {
  readonly id: AttachmentId
  readonly tokens: number
  /** Set when the model gets less: the beginning and the end with the rest on demand, or only the text of a large PDF. */
  readonly given?: 'part' | 'text'
}

/**
 * The contents of the next request to the model, in tokens. All counts are estimates, meant to be within 25 % and never used for
 * billing: a token is four characters for OpenAI and unknown models, 3.5 for Anthropic, one for Chinese, Japanese and Korean; an image
 * is 1,600 (Anthropic) or 1,100.
 */
export interface ContextReport {
  readonly model: ModelRef
  /** The model's window: set by the person, else by its provider, else by its family; absent when unknown. */
  readonly window?: number
  /** Used instead of an unknown window for warnings and the share of tools. */
  readonly assumedWindow?: number
  readonly total: number
  /** US dollars for all requests so far, by list price; models without a price count nothing. Absent without any. */
  readonly spent?: number
  readonly system: number
  /** Files of the project. */
  readonly files: number
  /** The last 500, oldest first; `earlier` is the sum of all before. Includes tool calls and results. */
  readonly messages: readonly { readonly id: MessageId; readonly tokens: number }[]
  readonly earlier: number
  /** For the next message. */
  readonly attachments: readonly WaitingCost[]
  /** Of the offered definitions, or of the search tool that replaces them. */
  readonly tools: number
  /** Of the names and descriptions of skills that are on. */
  readonly skills: number
  /** Of the offered definitions. */
  readonly allTools: number
  /** The model searches for tools, since their definitions exceed the share of the window set in Settings. */
  readonly discovery: boolean
  readonly servers: readonly ServerCost[]
  readonly unused?: UnusedServer
  /** `near` from 80 % of the window on, `over` from 100 %. */
  readonly state: 'fine' | 'near' | 'over'
  /** At most three, largest first, a fork last; empty while `fine`. */
  readonly remedies: readonly ContextRemedy[]
}

/** All tools of ready servers with their cost for a model; `state` considers the project, but no conversation. */
export interface ToolCosts {
  readonly servers: readonly ServerCost[]
}
