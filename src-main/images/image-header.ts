import type { ImageType, Size } from './image-limits.ts'
import { jpegOrientation, type Orientation } from './jpeg-orientation.ts'

/** Facts from the header, before anything is decoded. */
export interface ImageHeader {
  readonly type: ImageType
  /** The stored size, before orientation. */
  readonly size: Size
  readonly orientation: Orientation
  /** Pixels to decode; sixteen-bit ones count twice. */
  readonly load: number
}

/** Enough to tell the type. */
export const MAGIC_BYTES = 16

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

/** By the magic bytes; undefined for other types. */
export function imageType(bytes: Uint8Array): ImageType | undefined {
  if (PNG.every((byte, at) => bytes[at] === byte)) return 'image/png'
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg'
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return 'image/gif'
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 4) === 'WEBP') return 'image/webp'
  return undefined
}

/** Undefined for other types, and for a truncated header. Never throws. */
export function imageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const type = imageType(bytes)
  if (!type) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const found = READERS[type](view)
    if (!found || found.size.width === 0 || found.size.height === 0) return undefined
    const { size, load = size.width * size.height, orientation = 1 } = found
    return { type, size, load, orientation }
  } catch (error) {
    // A read beyond the end: the file is truncated.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

type Found = Pick<ImageHeader, 'size'> & Partial<Pick<ImageHeader, 'load' | 'orientation'>>

const READERS: Readonly<Record<ImageType, (view: DataView) => Found | undefined>> = {
  'image/png': png,
  'image/jpeg': jpeg,
  'image/gif': gif,
  'image/webp': webp,
}

/** PNG, section 11.2.2: IHDR comes first. */
function png(view: DataView): Found | undefined {
  if (tag(view, 12) !== 'IHDR') return undefined
  const size = { width: view.getUint32(16), height: view.getUint32(20) }
  const deep = view.getUint8(24) === 16
  return { size, load: size.width * size.height * (deep ? 2 : 1) }
}

/** ITU-T T.81, annex B: segments up to the frame header; Exif 2.3 in APP1 has the orientation. */
function jpeg(view: DataView): Found | undefined {
  let orientation: Orientation = 1
  for (let at = 2; ; ) {
    if (view.getUint8(at) !== 0xff) return undefined
    const marker = view.getUint8(at + 1)
    // Fill bytes, and markers without a length.
    if (marker === 0xff) at += 1
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2
    else {
      const length = view.getUint16(at + 2)
      const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
      if (isFrame) return { size: { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }, orientation }
      if (marker === 0xd9 || marker === 0xda || length < 2) return undefined
      if (marker === 0xe1) orientation = jpegOrientation(view, at + 4, length - 2) ?? orientation
      at += 2 + length
    }
  }
}

/** GIF89a: the logical screen, and its first image, which may claim to be larger. */
function gif(view: DataView): Found | undefined {
  const size = { width: view.getUint16(6, true), height: view.getUint16(8, true) }
  const flags = view.getUint8(10)
  let at = 13 + (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)
  while (view.getUint8(at) === 0x21) {
    at += 2
    for (let length = view.getUint8(at); length > 0; length = view.getUint8(at)) at += 1 + length
    at += 1
  }
  if (view.getUint8(at) !== 0x2c) return undefined
  const picture = view.getUint16(at + 5, true) * view.getUint16(at + 7, true)
  return { size, load: Math.max(picture, size.width * size.height) }
}

/** RFC 9649: a simple file of one kind or the other, or an extended one with its canvas. */
function webp(view: DataView): Found | undefined {
  // The decoder would fill the missing part of a truncated file with grey.
  if (view.getUint32(4, true) + 8 > view.byteLength) return undefined
  switch (tag(view, 12)) {
    case 'VP8 ':
      return { size: { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff } }
    case 'VP8L': {
      const bits = view.getUint32(21, true)
      return { size: { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 } }
    }
    case 'VP8X': {
      const low24 = (at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
      return { size: { width: low24(24) + 1, height: low24(27) + 1 } }
    }
    default:
      return undefined
  }
}

function tag(view: DataView, at: number): string {
  return String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3))
}

function ascii(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length))
}
