import { beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import type { ThreadAsk } from './serve-thread.ts'
import { type ThreadOutcome, ThreadQueue } from './thread-queue.ts'

const TIME = 1_000

/** A thread of the browser that does nothing but what a test lets it do. */
class Thread extends EventTarget {
  readonly asked: ThreadAsk<string>[] = []
  ended = false

  postMessage(ask: ThreadAsk<string>): void {
    this.asked.push(ask)
  }

  terminate(): void {
    this.ended = true
  }

  begin(ask: string): void {
    this.#say({ id: this.#idOf(ask), is: 'begun' })
  }

  answer(ask: string): void {
    this.#say({ id: this.#idOf(ask), is: 'done', answer: `${ask}!` })
  }

  refuse(ask: string): void {
    this.#say({ id: this.#idOf(ask), is: 'broken' })
  }

  fail(): void {
    this.dispatchEvent(new Event('error'))
  }

  #idOf(ask: string): number {
    return this.asked.find((one) => one.ask === ask)?.id ?? 0
  }

  #say(data: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
}

describe('work in a thread', () => {
  let clock: ManualClock
  let threads: Thread[]
  let queue: ThreadQueue<string, string>
  let outcomes: Record<string, ThreadOutcome<string>>

  const run = (ask: string, time = TIME) => {
    void queue.run(ask, time).then((outcome) => {
      outcomes[ask] = outcome
    })
  }
  const thread = (n: number) => threads[n] as Thread
  /** Outcomes that are known by now. */
  const known = async () => {
    await new Promise((resolve) => setImmediate(resolve))
    return Object.fromEntries(Object.entries(outcomes).map(([ask, { is }]) => [ask, is]))
  }

  beforeEach(() => {
    clock = new ManualClock()
    threads = []
    outcomes = {}
    queue = new ThreadQueue(() => {
      const one = new Thread()
      threads.push(one)
      return one as unknown as Worker
    }, clock)
  })

  it('is timed from its start in the thread, not from the thread’s own start or earlier work', async () => {
    run('a')
    run('b')
    clock.advance(60_000)
    expect(await known()).toEqual({})
    thread(0).begin('a')
    clock.advance(TIME - 100)
    thread(0).answer('a')
    clock.advance(60_000)
    thread(0).begin('b')
    clock.advance(TIME - 100)
    thread(0).answer('b')
    expect(await known()).toEqual({ a: 'done', b: 'done' })
    expect(outcomes.a).toEqual({ is: 'done', answer: 'a!' })
    expect([threads.length, clock.pending]).toEqual([1, 0])
  })

  it('is late when it takes too long, and its thread ends; other work continues in a new one', async () => {
    run('a', 500)
    run('b')
    thread(0).begin('a')
    clock.advance(500)
    expect(await known()).toEqual({ a: 'late' })
    expect(threads.map(({ ended }) => ended)).toEqual([true, false])
    thread(0).answer('b')
    expect(await known()).toEqual({ a: 'late' })
    thread(1).begin('b')
    thread(1).answer('b')
    expect(await known()).toEqual({ a: 'late', b: 'done' })
  })

  it('is broken when the thread says so or dies of it', async () => {
    run('a')
    run('b')
    run('c')
    thread(0).begin('a')
    thread(0).refuse('a')
    thread(0).begin('b')
    thread(0).fail()
    expect(await known()).toEqual({ a: 'broken', b: 'broken', c: 'late' })
    expect(clock.pending).toBe(0)
  })

  it('is late, not broken, when no thread could be loaded, and the next work gets a new one', async () => {
    run('a')
    thread(0).fail()
    expect(await known()).toEqual({ a: 'late' })
    run('b')
    thread(1).begin('b')
    thread(1).answer('b')
    expect(await known()).toEqual({ a: 'late', b: 'done' })
  })
})
