import { Lifetime } from '../../src-shared/base/lifetime.ts'
import { BoundedThread, type ThreadFailure, type ThreadParts } from '../threads/bounded-thread.ts'
import { type ImageHeader, imageHeader } from './image-header.ts'
import { fitted, type ImageLimits, type ImageType, PIXEL_LIMIT, type Size } from './image-limits.ts'
import type { ImageAnswer, ImageJob } from './image-protocol.ts'
import { upsize } from './pixels.ts'

/** Milliseconds that one image may take; the largest takes a few seconds. */
export const IMAGE_JOB_TIME = 20_000
const IDLE_TIME = 10_000
export const QUEUE_LIMIT = 64
/** Pixels lie in buffers, which the limit of pixels bounds, and in the codec's memory. */
const RESOURCES = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }
/** Bytes of pictures that were drawn again, and what else was found out, kept while the host runs. */
const KEPT_BYTES = 64 * 1024 * 1024
const KEPT = 2000
/** Reasons that lie not in the image. */
const PASSING: ReadonlySet<string> = new Set(['busy', 'ended', 'lost'] satisfies ThreadFailure[])
/** The cost of a cached result without a picture. */
const FRAME = 256

export interface ImageSource {
  /** Names the content: its SHA-256. */
  readonly hash: string
  readonly read: () => Promise<Uint8Array>
}

/** An image within limits, or why there is none. */
export type FittedImage =
  | {
      readonly is: 'image'
      readonly bytes: Uint8Array
      /** The true type of the bytes. */
      readonly mimeType: ImageType
      readonly size: Size
      /** Its size before it was made smaller. */
      readonly from?: Size
    }
  | { readonly is: 'unseen'; readonly why: ThreadFailure | 'no-image' | 'too-many-pixels' | 'too-many-bytes' }

type Found = { readonly is: 'as-it-is'; readonly mimeType: ImageType; readonly size: Size } | FittedImage

/**
 * Images of strangers within what a model takes. What is upright and within the limits stays as it is, byte for byte; all else is
 * drawn again. Everything is decoded once, in a thread of its own: what cannot be decoded reaches no provider, which would refuse
 * the conversation for good because of it.
 */
export class Images {
  readonly #thread: BoundedThread<ImageJob, ImageAnswer>
  /** Least recently used first. The same image gives the same bytes, so that a provider's cache of the prompt holds. */
  readonly #found = new Map<string, Found>()
  readonly #open = new Map<string, Promise<FittedImage>>()
  #kept = 0

  constructor(parts: ThreadParts) {
    const lifetime = new Lifetime('images', parts.lifetime)
    const source = import.meta.url.endsWith('.ts') ? './image-worker.ts' : './image-worker.js'
    this.#thread = new BoundedThread({
      ...parts,
      name: 'images',
      source: new URL(source, import.meta.url),
      resources: RESOURCES,
      jobTime: IMAGE_JOB_TIME,
      idleTime: IDLE_TIME,
      queueLimit: QUEUE_LIMIT,
      lifetime,
    })
  }

  /** Rejects only with what reading the source throws. */
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
    if (found.is !== 'unseen' || !PASSING.has(found.why)) this.#keep(key, found)
    return found.is === 'as-it-is' ? { ...found, is: 'image', bytes } : found
  }

  async #find(bytes: Uint8Array, limits: ImageLimits): Promise<Found> {
    const header = imageHeader(bytes)
    if (!header) return { is: 'unseen', why: 'no-image' }
    if (header.load > PIXEL_LIMIT) return { is: 'unseen', why: 'too-many-pixels' }
    const redraw = mustRedraw(header, bytes.length, limits)
    const outcome = await this.#thread.run(() => ({ bytes, header, ...(redraw && { limits }) }))
    if (outcome.is === 'failed') return { is: 'unseen', why: outcome.why }
    const from = upsize(header.size, header.orientation)
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
      if (this.#kept <= KEPT_BYTES && this.#found.size <= KEPT) break
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
  const size = fitted(upsize(header.size, header.orientation), limits.edge)
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
