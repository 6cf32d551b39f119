import { z } from 'zod'
import type { Resource } from '../mcp/content.ts'
import { LOG_LEVELS, type Prompt, type ResourceTemplate } from '../mcp/primitives.ts'
import { APP_CONTEXT_LIMIT, type AppNetworkAsked, type OpenedApp } from './apps.ts'
import {
  type CompletionAnswer,
  type Confirm,
  completionSource,
  FILE_CHUNK,
  type FileAttachment,
  type PromptPreview,
  type ResourceAttachment,
  type ResourceContent,
} from './attachments.ts'
import { redirectAddress } from './authorization.ts'
import { BACKUP_PIECE, type BackupContents, type BackupFile, type DataSizes, PASSPHRASE, type UnusedContent } from './backups.ts'
import { blobName, blobRef } from './blobs.ts'
import {
  type ConsentRuleView,
  type LedgerCheck,
  type LedgerLines,
  type LedgerPage,
  type PausedRules,
  personRule,
  type ToolPowersView,
  toldTool,
  type VerdictView,
} from './consent.ts'
import type { ContextReport, ToolCosts } from './context.ts'
import {
  type ConversationHead,
  IMPORT_PIECE,
  MAX_EXPORTED,
  type Message,
  type SearchHit,
  TITLE_LENGTH,
  type ToolCall,
  type ToolCallResult,
  tag,
  tags,
} from './conversations.ts'
import type { Diagnosis } from './doctor.ts'
import type { Problem } from './errors.ts'
import type {
  AttachmentId,
  ConsentRuleId,
  ConversationId,
  ImportReviewId,
  InteractionId,
  MessageId,
  NoteId,
  ProjectId,
  PromptPreviewId,
  ProviderId,
  ScheduleId,
  ServerId,
  ToolCallId,
} from './ids.ts'
import {
  BUNDLE_PIECE,
  type ExportedConfig,
  type FoundConfig,
  type ImportReview,
  type ImportSource,
  importChoice,
  importSource,
  otherHost,
} from './imports.ts'
import { answer } from './interactions.ts'
import type { NoteHead } from './notes.ts'
import {
  type FolderListing,
  type FolderSuggestion,
  folderChoices,
  type Place,
  type Project,
  place,
  projectChange,
  type SharedFolder,
} from './projects.ts'
import { type PackageOwner, type RegistryPage, registrySearch, type ServerOrigin } from './registries.ts'
import { type Schedule, scheduleConfig } from './schedules.ts'
import { count, type Frozen, id, json, jsonObject, line, MAX_TEXT_LENGTH, type Page, text, texts, whole } from './schema-parts.ts'
import {
  type CountedReach,
  type FencePolicy,
  MAX_AT_ONCE,
  type ServerAbout,
  type ServerUsage,
  serverConfig,
  serverFences,
  serverOptions,
  type ToolDetails,
  type ToolEntry,
  type TrafficEntry,
  type WatchReport,
} from './servers.ts'
import {
  type CertificateView,
  type KeyState,
  type ModelTrial,
  modelName,
  modelRef,
  providerConfig,
  settings,
  toolSwitches,
  WINDOW_RANGE,
} from './settings.ts'
import { type ListedSkills, type SkillText, skillRef } from './skills.ts'
import { type MessageVersions, URI_LIMIT } from './topics.ts'

/** The bridge validates the params; the result comes from the host and is only a type. */
interface Request<Params extends z.ZodType, Result> {
  readonly params: Params
  readonly result?: Result
}

const asks = <Shape extends z.ZodRawShape>(shape: Shape) => asksWith(z.strictObject(shape))

/** The result is null unless `gives` names another. */
function asksWith<Params extends z.ZodType>(params: Params) {
  const request: Request<Params, null> = { params }
  return { ...request, gives: <Result>(): Request<Params, Result> => ({ params }) }
}

const serverId = id<ServerId>()
const conversationId = id<ConversationId>()
const projectId = id<ProjectId>()
const scheduleId = id<ScheduleId>()
const noteId = id<NoteId>()
const messageId = id<MessageId>()
const attachmentId = id<AttachmentId>()
const providerId = id<ProviderId>()
const blob = blobName()
const cursor = text(500).exactOptional()
const search = text(500).exactOptional()
const uri = text(URI_LIMIT).min(1)
/** Of a tool, a prompt or an argument. */
const name = text(1000)
/** Values by field name. */
const fields = texts(1000, 64 * 1024, 200)
const confirmed = z.boolean().exactOptional()
/** One piece of a file; the first has no `upload`. */
const filePiece = {
  name: text(1000),
  piece: text((FILE_CHUNK / 3) * 4),
  upload: text(100).exactOptional(),
  last: z.boolean(),
}
type FileTaken = { is: 'more'; upload: string } | { is: 'attached'; attachment: FileAttachment }

/**
 * Every request of a renderer. Requests refer to things by id, with these exceptions: launches come with `server.add`, `.change` and
 * the text of `import.review`; paths come with `folder.list`, `roots.set`, `project.change`, `import.review`, `conversation.setPlace`,
 * `.attachNamedFile` and answers that name folders. The page imports only types from this file: the table needs all schemas.
 */
export const REQUESTS = {
  'server.add': asks({ config: serverConfig() }).gives<{ serverId: ServerId }>(),
  'server.change': asks({ serverId, config: serverConfig() }).gives<{ serverId: ServerId }>(),
  'server.remove': asks({ serverId }),
  /** Undoes an import in one write, except for servers that were changed since: those are `left`. */
  'server.takeBack': asks({ serverIds: z.array(serverId).min(1).max(MAX_AT_ONCE) }).gives<{ left: readonly ServerId[] }>(),
  /** Restores the last removed entry. */
  'server.restore': asks({ serverId }),
  'server.setOptions': asks({ serverId, options: serverOptions().exactPartial() }),
  /** Enables one tool for models. Not the whole list, so that quick changes in a row are all kept. */
  'server.offerTool': asks({ serverId, tool: name, offered: z.boolean() }),
  'server.runToolInBackground': asks({ serverId, tool: name, on: z.boolean() }),
  'server.reviewTool': asks({ serverId, tool: name, on: z.boolean() }),
  /** May ask for trust, since a person clicked. */
  'server.start': asks({ serverId }),
  'server.stop': asks({ serverId }),
  'server.restart': asks({ serverId }),
  'server.setLogLevel': asks({ serverId, level: z.enum(LOG_LEVELS) }),
  /** A muted server's questions are refused unseen, and its open ones declined. */
  'server.mute': asks({ serverId, muted: z.boolean() }),
  /** Begins a sign-in and starts the server if necessary. Continues with questions. */
  'server.authorize': asks({ serverId }),
  'server.cancelAuthorization': asks({ serverId }),
  /** The address that the browser ended at. Throws `invalid-params` with a sentence for an unexpected one. */
  'server.pasteRedirect': asks({ serverId, address: redirectAddress() }),
  /** Deletes the tokens and revokes them; with `everything`, the app's registration, too. */
  'server.forgetAuthorization': asks({ serverId, everything: z.boolean() }),
  'server.resetBudget': asks({ serverId }),
  /** The reason why a local server cannot be fenced here, its folders, the fence for it, and what that kept from it. */
  'fence.read': asks({ serverId }).gives<{
    problem?: Problem
    suggestions: FencePolicy['folders']
    /** The fence that it would get; `known` for a published server of which the needs are known. */
    proposal: FencePolicy
    /** The reason why it is better left open. */
    open?: string
    known: boolean
    blocked: readonly CountedReach[]
  }>(),
  /** The fence that each local server without one would get, and those that `fence.all` fenced last and nobody changed since. */
  'fence.offers': asks({}).gives<{
    servers: readonly { serverId: ServerId; problem?: Problem; proposal: FencePolicy; open?: string }[]
    together: readonly ServerId[]
  }>(),
  /** Fences servers that have no fence; `fence.openAgain` takes it back. */
  'fence.all': asks({ fences: serverFences() }),
  'fence.openAgain': asks({}),
  /** Opens a fence for what it blocked and the person just named. False if nothing changed. */
  'fence.open': asks({ serverId, name: text(4096) }).gives<{ opened: boolean }>(),
  'fence.watched': asks({ serverId }).gives<WatchReport>(),
  /** `folders` as in its record; `fromProjects` are shared by projects. */
  'roots.read': asks({ serverId }).gives<{
    folders?: readonly SharedFolder[]
    fromProjects: readonly SharedFolder[]
    suggestions: readonly FolderSuggestion[]
  }>(),
  /**
   * Sets the roots for the current launch; null makes them undecided, so that the person is asked. Throws `invalid-params` with a
   * sentence for the first folder that cannot be shared.
   */
  'roots.set': asks({ serverId, folders: folderChoices().nullable() }),
  /** The place of the conversation itself, without its project's. Not shared with servers. */
  'conversation.place': asks({ id: conversationId }).gives<Place>(),
  /** Throws `invalid-params` with a sentence for a missing folder or an invalid host. */
  'conversation.setPlace': asks({ id: conversationId, place: place() }),
  /** Moves secrets from mcp.json to the secret store. */
  'server.liftSecrets': asks({ serverId }),
  /**
   * Calls a tool by hand, as a model's call would be; the click is the consent. The running call is in the server's topic under
   * `callId`, which the window chooses.
   */
  'server.call': asks({
    serverId,
    tool: name,
    arguments: jsonObject(),
    callId: id<ToolCallId>().exactOptional(),
  }).gives<ToolCallResult>(),
  /**
   * Checks the files, processes, names, ports and certificates that the server depends on. Runs and contacts nothing of a server that is
   * not allowed. A more precise finding replaces the problem of its state.
   */
  'server.diagnose': asks({ serverId }).gives<Diagnosis>(),
  'server.about': asks({ serverId }).gives<ServerAbout>(),
  /** Null where it is not known. */
  'server.usage': asks({ serverId }).gives<{ usage: ServerUsage | null }>(),
  'catalog.tools': asks({ serverId, cursor, search }).gives<Page<ToolEntry>>(),
  'catalog.tool': asks({ serverId, tool: name }).gives<ToolDetails>(),
  'catalog.resources': asks({ serverId, cursor, search }).gives<Page<Resource>>(),
  'catalog.templates': asks({ serverId, cursor }).gives<Page<ResourceTemplate>>(),
  'catalog.prompts': asks({ serverId, cursor, search }).gives<Page<Prompt>>(),
  'catalog.refresh': asks({ serverId }),
  /**
   * Reads a resource by `resources/read`, whatever its scheme: never from the disk or the web (RES-17, RES-18). The click is the consent
   * to read; models get nothing. `uri` is from the catalog, an expanded template, or a link or resource in a result. Asks first above
   * 8 MiB by the listed size. Throws `not-found` (no such resource) and `invalid-params` (no URI by RFC 3986, RES-20). Also
   * `unavailable` (the server is not running or has no resources) and `refused` (the server's error, or larger than 32 MiB).
   */
  'resource.read': asks({ serverId, uri, confirmed }).gives<{ is: 'read'; resource: ResourceContent } | Confirm>(),
  /** Expands a listed template without sending anything. Throws `invalid-params` with a sentence. */
  'template.expand': asks({ serverId, uriTemplate: line(), values: fields }).gives<{ uri: string }>(),
  /** The variables of a listed template, in order, each once. */
  'template.variables': asks({ serverId, uriTemplate: line() }).gives<{ variables: readonly string[] }>(),
  /**
   * Gets a prompt for a preview; no conversation changes. Throws `invalid-params` with the first missing required argument before
   * anything is sent (PROMPT-06), and `refused` with the server's error.
   */
  'prompt.get': asks({ serverId, prompt: name, arguments: fields }).gives<PromptPreview>(),
  /**
   * Suggestions for one field of a form. `context` has the values of the other fields; nothing else is sent (COMP-15). Never fails
   * because of the server. A newer request for the same field makes an older one return empty.
   */
  'completion.complete': asks({
    serverId,
    of: completionSource(),
    argument: z.strictObject({ name, value: text(64 * 1024) }),
    context: fields.exactOptional(),
  }).gives<CompletionAnswer>(),
  /** Configurations of other hosts in their usual places, with their number of servers and nothing else. */
  'import.look': asks({}).gives<{ found: readonly FoundConfig[] }>(),
  /** Takes a bundle in pieces of base64 of BUNDLE_PIECE bytes: the first without `upload`, the next with the returned one. */
  'import.receive': asks({ piece: text((BUNDLE_PIECE / 3) * 4), upload: text(100).exactOptional() }).gives<{ upload: string }>(),
  /** The host holds a review for half an hour. Throws `invalid-params` with a sentence when nothing can be read. */
  'import.review': asks({ from: importSource() }).gives<ImportReview>(),
  /**
   * Adds all servers in one write or none, with secrets in the secret store. Enabled ones start, which asks for trust. Throws as
   * `server.add`, and `not-found` for an expired review.
   */
  'import.add': asks({
    review: id<ImportReviewId>(),
    servers: z.array(importChoice()).min(1).max(MAX_AT_ONCE),
  }).gives<{ serverIds: readonly ServerId[] }>(),
  /** One page of a registry in the settings. Throws `unavailable` with what to do when it cannot be read. */
  'registry.search': asks(registrySearch().shape).gives<RegistryPage>(),
  /** Asks the registry of a reviewed package if it belongs to the entry, and who owns it. Throws `unavailable`. */
  'registry.confirm': asks({ review: id<ImportReviewId>(), key: text(20) }).gives<PackageOwner>(),
  /** The latest version of a server's entry by its registry. Updates nothing. */
  'registry.latest': asks({ serverId }).gives<{ version: string; installed: string; from: ImportSource }>(),
  /** Null for a server that came from neither a bundle nor a registry. */
  'server.origin': asks({ serverId }).gives<{ origin: ServerOrigin | null }>(),
  /** Puts back the version before the last update; `missing` are variables to enter again. */
  'server.stepBack': asks({ serverId }).gives<{ missing: readonly string[] }>(),
  /** Servers in the format of another host, without secrets. */
  'server.export': asks({
    host: otherHost(),
    serverIds: z.array(serverId).min(1).max(MAX_AT_ONCE),
  }).gives<ExportedConfig>(),
  'traffic.read': asks({ serverId, after: count().exactOptional() }).gives<{
    entries: readonly TrafficEntry[]
    dropped: number
  }>(),

  'project.create': asks({ name: projectChange().shape.name }).gives<{ id: ProjectId }>(),
  'project.read': asks({ id: projectId }).gives<Project>(),
  /** Throws `invalid-params` with a sentence and changes nothing. */
  'project.change': asks({ id: projectId, change: projectChange().exactPartial() }),
  /** Its conversations stay, without a project. */
  'project.remove': asks({ id: projectId }),
  /** As `conversation.attachFile`, for all conversations in it. */
  'project.attachFile': asks({ id: projectId, ...filePiece }).gives<FileTaken>(),
  /** `restoreFile` undoes it until the host ends. */
  'project.removeFile': asks({ id: projectId, attachmentId }),
  'project.restoreFile': asks({ id: projectId, attachmentId }),

  /** The default model is its project's, else that of Settings. */
  'conversation.create': asks({
    model: modelRef().exactOptional(),
    project: projectId.exactOptional(),
  }).gives<{ id: ConversationId }>(),
  'conversation.setProject': asks({ id: conversationId, project: projectId.nullable() }),
  'conversation.archive': asks({ id: conversationId, archived: z.boolean() }),
  'conversation.rename': asks({ id: conversationId, title: text(TITLE_LENGTH) }),
  'conversation.setModel': asks({ id: conversationId, model: modelRef() }),
  /** Hides it; it is deleted at the next start unless restored. */
  'conversation.remove': asks({ id: conversationId }),
  'conversation.restore': asks({ id: conversationId }),
  /** For a conversation outside the lists on screen. Throws `not-found`. */
  'conversation.head': asks({ id: conversationId }).gives<ConversationHead>(),
  /** Newest first. Filters affect `total`, too; `project: null` means without a project. */
  'conversation.page': asks({
    before: text(500).exactOptional(),
    pinned: z.boolean().exactOptional(),
    tag: tag().exactOptional(),
    archived: z.boolean().exactOptional(),
    project: projectId.nullable().exactOptional(),
  }).gives<Page<ConversationHead>>(),
  /** Reads a resource and attaches it to the next message; the click is the consent to send it. */
  'conversation.attachResource': asks({ id: conversationId, serverId, uri, confirmed }).gives<
    { is: 'attached'; attachment: ResourceAttachment } | Confirm
  >(),
  /**
   * Attaches a file to the next message. Pieces are base64 of FILE_CHUNK bytes, the last one may be shorter; `upload` works as in
   * `conversation.import`. Throws `refused` with a sentence for a file that is too large or neither text, PNG, JPEG, WebP, GIF nor PDF.
   */
  'conversation.attachFile': asks({ id: conversationId, ...filePiece }).gives<FileTaken>(),
  /**
   * Searches the folders named for a conversation and its project, or for the project of a new one; best matches first, no hidden
   * files. `cut` means that not all files were searched.
   */
  'place.files': asks({ id: conversationId.exactOptional(), project: projectId.exactOptional(), query: text(200) }).gives<{
    folders: number
    /** `path` is absolute; `within` is for display. */
    files: readonly { readonly path: string; readonly within: string }[]
    cut: boolean
  }>(),
  /** Attaches a file that `place.files` found. */
  'conversation.attachNamedFile': asks({ id: conversationId, path: text(4096) }).gives<{
    is: 'attached'
    attachment: FileAttachment
  }>(),
  /** Attaches the messages of another conversation as they are now, without the results of its calls and without its files. */
  'conversation.attachConversation': asks({ id: conversationId, other: conversationId }).gives<{
    is: 'attached'
    attachment: FileAttachment
  }>(),
  'conversation.attachNote': asks({ id: conversationId, note: noteId }).gives<{
    is: 'attached'
    attachment: FileAttachment
  }>(),
  /** Asks for a web page once and attaches its text. Throws with a sentence where it cannot be read or its host is not on the internet. */
  'conversation.attachPage': asks({ id: conversationId, url: text(2048) }).gives<{
    is: 'attached'
    attachment: FileAttachment
  }>(),
  /** Removes an attachment of the next message. */
  'conversation.detach': asks({ id: conversationId, attachmentId }),
  /** Undoes `detach` without reading again. Throws `not-found` when that is too long ago. */
  'conversation.reattach': asks({ id: conversationId, attachmentId }),
  /**
   * Reads it again. Replaces an attachment of the next message; for a sent one, attaches a new one. Either has `before`, to show the
   * difference.
   */
  'conversation.refreshAttachment': asks({ id: conversationId, attachmentId, confirmed }).gives<
    { is: 'attached'; attachment: ResourceAttachment } | Confirm
  >(),
  /**
   * Adds the messages of a preview to the conversation, waiting attachments to the last of them. With `run`, the model answers if the
   * last one is the person's. A preview is used once; throws `not-found` for an expired one.
   */
  'conversation.attachPrompt': asks({ id: conversationId, preview: id<PromptPreviewId>(), run: z.boolean() }).gives<{
    messageIds: readonly MessageId[]
    running: boolean
  }>(),
  /**
   * Copies the conversation up to and including a message of the model, or up to a message of the person. The `text` of the latter is
   * for the composer.
   */
  'conversation.fork': asks({ id: conversationId, messageId }).gives<{ id: ConversationId; text?: string }>(),
  /** Sends another version of a message of the person, with its attachments. What followed stays with the former one. */
  'conversation.editAndResend': asks({ id: conversationId, messageId, text: text(MAX_TEXT_LENGTH) }).gives<{
    messageId: MessageId
  }>(),
  'conversation.pin': asks({ id: conversationId, pinned: z.boolean() }),
  /** Replaces its tags, trimmed and without repetitions. */
  'conversation.tag': asks({ id: conversationId, tags: tags() }),
  /** Every tag in use, by name, and the number of archived conversations. */
  'conversation.tags': asks({}).gives<{ tags: readonly { tag: string; count: number }[]; archived: number }>(),
  /** Applies from the next round on. */
  'conversation.setSwitches': asks({ id: conversationId, switches: toolSwitches() }),
  /**
   * Whole conversations with tool calls as one file. `url` is a download link for ten minutes. JSON can be imported again; it includes
   * attachments and results up to 32 MiB, without the number `leftOut`. Throws `refused` for more than an import takes.
   */
  'conversation.export': asks({
    ids: z.array(conversationId).min(1).max(MAX_EXPORTED),
    format: z.enum(['markdown', 'json']),
  }).gives<{
    url: string
    name: string
    bytes: number
    leftOut: number
  }>(),
  /**
   * Takes an exported JSON file in pieces of at most IMPORT_PIECE characters, in order: the first without `upload`, the next with the
   * `upload` of the previous result, the last with `last`. Nothing is stored before that. Throws `invalid-params` with a sentence for
   * another file, and above 48 MiB.
   */
  'conversation.import': asks({ piece: text(IMPORT_PIECE), upload: text(100).exactOptional(), last: z.boolean() }).gives<
    | { is: 'more'; upload: string }
    | { is: 'imported'; ids: readonly ConversationId[]; messages: number; warnings: readonly string[] }
  >(),
  /** By conversation id, and `new` for the next one. */
  'draft.all': asks({}).gives<{ drafts: Readonly<Record<string, string>> }>(),
  'draft.keep': asks({ id: z.union([z.literal('new'), conversationId]), text: text(MAX_TEXT_LENGTH) }),
  /** Tool costs for a conversation with this model, also before it exists. */
  'context.tools': asks({ model: modelRef(), project: projectId.exactOptional() }).gives<ToolCosts>(),
  /** Ask again after messages, attachments, switches or catalogs changed. */
  'context.read': asks({ id: conversationId }).gives<ContextReport>(),
  /** At most `SEARCH_HITS`. */
  'conversation.search': asks({ query: text(1000) }).gives<{ hits: readonly SearchHit[] }>(),
  /** `text` may be empty if there are attachments. */
  /** While a turn runs, the message waits for its end, or with `now` ends it after the calls that run. */
  'conversation.send': asks({ id: conversationId, text: text(MAX_TEXT_LENGTH), now: z.boolean().exactOptional() }).gives<{
    messageId: MessageId
  }>(),
  /** Sends a waiting message, as `now` does while a turn runs. */
  'queue.send': asks({ id: conversationId, messageId }),
  /** Gives the text of a waiting message to be edited; its attachments wait for the next message again. */
  'queue.take': asks({ id: conversationId, messageId }).gives<{ text: string }>(),
  'queue.remove': asks({ id: conversationId, messageId }),
  'queue.restore': asks({ id: conversationId, messageId }),
  'message.page': asks({ id: conversationId, before: messageId }).gives<{
    messages: readonly Message[]
    toolCalls: readonly ToolCall[]
    hasEarlier: boolean
    versions: readonly MessageVersions[]
  }>(),
  /** Shows another version of a message, with what was shown after it last. Throws `conflict` while a turn runs. */
  'message.showVersion': asks({ id: conversationId, messageId }),
  'note.save': asks({ id: conversationId, messageId }).gives<NoteHead>(),
  'note.rename': asks({ id: noteId, title: text(TITLE_LENGTH) }),
  'note.remove': asks({ id: noteId }),
  /** Undoes a removal. Throws `not-found` after many others. */
  'note.restore': asks({ id: noteId }),
  'schedule.add': asks({ config: scheduleConfig() }).gives<{ id: ScheduleId }>(),
  /** Also makes the prompt of a restored schedule the person's own. */
  'schedule.change': asks({ id: scheduleId, config: scheduleConfig() }),
  'schedule.read': asks({ id: scheduleId }).gives<Schedule>(),
  /** Throws `refused` with a sentence when it cannot continue. */
  'schedule.pause': asks({ id: scheduleId, paused: z.boolean() }),
  /** Runs it now. Throws `conflict` while it runs. */
  'schedule.run': asks({ id: scheduleId }).gives<{ id: ConversationId }>(),
  'schedule.remove': asks({ id: scheduleId }),
  /** Restores the last removed one. */
  'schedule.restore': asks({ id: scheduleId }),

  'turn.cancel': asks({ id: conversationId }),
  /** Continues without the servers that it waits for. */
  'turn.skipServers': asks({ id: conversationId }),
  /** Continues a failed, stopped or interrupted turn. Asks again for each call that had not started. */
  'turn.retry': asks({ id: conversationId }),
  /** Asks for another version of the last reply, by the conversation's model or another one, which becomes its own. */
  'turn.retryWith': asks({ id: conversationId, model: modelRef().exactOptional() }),
  /** Grants an overdue call, a model's or one by hand, the same time again. Not granted if it is no longer overdue. */
  /** Opens the view of a finished call; `network` answers whether it may load from the hosts that it was asked about. */
  'app.open': asks({ id: conversationId, toolCallId: id<ToolCallId>(), network: z.boolean().exactOptional() }).gives<
    OpenedApp | AppNetworkAsked
  >(),
  'app.close': asks({ view: line() }),
  /** A view's call of a tool of its own server. `acted`: the person acted in the view since the last denial. */
  'app.call': asks({ view: line(), tool: line(), arguments: jsonObject(), acted: z.boolean() }).gives<unknown>(),
  'app.tell': asks({ view: line(), text: text(APP_CONTEXT_LIMIT), structured: jsonObject().exactOptional() }),
  'app.read': asks({ view: line(), uri }).gives<unknown>(),
  /** Addresses that were blocked so far. */
  'toolCall.keepWaiting': asks({ toolCallId: id<ToolCallId>() }).gives<{ granted: boolean }>(),
  /** Shows the version that has a call, and gives its message. Throws `conflict` as `message.showVersion` does. */
  'toolCall.show': asks({ id: conversationId, toolCallId: id<ToolCallId>() }).gives<{ messageId: MessageId }>(),
  /** True if the person can undo what a call did to a file, since Parley knows the text that was there before. */
  'toolCall.canUndo': asks({ id: conversationId, toolCallId: id<ToolCallId>() }).gives<boolean>(),
  /** Makes the call that undoes another, with a question like any call. Resolves when it has ended; throws HostError if it failed. */
  'toolCall.undo': asks({ id: conversationId, toolCallId: id<ToolCallId>() }),
  'toolCall.cancel': asks({ id: conversationId, toolCallId: id<ToolCallId>() }),
  /** The reply continues without the result of a call in the background. */
  'toolCall.leave': asks({ id: conversationId, toolCallId: id<ToolCallId>() }),
  /** The model reads a result that came after its reply. */
  'toolCall.give': asks({ id: conversationId, toolCallId: id<ToolCallId>() }),

  'interaction.answer': asksWith(answer()).gives<{ accepted: boolean }>(),
  'interaction.draft': asks({ id: id<InteractionId>(), draft: json() }),
  'interaction.declineAll': asks({ serverId }).gives<{ declined: number }>(),

  'consent.list': asks({}).gives<{ rules: readonly ConsentRuleView[] }>(),
  'consent.revoke': asks({ id: id<ConsentRuleId>() }),
  /** Adds a rule that asks or denies. Rules that allow come only from answers. */
  'consent.add': asks({ rule: personRule() }).gives<{ id: ConsentRuleId }>(),
  'consent.export': asks({}).gives<{ json: string }>(),
  /** Adds exported rules that ask or deny; those that allow are `left` out. Throws `invalid-params` for an invalid rule. */
  'consent.import': asks({ json: text(MAX_TEXT_LENGTH) }).gives<{ added: number; left: number }>(),
  /** Rules paused by another version of the server. */
  'consent.paused': asks({ serverId: id<ServerId>() }).gives<PausedRules>(),
  /** Binds them to the launch that the person sees; tools whose definition changed stay paused. */
  'consent.resume': asks({ serverId: id<ServerId>(), launchIdentity: line() }),
  /** Judges a call without sending or asking anything. */
  'consent.simulate': asks({
    serverId: id<ServerId>(),
    tool: line(),
    arguments: jsonObject(),
    conversationId: id<ConversationId>().exactOptional(),
  }).gives<VerdictView>(),
  /** Trusts this server's hints about its tools, or stops trusting them. */
  'consent.trustHints': asks({ serverId: id<ServerId>(), trust: z.boolean() }),
  /** Sets the powers from the person’s review of these tools; null undoes every review of this server. */
  'consent.tellPowers': asks({ serverId: id<ServerId>(), tools: z.record(line(), toldTool()).nullable() }),
  'consent.tools': asks({ serverId: id<ServerId>() }).gives<{
    readonly hintsTrusted: boolean
    readonly tools: readonly ToolPowersView[]
  }>(),

  /** Newest first. `search` looks in servers, tools, arguments, decisions and reasons; not together with `conversationId`. */
  'ledger.page': asks({
    search,
    before: count().exactOptional(),
    conversationId: conversationId.exactOptional(),
  }).gives<LedgerPage>(),
  /** The whole ledger as JSON Lines, in parts, starting after 0. */
  'ledger.export': asks({ after: count() }).gives<LedgerLines>(),
  /** Checks the hash chain, in parts, starting after 0. */
  'ledger.check': asks({ after: count() }).gives<LedgerCheck>(),

  /** Why the title model failed the last time. */
  'titles.problem': asks({}).gives<{ problem?: Problem }>(),
  /** Throws `invalid-params` with a sentence for an unusable proxy or certificate and changes nothing. */
  'settings.change': asks({ settings: settings().omit({ skillFolder: true }).exactPartial() }),
  /** Added certificates, and the state of the proxy's password. */
  'network.read': asks({}).gives<{ certificates: readonly CertificateView[]; password: KeyState }>(),
  /** For the current proxy; null deletes it. */
  'network.setPassword': asks({ password: text(1000).nullable() }),
  /** Skills of the person's folder and of connected servers. */
  'skill.list': asks({}).gives<ListedSkills>(),
  /** Reads one file of a skill; nothing else of it is read. */
  'skill.read': asks({ skill: skillRef(), path: text(2048) }).gives<SkillText>(),
  /** Empty for no folder. */
  'skill.setFolder': asks({ path: text(4096) }),
  'provider.add': asks({ config: providerConfig(), key: line().exactOptional() }).gives<{ id: ProviderId }>(),
  'provider.change': asks({ id: providerId, config: providerConfig() }),
  'provider.remove': asks({ id: providerId }),
  /** Null deletes the key. The page can never read it. */
  'provider.setKey': asks({ id: providerId, key: line().nullable() }),
  /** Overrides the context window of a model, in tokens; null restores the provider's. */
  'provider.setWindow': asks({ id: providerId, model: modelName().min(1), tokens: whole(WINDOW_RANGE).nullable() }),
  /** Lists the provider's models again; the outcome is in its record. */
  'provider.refresh': asks({ id: providerId }),
  /** Sends a short message to its default model, which costs a few tokens. */
  'provider.try': asks({ id: providerId }).gives<ModelTrial>(),
  /** Looks for a local Ollama or LM Studio. */
  'provider.findLocal': asks({}).gives<{ found: readonly { name: string; baseUrl: string }[] }>(),

  'notice.dismiss': asks({ id: text(200) }),
  /** At most 1 MiB a call. */
  'blob.text': asks({ blob, offset: count() }).gives<{ text: string; next?: number }>(),
  /** The first 2 KiB in lower-case hex digits, for blobs without a viewer. */
  'blob.head': asks({ blob }).gives<{ hex: string }>(),
  /** A link to an image or audio, valid for this window. */
  'blob.link': asks({ blob: blobRef() }).gives<{ url: string }>(),
  /** A download link for any blob, valid for this window. */
  'blob.saveLink': asks({ blob: blobRef(), name: text(200) }).gives<{ url: string }>(),
  /** `waiting`: the next start restores a backup or opens the copy. `copy`: the database from before damage. */
  'data.read': asks({}).gives<{ sizes: DataSizes; waiting: boolean; copy?: { at: number } }>(),
  /** Opens the copy at the next start and keeps the current database. Throws `not-found` without a copy. */
  'data.openCopy': asks({}),
  /** Deletes the copy. Throws `conflict` if the next start opens it. */
  'data.removeCopy': asks({}),
  /** Searches all stored content. */
  'data.unused': asks({}).gives<UnusedContent>(),
  /** Deletes unused content; the result is what was deleted. */
  'data.free': asks({}).gives<UnusedContent>(),
  /** Opens the data folder in the system's file manager; desktop only. */
  'data.show': asks({}),
  /** Packs the data folder into one file, secrets only with a passphrase. Cancelling the request stops it. */
  'backup.make': asks({ passphrase: text(PASSPHRASE.most).min(PASSPHRASE.least).exactOptional() }).gives<BackupFile>(),
  /** Progress of a running `make` or `review`, 0 to 1; null when none runs. */
  'backup.progress': asks({}).gives<{ share: number | null }>(),
  /** Takes a backup in pieces of base64 of BACKUP_PIECE bytes: the first without `upload`, the next with the returned one. */
  'backup.receive': asks({ piece: text((BACKUP_PIECE / 3) * 4), upload: text(100).exactOptional() }).gives<{ upload: string }>(),
  /** Unpacks and checks it next to the current data. Throws `storage` with a sentence. */
  'backup.review': asks({ upload: text(100) }).gives<BackupContents>(),
  /** The next start restores the reviewed backup and keeps the current data. */
  'backup.restore': asks({ passphrase: text(PASSPHRASE.most).exactOptional() }),
  /** Discards the reviewed backup, even if it waits for the next start. */
  'backup.drop': asks({}),
  /** Desktop only. */
  'app.restart': asks({}),
  'platform.pickFolder': asks({ title: text(200) }).gives<{ path: string | null }>(),
  /** For a setting of a server. Desktop only, as above. */
  'platform.pickFile': asks({ title: text(200) }).gives<{ path: string | null }>(),
  'folder.list': asks({ path: line().exactOptional(), files: z.literal(true).exactOptional() }).gives<FolderListing>(),
  /** Opens an https link in the browser, after the page asked the person. */
  'platform.openLink': asks({ url: text(8192) }),
  /** The outcome is in the snapshot. This and the next two are refused without a configured feed. */
  'update.check': asks({}),
  'update.download': asks({}),
  /** Quits, installs the download, and restarts. */
  'update.install': asks({}),
}

export type HostRequestName = keyof typeof REQUESTS
type Resolved = {
  readonly [N in HostRequestName]: {
    readonly params: Frozen<z.output<(typeof REQUESTS)[N]['params']>>
    readonly result: (typeof REQUESTS)[N] extends Request<z.ZodType, infer Result> ? Result : never
  }
}
/** An interface, so that a generic name resolves to the members that all requests share. */
interface HostRequests extends Resolved {}
export type ParamsOf<N extends HostRequestName> = HostRequests[N]['params']
export type ResultOf<N extends HostRequestName> = HostRequests[N]['result']
