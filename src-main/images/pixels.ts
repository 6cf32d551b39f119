import type { Size } from './image-limits.ts'
import type { Orientation } from './jpeg-orientation.ts'

/** Red, green, blue, alpha: four bytes a pixel, row by row. */
export interface Pixels {
  readonly size: Size
  readonly rgba: Uint8Array
}

export function hasTransparency({ rgba }: Pixels): boolean {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at] !== 255) return true
  return false
}

/** In place: scales colours by opacity, so that invisible ones do not bleed into their neighbours when averaged. */
export function premultiply({ rgba }: Pixels): void {
  for (let at = 0; at < rgba.length; at += 4) {
    const alpha = rgba[at + 3] ?? 0
    if (alpha === 255) continue
    for (let channel = at; channel < at + 3; channel += 1) rgba[channel] = Math.round(((rgba[channel] ?? 0) * alpha) / 255)
  }
}

/** In place: the reverse. */
export function unpremultiply({ rgba }: Pixels): void {
  for (let at = 0; at < rgba.length; at += 4) {
    const alpha = rgba[at + 3] ?? 0
    if (alpha === 255 || alpha === 0) continue
    for (let channel = at; channel < at + 3; channel += 1) {
      rgba[channel] = Math.min(255, Math.round(((rgba[channel] ?? 0) * 255) / alpha))
    }
  }
}

/** In place: puts the image on white, since JPEG has no transparency. */
export function flatten({ rgba }: Pixels): void {
  for (let at = 0; at < rgba.length; at += 4) {
    const alpha = rgba[at + 3] ?? 0
    for (let channel = at; channel < at + 3; channel += 1) {
      rgba[channel] = Math.round(((rgba[channel] ?? 0) * alpha + 255 * (255 - alpha)) / 255)
    }
    rgba[at + 3] = 255
  }
}

export function upright({ size, rgba }: Pixels, orientation: Orientation): Pixels {
  if (orientation === 1) return { size, rgba }
  const { width, height } = size
  const turned = uprightSize(size, orientation)
  const from = new Uint32Array(rgba.buffer, rgba.byteOffset, width * height)
  const to = new Uint32Array(width * height)
  const [right, bottom] = [width - 1, height - 1]
  for (let y = 0; y < turned.height; y += 1) {
    for (let x = 0; x < turned.width; x += 1) {
      const [fromX, fromY] = SOURCES[orientation](x, y, right, bottom)
      to[y * turned.width + x] = from[fromY * width + fromX] ?? 0
    }
  }
  return { size: turned, rgba: new Uint8Array(to.buffer) }
}

export function uprightSize({ width, height }: Size, orientation: Orientation): Size {
  return orientation >= 5 ? { width: height, height: width } : { width, height }
}

/** The source of a pixel of the upright image. */
const SOURCES: Readonly<Record<Orientation, (x: number, y: number, right: number, bottom: number) => readonly [number, number]>> =
  {
    1: (x, y) => [x, y],
    2: (x, y, right) => [right - x, y],
    3: (x, y, right, bottom) => [right - x, bottom - y],
    4: (x, y, _right, bottom) => [x, bottom - y],
    5: (x, y) => [y, x],
    6: (x, y, _right, bottom) => [y, bottom - x],
    7: (x, y, right, bottom) => [right - y, bottom - x],
    8: (x, y, right) => [right - y, x],
  }
