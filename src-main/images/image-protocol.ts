import type { ImageHeader } from './image-header.ts'
import type { ImageLimits, ImageType, Size } from './image-limits.ts'

export interface ImageJob {
  readonly bytes: Uint8Array
  readonly header: ImageHeader
  /** Limits to redraw it within; absent to only check that it decodes. */
  readonly limits?: ImageLimits
}

export interface Redrawn {
  readonly bytes: Uint8Array
  readonly mimeType: ImageType
  readonly size: Size
}

/** Undefined after a mere check, and when no drawing is small enough. */
export type ImageAnswer = Redrawn | undefined
