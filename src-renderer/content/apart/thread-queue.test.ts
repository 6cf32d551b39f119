import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { type ThreadAsk, ThreadQueue } from './thread-queue.ts'

const DEADLINE = 1_000

/** A thread of the browser that never comes to an end with "slow". */
class Thread extends EventTarget {
  ended = false

  postMessage({ id, ask }: ThreadAsk<string>): void {
    if (this.ended || ask === 'slow') return
    queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data: { id, answer: [] } })))
  }

  terminate(): void {
    this.ended = true
  }
}

describe('work in a thread', () => {
  it('is given up with its thread when it takes too long, and other work goes on in a new one', async () => {
    const clock = new ManualClock()
    const threads: Thread[] = []
    const start = () => {
      const thread = new Thread()
      threads.push(thread)
      return thread as unknown as Worker
    }
    const queue = new ThreadQueue<string, readonly string[]>(start, clock, DEADLINE)
    expect(await queue.run('a')).toEqual([])
    const [slow, after] = [queue.run('slow'), queue.run('slow')]
    clock.advance(DEADLINE)
    expect(await slow).toBeUndefined()
    expect(threads.map(({ ended }) => ended)).toEqual([true, false])
    clock.advance(DEADLINE)
    expect(await after).toBeUndefined()
    expect(await queue.run('b')).toEqual([])
    expect(threads).toHaveLength(3)
    expect(clock.pending).toBe(0)
  })
})
