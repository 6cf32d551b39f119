import { z } from 'zod'
import { LOG_LEVELS, type Prompt, type Resource, type ResourceTemplate } from '../mcp/primitives.ts'
import {
  type Completions,
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
  POWERS,
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
  ProjectId,
  PromptPreviewId,
  ProviderId,
  ServerId,
  ToolCallId,
} from './ids.ts'
import { type ExportedConfig, type FoundConfig, type ImportReview, importChoice, importSource, otherHost } from './imports.ts'
import { answer } from './interactions.ts'
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
import { count, type Frozen, id, json, jsonObject, line, MAX_TEXT_LENGTH, type Page, text, texts, whole } from './schema-parts.ts'
import {
  MAX_AT_ONCE,
  type ServerAbout,
  serverConfig,
  serverOptions,
  type ToolDetails,
  type ToolEntry,
  type TrafficEntry,
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
import { URI_LIMIT } from './topics.ts'

/** The params of a request, checked by the bridge. Its result comes from the host, and is only a type. */
interface Request<Params extends z.ZodType, Result> {
  readonly params: Params
  readonly result?: Result
}

const asks = <Shape extends z.ZodRawShape>(shape: Shape) => asksWith(z.strictObject(shape))

/** It gives null unless it says otherwise. */
function asksWith<Params extends z.ZodType>(params: Params) {
  const request: Request<Params, null> = { params }
  return { ...request, gives: <Result>(): Request<Params, Result> => ({ params }) }
}

const serverId = id<ServerId>()
const conversationId = id<ConversationId>()
const projectId = id<ProjectId>()
const messageId = id<MessageId>()
const attachmentId = id<AttachmentId>()
const providerId = id<ProviderId>()
const blob = blobName()
const cursor = text(500).exactOptional()
const search = text(500).exactOptional()
const uri = text(URI_LIMIT).min(1)
/** A tool's, a prompt's or an argument's. */
const name = text(1000)
/** Values that a person filled in, by the names of the fields. */
const fields = texts(1000, 64 * 1024, 200)
const confirmed = z.boolean().exactOptional()
/** One piece of a file of the person; `upload` is absent with the first. */
const filePiece = {
  name: text(1000),
  piece: text((FILE_CHUNK / 3) * 4),
  upload: text(100).exactOptional(),
  last: z.boolean(),
}
type FileTaken = { is: 'more'; upload: string } | { is: 'attached'; attachment: FileAttachment }

/**
 * Every request a renderer may make. It refers to things by id, with named exceptions: launches come with `server.add`, `.change`
 * and the text of `import.review`; paths that the host goes to with `folder.list`, `roots.set`, `project.change`, `import.review`,
 * `conversation.setPlace`, `.attachNamedFile` and answers that name folders: where the system has a dialog, folders that it gave.
 * The page takes only types from this file: the table brings all schemas along.
 */
export const REQUESTS = {
  'server.add': asks({ config: serverConfig() }).gives<{ serverId: ServerId }>(),
  'server.change': asks({ serverId, config: serverConfig() }).gives<{ serverId: ServerId }>(),
  'server.remove': asks({ serverId }),
  /** Takes back what an import added, in one write; gives what was changed since and stays. */
  'server.takeBack': asks({ serverIds: z.array(serverId).min(1).max(MAX_AT_ONCE) }).gives<{ left: readonly ServerId[] }>(),
  /** Puts the last removed entry back. */
  'server.restore': asks({ serverId }),
  'server.setOptions': asks({ serverId, options: serverOptions().exactPartial() }),
  /** Turns one tool on or off for models: a change of one, so that quick ones in a row are all kept. */
  'server.offerTool': asks({ serverId, tool: name, offered: z.boolean() }),
  /** A person clicked: may ask for trust. */
  'server.start': asks({ serverId }),
  'server.stop': asks({ serverId }),
  'server.restart': asks({ serverId }),
  'server.setLogLevel': asks({ serverId, level: z.enum(LOG_LEVELS) }),
  /** Muted: what it asks of the person is refused unseen, and what is open is declined. Kept until unmuted. */
  'server.mute': asks({ serverId, muted: z.boolean() }),
  /** A person clicked: begins a sign-in, by starting the server if it does not run. The rest is questions and its record. */
  'server.authorize': asks({ serverId }),
  /** Gives up the sign-in that is under way. */
  'server.cancelAuthorization': asks({ serverId }),
  /** The address at which the browser ended. Throws `invalid-params` with a sentence when it is not the one that is waited for. */
  'server.pasteRedirect': asks({ serverId, address: redirectAddress() }),
  /** Deletes what is kept for signing in, and tells the authorization server; with `everything`, the app's registration, too. */
  'server.forgetAuthorization': asks({ serverId, everything: z.boolean() }),
  /** Resets its sampling budget. */
  'server.resetBudget': asks({ serverId }),
  /** The folders that it is told of, as in its record; those that projects share with it beside them; and what could be added. */
  'roots.read': asks({ serverId }).gives<{
    folders?: readonly SharedFolder[]
    lent: readonly SharedFolder[]
    suggestions: readonly FolderSuggestion[]
  }>(),
  /**
   * Decides which folders it is told of, for the server as it is launched now; null makes it undecided again, so that it is asked
   * about. Throws `invalid-params` with a sentence for the first folder that cannot be shared.
   */
  'roots.set': asks({ serverId, folders: folderChoices().nullable() }),
  /** The place of one conversation, without its project's. No server is told of it. */
  'conversation.place': asks({ id: conversationId }).gives<Place>(),
  /** Throws `invalid-params` with a sentence for the first folder that is not there, and for what is no site. */
  'conversation.setPlace': asks({ id: conversationId, place: place() }),
  /** Moves values that stand in the clear in mcp.json to the secret store. */
  'server.liftSecrets': asks({ serverId }),
  /**
   * A tool called by hand; goes the same way as a model's call, consent by the click itself. While it runs it stands in the server's
   * topic under `callId`, which the window makes up.
   */
  'server.call': asks({
    serverId,
    tool: name,
    arguments: jsonObject(),
    callId: id<ToolCallId>().exactOptional(),
  }).gives<ToolCallResult>(),
  /**
   * Why it does not work, or what could be better, looked at now: files, processes, names, ports and certificates that it depends on.
   * Nothing of a server that is not allowed is run or contacted. A finding that says more than its state does becomes its state's problem.
   */
  'server.diagnose': asks({ serverId }).gives<Diagnosis>(),
  'server.about': asks({ serverId }).gives<ServerAbout>(),
  'catalog.tools': asks({ serverId, cursor, search }).gives<Page<ToolEntry>>(),
  'catalog.tool': asks({ serverId, tool: name }).gives<ToolDetails>(),
  'catalog.resources': asks({ serverId, cursor, search }).gives<Page<Resource>>(),
  'catalog.templates': asks({ serverId, cursor }).gives<Page<ResourceTemplate>>(),
  'catalog.prompts': asks({ serverId, cursor, search }).gives<Page<Prompt>>(),
  'catalog.refresh': asks({ serverId }),
  /**
   * Reads a resource by `resources/read`, whatever its scheme: neither our disk nor the web is ever read for it (RES-17, RES-18). The
   * click is the consent to read; nothing is told to a model. `uri` is one of the catalog, an expanded template, or of a link or
   * resource in a result. Above 8 MiB by the listed size it asks first. Throws `not-found` (the server has no such resource),
   * `invalid-params` (no address by RFC 3986, RES-20), `unavailable` (the server is not running or has no resources) or `refused`
   * (the server's own error, or larger than 32 MiB).
   */
  'resource.read': asks({ serverId, uri, confirmed }).gives<{ is: 'read'; resource: ResourceContent } | Confirm>(),
  /** The address that a listed template makes of these values. Throws `invalid-params` with a sentence; nothing is sent. */
  'template.expand': asks({ serverId, uriTemplate: line(), values: fields }).gives<{ uri: string }>(),
  /** The variables of a listed template, in order, each once. */
  'template.variables': asks({ serverId, uriTemplate: line() }).gives<{ variables: readonly string[] }>(),
  /**
   * Gets a prompt and holds the answer for a preview; no conversation changes. Throws `invalid-params` naming the first required
   * argument that is missing (PROMPT-06), before anything is sent; `refused` with the server's own error.
   */
  'prompt.get': asks({ serverId, prompt: name, arguments: fields }).gives<PromptPreview>(),
  /**
   * Suggestions for one field of a form. `context` are the values of the form's other fields as chosen so far; nothing else is
   * sent (COMP-15). Never fails because of the server. A newer question about the same field makes an older one come back empty.
   */
  'completion.complete': asks({
    serverId,
    of: completionSource(),
    argument: z.strictObject({ name, value: text(64 * 1024) }),
    context: fields.exactOptional(),
  }).gives<Completions>(),
  /** Configurations of other hosts in their usual places. Tells where they are and how many servers they hold, nothing else. */
  'import.look': asks({}).gives<{ found: readonly FoundConfig[] }>(),
  /** Reads them and holds what they say for half an hour. Throws `invalid-params` with a sentence when nothing at all can be read. */
  'import.review': asks({ from: importSource() }).gives<ImportReview>(),
  /**
   * Adds servers of a review, all in one write or none, secrets into the secret store; those that are enabled start, which asks.
   * Throws as `server.add` does, and `not-found` when the review is too old.
   */
  'import.add': asks({
    review: id<ImportReviewId>(),
    servers: z.array(importChoice()).min(1).max(MAX_AT_ONCE),
  }).gives<{ serverIds: readonly ServerId[] }>(),
  /** Servers as another host's configuration has them, without any secret. */
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
  /** Throws `invalid-params` with a sentence; nothing is changed then. */
  'project.change': asks({ id: projectId, change: projectChange().exactPartial() }),
  /** Its conversations stay, in none. */
  'project.remove': asks({ id: projectId }),
  /** As `conversation.attachFile`: a file that every conversation in it is given. */
  'project.attachFile': asks({ id: projectId, ...filePiece }).gives<FileTaken>(),
  /** With the file as it was until then, which `restoreFile` puts back for as long as the host runs. */
  'project.removeFile': asks({ id: projectId, attachmentId }),
  'project.restoreFile': asks({ id: projectId, attachmentId }),

  /** Without a model it begins with its project's, or the one that is chosen in Settings. */
  'conversation.create': asks({
    model: modelRef().exactOptional(),
    project: projectId.exactOptional(),
  }).gives<{ id: ConversationId }>(),
  /** Null: into none. */
  'conversation.setProject': asks({ id: conversationId, project: projectId.nullable() }),
  'conversation.archive': asks({ id: conversationId, archived: z.boolean() }),
  'conversation.rename': asks({ id: conversationId, title: text(TITLE_LENGTH) }),
  'conversation.setModel': asks({ id: conversationId, model: modelRef() }),
  /** Hides it at once; gone for good when the host next starts, unless restored. */
  'conversation.remove': asks({ id: conversationId }),
  'conversation.restore': asks({ id: conversationId }),
  /** One that no list on screen holds. Errors: `not-found`. */
  'conversation.head': asks({ id: conversationId }).gives<ConversationHead>(),
  /** Newest first. Only such as are asked for, `project: null` being those of none; `total` then counts only those, too. */
  'conversation.page': asks({
    before: text(500).exactOptional(),
    pinned: z.boolean().exactOptional(),
    tag: tag().exactOptional(),
    archived: z.boolean().exactOptional(),
    project: projectId.nullable().exactOptional(),
  }).gives<Page<ConversationHead>>(),
  /** Reads the resource and attaches it to the message that is being written; the click is the consent to pass it on when sent. */
  'conversation.attachResource': asks({ id: conversationId, serverId, uri, confirmed }).gives<
    { is: 'attached'; attachment: ResourceAttachment } | Confirm
  >(),
  /**
   * Takes a file of the person and attaches it to the message that is being written; in pieces of base64 of at most FILE_BITE bytes,
   * each of whole groups of three but the last, as `conversation.import` takes them. Throws `refused` with a sentence for what is
   * too large or is neither text, PNG, JPEG, WebP, GIF nor PDF.
   */
  'conversation.attachFile': asks({ id: conversationId, ...filePiece }).gives<FileTaken>(),
  /**
   * Files in the folders that were named for a conversation and its project, or for the project of a new one: those that a search
   * finds, best first. Hidden ones are left out. `cut`: there are more than were looked at.
   */
  'place.files': asks({ id: conversationId.exactOptional(), project: projectId.exactOptional(), query: text(200) }).gives<{
    folders: number
    /** `path` is absolute; `within` is for people. */
    files: readonly { readonly path: string; readonly within: string }[]
    cut: boolean
  }>(),
  /** Attaches one of them as `attachFile` does. */
  'conversation.attachNamedFile': asks({ id: conversationId, path: text(4096) }).gives<{
    is: 'attached'
    attachment: FileAttachment
  }>(),
  /** Takes back what waits for the next message. */
  'conversation.detach': asks({ id: conversationId, attachmentId }),
  /** Undoes `detach`: it is as it was, nothing is read again. Throws `not-found` when that is too long ago. */
  'conversation.reattach': asks({ id: conversationId, attachmentId }),
  /**
   * Reads it again. One that waits is replaced in its place; of one that was sent, a new one waits for the next message. Either has
   * `before`: both texts are there for the difference (`blob.text`).
   */
  'conversation.refreshAttachment': asks({ id: conversationId, attachmentId, confirmed }).gives<
    { is: 'attached'; attachment: ResourceAttachment } | Confirm
  >(),
  /**
   * Puts a previewed prompt's messages into the conversation, in their order and with their origin, attachments that wait with the
   * last of them. `run` lets the model answer when the last of them is the person's. A preview is used once; an old one is `not-found`.
   */
  'conversation.attachPrompt': asks({ id: conversationId, preview: id<PromptPreviewId>(), run: z.boolean() }).gives<{
    messageIds: readonly MessageId[]
    running: boolean
  }>(),
  /**
   * A new conversation with a copy of what is before: with a message of the model everything up to and with it, with one of the
   * person everything before it, and `text` is what it said, for the composer.
   */
  'conversation.fork': asks({ id: conversationId, messageId }).gives<{ id: ConversationId; text?: string }>(),
  /**
   * Replaces one of the person's messages and all that followed, and sends it; its attachments stay with it. What was there before
   * is kept whole as the conversation `kept`, a fork of this one.
   */
  'conversation.editAndResend': asks({ id: conversationId, messageId, text: text(MAX_TEXT_LENGTH) }).gives<{
    messageId: MessageId
    kept: ConversationId
  }>(),
  'conversation.pin': asks({ id: conversationId, pinned: z.boolean() }),
  /** Replaces its tags; spaces around them and repetitions are dropped. */
  'conversation.tag': asks({ id: conversationId, tags: tags() }),
  /** Every tag in use, by name, and how many conversations are archived. */
  'conversation.tags': asks({}).gives<{ tags: readonly { tag: string; count: number }[]; archived: number }>(),
  /** Servers and tools that the model is not offered here, kept with the conversation and seen in its topic. From the next round on. */
  'conversation.setSwitches': asks({ id: conversationId, switches: toolSwitches() }),
  /**
   * Whole conversations with their tool traces, as one file to save. `url` is a link that downloads, good for ten minutes. JSON can
   * be imported again; attachments and results are inside up to 32 MiB, and `leftOut` says how many were too many. Throws `refused`
   * for more than an import takes.
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
   * Takes an exported JSON file in pieces of at most IMPORT_PIECE characters, in order: the first without `upload`, each next with the
   * `upload` that the one before gave, the last with `last`. Nothing is kept before that. Throws `invalid-params` with a sentence
   * for what is no such file, or beyond 48 MiB.
   */
  'conversation.import': asks({ piece: text(IMPORT_PIECE), upload: text(100).exactOptional(), last: z.boolean() }).gives<
    | { is: 'more'; upload: string }
    | { is: 'imported'; ids: readonly ConversationId[]; messages: number; warnings: readonly string[] }
  >(),
  /** By conversation, and of the next `new` one. */
  'draft.all': asks({}).gives<{ drafts: Readonly<Record<string, string>> }>(),
  'draft.keep': asks({ id: z.union([z.literal('new'), conversationId]), text: text(MAX_TEXT_LENGTH) }),
  /** For the switches of a conversation that this model answers, before there is one, too. */
  'context.tools': asks({ model: modelRef(), project: projectId.exactOptional() }).gives<ToolCosts>(),
  /** The contents of the next request to this conversation's model. Ask again after messages, attachments, switches or catalogs changed. */
  'context.read': asks({ id: conversationId }).gives<ContextReport>(),
  /** At most `SEARCH_HITS`. */
  'conversation.search': asks({ query: text(1000) }).gives<{ hits: readonly SearchHit[] }>(),
  /** `text` may be empty when attachments wait: they are the message then. */
  'conversation.send': asks({ id: conversationId, text: text(MAX_TEXT_LENGTH) }).gives<{ messageId: MessageId }>(),
  'message.page': asks({ id: conversationId, before: messageId }).gives<{
    messages: readonly Message[]
    toolCalls: readonly ToolCall[]
    hasEarlier: boolean
  }>(),
  'turn.cancel': asks({ id: conversationId }),
  /** Goes on with a turn that failed, was stopped or interrupted. Asks again for each call that had not started. */
  'turn.retry': asks({ id: conversationId }),
  /**
   * Lets a model answer the last message of the person again: another one, which it stays with, or its own. What was said is kept
   * whole as the conversation `kept`; absent when it had said nothing.
   */
  'turn.retryWith': asks({ id: conversationId, model: modelRef().exactOptional() }).gives<{ kept?: ConversationId }>(),
  /** Gives a call that is overdue its time again, a model's or one by hand. Not granted when it is not overdue any more. */
  'toolCall.keepWaiting': asks({ toolCallId: id<ToolCallId>() }).gives<{ granted: boolean }>(),
  'toolCall.cancel': asks({ id: conversationId, toolCallId: id<ToolCallId>() }),

  'interaction.answer': asksWith(answer()).gives<{ accepted: boolean }>(),
  'interaction.draft': asks({ id: id<InteractionId>(), draft: json() }),
  'interaction.declineAll': asks({ serverId }).gives<{ declined: number }>(),

  'consent.list': asks({}).gives<{ rules: readonly ConsentRuleView[] }>(),
  'consent.revoke': asks({ id: id<ConsentRuleId>() }),
  /** A rule that the person writes in Settings: one that asks or denies. Ones that allow come of questions. */
  'consent.add': asks({ rule: personRule() }).gives<{ id: ConsentRuleId }>(),
  /** All rules as a JSON text. */
  'consent.export': asks({}).gives<{ json: string }>(),
  /** Adds the rules of an exported text; `invalid-params` says which is none. Rules that allow what is not configured here are left out. */
  'consent.import': asks({ json: text(MAX_TEXT_LENGTH) }).gives<{ added: number; left: number }>(),
  /** The rules that pause because the server runs in another version than before. */
  'consent.paused': asks({ serverId: id<ServerId>() }).gives<PausedRules>(),
  /** Lets them go on for the launch that the person sees; tools whose definition changed stay paused. */
  'consent.resume': asks({ serverId: id<ServerId>(), launchIdentity: line() }),
  /** The verdict on a call, and its reasons. Nothing is sent and nothing is asked. */
  'consent.simulate': asks({
    serverId: id<ServerId>(),
    tool: line(),
    arguments: jsonObject(),
    conversationId: id<ConversationId>().exactOptional(),
  }).gives<VerdictView>(),
  /** The person's correction of a tool's powers; null takes it back. */
  'consent.correct': asks({ serverId: id<ServerId>(), tool: line(), powers: z.array(z.enum(POWERS)).nullable() }),
  /** The person trusts, or no longer trusts, what this server says of its tools. */
  'consent.trustHints': asks({ serverId: id<ServerId>(), trust: z.boolean() }),
  /** The person looked at these tools and says what they do, in the place of all that was said before; null takes it back. */
  'consent.tellPowers': asks({ serverId: id<ServerId>(), tools: z.record(line(), toldTool()).nullable() }),
  /** The powers of a server's tools as they are judged. */
  'consent.tools': asks({ serverId: id<ServerId>() }).gives<{
    readonly hintsTrusted: boolean
    readonly tools: readonly ToolPowersView[]
  }>(),

  /** Decisions about tool calls, newest first. `search` finds words of servers, tools, arguments, decisions and reasons. */
  'ledger.page': asks({ search, before: count().exactOptional() }).gives<LedgerPage>(),
  /** The whole ledger as JSON Lines, part by part from 0 on. */
  'ledger.export': asks({ after: count() }).gives<LedgerLines>(),
  /** Checks that every entry follows from the one before, part by part from 0 on. */
  'ledger.check': asks({ after: count() }).gives<LedgerCheck>(),

  /** Why the last title could not be written by the model that Settings name. */
  'titles.problem': asks({}).gives<{ problem?: Problem }>(),
  /** Throws `invalid-params` with a sentence for a proxy or certificates that cannot be used; nothing is changed then. */
  'settings.change': asks({ settings: settings().exactPartial() }),
  /** The rest of the network settings: added certificates, and whether the proxy's password is stored. */
  'network.read': asks({}).gives<{ certificates: readonly CertificateView[]; password: KeyState }>(),
  /** For the proxy that is set now; null: forgets it. */
  'network.setPassword': asks({ password: text(1000).nullable() }),
  'provider.add': asks({ config: providerConfig(), key: line().exactOptional() }).gives<{ id: ProviderId }>(),
  'provider.change': asks({ id: providerId, config: providerConfig() }),
  'provider.remove': asks({ id: providerId }),
  /** Saves or, with null, forgets a provider's key. It never comes back. */
  'provider.setKey': asks({ id: providerId, key: line().nullable() }),
  /** How many tokens one of its models takes in, by the person's word, which wins; null: whatever the provider says. */
  'provider.setWindow': asks({ id: providerId, model: modelName().min(1), tokens: whole(WINDOW_RANGE).nullable() }),
  /** Asks the provider which models it serves; reports success or the problem in its record. */
  'provider.refresh': asks({ id: providerId }),
  /** Sends its default model one short message, which costs a few tokens. */
  'provider.try': asks({ id: providerId }).gives<ModelTrial>(),
  /** Looks for a local Ollama or LM Studio. */
  'provider.findLocal': asks({}).gives<{ found: readonly { name: string; baseUrl: string }[] }>(),

  'notice.dismiss': asks({ id: text(200) }),
  /** The whole of a text that travelled cut. At most 1 MiB a call. */
  'blob.text': asks({ blob, offset: count() }).gives<{ text: string; next?: number }>(),
  /** The first bytes of a blob, at most 2 KiB, as lower-case hex digits: to tell what it is when nothing can show it. */
  'blob.head': asks({ blob }).gives<{ hex: string }>(),
  /** A link for the renderer to show an image or audio by, valid for this window. */
  'blob.link': asks({ blob: blobRef() }).gives<{ url: string }>(),
  /** A link that saves a blob as a file of that name, whatever it is; valid for this window. */
  'blob.saveLink': asks({ blob: blobRef(), name: text(200) }).gives<{ url: string }>(),
  /** `waiting`: a backup, or the copy, is put in place at the next start. `copy`: one of before damage. */
  'data.read': asks({}).gives<{ sizes: DataSizes; waiting: boolean; copy?: { at: number } }>(),
  /** Puts it in the place of the database at the next start; the database is kept. Throws `not-found` where there is none. */
  'data.openCopy': asks({}),
  /** Deletes it: nothing is missing. Throws `conflict` where it waits to be opened. */
  'data.removeCopy': asks({}),
  /** The space that could be freed; looks through all stored content. */
  'data.unused': asks({}).gives<UnusedContent>(),
  /** Removes it; gives what was removed. */
  'data.free': asks({}).gives<UnusedContent>(),
  /** Shows the data folder in the system's own window; desktop only. */
  'data.show': asks({}),
  /** The whole data folder as one file; its secrets only under a passphrase. Cancelling the request gives it up. */
  'backup.make': asks({ passphrase: text(PASSPHRASE.most).min(PASSPHRASE.least).exactOptional() }).gives<BackupFile>(),
  /** How much of what is being made or reviewed is done, 0 to 1; null when nothing is. */
  'backup.progress': asks({}).gives<{ share: number | null }>(),
  /** Takes a backup in pieces of base64, each of BACKUP_PIECE bytes but the last: the first without `upload`, each next with what came back. */
  'backup.receive': asks({ piece: text((BACKUP_PIECE / 3) * 4), upload: text(100).exactOptional() }).gives<{ upload: string }>(),
  /** Unpacks and checks all of it, beside what is there. Throws `storage` with a sentence. */
  'backup.review': asks({ upload: text(100) }).gives<BackupContents>(),
  /** Puts what was reviewed in place at the next start; what is there is kept whole. */
  'backup.restore': asks({ passphrase: text(PASSPHRASE.most).exactOptional() }),
  /** Throws away what was reviewed, also what waits for the next start. */
  'backup.drop': asks({}),
  /** Ends Parley and starts it again; desktop only. */
  'app.restart': asks({}),
  'platform.pickFolder': asks({ title: text(200) }).gives<{ path: string | null }>(),
  'folder.list': asks({ path: line().exactOptional() }).gives<FolderListing>(),
  /** Opens an https link outside, after the page asked the person. */
  'platform.openLink': asks({ url: text(8192) }),
  /** Looks for an update; what it found is in the snapshot. Refused where no feed is configured, as the two below. */
  'update.check': asks({}),
  'update.download': asks({}),
  /** Quits, installs what was downloaded, and starts again. */
  'update.install': asks({}),
}

export type HostRequestName = keyof typeof REQUESTS
type Resolved = {
  readonly [N in HostRequestName]: {
    readonly params: Frozen<z.output<(typeof REQUESTS)[N]['params']>>
    readonly result: (typeof REQUESTS)[N] extends Request<z.ZodType, infer Result> ? Result : never
  }
}
/** An interface, so that a name that is not yet known picks from what all of them have. */
interface HostRequests extends Resolved {}
export type ParamsOf<N extends HostRequestName> = HostRequests[N]['params']
export type ResultOf<N extends HostRequestName> = HostRequests[N]['result']
