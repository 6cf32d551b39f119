import { readFile } from 'node:fs/promises'
import { crc32, deflateSync } from 'node:zlib'
import { initPhoton, PhotonImage } from '@cf-wasm/photon/others'

export interface PictureSize {
  readonly width: number
  readonly height: number
}

/** Red, green, blue and alpha of a pixel. */
export type Paint = (x: number, y: number) => readonly [number, number, number, number]

/** Red grows to the right and green downwards, so that the corners show how it is turned. */
export const slope =
  ({ width, height }: PictureSize): Paint =>
  (x, y) => [Math.round((x * 255) / (width - 1 || 1)), Math.round((y * 255) / (height - 1 || 1)), 60, 255]

export const noise: Paint = () => [Math.random() * 256, Math.random() * 256, Math.random() * 256, 255].map(Math.floor) as never

function chunk(type: string, content: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(content.length, 0)
  frame.writeUInt32BE(crc32(named), 4)
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)])
}

/** A PNG whose header says `size` and whose pixels are `content`, which need not fit together. */
export function pngFrom({ width, height }: PictureSize, content: Uint8Array): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits a channel, with alpha.
  header.set([8, 6], 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', content), chunk('IEND', Buffer.alloc(0))])
}

function rgbaOf({ width, height }: PictureSize, paint: Paint): Uint8Array {
  const rgba = new Uint8Array(width * height * 4)
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [red, green, blue, alpha] = paint(x, y)
      rgba[at++] = red
      rgba[at++] = green
      rgba[at++] = blue
      rgba[at++] = alpha
    }
  }
  return rgba
}

export function pngOf(size: PictureSize, paint: Paint = slope(size)): Buffer {
  const rgba = rgbaOf(size, paint)
  const row = size.width * 4
  const raw = Buffer.alloc((row + 1) * size.height)
  for (let y = 0; y < size.height; y += 1) raw.set(rgba.subarray(y * row, (y + 1) * row), y * (row + 1) + 1)
  return pngFrom(size, deflateSync(raw, { level: 1 }))
}

/** A GIF of one colour, or of none with `transparent`. */
export function gifOf({ width, height }: PictureSize): Buffer {
  const word = (value: number) => [value & 0xff, value >> 8]
  // Codes of three bits: clear, then one pixel each, cleared again before the codes would grow.
  const bits: number[] = []
  const code = (value: number) => bits.push(value & 1, (value >> 1) & 1, (value >> 2) & 1)
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    if (pixel % 2 === 0) code(4)
    code(1)
  }
  code(5)
  const bytes = Array.from({ length: Math.ceil(bits.length / 8) }, (_, n) =>
    bits.slice(n * 8, n * 8 + 8).reduce((byte, bit, at) => byte | (bit << at), 0),
  )
  const blocks = Array.from({ length: Math.ceil(bytes.length / 255) }, (_, n) => bytes.slice(n * 255, n * 255 + 255))
  return Buffer.from([
    ...Buffer.from('GIF89a'),
    ...word(width),
    ...word(height),
    ...[0x81, 0, 0],
    ...[0, 0, 0, 250, 10, 20, 0, 0, 0, 0, 0, 0],
    ...[0x2c, 0, 0, 0, 0, ...word(width), ...word(height), 0],
    ...[2, ...blocks.flatMap((block) => [block.length, ...block]), 0],
    0x3b,
  ])
}

let codec: Promise<unknown> | undefined

async function photon(): Promise<void> {
  codec ??= readFile(new URL(import.meta.resolve('@cf-wasm/photon/photon.wasm'))).then((bytes) =>
    initPhoton({ module_or_path: new Uint8Array(bytes) }),
  )
  await codec
}

async function drawn<T>(size: PictureSize, paint: Paint, encode: (image: PhotonImage) => T): Promise<T> {
  await photon()
  const image = new PhotonImage(rgbaOf(size, paint), size.width, size.height)
  try {
    return encode(image)
  } finally {
    image.free()
  }
}

/** `orientation` is put into its Exif data. */
export async function jpegOf(size: PictureSize, orientation?: number): Promise<Buffer> {
  const plain = Buffer.from(await drawn(size, slope(size), (image) => image.get_bytes_jpeg(90)))
  if (orientation === undefined) return plain
  const exif = Buffer.from('457869660000' + '4d4d002a00000008' + '0001' + '011200030000000100000000' + '00000000', 'hex')
  exif.writeUInt16BE(orientation, 6 + 8 + 2 + 8)
  const head = Buffer.from([0xff, 0xe1, 0, exif.length + 2])
  return Buffer.concat([plain.subarray(0, 2), head, exif, plain.subarray(2)])
}

export async function webpOf(size: PictureSize, paint: Paint = slope(size)): Promise<Buffer> {
  return Buffer.from(await drawn(size, paint, (image) => image.get_bytes_webp()))
}

/** The true contents of a file. */
export async function decoded(bytes: Uint8Array): Promise<PictureSize & { at: (x: number, y: number) => readonly number[] }> {
  await photon()
  const image = PhotonImage.new_from_byteslice(bytes)
  const [width, height, rgba] = [image.get_width(), image.get_height(), image.get_raw_pixels()]
  image.free()
  return { width, height, at: (x, y) => [...rgba.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)] }
}
