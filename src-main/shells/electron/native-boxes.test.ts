import { describe, expect, it } from 'vitest'
import { nativeBoxes } from './native-boxes.ts'

const boxes = (rows: number, os: string) =>
  nativeBoxes(
    { message: 'Start?', intro: 'Parley will', lines: Array.from({ length: rows }, (_, n) => `line ${n}`), advice: '' },
    os,
  )

describe('boxes of the system', () => {
  it('hold half as much on a Mac, and are wider there, since its boxes do not scroll', () => {
    expect(boxes(24, 'linux')).toHaveLength(1)
    const onMac = boxes(24, 'darwin')
    expect(onMac?.map(({ textWidth, detail }) => [textWidth, detail?.match(/line /g)?.length])).toEqual([
      [640, 12],
      [640, 12],
    ])
    expect(boxes(24, 'win32')?.[0]).not.toHaveProperty('textWidth')
  })

  it('hold the same on every system before they are too much to read', () => {
    for (const os of ['linux', 'darwin', 'win32']) {
      expect([os, boxes(288, os)?.at(-1)?.buttons]).toEqual([os, ['Deny', 'Allow']])
      expect([os, boxes(289, os)]).toEqual([os, undefined])
    }
  })
})
