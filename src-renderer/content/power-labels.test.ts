import { describe, expect, it } from 'vitest'
import { hintBadges } from './power-labels.ts'

const words = (hints: Parameters<typeof hintBadges>[0]) => hintBadges(hints).map(({ word }) => word)

describe('a server’s hints of a tool', () => {
  it('are a badge each, in the words of the protocol', () => {
    expect(words({ readOnly: true, destructive: false, idempotent: true, openWorld: false })).toEqual([
      'Read-only',
      'Closed world',
    ])
    expect(words({ readOnly: false, destructive: true, idempotent: true, openWorld: true })).toEqual([
      'Destructive',
      'Idempotent',
      'Open world',
    ])
    expect(words({ readOnly: false, destructive: false, idempotent: false, openWorld: true })).toEqual(['Additive', 'Open world'])
  })
})
