import type { ImageHeader } from './image-header.ts'
import type { ImageLimits, ImageType, Size } from './image-limits.ts'

/** Requests to the thread. */
export interface ImageJob {
  readonly bytes: Uint8Array
  readonly header: ImageHeader
  /** How it has to be drawn again; absent when it is only looked at whether it can be decoded. */
  readonly limits?: ImageLimits
}

export interface Redrawn {
  readonly bytes: Uint8Array
  readonly mimeType: ImageType
  readonly size: Size
}

/** Absent when it was only looked at, and when no drawing of it is small enough. */
export type ImageAnswer = Redrawn | undefined
