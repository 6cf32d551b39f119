import { expect, it } from 'vitest'
import { ManualClock } from '../../e2e/support/manual-clock.ts'
import { watchHidden } from './hidden-pause.ts'

class Page extends EventTarget {
  hidden = false

  turns(hidden: boolean): void {
    this.hidden = hidden
    this.dispatchEvent(new Event('visibilitychange'))
  }
}

function watched(page = new Page()) {
  const clock = new ManualClock()
  const done: string[] = []
  const undo = watchHidden(
    page as Page & Document,
    clock,
    () => done.push('stop'),
    () => done.push('again'),
  )
  return { page, clock, done, undo }
}

const MINUTE = 60_000

it('A view is stopped after five minutes in a hidden page, and comes back when the page is shown (APP-27)', () => {
  const { page, clock, done } = watched()
  clock.advance(10 * MINUTE)
  page.turns(true)
  clock.advance(5 * MINUTE - 1)
  expect(done).toEqual([])
  clock.advance(1)
  expect(done).toEqual(['stop'])
  clock.advance(60 * MINUTE)
  page.turns(false)
  expect(done).toEqual(['stop', 'again'])
  page.turns(true)
  clock.advance(5 * MINUTE)
  expect(done).toEqual(['stop', 'again', 'stop'])
})

it('A view continues when its page was hidden for less, however often (APP-27)', () => {
  const { page, clock, done } = watched()
  for (let n = 0; n < 5; n += 1) {
    page.turns(true)
    clock.advance(4 * MINUTE)
    page.turns(false)
  }
  expect(done).toEqual([])
})

it('A view in a page that is hidden from the start is stopped as well, and none that was closed (APP-27)', () => {
  const hidden = new Page()
  hidden.hidden = true
  const first = watched(hidden)
  first.clock.advance(5 * MINUTE)
  expect(first.done).toEqual(['stop'])
  const closed = watched()
  closed.page.turns(true)
  closed.undo()
  closed.clock.advance(5 * MINUTE)
  closed.page.turns(false)
  expect(closed.done).toEqual([])
})
