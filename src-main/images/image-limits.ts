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
  /** Bytes of the file, before base64 adds a third. */
  readonly bytes: number
  readonly types: readonly ImageType[]
}

/**
 * The most pixels to decode, with eight bits a channel; with sixteen bits half as many. 8000 × 8000 is Anthropic's own limit, and
 * more than usual photos of phones.
 */
export const PIXEL_LIMIT = 64_000_000

/** Scales a size down to the longest side `edge`; never up. */
export function fitted({ width, height }: Size, edge: number): Size {
  const scale = edge / Math.max(width, height)
  if (scale >= 1) return { width, height }
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
