import type { JsonObject, JsonValue } from '../base/json.ts'
import type { LogLevel, Prompt, Resource, ResourceTemplate } from '../mcp/primitives.ts'
import type { Attachment, CompletionSource, Completions, Confirm, PromptPreview, ResourceContent } from './attachments.ts'
import type { BlobRef } from './blobs.ts'
import type { ContextReport, ToolSwitches } from './context.ts'
import type { ConversationHead, Message, ToolCall, ToolCallResult } from './conversations.ts'
import type {
  AttachmentId,
  ConsentRuleId,
  ConversationId,
  InteractionId,
  MessageId,
  PromptPreviewId,
  ProviderId,
  ServerId,
  ToolCallId,
} from './ids.ts'
import type { Answer } from './interactions.ts'
import type { FolderChoice, FolderSuggestion, SharedFolder } from './roots.ts'
import type { ServerAbout, ServerConfig, ServerOptions, ToolDetails, ToolEntry } from './servers.ts'
import type { ConsentRuleView, ModelRef, ProviderConfig, Settings } from './settings.ts'

interface Page<T> {
  readonly items: readonly T[]
  /** Pass it back for the next page; absent on the last. */
  readonly next?: string
  readonly total: number
}

export interface FolderListing {
  /** Absolute. */
  readonly path: string
  readonly parent?: string
  readonly folders: readonly string[]
  readonly suggestions: readonly string[]
  readonly truncated: boolean
}

export interface TrafficEntry {
  readonly n: number
  readonly at: number
  readonly direction: 'sent' | 'received' | 'http' | 'stderr'
  /** Redacted. */
  readonly text: string
  readonly bytes: number
  readonly method?: string
  readonly id?: string
  /** The answer is an error. */
  readonly failed?: boolean
}

export interface SearchHit {
  readonly head: ConversationHead
  readonly messageId?: MessageId
  /** The words around the hit. */
  readonly excerpt: string
}

/** Every request a renderer may make. It refers to things by id; the named exceptions are `server.add`, `.change` and `folder.list`. */
export interface HostRequests {
  'server.add': { params: { config: ServerConfig }; result: { serverId: ServerId } }
  'server.change': { params: { serverId: ServerId; config: ServerConfig }; result: { serverId: ServerId } }
  'server.remove': { params: { serverId: ServerId }; result: null }
  /** Puts the last removed entry back. */
  'server.restore': { params: { serverId: ServerId }; result: null }
  'server.setOptions': { params: { serverId: ServerId; options: Partial<ServerOptions> }; result: null }
  /** A person clicked: may ask for trust. */
  'server.start': { params: { serverId: ServerId }; result: null }
  'server.stop': { params: { serverId: ServerId }; result: null }
  'server.setLogLevel': { params: { serverId: ServerId; level: LogLevel }; result: null }
  /** Muted: what it asks of the person is refused unseen, and what is open is declined. Kept until unmuted. */
  'server.mute': { params: { serverId: ServerId; muted: boolean }; result: null }
  /** A person clicked: begins a sign-in, by starting the server if it does not run. The rest is questions and its record. */
  'server.authorize': { params: { serverId: ServerId }; result: null }
  /** Gives up the sign-in that is under way. */
  'server.cancelAuthorization': { params: { serverId: ServerId }; result: null }
  /** The address at which the browser ended. Throws `invalid-params` with a sentence when it is not the one that is waited for. */
  'server.pasteRedirect': { params: { serverId: ServerId; address: string }; result: null }
  /** Deletes what is kept for signing in, and tells the authorization server; with `everything`, the app's registration, too. */
  'server.forgetAuthorization': { params: { serverId: ServerId; everything: boolean }; result: null }
  /** Starts the count of its sampling budget anew. */
  'server.resetBudget': { params: { serverId: ServerId }; result: null }
  /** The folders that it is told of, as in its record, and what could be added. */
  'roots.read': {
    params: { serverId: ServerId }
    result: { folders?: readonly SharedFolder[]; suggestions: readonly FolderSuggestion[] }
  }
  /**
   * Decides which folders it is told of, for the server as it is launched now; null makes it undecided again, so that it is asked
   * about. Throws `invalid-params` with a sentence for the first folder that cannot be shared.
   */
  'roots.set': { params: { serverId: ServerId; folders: readonly FolderChoice[] | null }; result: null }
  /** A conversation's own folders; they only mark paths in tool arguments, and no server is told of them. */
  'conversation.folders': { params: { id: ConversationId }; result: { folders: readonly FolderChoice[] } }
  'conversation.setFolders': { params: { id: ConversationId; folders: readonly FolderChoice[] }; result: null }
  /** Moves values that stand in the clear in mcp.json to the secret store. */
  'server.liftSecrets': { params: { serverId: ServerId }; result: null }
  /**
   * A tool called by hand; goes the same way as a model's call, consent by the click itself. While it runs it stands in the server's
   * topic under `callId`, which the window makes up.
   */
  'server.call': {
    params: { serverId: ServerId; tool: string; arguments: JsonObject; callId?: ToolCallId }
    result: ToolCallResult
  }
  'server.about': { params: { serverId: ServerId }; result: ServerAbout }
  'catalog.tools': { params: { serverId: ServerId; cursor?: string; search?: string }; result: Page<ToolEntry> }
  'catalog.tool': { params: { serverId: ServerId; tool: string }; result: ToolDetails }
  'catalog.resources': { params: { serverId: ServerId; cursor?: string; search?: string }; result: Page<Resource> }
  'catalog.templates': { params: { serverId: ServerId; cursor?: string }; result: Page<ResourceTemplate> }
  'catalog.prompts': { params: { serverId: ServerId; cursor?: string; search?: string }; result: Page<Prompt> }
  'catalog.refresh': { params: { serverId: ServerId }; result: null }
  /**
   * Reads a resource by `resources/read`, whatever its scheme: neither our disk nor the web is ever read for it (RES-17, RES-18). The
   * click is the consent to read; nothing is told to a model. `uri` is one of the catalog, an expanded template, or of a link or
   * resource in a result. Above 8 MiB by the listed size it asks first. Throws `not-found` (the server has no such resource),
   * `invalid-params` (no address by RFC 3986, RES-20), `unavailable` (the server is not running or has no resources) or `refused`
   * (the server's own error, or larger than 32 MiB).
   */
  'resource.read': {
    params: { serverId: ServerId; uri: string; confirmed?: boolean }
    result: { is: 'read'; resource: ResourceContent } | Confirm
  }
  /** The address that a listed template makes of these values. Throws `invalid-params` with a sentence; nothing is sent. */
  'template.expand': {
    params: { serverId: ServerId; uriTemplate: string; values: Readonly<Record<string, string>> }
    result: { uri: string }
  }
  /** The variables of a listed template, in order, each once. */
  'template.variables': { params: { serverId: ServerId; uriTemplate: string }; result: { variables: readonly string[] } }
  /**
   * Gets a prompt and holds the answer for a preview; no conversation changes. Throws `invalid-params` naming the first required
   * argument that is missing (PROMPT-06), before anything is sent; `refused` with the server's own error.
   */
  'prompt.get': {
    params: { serverId: ServerId; prompt: string; arguments: Readonly<Record<string, string>> }
    result: PromptPreview
  }
  /**
   * Suggestions for one field of a form. `context` are the values of the form's other fields as chosen so far; nothing else is
   * sent (COMP-15). Never fails because of the server. A newer question about the same field makes an older one come back empty.
   */
  'completion.complete': {
    params: {
      serverId: ServerId
      of: CompletionSource
      argument: { name: string; value: string }
      context?: Readonly<Record<string, string>>
    }
    result: Completions
  }
  'traffic.read': {
    params: { serverId: ServerId; after?: number }
    result: { entries: readonly TrafficEntry[]; dropped: number }
  }

  'conversation.create': { params: { model?: ModelRef }; result: { id: ConversationId } }
  'conversation.rename': { params: { id: ConversationId; title: string }; result: null }
  'conversation.setModel': { params: { id: ConversationId; model: ModelRef }; result: null }
  /** Hides it at once; gone for good when the host next starts, unless restored. */
  'conversation.remove': { params: { id: ConversationId }; result: null }
  'conversation.restore': { params: { id: ConversationId }; result: null }
  /** Newest first. With `pinned` or `tag` only such; `total` then counts only those, too. */
  'conversation.page': { params: { before?: string; pinned?: boolean; tag?: string }; result: Page<ConversationHead> }
  /** Reads the resource and attaches it to the message that is being written; the click is the consent to pass it on when sent. */
  'conversation.attachResource': {
    params: { id: ConversationId; serverId: ServerId; uri: string; confirmed?: boolean }
    result: { is: 'attached'; attachment: Attachment } | Confirm
  }
  /** Takes back what waits for the next message. */
  'conversation.detach': { params: { id: ConversationId; attachmentId: AttachmentId }; result: null }
  /** Undoes `detach`: it is as it was, nothing is read anew. Throws `not-found` when that is too long ago. */
  'conversation.reattach': { params: { id: ConversationId; attachmentId: AttachmentId }; result: null }
  /**
   * Reads it anew. One that waits is replaced in its place; of one that was sent, a new one waits for the next message. Either has
   * `before`: both texts are there for the difference (`blob.text`).
   */
  'conversation.refreshAttachment': {
    params: { id: ConversationId; attachmentId: AttachmentId; confirmed?: boolean }
    result: { is: 'attached'; attachment: Attachment } | Confirm
  }
  /**
   * Puts a previewed prompt's messages into the conversation, in their order and with their origin, attachments that wait with the
   * last of them. `run` lets the model answer when the last of them is the person's. A preview is used once; an old one is `not-found`.
   */
  'conversation.attachPrompt': {
    params: { id: ConversationId; preview: PromptPreviewId; run: boolean }
    result: { messageIds: readonly MessageId[]; running: boolean }
  }
  /**
   * A new conversation with a copy of what is before: with a message of the model everything up to and with it, with one of the
   * person everything before it, and `text` is what it said, for the composer.
   */
  'conversation.fork': { params: { id: ConversationId; messageId: MessageId }; result: { id: ConversationId; text?: string } }
  /**
   * Replaces one of the person's messages and all that followed, and sends it; its attachments stay with it. What was there before
   * is kept whole as the conversation `kept`, a fork of this one.
   */
  'conversation.editAndResend': {
    params: { id: ConversationId; messageId: MessageId; text: string }
    result: { messageId: MessageId; kept: ConversationId }
  }
  'conversation.pin': { params: { id: ConversationId; pinned: boolean }; result: null }
  /** Replaces its tags; spaces around them and repetitions are dropped. */
  'conversation.tag': { params: { id: ConversationId; tags: readonly string[] }; result: null }
  /** Every tag in use, by name. */
  'conversation.tags': { params: Record<never, never>; result: { tags: readonly { tag: string; count: number }[] } }
  /** What the model is not offered here, kept with the conversation and seen in its topic. From the next round on. */
  'conversation.setSwitches': { params: { id: ConversationId; switches: ToolSwitches }; result: null }
  /**
   * The whole conversation with its tool traces, as a file to save. `url` is a link that downloads, good for ten minutes. JSON can
   * be imported again; attachments and results are inside up to 32 MiB, and `leftOut` says how many were too many.
   */
  'conversation.export': {
    params: { id: ConversationId; format: 'markdown' | 'json' }
    result: { url: string; name: string; bytes: number; leftOut: number }
  }
  /**
   * Takes an exported JSON file in pieces of at most 256 Ki characters, in order: the first without `upload`, each next with the
   * `upload` that the one before gave, the last with `last`. Nothing is kept before that. Throws `invalid-params` with a sentence
   * for what is no such file, or beyond 48 MiB.
   */
  'conversation.import': {
    params: { piece: string; upload?: string; last: boolean }
    result: { is: 'more'; upload: string } | { is: 'imported'; id: ConversationId; messages: number; warnings: readonly string[] }
  }
  /** What the next request to this conversation's model would hold. Ask anew after messages, attachments, switches or catalogs changed. */
  'context.read': { params: { id: ConversationId }; result: ContextReport }
  'conversation.search': { params: { query: string }; result: { hits: readonly SearchHit[] } }
  /** `text` may be empty when attachments wait: they are the message then. */
  'conversation.send': { params: { id: ConversationId; text: string }; result: { messageId: MessageId } }
  'message.page': {
    params: { id: ConversationId; before: MessageId }
    result: { messages: readonly Message[]; toolCalls: readonly ToolCall[]; hasEarlier: boolean }
  }
  'turn.cancel': { params: { id: ConversationId }; result: null }
  /** Goes on with a turn that failed, was stopped or interrupted. Asks again for each call that had not started. */
  'turn.retry': { params: { id: ConversationId }; result: null }
  /**
   * Lets another model answer the last message of the person again, and stays with that model. What the first one said is kept
   * whole as the conversation `kept`; absent when it had said nothing.
   */
  'turn.retryWith': { params: { id: ConversationId; model: ModelRef }; result: { kept?: ConversationId } }
  /** Gives a call that is overdue its time again, a model's or one by hand. Not granted when it is not overdue any more. */
  'toolCall.keepWaiting': { params: { toolCallId: ToolCallId }; result: { granted: boolean } }
  'toolCall.cancel': { params: { id: ConversationId; toolCallId: ToolCallId }; result: null }

  'interaction.answer': { params: Answer; result: { accepted: boolean } }
  'interaction.draft': { params: { id: InteractionId; draft: JsonValue }; result: null }
  'interaction.declineAll': { params: { serverId: ServerId }; result: { declined: number } }

  'consent.list': { params: Record<never, never>; result: { rules: readonly ConsentRuleView[] } }
  'consent.revoke': { params: { id: ConsentRuleId }; result: null }

  'settings.change': { params: { settings: Partial<Settings> }; result: null }
  'provider.add': { params: { config: ProviderConfig; key?: string }; result: { id: ProviderId } }
  'provider.change': { params: { id: ProviderId; config: ProviderConfig }; result: null }
  'provider.remove': { params: { id: ProviderId }; result: null }
  /** Saves or, with null, forgets a provider's key. It never comes back. */
  'provider.setKey': { params: { id: ProviderId; key: string | null }; result: null }
  /** How many tokens one of its models takes in, by the person's word, which wins; null: whatever the provider says. */
  'provider.setWindow': { params: { id: ProviderId; model: string; tokens: number | null }; result: null }
  /** Asks the provider which models it serves; reports success or the problem in its record. */
  'provider.refresh': { params: { id: ProviderId }; result: null }
  /** Looks for a local Ollama or LM Studio. */
  'provider.findLocal': { params: Record<never, never>; result: { found: readonly { name: string; baseUrl: string }[] } }

  'notice.dismiss': { params: { id: string }; result: null }
  /** The whole of a text that travelled cut. At most 1 MiB a call. */
  'blob.text': { params: { blob: string; offset: number }; result: { text: string; next?: number } }
  /** The first bytes of a blob, at most 2 KiB, as lower-case hex digits: to tell what it is when nothing can show it. */
  'blob.head': { params: { blob: string }; result: { hex: string } }
  /** A link for the renderer to show an image or audio by, valid for this window. */
  'blob.link': { params: { blob: BlobRef }; result: { url: string } }
  /** A link that saves a blob as a file of that name, whatever it is; valid for this window. */
  'blob.saveLink': { params: { blob: BlobRef; name: string }; result: { url: string } }
  'platform.pickFolder': { params: { title: string }; result: { path: string | null } }
  'folder.list': { params: { path?: string }; result: FolderListing }
  /** Opens an https link outside, after the page asked the person. */
  'platform.openLink': { params: { url: string }; result: null }
}

export type HostRequestName = keyof HostRequests
export type ParamsOf<N extends HostRequestName> = HostRequests[N]['params']
export type ResultOf<N extends HostRequestName> = HostRequests[N]['result']
