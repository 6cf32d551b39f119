import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { SignalWatch } from './signal-watch.ts'

function waiter() {
  const heard: unknown[] = []
  return { heard, aborted: (reason: unknown) => heard.push(reason) }
}

const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length

describe('the watch of a signal', () => {
  it('tells every waiting caller and nobody else', () => {
    const watch = new SignalWatch()
    const { signal, abort } = controller()
    const [first, second] = [waiter(), waiter()]
    watch.add(signal, first)
    watch.add(signal, second)
    watch.remove(signal, first)
    abort('enough')
    expect([first.heard, second.heard]).toEqual([[], ['enough']])
  })

  it('puts one listener on a signal for all callers, and removes it after the last', () => {
    const watch = new SignalWatch()
    const { signal } = controller()
    const waiters = Array.from({ length: 20 }, waiter)
    for (const each of waiters) watch.add(signal, each)
    expect(listeners(signal)).toBe(1)
    for (const each of waiters) watch.remove(signal, each)
    expect(listeners(signal)).toBe(0)
  })

  it('watches a signal again that nobody waited for in between', () => {
    const watch = new SignalWatch()
    const { signal, abort } = controller()
    const [first, second] = [waiter(), waiter()]
    watch.add(signal, first)
    watch.remove(signal, first)
    watch.add(signal, second)
    abort('now')
    expect([first.heard, second.heard]).toEqual([[], ['now']])
  })
})

function controller() {
  const made = new AbortController()
  return { signal: made.signal, abort: (reason: unknown) => made.abort(reason) }
}
