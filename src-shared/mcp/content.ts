// Content on the wire, the union of all revisions (specification: Content types; SCHEMA-12 to SCHEMA-21).

export type Role = 'user' | 'assistant'

/** Out of range values are dropped when a message is read. */
export interface Annotations {
  readonly audience?: readonly Role[]
  /** 0 (optional) to 1 (effectively required). */
  readonly priority?: number
  /** ISO 8601; since 2025-06-18. */
  readonly lastModified?: string
}

/** Since 2025-11-25. */
export interface Icon {
  readonly src: string
  readonly mimeType?: string
  readonly sizes?: readonly string[]
  readonly theme?: 'light' | 'dark'
}

export interface Meta {
  readonly [key: string]: unknown
}

interface Annotated {
  readonly annotations?: Annotations
  readonly _meta?: Meta
}

interface TextContent extends Annotated {
  readonly type: 'text'
  readonly text: string
}

export interface ImageContent extends Annotated {
  readonly type: 'image'
  /** base64 */
  readonly data: string
  readonly mimeType: string
}

/** Since 2025-03-26. */
export interface AudioContent extends Omit<ImageContent, 'type'> {
  readonly type: 'audio'
}

export interface TextResourceContents {
  readonly uri: string
  readonly mimeType?: string
  readonly text: string
  readonly _meta?: Meta
}

export interface BlobResourceContents {
  readonly uri: string
  readonly mimeType?: string
  /** base64 */
  readonly blob: string
  readonly _meta?: Meta
}

export type ResourceContents = TextResourceContents | BlobResourceContents

export interface EmbeddedResource extends Annotated {
  readonly type: 'resource'
  readonly resource: ResourceContents
}

/** Names and descriptions of whatever a server lists. */
export interface Listed {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly icons?: readonly Icon[]
  readonly _meta?: Meta
}

export interface Resource extends Listed, Annotated {
  readonly uri: string
  readonly mimeType?: string
  /** Raw size in bytes. */
  readonly size?: number
}

/** Since 2025-06-18. */
export interface ResourceLink extends Resource {
  readonly type: 'resource_link'
}

/** A malformed block, or one of an unknown type: kept, shown as a placeholder, never given to a model. */
export interface UnknownContent {
  readonly type: 'unknown'
  /** The type that the server named. */
  readonly kind: string
  /** Why it is not used, in plain words. */
  readonly reason: string
  readonly raw: unknown
}

export type ContentBlock = TextContent | ImageContent | AudioContent | EmbeddedResource | ResourceLink | UnknownContent

/** Content of a sampling message (SAMP-26); tool content since 2025-11-25. */
export type SamplingContent = TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent

interface ToolUseContent {
  readonly type: 'tool_use'
  readonly id: string
  readonly name: string
  readonly input: Record<string, unknown>
  readonly _meta?: Meta
}

export interface CallToolResult {
  readonly content: readonly ContentBlock[]
  /** Any value, null too; an object up to 2025-11-25. */
  readonly structuredContent?: unknown
  /** Absent means false (TOOL-20). */
  readonly isError?: boolean
  readonly _meta?: Meta
}

interface ToolResultContent extends CallToolResult {
  readonly type: 'tool_result'
  readonly toolUseId: string
}
