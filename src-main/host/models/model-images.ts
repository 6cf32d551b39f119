import { createHash } from 'node:crypto'
import type { BlobRef } from '../../../src-shared/contract/blobs.ts'
import { imageType, MAGIC_BYTES } from '../../images/image-header.ts'
import type { ImageLimits } from '../../images/image-limits.ts'
import { type FittedImage, type ImageSource, measured } from '../../images/images.ts'
import type { ModelContent } from '../../models/model-provider.ts'
import type { BlobStore } from '../../storage/base/storage.ts'

/** Makes any image one that a model takes. */
export type FitImage = (image: ImageSource) => Promise<FittedImage>

/** Sizes and no pictures: for estimates, which are not worth any drawing. */
export function measureWithin(limits: ImageLimits): FitImage {
  return async (image) => measured(await image.read(), limits)
}

/** True if it is an image by its first bytes: the server's word is not trusted. */
export async function isImage({ blob }: BlobRef, blobs: BlobStore): Promise<boolean> {
  return imageType(await blobs.read(blob, { offset: 0, length: MAGIC_BYTES })) !== undefined
}

export function blobImage({ blob }: BlobRef, blobs: BlobStore): ImageSource {
  return { hash: blob, read: () => blobs.read(blob) }
}

/** An image that travels in a message. */
export function inlineImage(base64: string): ImageSource {
  const bytes = Buffer.from(base64, 'base64')
  return { hash: createHash('sha256').update(bytes).digest('hex'), read: async () => bytes }
}

/** The image as a model is sent it, with a word where it is smaller than what a person sees: a model may be asked for places in it. */
export function shownImage({ bytes, mimeType, size, from }: Extract<FittedImage, { is: 'image' }>): readonly ModelContent[] {
  const image: ModelContent = { type: 'image', data: Buffer.from(bytes).toString('base64'), mimeType, size }
  if (!from) return [image]
  const text = `[the image that follows was made smaller for you: from ${from.width} × ${from.height} to ${size.width} × ${size.height} pixels]`
  return [{ type: 'text', text }, image]
}

const REASONS: Readonly<Record<Extract<FittedImage, { is: 'unseen' }>['why'], string>> = {
  'no-image': 'it is no image of a known kind, or was cut off',
  'too-many-pixels': 'it has too many pixels',
  'too-many-bytes': 'it could not be made small enough',
  broken: 'it could not be decoded',
  lost: 'what decodes images could not be loaded',
  'too-slow': 'decoding it took too long',
  busy: 'too many images came at once',
  ended: 'Parley is ending',
}

/** The note for a model in place of an image that it cannot be shown. */
export function unseenNote(what: string, seen?: Extract<FittedImage, { is: 'unseen' }>): string {
  return `[${what}: shown to the person, not to you${seen ? `; ${REASONS[seen.why]}` : ''}]`
}
