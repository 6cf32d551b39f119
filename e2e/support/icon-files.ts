import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { initWasm, Resvg } from '@resvg/resvg-wasm'

/** Sizes in pixels that desktops of Linux look for; the largest is the picture of documents, too. */
const SIZES = [16, 24, 32, 48, 64, 128, 256, 512, 1024]
const ICO_SIZES = [16, 24, 32, 48, 64, 128, 256]
/** Types of an ICNS file that hold PNG, with their pixels: 32 to 1024, the even ones for screens of twice the density. */
const ICNS_TYPES = [
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic14', 512],
  ['ic09', 512],
  ['ic10', 1024],
] as const
/** The mark without its ground, with a little air. */
const MARK_BOX = '150 200 724 724'

const DOT =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6.5" fill="#d13438" stroke="#fff"/></svg>'

let ready: Promise<void> | undefined

/** All files made from the one drawing, by their names in assets/icons. The same drawing gives the same bytes on every system. */
export async function iconFiles(svg: string): Promise<Map<string, Uint8Array>> {
  const wasm = createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')
  ready ??= readFile(wasm).then((bytes) => initWasm(bytes))
  await ready
  const icon = (size: number) => draw(svg, size)
  const mark = markOf(svg)
  return new Map<string, Uint8Array>([
    ...SIZES.map((size) => [`${size}.png`, icon(size)] as const),
    ['icon.ico', ico(ICO_SIZES.map((size) => [size, icon(size)]))],
    ['icon.icns', icns(ICNS_TYPES.map(([type, size]) => [type, icon(size)]))],
    // A Mac colours images of this name itself; other systems show the icon in the tray.
    ['trayTemplate.png', draw(mark, 18)],
    ['trayTemplate@2x.png', draw(mark, 36)],
    ['tray.png', icon(24)],
    ['tray@2x.png', icon(48)],
    // Windows puts it over the icon of a window.
    ['badge.png', draw(DOT, 32)],
    ['tray.ico', ico([16, 20, 24, 32, 48].map((size) => [size, icon(size)]))],
  ])
}

function draw(svg: string, size: number): Uint8Array {
  const image = new Resvg(svg, { fitTo: { mode: 'width', value: size } }).render()
  try {
    return image.asPng()
  } finally {
    image.free()
  }
}

/** The two speech bubbles alone, in black, the dots cut out. */
function markOf(svg: string): string {
  const bubbles = ['speaks', 'answers'].map((id) => {
    const path = new RegExp(`<path id="${id}"[^>]* d="([^"]+)"`).exec(svg)?.[1]
    if (!path) throw new Error(`The drawing has no path "${id}"`)
    return `<path d="${path}"/>`
  })
  const dots = [...svg.matchAll(/<circle cx="\d+" cy="\d+" r="\d+"/g)].map(([circle]) => `${circle}/>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${MARK_BOX}"><mask id="dots" maskUnits="userSpaceOnUse" x="0" y="0" width="1024"
    height="1024"><rect width="1024" height="1024" fill="#fff"/>${dots.join('')}</mask><g mask="url(#dots)">${bubbles.join('')}</g></svg>`
}

/** A Windows icon of PNG pictures: a directory of 16 bytes each, then the pictures. */
function ico(pictures: readonly (readonly [size: number, png: Uint8Array])[]): Uint8Array {
  const head = Buffer.alloc(6 + pictures.length * 16)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(pictures.length, 4)
  let offset = head.length
  for (const [index, [size, png]] of pictures.entries()) {
    const at = 6 + index * 16
    // 0 means 256.
    head.writeUInt8(size % 256, at)
    head.writeUInt8(size % 256, at + 1)
    head.writeUInt16LE(1, at + 4)
    head.writeUInt16LE(32, at + 6)
    head.writeUInt32LE(png.length, at + 8)
    head.writeUInt32LE(offset, at + 12)
    offset += png.length
  }
  return Buffer.concat([head, ...pictures.map(([, png]) => png)])
}

/** An icon of macOS: each picture behind its type and its length, which counts both. */
function icns(pictures: readonly (readonly [type: string, png: Uint8Array])[]): Uint8Array {
  const parts = pictures.map(([type, png]) => Buffer.concat([heading(type, png.length), png]))
  return Buffer.concat([heading('icns', Buffer.concat(parts).length), ...parts])
}

function heading(type: string, length: number): Buffer {
  const head = Buffer.alloc(8, type, 'latin1')
  head.writeUInt32BE(length + 8, 4)
  return head
}
