import { describe, expect, it } from 'vitest'
import { partOf } from './byte-range.ts'

const BYTES = new Uint8Array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
const asked = (range: string | null) => {
  const { status, headers, bytes } = partOf(BYTES, range)
  return [status, headers['content-range'] ?? '', headers['content-length'] ?? '', [...bytes].join('')]
}

describe('a part of a blob', () => {
  it('is given by its first and last byte, to its end, or from its end', () => {
    expect(asked('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '3', '234'])
    expect(asked('bytes=0-')).toEqual([206, 'bytes 0-9/10', '10', '0123456789'])
    expect(asked('bytes=7-999')).toEqual([206, 'bytes 7-9/10', '3', '789'])
    expect(asked('bytes=-3')).toEqual([206, 'bytes 7-9/10', '3', '789'])
    expect(asked('bytes=-999')).toEqual([206, 'bytes 0-9/10', '10', '0123456789'])
  })

  it('is refused where there is none', () => {
    for (const range of ['bytes=10-', 'bytes=5-4', 'bytes=-0']) expect(asked(range)).toEqual([416, 'bytes */10', '', ''])
  })

  it('is the whole for a header that is absent, or of another unit or form', () => {
    for (const range of [null, '', 'bytes=-', 'bytes=0-1,3-4', 'items=0-1', 'bytes=a-b', `bytes=${'9'.repeat(30)}-`])
      expect(asked(range)).toEqual([200, '', '10', '0123456789'])
  })
})
