import type { AttachmentId, MessageId, ServerId } from './ids.ts'
import type { ModelRef } from './settings.ts'

export interface ToolCost {
  readonly tool: string
  readonly tokens: number
  /** True if the model is offered it here; otherwise the switch that turns it off. */
  readonly state: 'offered' | 'off-here' | 'off-everywhere' | 'server-off-here' | 'off-in-project'
}

export interface ServerCost {
  readonly serverId: ServerId
  readonly serverName: string
  /** Of the tools that are offered. */
  readonly tokens: number
  /** Dearest first, at most 200. */
  readonly tools: readonly ToolCost[]
  readonly toolCount: number
}

/** One click that makes room, and can be undone: what is turned off or taken back comes back, and a fork leaves all as it is. */
export interface ContextRemedy {
  /** “Turn off “github” here”. */
  readonly label: string
  /** The sentence once it is done: “Turned off “github” here”. */
  readonly done: string
  /** Tokens that it frees. */
  readonly frees: number
  readonly does:
    | { readonly is: 'turn-off'; readonly serverId: ServerId; readonly tool?: string }
    | { readonly is: 'detach'; readonly attachmentId: AttachmentId }
    /** Goes on in a copy that ends before this message of the person. */
    | { readonly is: 'fork'; readonly messageId: MessageId }
}

/** An attachment that waits for the next message. */
export interface WaitingCost {
  readonly id: AttachmentId
  readonly tokens: number
  /** Less than it holds: its beginning and end, with the rest to be read on demand; or of a PDF, that is too much as it is, the text. */
  readonly given?: 'part' | 'text'
}

/**
 * The contents of the next request to the model, in tokens. All counts are estimates: a token is four characters of text for
 * OpenAI and unknown models, three and a half for Anthropic's, one per character of Chinese, Japanese and Korean; an image is 1,600
 * (Anthropic) or 1,100. They are meant to be within a quarter of the truth, and are never billed by.
 */
export interface ContextReport {
  readonly model: ModelRef
  /** The model's window: as the person set it, else as its provider says, else its family's; absent when none is known. */
  readonly window?: number
  /** The size assumed while it is absent: warnings and the share of tools go by it. */
  readonly assumedWindow?: number
  readonly total: number
  /** US dollars that all requests so far took, by list price; of models without one there is none, and it is absent without any. */
  readonly spent?: number
  readonly system: number
  /** Those of the conversation's project. */
  readonly files: number
  /** Oldest first, the last 500; `earlier` is the sum of those before. Tool calls and their results count with their message. */
  readonly messages: readonly { readonly id: MessageId; readonly tokens: number }[]
  readonly earlier: number
  /** Those that wait for the next message. */
  readonly attachments: readonly WaitingCost[]
  /** The cost of the offered definitions, or of the search tool that replaces them. */
  readonly tools: number
  /** Their cost without it. */
  readonly allTools: number
  /** The model searches for tools, because their definitions pass the share of the window that Settings allow. */
  readonly discovery: boolean
  readonly servers: readonly ServerCost[]
  /** `near` from 80 % of the window on, `over` from 100 %. */
  readonly state: 'fine' | 'near' | 'over'
  /** The most effective remedies: at most three, largest first, a fork last; empty while `fine`. */
  readonly remedies: readonly ContextRemedy[]
}

/** Every tool of every server that is ready and what its definition costs that model; `state` knows of the project, and of no conversation. */
export interface ToolCosts {
  readonly servers: readonly ServerCost[]
}
