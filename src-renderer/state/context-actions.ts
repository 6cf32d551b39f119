import { systemClock } from '../../src-shared/base/clock.ts'
import { assertNever } from '../../src-shared/base/json.ts'
import type { CompletionSource } from '../../src-shared/contract/attachments.ts'
import type { BlobRef, BoundedText } from '../../src-shared/contract/blobs.ts'
import type { Remedy, ToolSwitches } from '../../src-shared/contract/context.ts'
import { type ConversationHead, IMPORT_PIECE } from '../../src-shared/contract/conversations.ts'
import type { AttachmentId, ConversationId, MessageId, PromptPreviewId, ServerId } from '../../src-shared/contract/ids.ts'
import type { FolderChoice } from '../../src-shared/contract/roots.ts'
import type { ModelRef } from '../../src-shared/contract/settings.ts'
import { ask, attempt, readBlobText } from './actions.ts'
import { navigate, offerUndo, setDraft } from './view-store.ts'

// Resources and prompts
/** `confirmed` after the person read why the host asks. */
export const readResource = (serverId: ServerId, uri: string, confirmed: boolean, signal?: AbortSignal) =>
  ask('resource.read', { serverId, uri, ...(confirmed ? { confirmed } : {}) }, signal)
export const templateVariables = (serverId: ServerId, uriTemplate: string, signal?: AbortSignal) =>
  ask('template.variables', { serverId, uriTemplate }, signal)
export const expandTemplate = (serverId: ServerId, uriTemplate: string, values: Readonly<Record<string, string>>) =>
  ask('template.expand', { serverId, uriTemplate, values })
export const getPrompt = (serverId: ServerId, prompt: string, args: Readonly<Record<string, string>>, signal?: AbortSignal) =>
  ask('prompt.get', { serverId, prompt, arguments: args }, signal)
/** Suggestions for one field; `context` holds the other fields of the same form. */
export const complete = (
  serverId: ServerId,
  of: CompletionSource,
  argument: { readonly name: string; readonly value: string },
  context: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => ask('completion.complete', { serverId, of, argument, context }, signal)

// What goes with the next message
export const attachResource = (id: ConversationId, serverId: ServerId, uri: string, confirmed: boolean) =>
  ask('conversation.attachResource', { id, serverId, uri, ...(confirmed ? { confirmed } : {}) })
export const detach = (id: ConversationId, attachmentId: AttachmentId) => ask('conversation.detach', { id, attachmentId })
export const reattach = (id: ConversationId, attachmentId: AttachmentId) => ask('conversation.reattach', { id, attachmentId })
export const refreshAttachment = (id: ConversationId, attachmentId: AttachmentId, confirmed: boolean) =>
  ask('conversation.refreshAttachment', { id, attachmentId, ...(confirmed ? { confirmed } : {}) })
export const attachPrompt = (id: ConversationId, preview: PromptPreviewId, run: boolean) =>
  ask('conversation.attachPrompt', { id, preview, run })

// What the model is offered, and what it costs
export const readContext = (id: ConversationId, signal?: AbortSignal) => ask('context.read', { id }, signal)
export const setSwitches = (id: ConversationId, switches: ToolSwitches) => ask('conversation.setSwitches', { id, switches })

/** Does at once what makes room, and offers to take that back; a fork leaves its conversation as it is. */
export async function makeRoom(id: ConversationId, { done, does }: Remedy, switches: ToolSwitches): Promise<void> {
  switch (does.is) {
    case 'turn-off': {
      const { serverId, tool } = does
      const wanted =
        tool === undefined
          ? { ...switches, servers: [...switches.servers, serverId] }
          : { ...switches, tools: [...switches.tools, { serverId, tool }] }
      await setSwitches(id, wanted)
      return offerUndo({ text: done, undo: () => void attempt(setSwitches(id, switches)) })
    }
    case 'detach':
      return takeBack(id, does.attachmentId, done)
    case 'fork':
      return forkConversation(id, does.messageId)
    default:
      assertNever(does)
  }
}

/** Takes back an attachment that waits, and offers to put it back as it was. */
export async function takeBack(id: ConversationId, attachmentId: AttachmentId, text: string): Promise<void> {
  await detach(id, attachmentId)
  offerUndo({ text, undo: () => void attempt(reattach(id, attachmentId)) })
}

// Conversations as things
export const pinConversation = (id: ConversationId, pinned: boolean) => ask('conversation.pin', { id, pinned })
export const tagConversation = (id: ConversationId, tags: readonly string[]) => ask('conversation.tag', { id, tags })
export const readFolders = (id: ConversationId, signal?: AbortSignal) => ask('conversation.folders', { id }, signal)
export const setFolders = (id: ConversationId, folders: readonly FolderChoice[]) =>
  ask('conversation.setFolders', { id, folders })
export const listTags = (signal?: AbortSignal) => ask('conversation.tags', {}, signal)
export const pageOfTag = (tag: string, before: string | undefined, signal?: AbortSignal) =>
  ask('conversation.page', { tag, ...(before === undefined ? {} : { before }) }, signal)
export const editAndResend = (id: ConversationId, messageId: MessageId, text: string) =>
  ask('conversation.editAndResend', { id, messageId, text })
export const retryWith = (id: ConversationId, model: ModelRef) => ask('turn.retryWith', { id, model })

/** A copy up to a message; what the person had said there waits in its composer. Goes there. */
export async function forkConversation(id: ConversationId, messageId: MessageId): Promise<void> {
  const fork = await ask('conversation.fork', { id, messageId })
  if (fork.text !== undefined) setDraft(fork.id, fork.text)
  navigate({ section: 'conversations', id: fork.id })
}

/** Saves a conversation as a file. */
export async function exportConversation(head: Pick<ConversationHead, 'id'>, format: 'markdown' | 'json') {
  const file = await ask('conversation.export', { id: head.id, format })
  saveFrom(file.url, file.name)
  return file
}

/** Hands an exported file to the host piece by piece; `onSent` hears how much of it is there, 0 to 1. Goes to what came of it. */
export async function importConversation(file: Blob, onSent: (share: number) => void) {
  const text = await file.text()
  let upload: string | undefined
  for (let from = 0; ; from += IMPORT_PIECE) {
    const last = from + IMPORT_PIECE >= text.length
    const piece = text.slice(from, from + IMPORT_PIECE)
    const answer = await ask('conversation.import', { piece, last, ...(upload === undefined ? {} : { upload }) })
    if (answer.is === 'imported') {
      navigate({ section: 'conversations', id: answer.id })
      return answer
    }
    upload = answer.upload
    onSent(Math.min(1, (from + IMPORT_PIECE) / text.length))
  }
}

/** Its first bytes, as hex digits. */
export const readBlobHead = (blob: string, signal?: AbortSignal) => ask('blob.head', { blob }, signal)

/** Saves a blob as a file, whatever it is. */
export async function saveBlob(blob: BlobRef, name: string): Promise<void> {
  const { url } = await ask('blob.saveLink', { blob, name })
  saveFrom(url, name)
}

/** Saves a text of this window as a file. */
export function saveText(text: string, name: string, mimeType: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: mimeType }))
  saveFrom(url, name)
  // The browser holds on to what it downloads; the address itself is of no more use.
  systemClock.after(10_000, () => URL.revokeObjectURL(url))
}

function saveFrom(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}

/** All of these texts one after the other, whatever of them travelled. */
export async function readWhole(texts: readonly BoundedText[], signal?: AbortSignal): Promise<string> {
  let all = ''
  for (const { text, whole } of texts) all += whole ? await readBlob(whole.blob, signal) : text
  return all
}

async function readBlob(blob: string, signal?: AbortSignal): Promise<string> {
  let all = ''
  let offset: number | undefined = 0
  while (offset !== undefined) {
    const page: { text: string; next?: number } = await readBlobText(blob, offset, signal)
    all += page.text
    offset = page.next
  }
  return all
}
