import { describe, expect, it } from 'vitest'
import { bytes, counted } from './amounts.ts'
import { duration, exactTime, inWords, relativeTime } from './time.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe('the texts for time and size', () => {
  it('call an impossible date unknown', () => {
    for (const at of [Number.MAX_SAFE_INTEGER, 1e300, Number.NaN, -1e20]) {
      expect(relativeTime(at, 0)).toBe('at an unknown time')
      expect(exactTime(at)).toBe('Unknown time')
    }
  })

  it('say how long ago it was', () => {
    const now = Date.UTC(2026, 5, 15, 12)
    const ago = [0, 50_000, 5 * MINUTE, 59 * MINUTE, 3 * HOUR, 30 * HOUR]
    expect(ago.map((ms) => relativeTime(now - ms, now))).toEqual([
      'just now',
      '1 minute ago',
      '5 minutes ago',
      '59 minutes ago',
      '3 hours ago',
      'yesterday',
    ])
    expect(relativeTime(now + 20 * MINUTE, now)).toBe('in 20 minutes')
    expect(relativeTime(now - 30 * 24 * HOUR, now)).toBe('May 16, 2026')
  })

  it('say how long it takes', () => {
    expect([900, 12_000, 125_000, 4_320_000].map(duration)).toEqual(['0 s', '12 s', '2 min 5 s', '1 h 12 min'])
  })

  it('say a duration in words for a screen reader', () => {
    expect([200, 1000, 60_000, 90_000, 600_000, 121_400].map(inWords)).toEqual([
      '1 second',
      '1 second',
      '60 seconds',
      '90 seconds',
      '10 minutes',
      '2 minutes 1 second',
    ])
  })

  it('say size and number', () => {
    expect([1, 812, 14_200, 3_000_000, 999_999].map(bytes)).toEqual(['1 byte', '812 bytes', '14.2 KB', '3 MB', '1 MB'])
    expect([counted(1, 'tool'), counted(12_480, 'tool')]).toEqual(['1 tool', '12,480 tools'])
  })
})
