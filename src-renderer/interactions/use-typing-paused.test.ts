import { describe, expect, it } from 'vitest'
import { TYPING_PAUSE, typingPause } from './use-typing-paused.ts'

/** As much of a field as matters here. */
const field = (value: string) => Object.assign(new EventTarget(), { value })

describe('a pause in typing', () => {
  it('keeps the focus for a second after the last letter', () => {
    const typed = field('abc')
    expect(typingPause({ field: typed, at: 5000 }, typed, 5300)).toBe(TYPING_PAUSE - 300)
    expect(typingPause({ field: typed, at: 5000 }, typed, 6000)).toBe(0)
  })

  it('does not wait for a field that lost the focus or was emptied by sending', () => {
    const typed = field('abc')
    expect(typingPause({ field: typed, at: 5000 }, field('x'), 5001)).toBe(0)
    const sent = field('')
    expect(typingPause({ field: sent, at: 5000 }, sent, 5001)).toBe(0)
    expect(typingPause({ field: null, at: 0 }, null, 1)).toBe(0)
  })
})
