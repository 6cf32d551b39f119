import { createHash } from 'node:crypto'
import type { BlobRef } from '../../../src-shared/contract/blobs.ts'
import { imageType, MAGIC_BYTES } from '../../images/image-header.ts'
import type { ImageLimits } from '../../images/image-limits.ts'
import { type FittedImage, type ImageSource, measured } from '../../images/images.ts'
import type { ModelContent } from '../../models/model-provider.ts'
import type { BlobStore } from '../../storage/base/storage.ts'

/** Converts an image to one that a model takes. */
export type FitImage = (image: ImageSource) => Promise<FittedImage>

/** Computes the size only, for estimates. */
export function measureWithin(limits: ImageLimits): FitImage {
  return async (image) => measured(await image.read(), limits)
}

/** True for an image by its first bytes, since the server's type is not trusted. */
export async function isImage({ blob }: BlobRef, blobs: BlobStore): Promise<boolean> {
  return imageType(await blobs.read(blob, { offset: 0, length: MAGIC_BYTES })) !== undefined
}

export function blobImage({ blob }: BlobRef, blobs: BlobStore): ImageSource {
  return { hash: blob, read: () => blobs.read(blob) }
}

export function inlineImage(base64: string): ImageSource {
  const bytes = Buffer.from(base64, 'base64')
  return { hash: createHash('sha256').update(bytes).digest('hex'), read: async () => bytes }
}

/** The image for a model, with a note if it is smaller than the person's, because a model may be asked for positions in it. */
export function shownImage({ bytes, mimeType, size, from }: Extract<FittedImage, { is: 'image' }>): readonly ModelContent[] {
  const image: ModelContent = { type: 'image', data: Buffer.from(bytes).toString('base64'), mimeType, size }
  if (!from) return [image]
  const text = `[the image that follows was made smaller for you: from ${from.width} × ${from.height} to ${size.width} × ${size.height} pixels]`
  return [{ type: 'text', text }, image]
}

const REASONS: Readonly<Record<Extract<FittedImage, { is: 'unseen' }>['why'], string>> = {
  'no-image': 'it is not an image of a known kind, or was cut off',
  'too-many-pixels': 'it has too many pixels',
  'too-many-bytes': 'it could not be made small enough',
  broken: 'it could not be decoded',
  lost: 'the image decoder could not be loaded',
  'too-slow': 'decoding it took too long',
  busy: 'too many images came at once',
  ended: 'Parley is ending',
}

/** The note for a model in place of an image that it cannot see. */
export function unseenNote(what: string, seen?: Extract<FittedImage, { is: 'unseen' }>): string {
  return `[${what}: shown to the person, not to you${seen ? `; ${REASONS[seen.why]}` : ''}]`
}
