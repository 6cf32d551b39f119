import { PhotonImage, resize, SamplingFilter } from '@cf-wasm/photon/others'
import { fitted, type ImageLimits, type ImageType, type Size } from './image-limits.ts'
import type { ImageJob, Redrawn } from './image-protocol.ts'
import { flatten, hasTransparency, type Pixels, premultiply, unpremultiply, upright } from './pixels.ts'

/** The most bytes of a drawing or screenshot that stays lossless. */
const MAX_LOSSLESS = 1024 * 1024
/** JPEG qualities to try; the first has no visible loss. */
const QUALITIES = [85, 70, 50]

/**
 * Decodes the whole image and, with limits, redraws it within them: upright, as PNG or JPEG. Undefined when no drawing is small
 * enough. After an error the codec must not be used again.
 */
export function redraw({ bytes, header, limits }: ImageJob): Redrawn | undefined {
  let image = PhotonImage.new_from_byteslice(bytes)
  const size: Size = { width: image.get_width(), height: image.get_height() }
  if (size.width !== header.size.width || size.height !== header.size.height) {
    throw new Error('The image does not match its header.')
  }
  if (!limits) {
    image.free()
    return undefined
  }
  let transparent = false
  if (header.type !== 'image/jpeg') {
    const pixels = { size, rgba: image.get_raw_pixels() }
    transparent = hasTransparency(pixels)
    if (transparent) {
      image.free()
      premultiply(pixels)
      image = new PhotonImage(pixels.rgba, size.width, size.height)
    }
  }
  const small = fitted(size, limits.edge)
  if (small.width !== size.width || small.height !== size.height) {
    const shrunk = resize(image, small.width, small.height, SamplingFilter.Lanczos3)
    image.free()
    image = shrunk
  }
  const pixels: Pixels = { size: small, rgba: image.get_raw_pixels() }
  image.free()
  if (transparent) unpremultiply(pixels)
  return encoded(upright(pixels, header.orientation), { from: header.type, transparent }, limits)
}

/**
 * Transparent images, and small lossless ones, become PNG, which keeps letters and lines sharp. All others become JPEG.
 */
function encoded(
  pixels: Pixels,
  { from, transparent }: { readonly from: ImageType; readonly transparent: boolean },
  limits: ImageLimits,
): Redrawn | undefined {
  const { size } = pixels
  if (transparent || from === 'image/png' || from === 'image/gif') {
    const bytes = withImage(pixels, (image) => image.get_bytes())
    const most = transparent ? limits.bytes : Math.min(MAX_LOSSLESS, limits.bytes)
    if (bytes.length <= most) return { bytes, mimeType: 'image/png', size }
  }
  if (transparent) flatten(pixels)
  return withImage(pixels, (image) => {
    for (const quality of QUALITIES) {
      const bytes = image.get_bytes_jpeg(quality)
      if (bytes.length <= limits.bytes) return { bytes, mimeType: 'image/jpeg' as const, size }
    }
    return undefined
  })
}

function withImage<T>({ rgba, size }: Pixels, encode: (image: PhotonImage) => T): T {
  const image = new PhotonImage(rgba, size.width, size.height)
  try {
    return encode(image)
  } finally {
    image.free()
  }
}
