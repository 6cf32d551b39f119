/** How a frame is drawn; `system` follows the system's own setting. */
export type FrameTheme = 'system' | 'light' | 'dark'

/** Messages of the page to a document without an origin. */
export type ToFrame<Content> =
  | { readonly is: 'open'; readonly content: Content; readonly theme: FrameTheme }
  | { readonly is: 'theme'; readonly theme: FrameTheme }
  | { readonly is: 'ping' }

/** Messages that every such document sends to the page. */
export type FrameSign =
  | { readonly is: 'ready' }
  /** The person pressed Escape. */
  | { readonly is: 'leave' }
  | { readonly is: 'pong' }

/** The parts of a MessageEvent that say who speaks. */
export interface FrameMessage {
  readonly source: unknown
  readonly origin: string
  readonly data: unknown
}

/** A message of this very frame; undefined for any other sender, and for one that has an origin. Nothing in it is believed. */
export function messageOf(frame: unknown, { source, origin, data }: FrameMessage): { readonly is: unknown } | undefined {
  // An opaque origin is spelled "null". A frame that has one of ours would not be sandboxed.
  if (!frame || source !== frame || origin !== 'null') return undefined
  return typeof data === 'object' && data !== null && 'is' in data ? data : undefined
}

/** One of the signs; undefined for anything else, which the frame's own messages have to explain. */
export function frameSign({ is }: { readonly is: unknown }): FrameSign | undefined {
  return is === 'ready' || is === 'leave' || is === 'pong' ? { is } : undefined
}
