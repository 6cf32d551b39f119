import { z } from 'zod'
import type { Annotations, Role } from '../mcp/content.ts'
import { annotations, type ContentView, content, mimeType } from './blobs.ts'
import type { Problem } from './errors.ts'
import type { AttachmentId, PromptPreviewId, ServerId } from './ids.ts'
import { count, type Given, id, line, text, time } from './schema-parts.ts'

/** One of the contents of a resource; a read may give several, below other addresses (RES-04). */
export type ResourceItem = Given<typeof resourceItem>
const resourceItem = () =>
  z.object({
    uri: line(),
    /** As the server claims it; absent: text is plain text, bytes are octet-stream (RES-26). Shown as source, never executed (RES-30). */
    mimeType: mimeType().exactOptional(),
    content: content(),
  })

/** The result of a read. It is held in memory for a few minutes; nothing of it is on disk or told to a model. */
export interface ResourceContent {
  readonly serverId: ServerId
  readonly serverName: string
  readonly uri: string
  readonly title: string
  /** As the server lists it, cut. */
  readonly description?: string
  readonly items: readonly ResourceItem[]
  readonly bytes: number
  /** The rough cost of attaching it. */
  readonly tokens: number
  readonly annotations?: Annotations
  readonly readAt: number
  /** Oddities: items left out, claims that do not hold. */
  readonly warnings: readonly string[]
  /** Why attaching it asks again: it is large, or not meant for a model. */
  readonly confirm?: string
}

/** The host wants a second click: the person reads `why`, and the same request is sent again with `confirmed: true` (RES-31). */
export interface Confirm {
  readonly is: 'confirm'
  readonly why: string
  readonly bytes?: number
  readonly tokens?: number
}

/** An attachment as it was when the person attached it. Models read this and nothing newer. */
export type Attachment = ResourceAttachment | FileAttachment

const attached = () =>
  z.object({
    id: id<AttachmentId>(),
    title: line(),
    mimeType: mimeType().exactOptional(),
    /** Bytes of all that was read of it. */
    size: count(),
    tokens: count(),
    /** The texts are heads of at most 1 KiB beside a reference to the whole. */
    items: resourceItems(),
    attachedAt: time(),
    warnings: z.array(line()).max(64),
  })
const resourceItems = () => z.array(resourceItem()).max(64)

/** A resource of a server. */
export type ResourceAttachment = Given<typeof resourceAttachment>
export const resourceAttachment = () =>
  attached().extend({
    serverId: id<ServerId>(),
    serverName: line(),
    uri: line(),
    /** The server's description, cut; models get it as the server's claim (RES-27). */
    description: text(1000).exactOptional(),
    /** `annotations.audience` without `assistant` means: shown here, not told to a model. */
    annotations: annotations().exactOptional(),
    /** The server tells when it changes, for as long as it is connected. */
    subscribed: z.boolean(),
    /** When the server first said that it changed since it was attached; absent while it has not. */
    changedSince: time().exactOptional(),
    /** With an attachment that was refreshed: what it was before, for the difference. */
    before: z.object({ items: resourceItems(), attachedAt: time() }).exactOptional(),
  })

/** A file of the person's own; `title` is its name. The first item is the file; the second of a PDF is its text. */
export type FileAttachment = Given<typeof fileAttachment>
export const fileAttachment = () =>
  attached().extend({
    /** By what is in it, whatever its name says. */
    file: z.enum(['text', 'image', 'pdf']),
    /** Of a PDF that models may be given as it is; absent where its text is all they get. */
    pages: count().exactOptional(),
  })

export function isFile(attachment: Attachment): attachment is FileAttachment {
  return 'file' in attachment
}

/** The most attachments that wait for one message. */
export const ATTACHMENT_LIMIT = 12
/** Bytes of one file of the person, and of all that go with one message. */
export const FILE_LIMIT = 20 * 1024 * 1024
export const FILES_LIMIT = 30 * 1024 * 1024
/** Bytes of a file that travel at a time: a third more of base64, with nothing left over. */
export const FILE_CHUNK = 192 * 1024

/** Where a message came from that nobody typed. */
export type PromptOrigin = Given<typeof promptOrigin>
export const promptOrigin = () =>
  z.object({
    kind: z.literal('prompt'),
    serverId: id<ServerId>(),
    serverName: line(),
    /** The server's own name for it. */
    prompt: line(),
    title: line(),
  })

interface PromptPreviewMessage {
  readonly role: Role
  readonly content: ContentView
}

/** The messages of a prompt. None of them is in a conversation before `conversation.attachPrompt` (PROMPT-14). */
export interface PromptPreview {
  readonly preview: PromptPreviewId
  readonly serverId: ServerId
  readonly serverName: string
  readonly prompt: string
  readonly title: string
  readonly description?: string
  readonly messages: readonly PromptPreviewMessage[]
  readonly tokens: number
  readonly warnings: readonly string[]
}

/** The target of a completion: a prompt by its name, or a resource template as it is listed, unexpanded. */
export type CompletionSource = Given<typeof completionSource>
export const completionSource = () =>
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('prompt'), name: text(1000) }),
    z.strictObject({ type: z.literal('template'), uriTemplate: line() }),
  ])

/** Suggestions; when there are none the field is typed freely (COMP-12). */
export interface Completions {
  /** At most 100, as the server ranked them. */
  readonly values: readonly string[]
  readonly total?: number
  readonly hasMore: boolean
  /** This server does not complete; do not ask again while it is connected. */
  readonly unsupported?: boolean
  /** Why there are none this time; quiet, for a tooltip. */
  readonly problem?: Problem
}
