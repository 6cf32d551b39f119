import type { JsonObject } from '../../../src-shared/base/json.ts'
import type { Attachment } from '../../../src-shared/contract/attachments.ts'
import type { UnusedContent } from '../../../src-shared/contract/backups.ts'
import type { BlobRef } from '../../../src-shared/contract/blobs.ts'
import type {
  ConsentRule,
  LedgerCheck,
  LedgerEntry,
  LedgerLines,
  LedgerPage,
  Power,
  ToldTool,
} from '../../../src-shared/contract/consent.ts'
import type { ConversationHead, Message, SearchHit, ToolCall, Turn } from '../../../src-shared/contract/conversations.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'
import type { ConversationId, MessageId, ProjectId, ToolCallId } from '../../../src-shared/contract/ids.ts'
import type { FolderChoice, Place, Project } from '../../../src-shared/contract/projects.ts'
import type { ScheduleConfig, SchedulePause, ScheduleRun } from '../../../src-shared/contract/schedules.ts'
import type { Launch, LaunchSummary, PathUse, ServerOptions } from '../../../src-shared/contract/servers.ts'
import type { KeyState, ProviderKind, ProviderRecord, Settings, ToolSwitches } from '../../../src-shared/contract/settings.ts'
import type { ConversationEvent, ConversationTopic, MessageVersions } from '../../../src-shared/contract/topics.ts'
import type { Resource } from '../../../src-shared/mcp/content.ts'
import type {
  Implementation,
  Prompt,
  ProtocolVersion,
  ResourceTemplate,
  ServerCapabilities,
  Tool,
} from '../../../src-shared/mcp/primitives.ts'
import type { BackupStore } from './backup-store.ts'
import type { BlobContent } from './blob-content.ts'
import type { DamageStore, DatabaseCopy } from './damage.ts'

/** Everything that outlives the host. Asynchronous and JSON throughout, so that it can run in a thread. */
export interface Storage {
  /** Absolute. */
  readonly folder: string
  readonly serverFile: ServerFile
  readonly conversations: ConversationStore
  readonly messages: MessageStore
  readonly states: StateStore
  readonly search: SearchStore
  readonly ledger: LedgerStore
  readonly records: RecordStore
  readonly blobs: BlobStore
  readonly unused: UnusedStore
  readonly secrets: SecretStore
  readonly backups: BackupStore
  readonly damage: DamageStore
  /** Flushes, closes, and releases the lock. */
  close(): Promise<void>
}

export type StorageErrorCode =
  | 'locked'
  | 'newer-version'
  | 'read-only'
  | 'full'
  | 'corrupt'
  | 'unparsable'
  | 'conflict'
  | 'secret-elsewhere'
  | 'io'

interface StorageErrorOptions {
  readonly cause?: unknown
  readonly holder?: LockHolder
  readonly damaged?: NonNullable<StorageError['damaged']>
}

/** `message` is for the person: what failed and what to do. */
export class StorageError extends Error {
  readonly code: StorageErrorCode
  /** With `locked`: the process that holds the folder. */
  readonly holder: LockHolder | undefined
  /** With `corrupt`, for an unreadable database: the copy that can replace it if the person agrees. */
  readonly damaged: { readonly copy?: DatabaseCopy } | undefined

  constructor(code: StorageErrorCode, message: string, options: StorageErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.name = 'StorageError'
    this.code = code
    this.holder = options.holder
    this.damaged = options.damaged
  }
}

export interface LockHolder {
  readonly pid: number
  /** `run`: a prompt from the command line, without a window. */
  readonly shell: 'electron' | 'web' | 'run'
  /** The origin of a web shell. Never holds a token. */
  readonly address?: string
  /** Lets the command line of the same account run prompts in this host. */
  readonly runs?: { readonly port: number; readonly key: string }
  readonly closing: boolean
}

export type FileLaunch = Exclude<Launch, { type: 'built-in' }>

/** mcp.json in the de-facto `mcpServers` shape, followed live (decision 0017). */
export interface ServerFile {
  readonly path: string
  /** As last read. While the file does not parse: the last good entries, with the problem. */
  current(): ServerFileState
  /** Fires after an edit by hand or by us. Returns the undo. */
  onChange(listen: (state: ServerFileState) => void): () => void
  /** Adds or replaces one entry, keeping unknown keys, order and indent. Throws StorageError `unparsable`, `conflict`, `read-only`, `full`. */
  put(name: string, launch: FileLaunch): Promise<void>
  /** The same for several, in one write. */
  putAll(launches: ReadonlyMap<string, FileLaunch>): Promise<void>
  remove(...names: string[]): Promise<void>
  /** Puts the last removed entry of that name back with all its keys. False when there is none. */
  restore(name: string): Promise<boolean>
}

export interface ServerFileState {
  readonly entries: readonly ServerFileEntry[]
  /** Set while the file as a whole cannot be read. */
  readonly problem?: Problem
}

export interface ServerFileEntry {
  readonly name: string
  /** Absent when the entry is invalid. */
  readonly launch?: FileLaunch
  readonly problem?: Problem
  /** `disabled: true` in the file, as other hosts write it. */
  readonly disabled?: boolean
}

/** One change of a conversation, written before it is shown. */
export interface ConversationWrite {
  readonly conversationId: ConversationId
  readonly event: ConversationEvent
  /** Data for the host alone: provider state, the model's id of a call. Replaces earlier extras. */
  readonly extras?: JsonObject
}

/** State of a conversation besides its messages. A copy gets all but what was not sent yet: attachments, draft and queue. */
export interface ConversationState {
  /** Of the unsent message, oldest first; absent when there are none. */
  readonly attachments?: readonly Attachment[]
  /** The unsent text; absent when there is none. */
  readonly draft?: string
  readonly place?: Place
  /** Absent when nothing is switched off. */
  readonly switches?: ToolSwitches
  /** Messages that wait for the end of a turn, next first; absent when there are none. */
  readonly queue?: readonly Message[]
}

/** State that no event reports, since no window follows it. */
export type UnshownState = 'draft' | 'place'

export interface StoredMessage {
  readonly message: Message
  readonly extras?: JsonObject
}

export interface StoredToolCall {
  readonly toolCall: ToolCall
  readonly extras?: JsonObject
}

export interface Transcript {
  readonly messages: StoredMessage[]
  readonly toolCalls: Map<ToolCallId, StoredToolCall>
}

/** Each field narrows the heads; `project: null` means those without one. `before` is the `next` of a page. */
export interface HeadsQuery {
  readonly before?: string
  readonly limit: number
  readonly pinned?: boolean
  readonly tag?: string
  readonly archived?: boolean
  readonly project?: ProjectId | null
}

/** The end of a copy of a conversation: before that message, or with it. */
export interface ForkEnd {
  readonly at: MessageId
  readonly including: boolean
}

/** A head without its place in the order, which the store assigns. */
export type UnplacedHead = Omit<ConversationHead, 'sequence'>

/** A message's place in the tree of its conversation. */
export interface MessagePlace {
  readonly id: MessageId
  /** The message before it; absent for the first. */
  readonly parent?: MessageId
  /** 0 for a shown message. Those that were hidden together have the same number. */
  readonly hidden: number
}

/** A change of one conversation. Events make it the newest; a head alone keeps its place in the order. */
export interface ConversationChange {
  readonly id: ConversationId
  readonly head?: UnplacedHead
  /** Hides this message and all after it before the events. */
  readonly hideFrom?: MessageId
  /** Shows this message and what was shown after it last, in place of what is shown. */
  readonly show?: MessageId
  readonly events?: readonly ConversationEvent[]
  /** The places of messages that the events added; without it, each follows the last shown one. */
  readonly tree?: readonly MessagePlace[]
  readonly state?: Pick<ConversationState, UnshownState>
}

export interface ConversationStore {
  create(head: UnplacedHead): Promise<ConversationHead>
  head(id: ConversationId): Promise<ConversationHead | undefined>
  /** Newest first. Removed ones are neither listed nor counted. */
  heads(query: HeadsQuery): Promise<{ items: ConversationHead[]; next?: string; total: number }>
  /** Conversations of the project stay, without one. */
  leaveProject(project: ProjectId): Promise<void>
  tags(): Promise<{ tag: string; count: number }[]>
  /** Creates `head`, the newest, with a copy of what is shown of `from` up to `end`. One transaction. */
  fork(from: ConversationId, head: UnplacedHead, end: ForkEnd): Promise<ConversationHead>
  setRemoved(id: ConversationId, removed: boolean): Promise<void>
  /** Deletes the conversations that were removed before this start; returns how many. */
  purgeRemoved(): Promise<number>
  /** One transaction, durable when it resolves. */
  write(writes: readonly ConversationWrite[]): Promise<void>
  /**
   * Creates or changes a conversation and its contents in one transaction; returns the head when one is given. State of a deleted
   * conversation is dropped, and so are the oldest of very many drafts.
   */
  change(change: ConversationChange): Promise<ConversationHead | undefined>
  /** The last messages, their tool calls and the latest turn; at most `limit` messages. */
  open(id: ConversationId, limit: number): Promise<ConversationTopic | undefined>
  /** At start: turns, messages and calls that did not end become interrupted. Returns their conversations. */
  markInterrupted(now: number): Promise<ConversationId[]>
}

/** The contents of conversations: messages, tool calls and turns. */
export interface MessageStore {
  pageBefore(
    id: ConversationId,
    before: MessageId,
    limit: number,
  ): Promise<{ messages: Message[]; toolCalls: ToolCall[]; hasEarlier: boolean; versions: MessageVersions[] }>
  /** All that is shown, oldest first, for the model. */
  transcript(id: ConversationId): Promise<Transcript>
  toolCall(id: ConversationId, toolCallId: ToolCallId): Promise<ToolCall | undefined>
  /** Every message, shown or not, oldest first, and every tool call. */
  tree(id: ConversationId): Promise<{ messages: (MessagePlace & { message: Message })[]; toolCalls: ToolCall[] }>
  /** The number of versions of a message; 0 for an unknown one. */
  versionsOf(id: ConversationId, message: MessageId): Promise<number>
  /** The latest turn of the shown messages. */
  latestTurn(id: ConversationId): Promise<Turn | undefined>
  /** Conversations with interrupted calls that their servers ran as tasks, and may still run. */
  inBackground(): Promise<ConversationId[]>
}

/** The state of conversations besides their messages. */
interface StateStore {
  of(id: ConversationId): Promise<ConversationState>
  drafts(): Promise<Record<ConversationId, string>>
}

interface SearchStore {
  /** Full text over titles and messages; words are matched by prefix. */
  find(query: string, limit: number): Promise<SearchHit[]>
}

/** The audit log of tool use (TOOL-10): each entry is chained to the one before by its hash; none is changed or removed. */
export interface LedgerStore {
  /** Numbers and chains it; durable when it resolves. */
  add(entry: NewLedgerEntry): Promise<void>
  page(query: LedgerQuery): Promise<LedgerPage>
  /** The entries after `after` as JSON Lines, from 0, a part at a time. */
  lines(after: number): Promise<LedgerLines>
  /** Verifies the entries after `after`, from 0, a part at a time, so that nothing else waits long. */
  check(after: number): Promise<LedgerCheck>
}

export type NewLedgerEntry = Omit<LedgerEntry, 'number'>

/**
 * Words are matched by prefix in servers, tools, arguments, decisions and reasons; a conversation's entries are given all of them.
 * `before` is the `next` of a page.
 */
export interface LedgerQuery {
  readonly search?: string
  readonly conversationId?: ConversationId
  readonly before?: number
  readonly limit: number
}

export interface Collections {
  settings: Settings
  provider: StoredProvider
  'server-options': Partial<ServerOptions>
  trust: TrustRecord
  'consent-rule': ConsentRule
  /** Corrections of tools' powers by earlier versions, moved to `told-powers` at the start; key: server id, a line break, the tool. */
  'tool-powers': { readonly launchIdentity: string; readonly powers: readonly Power[] }
  /** Servers whose hints the person trusts; key: server id. */
  'trusted-hints': { readonly launchIdentity: string }
  /** The person's answers about hosts that views of a server load from; key: server id, a line break, a hash of the hosts. */
  'app-network': { readonly allowed: boolean }
  /** The hash of the last page of a tool's view; key: server id, a line break, the tool. */
  'app-page': { readonly page: string }
  /** The person's review of a server's tools; key: server id. */
  'told-powers': { readonly launchIdentity: string; readonly tools: Readonly<Record<string, ToldTool>> }
  /** The definition that a rule was made for, for the diff; key: fingerprint. */
  'tool-definition': { readonly json: string }
  /** Folders that servers are told of; key: launch identity and server id. */
  'server-folders': ServerFolders
  /** The origin of servers that were installed, and what was before the last update; key: server id. */
  'installed-server': InstalledServer
  /** Sampling used so far; key: launch identity and server id. */
  'sampling-used': SamplingUsed
  /** Reaches of servers that are watched; key: server id. */
  watch: Watched
  project: StoredProject
  schedule: StoredSchedule
  note: { readonly title: string; readonly text: string; readonly savedAt: number }
  /** The unsent text of no conversation yet; key: `new`. */
  draft: { readonly text: string }
  /** Introductions and lists of servers as of their last connections; key: server id. */
  'kept-offer': KeptOffer
  /** Eras that were slow to find out; key: launch identity. */
  'found-era': FoundEra
  /** Processes of ours that may have outlived us; key: pid. */
  process: ProcessRecord
}

/** A server's introduction and lists, as checked when it sent them. */
export interface KeptOffer {
  readonly launchIdentity: string
  readonly hello: {
    readonly protocolVersion: ProtocolVersion
    readonly serverInfo?: Implementation
    readonly capabilities: ServerCapabilities
    readonly instructions?: string
  }
  readonly catalog: {
    readonly tools: readonly {
      readonly tool: Tool
      readonly unusable?: string
      readonly mirrored?: readonly { readonly path: readonly string[]; readonly header: string }[]
    }[]
    readonly resources: readonly Resource[]
    readonly templates: readonly ResourceTemplate[]
    readonly prompts: readonly Prompt[]
    readonly problems: readonly string[]
  }
}

interface InstalledServer {
  readonly from?: InstalledFrom
  readonly before?: InstalledBefore
}

export interface InstalledFrom {
  readonly registry: string
  readonly name: string
  readonly version: string
}

interface InstalledBefore {
  readonly version: string
  readonly launch: FileLaunch
  readonly from?: InstalledFrom
}

export interface FoundEra {
  readonly by: 'silence' | 'exit' | 'http-sse'
  readonly at: number
}

export interface StoredProject extends Omit<Project, 'id' | 'toldTo' | 'files'> {
  /** Absent in older records. */
  readonly files?: Project['files']
  readonly changedAt: number
  /** Servers that are told of its folders, each as it was launched when the person said so. */
  readonly toldTo: readonly { readonly serverId: string; readonly launchIdentity: string }[]
}

export interface StoredSchedule {
  readonly config: ScheduleConfig
  /** The time from which the next run is counted. */
  readonly from: number
  readonly paused?: SchedulePause
  /** Newest first. */
  readonly runs: readonly ScheduleRun[]
}

export interface StoredProvider {
  readonly id: string
  readonly kind: Exclude<ProviderKind, 'demo'>
  readonly name: string
  readonly baseUrl?: string
  readonly models: readonly string[]
  /** Sent with each request; secret values lie in the secret store. */
  readonly headers?: NonNullable<ProviderRecord['headers']>
  /** Context windows that the person set, in tokens, by model. They override the provider's. */
  readonly windows?: Readonly<Record<string, number>>
  /** Context windows in tokens that the provider named when it refused a request as too long. */
  readonly learnedWindows?: Readonly<Record<string, number>>
}

export interface TrustRecord {
  readonly serverId: string
  readonly launchIdentity: string
  readonly launch: LaunchSummary
  /** Keyed hashes of the values of its variables, so that a changed one can be named. */
  readonly values?: Readonly<Record<string, string>>
  /** Hashes of its code files by path; null for an unreadable one. */
  readonly code?: Readonly<Record<string, string | null>>
  /** Hashes that count as those of `code`, by path: the person's own edits since. */
  readonly edits?: Readonly<Record<string, string>>
  /** Identities of the launches before it, the newest first, from which it differs by version alone. */
  readonly earlier?: readonly string[]
  /** When it was fenced together with others; it was allowed to run without a fence until then. */
  readonly openUntil?: number
  readonly at: number
}

export interface ServerFolders {
  readonly serverId: string
  readonly launchIdentity: string
  /** Real paths. */
  readonly folders: readonly FolderChoice[]
  readonly at: number
}

/** The facts that are kept of a watched server. Each list is bounded. */
export interface Watched {
  readonly places: readonly (readonly [place: string, use: PathUse])[]
  readonly hosts: readonly (readonly [host: string, reached: boolean])[]
  readonly sockets: readonly string[]
  readonly programs: readonly string[]
  readonly missed: number
}

export interface SamplingUsed {
  readonly serverId: string
  readonly launchIdentity: string
  readonly requests: number
  readonly tokens: number
}

interface ProcessRecord {
  readonly pid: number
  /** By the system, so that a recycled pid is never killed. */
  readonly startedAt: string
  readonly serverId: string
}

export interface RecordStore {
  all<C extends keyof Collections>(collection: C): Promise<Map<string, Collections[C]>>
  put<C extends keyof Collections>(collection: C, key: string, value: Collections[C]): Promise<void>
  remove(collection: keyof Collections, key: string): Promise<void>
}

export interface BlobStore {
  put(content: BlobContent, mimeType: string): Promise<BlobRef>
  has(blob: string): Promise<boolean>
  /** Throws StorageError `io` when it is not there; the name must match `^[0-9a-f]{64}$`. */
  read(blob: string, range?: { offset: number; length: number }): Promise<Uint8Array>
  /** UTF-8 text from a byte offset, in whole characters; `next` absent at the end. */
  text(blob: string, offset: number, length: number): Promise<{ text: string; next?: number }>
}

/** Blobs that nothing refers to any more. They are removed after a day. */
interface UnusedStore {
  look(): Promise<UnusedContent>
  /** Removes them now; returns the number and size. */
  free(): Promise<UnusedContent>
}

/** Keys, tokens, secret variables and headers. */
export interface SecretStore {
  /** Undefined when there is none. Throws StorageError `secret-elsewhere` for one that only another shell can open. */
  get(id: string): Promise<string | undefined>
  set(id: string, value: string): Promise<void>
  remove(id: string): Promise<void>
  state(id: string): Promise<Extract<KeyState, 'saved' | 'missing' | 'saved-elsewhere' | 'memory-only'>>
  /** A random key of this data folder, made at first use, for keyed hashes. */
  folderKey(): Promise<Uint8Array>
}
