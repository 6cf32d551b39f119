import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { DEADLINE, Highlighter, type HighlightRequest } from './highlight.ts'

/** A thread of the browser that never comes to an end with code named "slow". */
class Thread extends EventTarget {
  ended = false

  postMessage({ id, code }: HighlightRequest): void {
    if (this.ended || code === 'slow') return
    queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data: { id, lines: [] } })))
  }

  terminate(): void {
    this.ended = true
  }
}

describe('colours for code', () => {
  it('are given up with their thread when they take too long, and others come from a new one', async () => {
    const clock = new ManualClock()
    const threads: Thread[] = []
    const start = () => {
      const thread = new Thread()
      threads.push(thread)
      return thread as unknown as Worker
    }
    const highlighter = new Highlighter(start, clock)
    expect(await highlighter.run('a', 'js')).toEqual([])
    const [slow, after] = [highlighter.run('slow', 'js'), highlighter.run('slow', 'js')]
    clock.advance(DEADLINE)
    expect(await slow).toBeUndefined()
    expect(threads.map(({ ended }) => ended)).toEqual([true, false])
    clock.advance(DEADLINE)
    expect(await after).toBeUndefined()
    expect(await highlighter.run('b', 'js')).toEqual([])
    expect(threads).toHaveLength(3)
    expect(clock.pending).toBe(0)
  })
})
