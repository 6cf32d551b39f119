import type { ContentBlock, Listed, Resource, ResourceContents, Role } from './content.ts'

/** Revisions of the legacy era, agreed in a handshake, newest first. Matched by equality, never by date arithmetic (LIFE-07). */
export const PROTOCOL_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const
export type HandshakeVersion = (typeof PROTOCOL_VERSIONS)[number]
export const NEWEST_PROTOCOL_VERSION: HandshakeVersion = PROTOCOL_VERSIONS[0]

/** Revisions of the modern era, named in every request; a handshake never offers them (V26-NEG-20). */
export const MODERN_VERSION = '2026-07-28' as const
export type ProtocolVersion = HandshakeVersion | typeof MODERN_VERSION

/** The two families of revisions (2026-07-28 basic/versioning): legacy ones have a handshake and a session, modern ones neither. */
export type EraName = 'legacy' | 'modern'

/** Features that 2026-07-28 deprecates: they work, and a later revision will remove them. */
export type DeprecatedFeature = 'roots' | 'sampling' | 'logging' | 'http-sse'

export interface Implementation extends Omit<Listed, '_meta'> {
  readonly version: string
  readonly websiteUrl?: string
}

export interface JsonSchemaObject {
  readonly type: 'object'
  readonly properties?: Record<string, object>
  readonly required?: readonly string[]
  readonly [keyword: string]: unknown
}

export type JsonSchema = { readonly [keyword: string]: unknown }

/** Claims of the server about its own tool; never a reason to skip consent (TOOL-11). */
export interface ToolAnnotations {
  readonly title?: string
  /** Default false. */
  readonly readOnlyHint?: boolean
  /** Default true; means something only when not read-only. */
  readonly destructiveHint?: boolean
  /** Default false; means something only when not read-only. */
  readonly idempotentHint?: boolean
  /** Default true. */
  readonly openWorldHint?: boolean
}

export interface Tool extends Listed {
  readonly inputSchema: JsonSchemaObject
  /** Up to 2025-11-25 always of the type `object`. */
  readonly outputSchema?: JsonSchema
  readonly annotations?: ToolAnnotations
  readonly execution?: { readonly taskSupport?: 'forbidden' | 'optional' | 'required' }
}

export interface ResourceTemplate extends Omit<Resource, 'uri' | 'size'> {
  /** RFC 6570. */
  readonly uriTemplate: string
}

export interface PromptArgument {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly required?: boolean
}

export interface Prompt extends Listed {
  readonly arguments?: readonly PromptArgument[]
}

export interface PromptMessage {
  readonly role: Role
  readonly content: ContentBlock
}

export interface Root {
  /** `file://` only (ROOT-05). */
  readonly uri: string
  readonly name?: string
}

export const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const
/** Rising severity (RFC 5424). */
export type LogLevel = (typeof LOG_LEVELS)[number]

export interface ServerCapabilities {
  /** By id, each with its settings. */
  readonly extensions?: Record<string, object>
  readonly experimental?: Record<string, object>
  readonly logging?: object
  readonly completions?: object
  readonly prompts?: { readonly listChanged?: boolean }
  readonly resources?: { readonly subscribe?: boolean; readonly listChanged?: boolean }
  readonly tools?: { readonly listChanged?: boolean }
  readonly tasks?: object
}

export interface ClientCapabilities {
  /** Only extensions that are implemented and enabled. */
  readonly extensions?: Record<string, object>
  readonly experimental?: Record<string, object>
  readonly roots?: { readonly listChanged?: boolean }
  readonly sampling?: { readonly context?: object; readonly tools?: object }
  readonly elicitation?: { readonly form?: object; readonly url?: object }
}

export interface ReadResourceResult {
  readonly contents: readonly ResourceContents[]
}

export interface GetPromptResult {
  readonly description?: string
  readonly messages: readonly PromptMessage[]
}

export interface CompletionResult {
  /** At most 100, ranked by the server. */
  readonly values: readonly string[]
  readonly total?: number
  readonly hasMore?: boolean
}

export interface Progress {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

export interface LogMessage {
  readonly level: LogLevel
  readonly logger?: string
  readonly data: unknown
}

/** Falls back to the name (SCHEMA-10). */
export function toolTitle(tool: Pick<Tool, 'name' | 'title' | 'annotations'>): string {
  return tool.title || tool.annotations?.title || tool.name
}
