/** `system` follows the setting of the system. */
export type FrameTheme = 'system' | 'light' | 'dark'

/** Messages of the page to a framed document. */
export type ToFrame<Content> =
  | { readonly is: 'open'; readonly content: Content; readonly theme: FrameTheme }
  | { readonly is: 'theme'; readonly theme: FrameTheme }
  | { readonly is: 'ping' }

/** Messages that every framed document sends to the page. */
export type FrameSign =
  | { readonly is: 'ready' }
  /** The person pressed Escape. */
  | { readonly is: 'leave' }
  | { readonly is: 'pong' }

/** The part of a MessageEvent that is checked. */
export interface FrameMessage {
  readonly source: unknown
  readonly origin: string
  readonly data: unknown
}

/** A message of this frame; undefined for another sender, or one with an origin. Its content is not checked yet. */
export function messageOf(frame: unknown, { source, origin, data }: FrameMessage): { readonly is: unknown } | undefined {
  // An opaque origin is spelled "null"; a frame with ours would not be sandboxed.
  if (!frame || source !== frame || origin !== 'null') return undefined
  return typeof data === 'object' && data !== null && 'is' in data ? data : undefined
}

/** The sign, or undefined for a message that the kind of frame has to check. */
export function frameSign({ is }: { readonly is: unknown }): FrameSign | undefined {
  return is === 'ready' || is === 'leave' || is === 'pong' ? { is } : undefined
}
