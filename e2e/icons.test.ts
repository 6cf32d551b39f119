import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './scripts/run.mjs'
import { iconFiles } from './support/icon-files.ts'

const folder = join(root, 'assets', 'icons')
const PNG = Buffer.from('89504e470d0a1a0a', 'hex')
/** Width of a PNG picture, which must be as high as it is wide. */
function pixels(png: Buffer): number {
  expect(png.subarray(0, 8)).toEqual(PNG)
  expect(png.readUInt32BE(20)).toBe(png.readUInt32BE(16))
  return png.readUInt32BE(16)
}

describe('the icons', () => {
  it('are those that `npm run icons` draws of assets/icon.svg', async () => {
    const drawn = await iconFiles(readFileSync(join(root, 'assets', 'icon.svg'), 'utf8'))
    expect(readdirSync(folder).sort()).toEqual([...drawn.keys()].sort())
    const stale = [...drawn].filter(([name, bytes]) => !readFileSync(join(folder, name)).equals(bytes)).map(([name]) => name)
    expect(stale).toEqual([])
  })

  it('are pictures of the size that their names and containers say', () => {
    for (const name of readdirSync(folder).filter((file) => /^\d+\.png$/.test(file)))
      expect(pixels(readFileSync(join(folder, name)))).toBe(Number.parseInt(name, 10))
    for (const [name, size] of [
      ['trayTemplate.png', 18],
      ['trayTemplate@2x.png', 36],
      ['tray.png', 24],
      ['tray@2x.png', 48],
      ['badge.png', 32],
    ] as const)
      expect(pixels(readFileSync(join(folder, name)))).toBe(size)
  })

  it('include in the Windows icon every size up to 256, each at its directory’s place', () => {
    const file = readFileSync(join(folder, 'icon.ico'))
    const count = file.readUInt16LE(4)
    const sizes = Array.from({ length: count }, (_, index) => {
      const at = 6 + index * 16
      const [length, offset] = [file.readUInt32LE(at + 8), file.readUInt32LE(at + 12)]
      const size = pixels(file.subarray(offset, offset + length))
      expect(file.readUInt8(at)).toBe(size % 256)
      return size
    })
    expect(sizes).toEqual([16, 24, 32, 48, 64, 128, 256])
  })

  it('include in the macOS icon every size up to 1024, to the end of the file', () => {
    const file = readFileSync(join(folder, 'icon.icns'))
    expect([file.toString('latin1', 0, 4), file.readUInt32BE(4)]).toEqual(['icns', file.length])
    const sizes: number[] = []
    for (let at = 8; at < file.length; at += file.readUInt32BE(at + 4))
      sizes.push(pixels(file.subarray(at + 8, at + file.readUInt32BE(at + 4))))
    expect(sizes).toEqual([32, 64, 128, 256, 256, 512, 512, 1024])
  })
})
