import { beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { MIN_MOVE, Reveal, SETTLING_TIME } from './reveal.ts'

const NO_WAY = { x: 0, y: 0 }
const HERE = { x: 100, y: 100 }
const AWAY = { x: 100 + MIN_MOVE, y: 100 }
const pointer = { by: 'pointer' } as const

describe('a control that grants something', () => {
  let clock: ManualClock
  let reveal: Reveal
  beforeEach(() => {
    clock = new ManualClock(5000)
    reveal = new Reveal(clock)
  })

  it('ignores a pointer that rests where it appeared, however long', () => {
    reveal.look('place', HERE)
    for (const ms of [50, 100, 350, 400, 1100, 600_000]) {
      clock.advance(ms)
      reveal.follow(HERE, NO_WAY)
      expect(reveal.accepts(pointer)).toBe(false)
    }
    reveal.follow(AWAY, NO_WAY)
    expect(reveal.accepts(pointer)).toBe(true)
  })

  it('ignores its first moments, and a trembling hand (APP-16)', () => {
    reveal.look('place', HERE)
    reveal.follow({ x: HERE.x + MIN_MOVE - 1, y: HERE.y }, NO_WAY)
    clock.advance(SETTLING_TIME)
    expect(reveal.accepts(pointer)).toBe(false)
    reveal.look('elsewhere', HERE)
    reveal.follow(AWAY, NO_WAY)
    clock.advance(SETTLING_TIME - 1)
    expect(reveal.accepts(pointer)).toBe(false)
    clock.advance(1)
    expect(reveal.accepts(pointer)).toBe(true)
  })

  it('starts again for pointers at another place, and for everything after it was hidden or changed', () => {
    const ready = () => {
      reveal.follow(AWAY, NO_WAY)
      clock.advance(SETTLING_TIME)
      expect(reveal.accepts(pointer)).toBe(true)
    }
    const program = { by: 'program' } as const
    reveal.look('place', HERE)
    ready()
    reveal.look('lower', HERE)
    expect([reveal.accepts(pointer), reveal.accepts(program)]).toEqual([false, true])
    ready()
    reveal.look(undefined, HERE)
    expect(reveal.accepts(program)).toBe(false)
    reveal.look('lower', HERE)
    expect([reveal.accepts(pointer), reveal.accepts(program)]).toEqual([false, false])
    ready()
    reveal.show(HERE)
    expect([reveal.accepts(pointer), reveal.accepts(program)]).toEqual([false, false])
  })

  it('ignores a key pressed before it settled', () => {
    reveal.look('place', HERE)
    clock.advance(SETTLING_TIME - 1)
    const pressedAt = clock.now()
    clock.advance(60_000)
    expect(reveal.accepts({ by: 'key', pressedAt })).toBe(false)
    expect(reveal.accepts({ by: 'key', pressedAt: clock.now() })).toBe(true)
  })

  it('treats a pointer of unknown position as resting, unless it comes from elsewhere', () => {
    reveal.look('place', undefined)
    clock.advance(SETTLING_TIME)
    reveal.follow(HERE, NO_WAY)
    expect(reveal.accepts(pointer)).toBe(false)
    reveal.look('lower', undefined)
    clock.advance(SETTLING_TIME)
    reveal.follow(HERE, { x: MIN_MOVE, y: 0 })
    expect(reveal.accepts(pointer)).toBe(true)
  })
})
