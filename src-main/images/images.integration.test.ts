import { createHash } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ManualClock } from '../../e2e/support/manual-clock.ts'
import { decoded, gifOf, jpegOf, noise, pngFrom, pngOf, slope, webpOf } from '../../e2e/support/pictures.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import { LOAD_TIME } from '../threads/bounded-thread.ts'
import type { ImageLimits } from './image-limits.ts'
import { type ImageSource, Images, MAX_WAITING_IMAGES, measured } from './images.ts'

const LIMITS: ImageLimits = { edge: 400, bytes: 500_000, types: ['image/png', 'image/jpeg'] }

function start() {
  const lifetime = new Lifetime('test')
  onTestFinished(() => lifetime.end())
  const clock = new ManualClock()
  const images = new Images({ clock, lifetime })
  const reads: string[] = []
  const source = (bytes: Uint8Array): ImageSource => {
    const hash = createHash('sha256').update(bytes).digest('hex')
    return {
      hash,
      read: async () => {
        reads.push(hash)
        return bytes
      },
    }
  }
  const see = (bytes: Uint8Array, limits = LIMITS) => images.fit(source(bytes), limits)
  const shown = async (bytes: Uint8Array, limits = LIMITS) => {
    const seen = await see(bytes, limits)
    if (seen.is !== 'image') throw new Error(`It is not seen: ${seen.why}`)
    return seen
  }
  return { images, lifetime, clock, reads, see, shown, source }
}

describe('an image within the limits', () => {
  it('stays the same, byte for byte', async () => {
    const { shown } = start()
    const size = { width: 400, height: 30 }
    for (const bytes of [pngOf(size), await jpegOf(size)]) {
      const seen = await shown(bytes)
      expect(Buffer.from(seen.bytes).equals(bytes)).toBe(true)
      expect(seen).toMatchObject({ size })
      expect(seen).not.toHaveProperty('from')
    }
  })

  it('is converted where the model does not accept its type', async () => {
    const { shown } = start()
    const size = { width: 40, height: 30 }
    const gif = await shown(gifOf(size))
    expect(gif).toMatchObject({ mimeType: 'image/png', size })
    expect((await decoded(gif.bytes)).at(20, 20)).toEqual([250, 10, 20, 255])
    expect(await shown(await webpOf(size))).toMatchObject({ mimeType: 'image/jpeg', size })
    const all: ImageLimits = { ...LIMITS, types: ['image/gif', 'image/webp'] }
    expect(await shown(gifOf(size), all)).toMatchObject({ mimeType: 'image/gif' })
  })
})

describe('an image beyond the limits', () => {
  it('of twelve megapixels is shrunk to them, with its colours', async () => {
    const { shown } = start()
    const photo = await jpegOf({ width: 4032, height: 3024 })
    const seen = await shown(photo, { ...LIMITS, edge: 1568 })
    const size = { width: 1568, height: 1176 }
    expect(seen).toMatchObject({ mimeType: 'image/jpeg', size, from: { width: 4032, height: 3024 } })
    const picture = await decoded(seen.bytes)
    expect(picture).toMatchObject(size)
    for (const [x, y] of [
      [10, 10],
      [1500, 100],
      [800, 600],
      [100, 1100],
    ] as const) {
      const wanted = slope(size)(x, y)
      for (const [channel, value] of picture.at(x, y).entries()) expect(value).toBeCloseTo(wanted[channel] ?? 0, -1)
    }
  })

  it('keeps its transparency and its colours', async () => {
    const { shown } = start()
    // Green on a red that nobody sees.
    const bytes = pngOf({ width: 800, height: 800 }, (x) => (x < 400 ? [255, 0, 0, 0] : [0, 200, 0, 255]))
    const seen = await shown(bytes)
    expect(seen).toMatchObject({ mimeType: 'image/png', size: { width: 400, height: 400 } })
    const picture = await decoded(seen.bytes)
    expect(picture.at(50, 50)[3]).toBe(0)
    expect(picture.at(350, 50)).toEqual([0, 200, 0, 255])
    for (let x = 190; x < 210; x += 1) {
      const [red = 0, , , alpha] = picture.at(x, 200)
      if (alpha) expect(red).toBeLessThan(10)
    }
  })

  it('stays lossless where that is small, and becomes a JPEG where it is not', async () => {
    const { shown } = start()
    const drawing = await shown(pngOf({ width: 900, height: 300 }, (x) => (x % 100 < 50 ? [0, 0, 0, 255] : [255, 255, 255, 255])))
    expect(drawing.mimeType).toBe('image/png')
    const grain = pngOf({ width: 900, height: 900 }, noise)
    const seen = await shown(grain, { ...LIMITS, edge: 800, bytes: 1_000_000 })
    expect(seen).toMatchObject({ mimeType: 'image/jpeg', size: { width: 800, height: 800 } })
    expect(seen.bytes.length).toBeLessThan(1_000_000)
  })

  it('is encoded again where only its bytes are too many', async () => {
    const { shown } = start()
    const size = { width: 390, height: 390 }
    const grain = pngOf(size, noise)
    expect(grain.length).toBeGreaterThan(LIMITS.bytes)
    const seen = await shown(grain)
    expect(seen).toMatchObject({ mimeType: 'image/jpeg', size })
    expect(seen).not.toHaveProperty('from')
    expect(seen.bytes.length).toBeLessThanOrEqual(LIMITS.bytes)
  })

  it('is not shown to the model where no drawing of it is small enough', async () => {
    const { see } = start()
    const grain = pngOf({ width: 390, height: 390 }, noise)
    expect(await see(grain, { ...LIMITS, bytes: 100 })).toEqual({ is: 'unseen', why: 'too-many-bytes' })
  })

  it('keeps a side of at least one pixel, however thin it is', async () => {
    const { shown } = start()
    expect(await shown(pngOf({ width: 2000, height: 1 }))).toMatchObject({ size: { width: 400, height: 1 } })
  })
})

describe('a photo that was taken sideways', () => {
  it('arrives upright', async () => {
    const { shown } = start()
    const seen = await shown(await jpegOf({ width: 800, height: 600 }, 6))
    expect(seen).toMatchObject({ size: { width: 300, height: 400 }, from: { width: 600, height: 800 } })
    const { at } = await decoded(seen.bytes)
    // The left edge is now the top: red grows downwards, green to the left.
    const [redAbove = 0, greenAbove = 0] = at(290, 10)
    const [redBelow = 0, greenBelow = 0] = at(10, 390)
    expect([redAbove, greenAbove].every((value) => value < 30)).toBe(true)
    expect([redBelow, greenBelow].every((value) => value > 225)).toBe(true)
  })
})

describe('hostile images', () => {
  it('of a huge size in a tiny file are refused by their header, before anything is decoded (SEC-23)', async () => {
    const { see, images } = start()
    const bomb = pngFrom({ width: 100_000, height: 100_000 }, Buffer.alloc(32))
    const broken = images.fit(
      { hash: 'slow', read: async () => pngFrom({ width: 3000, height: 3000 }, Buffer.alloc(32)) },
      LIMITS,
    )
    // It does not even wait for the thread.
    expect(await Promise.race([see(bomb), broken])).toEqual({ is: 'unseen', why: 'too-many-pixels' })
    expect(await broken).toEqual({ is: 'unseen', why: 'broken' })
  })

  it('are not passed on when they end too soon or differ from their header', async () => {
    const { see } = start()
    const png = pngOf({ width: 200, height: 200 }, noise)
    const jpeg = await jpegOf({ width: 200, height: 200 })
    const webp = await webpOf({ width: 200, height: 200 }, noise)
    expect(await see(png.subarray(0, png.length / 2))).toEqual({ is: 'unseen', why: 'broken' })
    expect(await see(jpeg.subarray(0, jpeg.length / 2))).toEqual({ is: 'unseen', why: 'broken' })
    expect(await see(webp.subarray(0, webp.length / 2))).toEqual({ is: 'unseen', why: 'no-image' })
    expect(await see(Buffer.from('%PDF-1.7'))).toEqual({ is: 'unseen', why: 'no-image' })
  })

  it('that kill the thread fail alone: the next one gets a new thread', async () => {
    const { see, shown } = start()
    const bad = Array.from({ length: 3 }, (_, n) => pngFrom({ width: 50 + n, height: 50 }, Buffer.alloc(40)))
    const good = pngOf({ width: 500, height: 50 })
    const all = await Promise.all([...bad.map((bytes) => see(bytes)), shown(good)])
    expect(all.slice(0, 3)).toEqual(bad.map(() => ({ is: 'unseen', why: 'broken' })))
    expect(all[3]).toMatchObject({ is: 'image', size: { width: 400, height: 40 } })
  })

  it('that take too long are given up, with their thread', async () => {
    const { clock, see, shown, source, images } = start()
    const slowly = pngOf({ width: 900, height: 20 })
    const slow = see(slowly)
    // The thread has it and can be heard in a later turn of the loop only.
    while (clock.pending === 0) await Promise.resolve()
    clock.advance(LOAD_TIME)
    expect(await slow).toEqual({ is: 'unseen', why: 'too-slow' })
    expect(await shown(pngOf({ width: 30, height: 30 }))).toMatchObject({ is: 'image' })
    // It is not tried again in the next round.
    expect(await images.fit(source(slowly), LIMITS)).toEqual({ is: 'unseen', why: 'too-slow' })
  })

  it('are refused in large numbers, and may be sent again later', async () => {
    const { see } = start()
    const many = Array.from({ length: MAX_WAITING_IMAGES + 5 }, (_, n) => pngOf({ width: 10 + n, height: 2 }))
    const all = await Promise.all(many.map((bytes) => see(bytes)))
    const turned = all.flatMap((one, n) => (one.is === 'unseen' ? [{ n, why: one.why }] : []))
    expect(turned.map(({ why }) => why)).toEqual(['busy', 'busy', 'busy', 'busy'])
    expect(await see(many[turned[0]?.n ?? 0] as Buffer)).toMatchObject({ is: 'image' })
  })
})

describe('the work on images', () => {
  it('is done once for the same content and limits', async () => {
    const { reads, shown } = start()
    const bytes = pngOf({ width: 900, height: 20 })
    const [first, second] = await Promise.all([shown(bytes), shown(bytes)])
    expect(second).toBe(first)
    expect(await shown(bytes)).toBe(first)
    expect(reads.length).toBe(1)
    expect(await shown(bytes, { ...LIMITS, edge: 300 })).toMatchObject({ size: { width: 300 } })
    expect(reads.length).toBe(2)
  })

  it('gives the same bytes after a restart, so that a provider’s cache holds', async () => {
    const bytes = await jpegOf({ width: 900, height: 700 })
    const [one, other] = await Promise.all([start().shown(bytes), start().shown(bytes)])
    expect(Buffer.from(one.bytes).equals(other.bytes)).toBe(true)
  })

  it('ends with the host, whatever waits', async () => {
    const { lifetime, see } = start()
    const waiting = [see(pngOf({ width: 950, height: 20 })), see(pngOf({ width: 900, height: 20 }))]
    await Promise.resolve()
    await lifetime.end()
    for (const one of await Promise.all(waiting)) expect(one).toEqual({ is: 'unseen', why: 'ended' })
    expect(await see(pngOf({ width: 3, height: 3 }))).toEqual({ is: 'unseen', why: 'ended' })
  })

  it('is not needed for an estimate', async () => {
    const seen = measured(await jpegOf({ width: 800, height: 600 }, 6), LIMITS)
    expect(seen).toMatchObject({ is: 'image', size: { width: 300, height: 400 } })
    expect(measured(pngFrom({ width: 100_000, height: 100_000 }, Buffer.alloc(4)), LIMITS)).toMatchObject({ is: 'unseen' })
  })
})
