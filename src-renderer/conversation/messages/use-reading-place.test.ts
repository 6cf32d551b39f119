import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ReadingPlace } from './use-reading-place.ts'

/** As much of a scrolled element as following its end needs. */
class List {
  readonly clientHeight = 400
  scrollHeight = 1000
  #top = 0

  get scrollTop(): number {
    return this.#top
  }

  set scrollTop(top: number) {
    this.#top = Math.min(top, this.end)
  }

  getBoundingClientRect() {
    return { top: 0, bottom: this.clientHeight }
  }

  contains() {
    return false
  }

  get end(): number {
    return this.scrollHeight - this.clientHeight
  }
}

/** A list that is read at its end, in a page of which only the events are there. */
function readList() {
  let resized = () => {}
  const page = new EventTarget()
  onTestFinished(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.stubGlobal('window', page)
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(listen: () => void) {
        resized = listen
      }
      observe() {}
      disconnect() {}
    },
  )
  const list = new List()
  vi.stubGlobal('document', {})
  let atEnd = true
  const place = new ReadingPlace((now) => {
    atEnd = now
  })
  const content = { querySelectorAll: () => [] }
  onTestFinished(place.attach(list as unknown as HTMLElement, content as unknown as HTMLElement))
  place.toEnd()
  const grow = () => {
    list.scrollHeight += 500
    resized()
  }
  const press = (target: unknown, button = 0) => place.onPointerDown({ target: target as EventTarget, button })
  const release = (by: string) => {
    page.dispatchEvent(new Event(by))
    vi.runAllTimers()
  }
  return { list, place, grow, press, release, isAtEnd: () => atEnd }
}

const CONTROL = {}

describe('the end of a growing reply', () => {
  it.each(['pointerup', 'pointercancel', 'dragend', 'blur'])(
    'waits while a control is pressed, and is followed after %s',
    (by) => {
      const { list, grow, press, release } = readList()
      grow()
      expect(list.scrollTop).toBe(1100)
      press(CONTROL)
      grow()
      expect(list.scrollTop).toBe(1100)
      release(by)
      expect(list.scrollTop).toBe(1600)
      grow()
      expect(list.scrollTop).toBe(2100)
    },
  )

  it('is followed while the scroll bar is pressed, or a button that opens a menu of the system', () => {
    const { list, grow, press } = readList()
    press(list)
    grow()
    expect(list.scrollTop).toBe(list.end)
    press(CONTROL, 2)
    grow()
    expect(list.scrollTop).toBe(list.end)
  })

  it('is left alone after a press by a person who scrolled up', () => {
    const { list, place, grow, press, release } = readList()
    list.scrollTop = 100
    place.onScroll()
    press(CONTROL)
    grow()
    release('pointerup')
    expect(list.scrollTop).toBe(100)
  })
})

describe('the other version of a message', () => {
  it.each([
    [0, true],
    [300, false],
  ])('with %i pixels below it leaves the reader at the end: %s', (below, expected) => {
    const { list, place, isAtEnd } = readList()
    const held = { isConnected: true, getBoundingClientRect: () => ({ top: 900 - list.scrollTop, bottom: 920 - list.scrollTop }) }
    place.hold(held as unknown as Element)
    const kept = place.take()
    list.scrollHeight += below
    place.keep(kept)
    expect(isAtEnd()).toBe(expected)
  })
})
