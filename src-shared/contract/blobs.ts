import type { Annotations, Icon } from '../mcp/content.ts'

/** Content kept in the blobs folder; only the reference travels in events. */
export interface BlobRef {
  /** SHA-256 of the bytes, 64 lower-case hex digits. */
  readonly blob: string
  readonly bytes: number
  readonly mimeType: string
}

/** The largest record that travels inline, in bytes of UTF-8 (decision 0010). */
export const INLINE_LIMIT = 32 * 1024

/** A text that may be too long to travel: its head, and where the whole is. */
export interface BoundedText {
  readonly text: string
  readonly whole?: BlobRef
}

/** A JSON value that may be too long to travel. `json` is the serialized value or its head. */
export interface BoundedJson {
  readonly json: string
  readonly whole?: BlobRef
}

/** A content block as the page shows it: binary and long content by reference. */
export type ContentView =
  | ({ readonly type: 'text'; readonly annotations?: Annotations } & BoundedText)
  | { readonly type: 'image' | 'audio'; readonly blob: BlobRef; readonly annotations?: Annotations }
  | {
      readonly type: 'resource'
      readonly uri: string
      readonly mimeType?: string
      readonly content: BoundedText | BlobRef
      readonly annotations?: Annotations
    }
  | {
      readonly type: 'resource_link'
      readonly uri: string
      readonly name: string
      readonly title?: string
      readonly description?: string
      readonly mimeType?: string
      readonly size?: number
      readonly icons?: readonly Icon[]
      readonly annotations?: Annotations
    }
  | { readonly type: 'unknown'; readonly kind: string; readonly reason: string }
