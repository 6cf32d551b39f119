import { BoundedThread, type ThreadFailure, type ThreadParts, threadSource } from '../threads/bounded-thread.ts'
import { type ImageHeader, imageHeader } from './image-header.ts'
import { fitted, type ImageLimits, type ImageType, PIXEL_LIMIT, type Size } from './image-limits.ts'
import type { ImageAnswer, ImageJob } from './image-protocol.ts'
import { uprightSize } from './pixels.ts'

/** Milliseconds for one image; the largest takes a few seconds. */
const IMAGE_JOB_TIME = 20_000
export const MAX_WAITING_IMAGES = 64
/** Bytes and number of cached results. */
const MAX_CACHE_BYTES = 64 * 1024 * 1024
const MAX_CACHED = 2000
/** Temporary failures, which say nothing about the image. */
const TEMPORARY: ReadonlySet<string> = new Set(['busy', 'ended', 'lost'] satisfies ThreadFailure[])
/** The cache cost of a result without an image. */
const FRAME = 256

export interface ImageSource {
  /** SHA-256 of the content. */
  readonly hash: string
  readonly read: () => Promise<Uint8Array>
}

export type FittedImage =
  | {
      readonly is: 'image'
      readonly bytes: Uint8Array
      readonly mimeType: ImageType
      readonly size: Size
      /** The size before scaling. */
      readonly from?: Size
    }
  | { readonly is: 'unseen'; readonly why: ThreadFailure | 'no-image' | 'too-many-pixels' | 'too-many-bytes' }

type Found = { readonly is: 'as-it-is'; readonly mimeType: ImageType; readonly size: Size } | FittedImage

/**
 * Fits images to the limits of a model. An upright image within them stays the same bytes; others are redrawn. Every image is decoded
 * once in a thread: a provider would refuse the whole conversation for one that cannot be decoded.
 */
export class Images {
  readonly #thread: BoundedThread<ImageJob, ImageAnswer>
  /** Least recently used first. Cached, so that an image gives the same bytes and providers can cache the prompt. */
  readonly #found = new Map<string, Found>()
  readonly #open = new Map<string, Promise<FittedImage>>()
  #kept = 0

  constructor(parts: ThreadParts) {
    this.#thread = new BoundedThread({
      ...parts,
      name: 'images',
      source: threadSource(import.meta.url, 'image-worker'),
      // PIXEL_LIMIT bounds buffers and the codec's memory.
      heap: 128,
      jobTime: IMAGE_JOB_TIME,
      queueLimit: MAX_WAITING_IMAGES,
    })
  }

  /** Rejects only with errors of the source. */
  fit(source: ImageSource, limits: ImageLimits): Promise<FittedImage> {
    const key = [source.hash, limits.edge, limits.bytes, ...limits.types].join(' ')
    const open = this.#open.get(key)
    if (open) return open
    const fitting = this.#fit(source, limits, key).finally(() => this.#open.delete(key))
    this.#open.set(key, fitting)
    return fitting
  }

  async #fit(source: ImageSource, limits: ImageLimits, key: string): Promise<FittedImage> {
    const known = this.#found.get(key)
    if (known && known.is !== 'as-it-is') return this.#keep(key, known)
    const bytes = await source.read()
    const found = known ?? (await this.#find(bytes, limits))
    if (found.is !== 'unseen' || !TEMPORARY.has(found.why)) this.#keep(key, found)
    return found.is === 'as-it-is' ? { ...found, is: 'image', bytes } : found
  }

  async #find(bytes: Uint8Array, limits: ImageLimits): Promise<Found> {
    const header = imageHeader(bytes)
    if (!header) return { is: 'unseen', why: 'no-image' }
    if (header.load > PIXEL_LIMIT) return { is: 'unseen', why: 'too-many-pixels' }
    const redraw = mustRedraw(header, bytes.length, limits)
    const outcome = await this.#thread.run(() => ({ bytes, header, ...(redraw && { limits }) }))
    if (outcome.is === 'failed') return { is: 'unseen', why: outcome.why }
    const from = uprightSize(header.size, header.orientation)
    if (!redraw) return { is: 'as-it-is', mimeType: header.type, size: from }
    if (!outcome.answer) return { is: 'unseen', why: 'too-many-bytes' }
    const { size } = outcome.answer
    return { is: 'image', ...outcome.answer, ...(size.width !== from.width || size.height !== from.height ? { from } : {}) }
  }

  #keep<F extends Found>(key: string, found: F): F {
    const before = this.#found.get(key)
    if (before) this.#forget(key, before)
    this.#found.set(key, found)
    this.#kept += costOf(found)
    for (const [oldest, one] of this.#found) {
      if (this.#kept <= MAX_CACHE_BYTES && this.#found.size <= MAX_CACHED) break
      this.#forget(oldest, one)
    }
    return found
  }

  #forget(key: string, found: Found): void {
    this.#found.delete(key)
    this.#kept -= costOf(found)
  }
}

/** The size of an image within limits, from its header alone: for estimates. */
export function measured(bytes: Uint8Array, limits: ImageLimits): FittedImage {
  const header = imageHeader(bytes)
  if (!header) return { is: 'unseen', why: 'no-image' }
  if (header.load > PIXEL_LIMIT) return { is: 'unseen', why: 'too-many-pixels' }
  const size = fitted(uprightSize(header.size, header.orientation), limits.edge)
  return { is: 'image', bytes: new Uint8Array(), mimeType: header.type, size }
}

/** No provider promises to turn a photo as its Exif data say. */
function mustRedraw({ type, size, orientation }: ImageHeader, bytes: number, limits: ImageLimits): boolean {
  return (
    Math.max(size.width, size.height) > limits.edge || bytes > limits.bytes || !limits.types.includes(type) || orientation !== 1
  )
}

function costOf(found: Found): number {
  return FRAME + (found.is === 'image' ? found.bytes.length : 0)
}
