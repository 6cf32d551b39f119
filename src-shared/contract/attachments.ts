import { z } from 'zod'
import type { Annotations, Role } from '../mcp/content.ts'
import { annotations, type ContentView, content, mimeType } from './blobs.ts'
import type { Problem } from './errors.ts'
import type { AttachmentId, PromptPreviewId, ServerId } from './ids.ts'
import { count, type Given, id, line, text, time } from './schema-parts.ts'

/** One of the contents of a resource; a read may return several, at sub-addresses (RES-04). */
export type ResourceItem = Given<typeof resourceItem>
const resourceItem = () =>
  z.object({
    uri: line(),
    /** The server's claim; absent: plain text or octet-stream (RES-26). Shown as source, never executed (RES-30). */
    mimeType: mimeType().exactOptional(),
    content: content(),
  })

/** The result of a read, in memory for a few minutes: not on disk, and not given to a model. */
export interface ResourceContent {
  readonly serverId: ServerId
  readonly serverName: string
  readonly uri: string
  readonly title: string
  /** The server's, cut. */
  readonly description?: string
  readonly items: readonly ResourceItem[]
  readonly bytes: number
  /** An estimate of what attaching it costs. */
  readonly tokens: number
  readonly annotations?: Annotations
  readonly readAt: number
  /** For example left-out items and wrong claims. */
  readonly warnings: readonly string[]
  /** Why attaching it asks again: it is large, or not meant for a model. */
  readonly confirm?: string
}

/** The host wants a second click: the person reads `why`, then the same request is sent with `confirmed: true` (RES-31). */
export interface Confirm {
  readonly is: 'confirm'
  readonly why: string
  readonly bytes?: number
  readonly tokens?: number
}

/** A snapshot from when the person attached it; models never get newer content. */
export type Attachment = ResourceAttachment | FileAttachment

const attached = () =>
  z.object({
    id: id<AttachmentId>(),
    title: line(),
    mimeType: mimeType().exactOptional(),
    /** Bytes of all contents. */
    size: count(),
    tokens: count(),
    /** Texts are heads of at most 1 KiB with a reference to the whole. */
    items: resourceItems(),
    attachedAt: time(),
    warnings: z.array(line()).max(64),
  })
const resourceItems = () => z.array(resourceItem()).max(64)

export type ResourceAttachment = Given<typeof resourceAttachment>
export const resourceAttachment = () =>
  attached().extend({
    serverId: id<ServerId>(),
    serverName: line(),
    uri: line(),
    /** The server's, cut; models get it marked as the server's claim (RES-27). */
    description: text(1000).exactOptional(),
    /** With an `audience` without `assistant`, it is shown here and not given to a model. */
    annotations: annotations().exactOptional(),
    /** The server reports changes while it is connected. */
    subscribed: z.boolean(),
    /** A view of the server told it to the model; no resource was read. */
    byApp: z.literal(true).exactOptional(),
    /** When the server first reported a change after it was attached. */
    changedSince: time().exactOptional(),
    /** The contents before the last refresh, to show the difference. */
    before: z.object({ items: resourceItems(), attachedAt: time() }).exactOptional(),
  })

/** A file of the person; `title` is its name. The first item is the file; a PDF has its text as a second one. */
export type FileAttachment = Given<typeof fileAttachment>
export const fileAttachment = () =>
  attached().extend({
    /** Detected from its bytes, not from its name. */
    file: z.enum(['text', 'image', 'pdf']),
    /** Set for a PDF that models may get as it is; otherwise they get only its text. */
    pages: count().exactOptional(),
  })

export function isFile(attachment: Attachment): attachment is FileAttachment {
  return 'file' in attachment
}

/** Attachments of one message. */
export const ATTACHMENT_LIMIT = 12
/** Bytes of one file, and of all files of one message. */
export const FILE_LIMIT = 20 * 1024 * 1024
export const FILES_LIMIT = 30 * 1024 * 1024
/** Bytes of a file per frame; a multiple of three, so that base64 needs no padding. */
export const FILE_CHUNK = 192 * 1024

/** The prompt that a message comes from. */
export type PromptOrigin = Given<typeof promptOrigin>
export const promptOrigin = () =>
  z.object({
    kind: z.literal('prompt'),
    serverId: id<ServerId>(),
    serverName: line(),
    prompt: line(),
    title: line(),
  })

interface PromptPreviewMessage {
  readonly role: Role
  readonly content: ContentView
}

/** The messages of a prompt, before `conversation.attachPrompt` adds them to a conversation (PROMPT-14). */
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

/** The target of a completion: a prompt by name, or an unexpanded resource template. */
export type CompletionSource = Given<typeof completionSource>
export const completionSource = () =>
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('prompt'), name: text(1000) }),
    z.strictObject({ type: z.literal('template'), uriTemplate: line() }),
  ])

/** Suggestions only: a field takes any value (COMP-12). */
export interface CompletionAnswer {
  /** At most 100, in the server's order. */
  readonly values: readonly string[]
  readonly total?: number
  readonly hasMore: boolean
  /** This server offers no completions; do not ask again while it is connected. */
  readonly unsupported?: boolean
  /** Why there are none this time, for a tooltip. */
  readonly problem?: Problem
}
