export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'

/** In pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** Limits of a model. An image within them is sent unchanged. */
export interface ImageLimits {
  /** Pixels of the longer side. */
  readonly edge: number
  /** Of the file; base64 makes a third more of it. */
  readonly bytes: number
  readonly types: readonly ImageType[]
}

/**
 * Pixels that are decoded, in images of eight bits a channel; of sixteen bits half as many. It is 8000 × 8000, Anthropic's own
 * limit, and more than cameras of phones make in their usual modes.
 */
export const PIXEL_LIMIT = 64_000_000

/** The largest size of the same shape with no side longer than `edge`; the size itself when it is within. */
export function fitted({ width, height }: Size, edge: number): Size {
  const scale = edge / Math.max(width, height)
  if (scale >= 1) return { width, height }
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
