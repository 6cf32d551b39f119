import type { JsonObject, JsonValue } from '../base/json.ts'
import type { LogLevel, Prompt, Resource, ResourceTemplate } from '../mcp/primitives.ts'
import type { BlobRef } from './blobs.ts'
import type {
  ConversationHead,
  ConversationId,
  Message,
  MessageId,
  ToolCall,
  ToolCallId,
  ToolCallResult,
} from './conversations.ts'
import type { Answer, InteractionId } from './interactions.ts'
import type { FolderChoice, FolderSuggestion, SharedFolder } from './roots.ts'
import type { ServerConfig, ServerId, ServerOptions, ToolDetails, ToolEntry } from './servers.ts'
import type { ConsentRuleId, ConsentRuleView, ModelRef, ProviderConfig, ProviderId, Settings } from './settings.ts'

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
  /** A tool called by hand; goes the same way as a model's call, consent by the click itself. */
  'server.call': {
    params: { serverId: ServerId; tool: string; arguments: JsonObject }
    result: ToolCallResult
  }
  'catalog.tools': { params: { serverId: ServerId; cursor?: string; search?: string }; result: Page<ToolEntry> }
  'catalog.tool': { params: { serverId: ServerId; tool: string }; result: ToolDetails }
  'catalog.resources': { params: { serverId: ServerId; cursor?: string; search?: string }; result: Page<Resource> }
  'catalog.templates': { params: { serverId: ServerId; cursor?: string }; result: Page<ResourceTemplate> }
  'catalog.prompts': { params: { serverId: ServerId; cursor?: string; search?: string }; result: Page<Prompt> }
  'catalog.refresh': { params: { serverId: ServerId }; result: null }
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
  'conversation.page': { params: { before?: string }; result: Page<ConversationHead> }
  'conversation.search': { params: { query: string }; result: { hits: readonly SearchHit[] } }
  'conversation.send': { params: { id: ConversationId; text: string }; result: { messageId: MessageId } }
  'message.page': {
    params: { id: ConversationId; before: MessageId }
    result: { messages: readonly Message[]; toolCalls: readonly ToolCall[]; hasEarlier: boolean }
  }
  'turn.cancel': { params: { id: ConversationId }; result: null }
  /** Goes on with a turn that failed, was stopped or interrupted. Asks again for each call that had not started. */
  'turn.retry': { params: { id: ConversationId }; result: null }
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
  /** Asks the provider which models it serves; reports success or the problem in its record. */
  'provider.refresh': { params: { id: ProviderId }; result: null }
  /** Looks for a local Ollama or LM Studio. */
  'provider.findLocal': { params: Record<never, never>; result: { found: readonly { name: string; baseUrl: string }[] } }

  'notice.dismiss': { params: { id: string }; result: null }
  /** The whole of a text that travelled cut. At most 1 MiB a call. */
  'blob.text': { params: { blob: string; offset: number }; result: { text: string; next?: number } }
  /** A link for the renderer to show an image or audio by, valid for this window. */
  'blob.link': { params: { blob: BlobRef }; result: { url: string } }
  'platform.pickFolder': { params: { title: string }; result: { path: string | null } }
  'folder.list': { params: { path?: string }; result: FolderListing }
  /** Opens an https link outside, after the page asked the person. */
  'platform.openLink': { params: { url: string }; result: null }
}

export type HostRequestName = keyof HostRequests
export type ParamsOf<N extends HostRequestName> = HostRequests[N]['params']
export type ResultOf<N extends HostRequestName> = HostRequests[N]['result']
