import { describe, expect, it } from 'vitest'
import { gifOf, jpegOf, pngFrom, pngOf, webpOf } from '../../e2e/support/pictures.ts'
import { imageHeader, imageType } from './image-header.ts'

const SIZE = { width: 40, height: 30 }

describe('the header of an image', () => {
  it('gives the true type and size of all four types', async () => {
    expect(imageHeader(pngOf(SIZE))).toEqual({ type: 'image/png', size: SIZE, orientation: 1, load: 1200 })
    expect(imageHeader(await jpegOf(SIZE))).toEqual({ type: 'image/jpeg', size: SIZE, orientation: 1, load: 1200 })
    expect(imageHeader(gifOf(SIZE))).toEqual({ type: 'image/gif', size: SIZE, orientation: 1, load: 1200 })
    expect(imageHeader(await webpOf(SIZE))).toEqual({ type: 'image/webp', size: SIZE, orientation: 1, load: 1200 })
  })

  it('gives the rotation of a photo, in either byte order', async () => {
    const photo = await jpegOf(SIZE, 6)
    expect(imageHeader(photo)).toMatchObject({ size: SIZE, orientation: 6 })
    const little = Buffer.from(photo)
    const at = little.indexOf('MM\0*')
    little.set(Buffer.from('49492a0008000000' + '0100' + '120103000100000008000000', 'hex'), at)
    expect(imageHeader(little)).toMatchObject({ size: SIZE, orientation: 8 })
  })

  it('ignores an impossible orientation', async () => {
    expect(imageHeader(await jpegOf(SIZE, 9))).toMatchObject({ orientation: 1 })
    const photo = await jpegOf(SIZE, 6)
    // The directory lies beyond the segment.
    photo.writeUInt32BE(0xffff_fff0, photo.indexOf('MM\0*') + 4)
    expect(imageHeader(photo)).toMatchObject({ size: SIZE, orientation: 1 })
  })

  it('counts a frame that is larger than its GIF’s screen', () => {
    const gif = gifOf(SIZE)
    gif.writeUInt16LE(65_535, gif.indexOf(0x2c, 13 + 12) + 5)
    expect(imageHeader(gif)).toMatchObject({ size: SIZE, load: 65_535 * SIZE.height })
  })

  it('counts sixteen bits a channel twice', () => {
    const deep = pngFrom(SIZE, Buffer.alloc(8))
    deep[24] = 16
    expect(imageHeader(deep)).toMatchObject({ load: 2400 })
  })

  it('is invalid when the file is cut off anywhere in it, or has no pixels', async () => {
    const photo = await jpegOf(SIZE, 6)
    const whole = [
      { bytes: pngOf(SIZE), header: 25 },
      { bytes: photo, header: photo.indexOf(Buffer.from([0xff, 0xc0])) + 9 },
      { bytes: gifOf(SIZE), header: 30 },
      { bytes: await webpOf(SIZE), header: 25 },
    ]
    for (const { bytes, header } of whole) {
      for (let length = 0; length < header; length += 1) expect(imageHeader(bytes.subarray(0, length))).toBeUndefined()
    }
    expect(imageHeader(pngFrom({ width: 0, height: 5 }, Buffer.alloc(8)))).toBeUndefined()
  })

  it('is invalid for anything else', () => {
    for (const text of ['', '%PDF-1.7', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'RIFF????WAVEfmt ', 'BM', 'GIF90a']) {
      expect(imageType(Buffer.from(text))).toBeUndefined()
      expect(imageHeader(Buffer.from(text))).toBeUndefined()
    }
  })
})
