import { PhotonImage, resize, SamplingFilter } from '@cf-wasm/photon/others'
import { fitted, type ImageLimits, type ImageType, type Size } from './image-limits.ts'
import type { ImageJob, Redrawn } from './image-protocol.ts'
import { flatten, hasTransparency, type Pixels, premultiply, unpremultiply, upright } from './pixels.ts'

/** Up to so many bytes a drawing or a screenshot stays free of loss. */
const SMALL = 1024 * 1024
/** The first is what people do not see a difference at. */
const QUALITIES = [85, 70, 50]

/**
 * Decodes the whole image and, where limits are given, draws it within them: upright, PNG or JPEG. Undefined when no drawing of it
 * is small enough. Throws what the codec throws, after which the codec is not to be used again.
 */
export function redraw({ bytes, header, limits }: ImageJob): Redrawn | undefined {
  let image = PhotonImage.new_from_byteslice(bytes)
  const size: Size = { width: image.get_width(), height: image.get_height() }
  if (size.width !== header.size.width || size.height !== header.size.height) {
    throw new Error('The image is not what its header says.')
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
 * Images with transparency stay PNG, and so do lossless ones that are small as PNG: letters and lines stay sharp. All others become a
 * photo or as large as one, and becomes JPEG.
 */
function encoded(
  pixels: Pixels,
  { from, transparent }: { readonly from: ImageType; readonly transparent: boolean },
  limits: ImageLimits,
): Redrawn | undefined {
  const { size } = pixels
  if (transparent || from === 'image/png' || from === 'image/gif') {
    const bytes = withImage(pixels, (image) => image.get_bytes())
    const most = transparent ? limits.bytes : Math.min(SMALL, limits.bytes)
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
