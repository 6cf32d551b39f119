import { describe, expect, it } from 'vitest'
import { fromPdfFrame, isWebAddress } from './messages.ts'

const frame = { frame: true }
const hear = (data: unknown, from: { source?: unknown; origin?: string } = {}) =>
  fromPdfFrame({ source: frame, origin: 'null', data, ...from }, frame)

describe('a message from the PDF frame', () => {
  it('is accepted from that very frame only, from a document without an origin', () => {
    expect(hear({ is: 'ready' })).toEqual({ is: 'ready' })
    expect(hear({ is: 'ready' }, { source: { another: true } })).toBeUndefined()
    expect(hear({ is: 'ready' }, { source: null })).toBeUndefined()
    expect(hear({ is: 'ready' }, { origin: 'http://127.0.0.1:4000' })).toBeUndefined()
    expect(fromPdfFrame({ source: null, origin: 'null', data: { is: 'ready' } }, null)).toBeUndefined()
  })

  it('has a known shape, and nothing else is passed on', () => {
    expect(hear({ is: 'opened', pages: 12, more: 'x' })).toEqual({ is: 'opened', pages: 12 })
    expect(hear({ is: 'failed', why: 'locked' })).toEqual({ is: 'failed', why: 'locked' })
    for (const data of [
      null,
      'ready',
      [],
      {},
      { is: 'hello' },
      { is: 'opened' },
      { is: 'opened', pages: '3' },
      { is: 'opened', pages: -1 },
      { is: 'opened', pages: 1e9 },
      { is: 'opened', pages: 1.5 },
      { is: 'failed', why: 'Enter your password here' },
      { is: 'failed' },
      { is: 'link' },
    ]) {
      expect(hear(data)).toBeUndefined()
    }
  })

  it('names web addresses only, of limited length', () => {
    expect(hear({ is: 'link', url: 'https://example.com/a' })).toEqual({ is: 'link', url: 'https://example.com/a' })
    for (const url of [
      'javascript:alert(1)',
      'file:///etc/passwd',
      'data:text/html,hi',
      'parley-page://app/index.html',
      'ms-settings:',
      'no address',
      7,
      `https://example.com/${'a'.repeat(4096)}`,
    ]) {
      expect(isWebAddress(url)).toBe(false)
      expect(hear({ is: 'link', url })).toBeUndefined()
    }
  })
})
