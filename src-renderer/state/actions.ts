import type { JsonObject, JsonValue } from '../../src-shared/base/json.ts'
import type { BlobRef } from '../../src-shared/contract/blobs.ts'
import type { ConversationHead } from '../../src-shared/contract/conversations.ts'
import { HostError } from '../../src-shared/contract/errors.ts'
import type {
  ConsentRuleId,
  ConversationId,
  InteractionId,
  MessageId,
  ProviderId,
  ServerId,
  ToolCallId,
} from '../../src-shared/contract/ids.ts'
import type { Answer } from '../../src-shared/contract/interactions.ts'
import type { HostRequestName, ParamsOf, ResultOf } from '../../src-shared/contract/requests.ts'
import type { FolderChoice } from '../../src-shared/contract/roots.ts'
import type { ServerConfig, ServerOptions, ServerRecord } from '../../src-shared/contract/servers.ts'
import type { ModelRef, ProviderConfig, Settings } from '../../src-shared/contract/settings.ts'
import type { Topic } from '../../src-shared/contract/topics.ts'
import type { LogLevel } from '../../src-shared/mcp/primitives.ts'
import type { HostLink } from '../host/host-link.ts'
import { keepOlderHeads, useHost } from './host-store.ts'
import { navigate, offerUndo, setDraft, showFailure, useView } from './view-store.ts'

let link: HostLink | undefined

/** Called once at boot. */
export function attachLink(hostLink: HostLink): void {
  link = hostLink
}

/** One request of this window. */
export function ask<N extends HostRequestName>(name: N, params: ParamsOf<N>, signal?: AbortSignal): Promise<ResultOf<N>> {
  if (!link) return Promise.reject(new HostError('unavailable', 'Parley is still starting.'))
  return link.request(name, params, signal)
}

export function follow(topic: Topic): () => void {
  return link?.follow(topic) ?? (() => {})
}

/** What went wrong, as a person should read it. */
export function failureText(error: unknown): string {
  if (error instanceof HostError) return error.message
  return 'Something went wrong in this window. Try again; reload the page when it stays so.'
}

/** For a click whose result shows by itself: a failure goes to the bar at the top. True when it worked. */
export async function attempt(doing: Promise<unknown>): Promise<boolean> {
  try {
    await doing
    showFailure(undefined)
    return true
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) showFailure(failureText(error))
    return false
  }
}

// Servers
export const addServer = (config: ServerConfig) => ask('server.add', { config })
export const changeServer = (serverId: ServerId, config: ServerConfig) => ask('server.change', { serverId, config })
export const restoreServer = (serverId: ServerId) => ask('server.restore', { serverId })
export const setServerOptions = (serverId: ServerId, options: Partial<ServerOptions>) =>
  ask('server.setOptions', { serverId, options })
export const startServer = (serverId: ServerId) => ask('server.start', { serverId })
export const stopServer = (serverId: ServerId) => ask('server.stop', { serverId })
export const authorizeServer = (serverId: ServerId) => ask('server.authorize', { serverId })
export const cancelAuthorization = (serverId: ServerId) => ask('server.cancelAuthorization', { serverId })
export const pasteRedirect = (serverId: ServerId, address: string) => ask('server.pasteRedirect', { serverId, address })
export const forgetAuthorization = (serverId: ServerId, everything: boolean) =>
  ask('server.forgetAuthorization', { serverId, everything })
export const setLogLevel = (serverId: ServerId, level: LogLevel) => ask('server.setLogLevel', { serverId, level })
export const liftSecrets = (serverId: ServerId) => ask('server.liftSecrets', { serverId })
export const callTool = (serverId: ServerId, tool: string, args: JsonObject, callId: ToolCallId, signal?: AbortSignal) =>
  ask('server.call', { serverId, tool, arguments: args, callId }, signal)

/** Removes it and offers to put it back. */
export async function removeServer(server: Pick<ServerRecord, 'id' | 'name'>): Promise<void> {
  await ask('server.remove', { serverId: server.id })
  const { route } = useView.getState()
  if (route.section === 'servers' && route.id === server.id) navigate({ section: 'servers' })
  offerUndo({ text: `Removed ${server.name}`, undo: () => void attempt(restoreServer(server.id)) })
}

// Catalogs
export const readAbout = (serverId: ServerId, signal?: AbortSignal) => ask('server.about', { serverId }, signal)
export const readTools = (params: ParamsOf<'catalog.tools'>, signal?: AbortSignal) => ask('catalog.tools', params, signal)
export const readTool = (serverId: ServerId, tool: string, signal?: AbortSignal) =>
  ask('catalog.tool', { serverId, tool }, signal)
export const readResources = (params: ParamsOf<'catalog.resources'>, signal?: AbortSignal) =>
  ask('catalog.resources', params, signal)
export const readTemplates = (params: ParamsOf<'catalog.templates'>, signal?: AbortSignal) =>
  ask('catalog.templates', params, signal)
export const readPrompts = (params: ParamsOf<'catalog.prompts'>, signal?: AbortSignal) => ask('catalog.prompts', params, signal)
export const refreshCatalog = (serverId: ServerId) => ask('catalog.refresh', { serverId })
export const readTraffic = (params: ParamsOf<'traffic.read'>, signal?: AbortSignal) => ask('traffic.read', params, signal)

// Conversations
/** Makes one and goes there. */
export async function createConversation(model?: ModelRef): Promise<ConversationId> {
  const { id } = await ask('conversation.create', model ? { model } : {})
  navigate({ section: 'conversations', id })
  return id
}

export const renameConversation = (id: ConversationId, title: string) => ask('conversation.rename', { id, title })
export const setModel = (id: ConversationId, model: ModelRef) => ask('conversation.setModel', { id, model })
export const restoreConversation = (id: ConversationId) => ask('conversation.restore', { id })
export const searchConversations = (query: string, signal?: AbortSignal) => ask('conversation.search', { query }, signal)
export const readEarlierMessages = (id: ConversationId, before: MessageId, signal?: AbortSignal) =>
  ask('message.page', { id, before }, signal)

/** Removes it, leaves it when it is on screen, and offers to put it back. */
export async function removeConversation(head: Pick<ConversationHead, 'id' | 'title'>): Promise<void> {
  await ask('conversation.remove', { id: head.id })
  const { route } = useView.getState()
  if (route.section === 'conversations' && route.id === head.id) navigate({ section: 'conversations' })
  offerUndo({ text: `Deleted “${head.title || 'New conversation'}”`, undo: () => void attempt(restoreConversation(head.id)) })
}

/** Reads the next page of older heads into the mirror; gives the cursor after it, absent at the end. */
export async function readOlderConversations(before: string | undefined): Promise<string | undefined> {
  const page = await ask('conversation.page', before === undefined ? {} : { before })
  keepOlderHeads(page.items)
  return page.next
}

/** Sends what was typed. The draft is kept when it fails. */
export async function send(id: ConversationId, text: string): Promise<void> {
  setDraft(id, '')
  try {
    await ask('conversation.send', { id, text })
  } catch (error) {
    if ((useView.getState().drafts[id] ?? '') === '') setDraft(id, text)
    throw error
  }
}

export const stopTurn = (id: ConversationId) => ask('turn.cancel', { id })
export const retryTurn = (id: ConversationId) => ask('turn.retry', { id })
/** More time for a call that is overdue, a model's or one by hand. */
export const keepWaiting = (toolCallId: ToolCallId) => ask('toolCall.keepWaiting', { toolCallId })
export const cancelToolCall = (id: ConversationId, toolCallId: ToolCallId) => ask('toolCall.cancel', { id, toolCallId })

// Questions
/** `accepted: false` means that it was answered or withdrawn before. */
export const answer = (given: Answer) => ask('interaction.answer', given)
export const draftAnswer = (id: InteractionId, draft: JsonValue) => ask('interaction.draft', { id, draft })
export const declineAll = (serverId: ServerId) => ask('interaction.declineAll', { serverId })
/** From now on its questions are refused without being shown. */
export const muteServer = (serverId: ServerId, muted: boolean) => ask('server.mute', { serverId, muted })
export const resetBudget = (serverId: ServerId) => ask('server.resetBudget', { serverId })

// Folders
export const readRoots = (serverId: ServerId, signal?: AbortSignal) => ask('roots.read', { serverId }, signal)
/** Null makes it undecided again: the server's next wish is asked about. */
export const setRoots = (serverId: ServerId, folders: readonly FolderChoice[] | null) => ask('roots.set', { serverId, folders })

// Permissions, settings, models
export const listConsent = (signal?: AbortSignal) => ask('consent.list', {}, signal)
export const revokeConsent = (id: ConsentRuleId) => ask('consent.revoke', { id })
export const changeSettings = (settings: Partial<Settings>) => ask('settings.change', { settings })
export const addProvider = (config: ProviderConfig, key?: string) =>
  ask('provider.add', key === undefined ? { config } : { config, key })
export const changeProvider = (id: ProviderId, config: ProviderConfig) => ask('provider.change', { id, config })
export const removeProvider = (id: ProviderId) => ask('provider.remove', { id })
export const setProviderKey = (id: ProviderId, key: string | null) => ask('provider.setKey', { id, key })
export const setModelWindow = (id: ProviderId, model: string, tokens: number | null) =>
  ask('provider.setWindow', { id, model, tokens })
export const refreshProvider = (id: ProviderId) => ask('provider.refresh', { id })
export const findLocalProviders = (signal?: AbortSignal) => ask('provider.findLocal', {}, signal)

// The rest
export const dismissNotice = (id: string) => ask('notice.dismiss', { id })
export const readBlobText = (blob: string, offset: number, signal?: AbortSignal) => ask('blob.text', { blob, offset }, signal)
export const linkBlob = (blob: BlobRef, signal?: AbortSignal) => ask('blob.link', { blob }, signal)
export const pickFolder = (title: string) => ask('platform.pickFolder', { title })
export const listFolders = (path?: string, signal?: AbortSignal) => ask('folder.list', path === undefined ? {} : { path }, signal)
/** What choosing a folder needs of the window. */
export const folderPowers = {
  pick: pickFolder,
  list: listFolders,
  failed: (error: unknown) => showFailure(failureText(error)),
}
/** In a browser the page itself opens it: the host may run on another computer. */
export async function openLink(url: string): Promise<void> {
  if (useHost.getState().host.shell === 'electron') {
    await ask('platform.openLink', { url })
    return
  }
  if (URL.parse(url)?.protocol !== 'https:') throw new HostError('refused', 'Only https links are opened.')
  window.open(url, '_blank', 'noopener')
}
