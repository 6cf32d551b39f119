import { describe, expect, it } from 'vitest'
import { fromDiagramFrame } from './messages.ts'

const frame = { frame: true }
const hear = (data: unknown, from: { source?: unknown; origin?: string } = {}) =>
  fromDiagramFrame({ source: frame, origin: 'null', data, ...from }, frame)

describe('a message from the diagram frame', () => {
  it('is accepted from that very frame only, from a document without an origin', () => {
    expect(hear({ is: 'drawn', width: 30, height: 12 })).toEqual({ is: 'drawn', width: 30, height: 12 })
    expect(hear({ is: 'drawn', width: 30, height: 12 }, { source: { another: true } })).toBeUndefined()
    expect(hear({ is: 'drawn', width: 30, height: 12 }, { origin: 'http://127.0.0.1:4000' })).toBeUndefined()
  })

  it('has a known shape, and nothing else is passed on', () => {
    expect(hear({ is: 'drawn', width: 30, height: 12, more: 'x' })).toEqual({ is: 'drawn', width: 30, height: 12 })
    expect(hear({ is: 'failed', why: 'Enter your password here' })).toEqual({ is: 'failed' })
    expect(hear({ is: 'pong' })).toEqual({ is: 'pong' })
    for (const height of [0, -1, 1.5, 1e9, '12', Number.NaN, undefined])
      expect(hear({ is: 'drawn', width: 30, height })).toBeUndefined()
    expect(hear({ is: 'drawn', height: 12 })).toBeUndefined()
    for (const data of [null, 'drawn', [], {}, { is: 'link', url: 'https://example.com' }]) expect(hear(data)).toBeUndefined()
  })
})
